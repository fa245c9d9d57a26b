import { counted } from "./words";

/// Processors and steps that the reader marked in the matrix or in the drawing, or typed.
export interface Mark {
  ranks: ReadonlySet<number>;
  first: number; // of the steps
  last: number;
}

/// Reads ranks as they are typed, "0-3, 8"; undefined where that names none below `processors`.
export function parseRanks(text: string, processors: number): Set<number> | undefined {
  const ranks = new Set<number>();
  for (const part of text.split(",")) {
    const found = /^\s*(\d{1,9})(?:\s*-\s*(\d{1,9}))?\s*$/.exec(part);
    if (!found) return undefined;
    const last = Math.min(processors - 1, Number(found[2] ?? found[1]));
    for (let rank = Number(found[1]); rank <= last; ++rank) ranks.add(rank);
  }
  return ranks.size > 0 ? ranks : undefined;
}

/// Writes ranks as they are typed, neighbours joined: "0-3,8".
export function ranksText(ranks: ReadonlySet<number>): string {
  const parts: string[] = [];
  for (const rank of [...ranks].sort((a, b) => a - b)) {
    if (ranks.has(rank - 1)) continue;
    let last = rank;
    while (ranks.has(last + 1)) ++last;
    parts.push(last > rank ? `${rank}-${last}` : `${rank}`);
  }
  return parts.join(",");
}

/// What is marked, in words: "processors 0-3 in steps 1 to 2".
export function markText({ ranks, first, last }: Mark): string {
  const text = ranksText(ranks);
  const named = text.length > 40 ? counted(ranks.size, "processor") : `processors ${text}`;
  return `${named} in ${first === last ? `step ${first}` : `steps ${first} to ${last}`}`;
}
