import type { CodeFunction } from "./functions";
import type { Run } from "./run";

/// A processor, and the place of its program at which it stands.
export interface Stands {
  rank: number;
  place: number;
}

/// Where the processors stand after a step: at the last call that each began; without recorded
/// calls at that of the messages that it sent and took in in this step.
export function standingAfter(run: Run, step: number): Stands[] {
  const found: Stands[] = [];
  for (let rank = 0; run.calls.recorded && rank < run.processors; ++rank) {
    const at = run.calls.standsAt(rank, step);
    if (at >= 0) found.push({ rank, place: run.calls.place(at) });
  }
  const { messages } = run;
  if (!run.calls.recorded) {
    for (const at of messages.sentIn(step))
      found.push({ rank: messages.from[at], place: messages.sendPlace(at) });
    for (const at of messages.of(step))
      found.push({ rank: messages.to[at], place: messages.receivePlace(at) });
  }
  return found.filter(({ place }) => run.place(place));
}

/// The places at which processors stand after a step or, where none stands anywhere yet, after the first step
/// in which one does.
export function placesFrom(run: Run, step: number): number[] {
  for (let at = step; at <= run.steps; ++at) {
    const standing = standingAfter(run, at);
    if (standing.length > 0) return standing.map(({ place }) => place);
  }
  return [];
}

/// By line of a function which processors stand there, or in a call that this line makes.
export function linesIn(run: Run, of: CodeFunction, standing: Stands[]): Map<number, number[]> {
  const lines = new Map<number, number[]>();
  for (const { rank, place } of standing) {
    const inside = run.functions.chain(place).find((at) => {
      const { file, line } = run.place(at)!;
      return file === of.file && of.first <= line && line <= of.last;
    });
    if (inside === undefined) continue;
    const { line } = run.place(inside)!;
    const ranks = lines.get(line) ?? [];
    if (!ranks.includes(rank)) lines.set(line, [...ranks, rank]);
  }
  return lines;
}
