import { beginnings, lastUpTo, summed } from "./columns";
import type { CallsJson } from "./format";

/// What a call of a processor does, as the page's data numbers it.
export const Kind = {
  send: 0,
  receive: 1,
  barrier: 2,
  phase: 3,
  pipelined_begins: 4,
  pipelined_ends: 5,
  rearrange: 6,
  idle: 7,
  one_sided: 8,
  show: 9,
  work: 10,
  label: 11,
  note: 12,
} as const;

const verbs = [
  "sends",
  "receives",
  "waits in a barrier",
  "enters a phase",
  "begins a pipelined run",
  "ends a pipelined run",
  "rearranges",
  "idles",
  "reads or writes one-sidedly",
  "shows",
  "works",
  "goes on under a label",
  "says why",
];

/// The calls of all processors, each in the order of its program.
export class Calls {
  readonly recorded: boolean;
  readonly count: number;
  readonly rank: Int32Array;
  private readonly m_begins: Int32Array;

  constructor(
    private readonly m_json: CallsJson | undefined,
    processors: number,
    private readonly m_texts: readonly string[] = [],
  ) {
    this.recorded = m_json !== undefined && m_json.rank.length > 0;
    this.rank = summed(m_json?.rank ?? []);
    this.count = this.rank.length;
    this.m_begins = beginnings(this.rank, processors);
  }

  kind(at: number): number {
    return this.m_json!.kind[at];
  }
  begin(at: number): number {
    return this.m_json!.begin[at];
  }
  end(at: number): number {
    return this.m_json!.end[at];
  }
  other(at: number): number {
    return this.m_json!.other[at];
  }
  place(at: number): number {
    return this.m_json!.place[at];
  }
  /// The steps in which the calls began.
  get begins(): readonly number[] {
    return this.m_json?.begin ?? [];
  }
  /// The text of a label or note.
  text(at: number): string {
    return this.m_texts[this.other(at)] ?? "";
  }
  /// Whether a call says or shows something, and does nothing.
  isRemark(at: number): boolean {
    const kind = this.kind(at);
    return kind === Kind.show || kind === Kind.label || kind === Kind.note;
  }
  verb(at: number): string {
    return verbs[this.kind(at)] ?? "calls";
  }

  range(rank: number): { begin: number; end: number } {
    return { begin: this.m_begins[rank] ?? 0, end: this.m_begins[rank + 1] ?? 0 };
  }

  /// The last call that a processor began in this step or before, or -1. A call of the machine that
  /// is not in the source (a phase's beginning), a show, a label, a note or work does not count where another does.
  standsAt(rank: number, step: number): number {
    const { begin, end } = this.range(rank);
    let at = lastUpTo(this.m_json?.begin ?? [], step, begin, end);
    while (at > begin && (this.isRemark(at) || this.kind(at) === Kind.work || this.place(at) < 0)) --at;
    return at;
  }
}
