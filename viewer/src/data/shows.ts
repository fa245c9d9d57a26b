import { beginnings, lastUpTo, summed } from "./columns";
import type { ShownJson, ShownValue, ShowsJson } from "./format";

/// Something that a processor holds, by its name.
export interface Shown {
  name: string;
  value: ShownValue;
  step: number; // since which step it is so
  entry: number; // its number among all
}

/// Puts each block's source and destination side by side.
function decoded(value: ShownJson): ShownValue {
  if (!("blocks" in value)) return value;
  const [sources, destinations] = value.blocks.map(summed);
  const blocks: number[] = [];
  sources.forEach((source, at) => blocks.push(source, destinations[at]));
  return { blocks };
}

/// In how many columns that many blocks are drawn: those of a square, if it is one.
export function columnsOfBlocks(count: number): number {
  if (count <= 8) return Math.max(1, count);
  const root = Math.sqrt(count);
  return Number.isInteger(root) ? root : count <= 64 ? 8 : count <= 400 ? 16 : 32;
}

/// What processors say that they hold, by `me.show`.
export class Shows {
  readonly count: number;
  readonly rank: Int32Array;
  readonly step: Int32Array;
  private readonly m_begins: Int32Array;
  private readonly m_values: ShownValue[];

  constructor(
    private readonly m_json: ShowsJson | undefined,
    readonly names: readonly string[],
    processors: number,
  ) {
    this.count = m_json?.step.length ?? 0;
    this.rank = summed(m_json?.rank ?? []);
    this.step = Int32Array.from(m_json?.step ?? []);
    this.m_begins = beginnings(this.rank, processors);
    this.m_values = (m_json?.value ?? []).map(decoded);
  }

  /// Whether something is shown that can be followed: blocks, or intervals.
  get hasOrigins(): boolean {
    return this.m_values.some((value) => "blocks" in value || "intervals" in value);
  }

  value(at: number): ShownValue {
    return this.m_values[at];
  }

  name(at: number): string {
    return this.names[this.m_json!.name[at]] ?? "";
  }

  /// The entries of a processor: from `begin`, below `end`.
  range(rank: number): { begin: number; end: number } {
    return { begin: this.m_begins[rank] ?? 0, end: this.m_begins[rank + 1] ?? 0 };
  }

  /// The numbers of the entries that hold at this processor after this step, one for each name, in
  /// the order in which the program first showed them.
  entriesAfter(rank: number, step: number): number[] {
    const { begin, end } = this.range(rank);
    const last = lastUpTo(this.step, step, begin, end);
    const newest = new Map<number, number>();
    for (let at = begin; at <= last; ++at) newest.set(this.m_json!.name[at], at);
    return [...newest.values()];
  }

  /// What this processor holds after this step.
  after(rank: number, step: number): Shown[] {
    return this.entriesAfter(rank, step).map((at) => ({
      name: this.name(at),
      value: this.value(at),
      step: this.step[at],
      entry: at,
    }));
  }

  /// The last entry of the same name and processor in an earlier step, or -1.
  before(entry: number): number {
    const { begin } = this.range(this.rank[entry]);
    const name = this.m_json!.name;
    let at = entry - 1;
    while (at >= begin && (name[at] !== name[entry] || this.step[at] === this.step[entry])) --at;
    return at < begin ? -1 : at;
  }
}
