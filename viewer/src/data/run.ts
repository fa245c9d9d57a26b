import { numbers } from "./columns";
import { Calls, Kind } from "./calls";
import { Functions } from "./functions";
import type { ClaimJson, MachineJson, PlaceJson, RunJson, Whole } from "./format";
import type { Mark } from "./mark";
import { loadsOfRun, loadsOfStep, type LinkLoad } from "./link_loads";
import { Messages } from "./messages";
import { Shows } from "./shows";

/// The figures of one step.
export interface StepFigures {
  phase: number;
  messages: number;
  words: number;
  volume: number;
  hops: number;
  contention: number;
  queued: number;
  startup: boolean;
  pipelined: number;
  rearranges: boolean;
  onlyEmpty: boolean;
}

/// A run as the page shows it: its data, decoded, with what is asked of it again and again.
export class Run {
  readonly machine: MachineJson;
  readonly processors: number;
  readonly steps: number;
  readonly messages: Messages;
  readonly calls: Calls;
  readonly shows: Shows;
  readonly functions: Functions;
  readonly pipelined: boolean; // whether steps are pipelined, whose first one counts all words
  private readonly m_rearranged: Set<number>;
  private readonly m_loads = new Map<number, LinkLoad[]>();
  private readonly m_run_loads = new Map<Mark | undefined, LinkLoad[]>();

  constructor(readonly json: RunJson) {
    this.machine = json.machine;
    this.processors = json.machine.processors;
    this.steps = json.steps.messages.length;
    this.messages = new Messages(json.messages, json.routes, this.steps);
    this.calls = new Calls(json.calls, this.processors, json.texts);
    this.shows = new Shows(json.shows, json.showNames ?? [], this.processors);
    this.functions = new Functions(json);
    this.pipelined = json.steps.pipelined.some((number) => number > 0);
    this.m_rearranged = rearrangedSteps(this.calls, this.steps);
  }

  /// The figures of a step from 1 to `steps`.
  figures(step: number): StepFigures {
    const columns = this.json.steps;
    const at = step - 1;
    const { begin, end } = this.messages.range(step);
    const messages = Number(columns.messages[at]);
    return {
      phase: columns.phase[at] ?? -1,
      messages,
      words: Number(columns.words[at]),
      volume: Number(columns.volume[at]),
      hops: Number(columns.hops[at]),
      contention: Number(columns.contention[at]),
      queued: Number(columns.queued[at]),
      startup: Number(columns.startups[at]) > 0,
      pipelined: columns.pipelined[at] ?? 0,
      rearranges: this.m_rearranged.has(step),
      onlyEmpty: messages === 0 && end > begin,
    };
  }

  /// The words of the largest message that arrives in this step; where the page leaves out its
  /// messages, what the step counts.
  largest(step: number): number {
    const { begin, end } = this.messages.range(step);
    if (begin === end) return Number(this.json.steps.words[step - 1] ?? 0);
    return this.messages.words.subarray(begin, end).reduce((most, words) => Math.max(most, words));
  }

  /// Whether there are steps that pay no start-up, so that it is worth saying which do.
  get hasFreeSteps(): boolean {
    return this.json.steps.startups.some((startups) => Number(startups) === 0);
  }

  /// A running figure after a step, exact; 0 after step 0.
  total(figure: string, step: number): string {
    const column = this.json.steps.totals[figure];
    if (!column || step < 1) return "0";
    return String(column[Math.min(step, this.steps) - 1] ?? 0);
  }

  /// The operations of all processors in a step.
  operations(step: number): number {
    return Number(BigInt(this.total("operations", step)) - BigInt(this.total("operations", step - 1)));
  }

  /// The share of the time of work, from 0 to 1, in which processors idle since another works more; 0
  /// where nothing is worked.
  idleShare(operations: number, work: number): number {
    return work > 0 ? Math.max(0, 1 - operations / (this.processors * work)) : 0;
  }

  /// The figures that are kept step by step, in the order of the data.
  get figureNames(): string[] {
    return Object.keys(this.json.steps.totals);
  }

  /// The claims on figures of the whole run only.
  get otherClaims(): ClaimJson[] {
    return this.json.claims.filter((claim) => !(claim.figure in this.json.steps.totals));
  }

