import type { ClockJson, PathPieceJson, Whole } from "./format";
import { shownText } from "./words";

/// A stretch of a processor's time.
export interface Stretch {
  rank: number;
  what: string;
  begin: number;
  end: number;
}

/// What a processor does at a time, in the words of a sentence.
const doings: Record<string, string> = {
  send: "sends",
  receive: "receives",
  work: "works",
  waiting: "waits for a message",
  held: "is held by its out-port or a link",
  barrier: "waits in a barrier",
  idle: "idles",
};

/// The clocks of a run: what each processor does when, by a model.
export class ClockTimes {
  readonly makespan: number;
  readonly path: readonly PathPieceJson[];
  private readonly m_by_rank: Stretch[][];

  constructor(
    readonly json: ClockJson,
    processors: number,
  ) {
    this.makespan = json.makespan;
    this.path = joined(json.path);
    this.m_by_rank = Array.from({ length: processors }, () => []);
    const { rank, what, begin, end } = json.stretches;
    rank.forEach((of, at) => {
      const kind = json.kinds[what[at]] ?? "";
      this.m_by_rank[of]?.push({ rank: of, what: kind, begin: begin[at], end: end[at] });
    });
  }

  stretchesOf(rank: number): readonly Stretch[] {
    return this.m_by_rank[rank] ?? [];
  }

  /// What a processor does at a time; nothing after its end.
  at(rank: number, time: number): Stretch | undefined {
    return this.stretchesOf(rank).find(({ begin, end }) => begin <= time && time < end);
  }

  /// The time that a processor is busy.
  busy(rank: number): number {
    return this.stretchesOf(rank)
      .filter(({ what }) => isBusy(what))
      .reduce((sum, { begin, end }) => sum + end - begin, 0);
  }

  /// The time of a step of the page, from the first send of a message that arrives in it until the last
  /// is taken in; nothing where none comes in.
  step(step: number, pageStep: (of: Whole) => number): { begin: number; end: number } | undefined {
    const steps = this.json.steps;
    const at = steps?.step.findIndex((of) => pageStep(of) === step) ?? -1;
    return steps && at >= 0 ? { begin: steps.begin[at], end: steps.end[at] } : undefined;
  }

  /// "3 to 4.07 us".
  span(begin: number, end: number): string {
    return `${shownText(begin)} to ${shownText(end)} ${this.json.unit}`;
  }
}

export function isBusy(what: string): boolean {
  return what === "send" || what === "receive" || what === "work";
}

/// Says what a stretch is: "waits for a message".
export function doingOf(what: string): string {
  return doings[what] ?? what;
}

/// Puts pieces of the path that one processor does with one partner together.
function joined(path: readonly PathPieceJson[]): PathPieceJson[] {
  const all: PathPieceJson[] = [];
  for (const piece of path) {
    const last = all[all.length - 1];
    const goesOn =
      last && last.rank === piece.rank && last.what === piece.what && last.other === piece.other;
    if (goesOn) last.end = piece.end;
    else all.push({ ...piece });
  }
  return all;
}