  /// Numbers a step of the page as the run does: "7", or "8 to 2305843009213693959" where it shows idle
  /// steps as one.
  stepName(step: number): string {
    let before = 0n; // steps of the run that the page has no step for
    for (const [at, steps] of this.json.stretches ?? []) {
      const more = BigInt(steps) - 1n;
      if (step === at) return `${BigInt(at) + before} to ${BigInt(at) + before + more}`;
      if (step > at) before += more;
    }
    return String(BigInt(step) + before);
  }

  /// Whether the page's last step comes after all steps of the run, and shows what processors hold then.
  get hasEnd(): boolean {
    const { complete, failure, counts } = this.json;
    if (!complete || failure || this.steps < 1 || counts.rounds === undefined) return false;
    const { begin, end } = this.messages.range(this.steps);
    return begin === end && this.stepName(this.steps) === String(BigInt(counts.rounds) + 1n);
  }

  isEnd(step: number): boolean {
    return step === this.steps && this.hasEnd;
  }

  /// Names a step of the page in a heading: "Step 7", or "After step 7" at the end.
  heading(step: number): string {
    return this.isEnd(step) ? `After step ${this.lastStep}` : `Step ${this.stepName(step)}`;
  }

  /// The last step of the run.
  get lastStep(): string {
    return this.stepName(this.hasEnd ? this.steps - 1 : this.steps);
  }

  /// The last step of the page at or before a step of the run.
  pageStep(step: Whole): number {
    let rest = BigInt(step);
    for (const [at, steps] of this.json.stretches ?? []) {
      if (rest <= BigInt(at)) break;
      const more = BigInt(steps) - 1n;
      if (rest <= BigInt(at) + more) return at;
      rest -= more;
    }
    return Number(rest);
  }

  phaseName(step: number): string {
    if (step < 1 || step > this.steps) return "";
    return this.json.phases[this.json.steps.phase[step - 1] ?? -1]?.name ?? "";
  }

  place(index: number): PlaceJson | undefined {
    return this.json.places[index];
  }

  /// A place of the source as a reader says it: "prefix.hpp:12".
  placeName(index: number): string {
    const place = this.place(index);
    if (!place) return "";
    return `${this.json.sources[place.file]?.name ?? "?"}:${place.line}`;
  }

  /// What each directed link carries in this step.
  loads(step: number): LinkLoad[] {
    let loads = this.m_loads.get(step);
    if (!loads) {
      loads = loadsOfStep(this.messages, this.processors, step);
      if (this.m_loads.size > 64) this.m_loads.clear();
      this.m_loads.set(step, loads);
    }
    return loads;
  }

  /// What each directed link carries in the whole run, or of it the messages of a mark.
  runLoads(mark?: Mark): LinkLoad[] {
    let loads = this.m_run_loads.get(mark);
    if (!loads) {
      loads = loadsOfRun(this.messages, this.processors, mark);
      if (this.m_run_loads.size > 8) this.m_run_loads.clear();
      this.m_run_loads.set(mark, loads);
    }
    return loads;
  }

  /// A column of the steps as numbers.
  column(name: "words" | "volume" | "contention" | "messages"): Float64Array {
    return numbers(this.json.steps[name]);
  }

  /// Says where a processor is in a grid, "1,1", or its rank in binary where links change single
  /// bits of it, "00101"; elsewhere "".
  coordinates(rank: number): string {
    const { kind, coordinates } = this.machine;
    if (kind === "tree") return "";
    if (kind === "hypercube" || kind === "shuffle-exchange")
      return rank.toString(2).padStart(Math.log2(this.processors), "0");
    const at = coordinates[rank] ?? [];
    return at.length > 1 ? at.join() : "";
  }

  /// Names a processor, with its coordinates where it has them: "5 (1,1)".
  label(rank: number): string {
    const at = this.coordinates(rank);
    return at ? `${rank} (${at})` : String(rank);
  }
}

function rearrangedSteps(calls: Calls, steps: number): Set<number> {
  const found = new Set<number>();
  for (let at = 0; at < calls.count; ++at)
    if (calls.kind(at) === Kind.rearrange) found.add(Math.min(calls.begin(at), steps));
  return found;
}
