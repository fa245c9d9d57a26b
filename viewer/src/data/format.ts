// The data of a page, as lockstep writes it: see README.md, "The data of a page".

export interface ViewJson {
  format: number;
  runs: RunJson[];
}

export interface RunJson {
  title: string;
  algorithm: string;
  command: string;
  machine: MachineJson;
  counts: Record<string, Whole>;
  span?: Whole; // operations on the longest path through work and messages
  makespan?: Whole; // steps until the last processor is done, where they are more than the rounds
  labels?: LabelJson[];
  complete: boolean;
  incomplete_why: string;
  phases: PhaseJson[];
  steps: StepsJson;
  stretches?: [number, Whole][]; // steps of the page that show several idle ones of the run, and how many
  places: PlaceJson[];
  sources: SourceJson[];
  messages: MessagesJson;
  routes: number[][];
  calls?: CallsJson;
  texts?: string[]; // of calls that are labels or notes, whose `other` is an index into it
  shows?: ShowsJson;
  showNames?: string[];
  failure: FailureJson | null;
  claims: ClaimJson[];
  figures?: Record<string, Whole>; // measured, of claims on what is not in counts
  bounds: BoundJson[];
  explanation: string[];
  reasons?: { phase: string; text: string }[]; // why processors do what they do, by the beginning of a phase's name
  clock?: ClockJson; // when processors do what, by a clock model
  call: string;
  header: string;
  parameters: Record<string, unknown>;
  textbook?: string; // the command that shows the form of a paper, of a run that is by another one
  wrong?: string[]; // what of the notes is left out, and why: sentences, which decoding adds
}

/// A whole number; beyond 2^53 it stands in a string.
export type Whole = number | string;

/// A number that a program shows: any whole one, a floating one, or null for one that is not finite.
export type ShownNumber = Whole | null;

export interface MachineJson {
  spec: string;
  kind: string;
  processors: number;
  ports: string;
  switching: string;
  strict: boolean;
  packet: number;
  axes: AxisJson[];
  layout: number[];
  coordinates: number[][];
  links: number[];
}

export interface AxisJson {
  size: number;
  ring: boolean;
}

export interface PhaseJson {
  name: string;
  first: number;
  [figure: string]: Whole;
}

/// The figures of what processors did under a label.
export interface LabelJson {
  name: string;
  inside?: number; // index of the label around it
  steps: Whole;
  words: Whole;
  volume: Whole;
  messages: Whole;
  operations?: Whole;
}

export interface StepsJson {
  phase: number[];
  messages: Whole[];
  words: Whole[];
  volume: Whole[];
  hops: Whole[];
  contention: Whole[];
  serialised: Whole[];
  queued: Whole[];
  startups: Whole[];
  pipelined: number[];
  work?: Whole[];
  totals: Record<string, Whole[]>;
}

export interface PlaceJson {
  file: number;
  line: number;
  function: string;
  from?: number; // the place of the call of a library's function that it is in
}

export interface SourceJson {
  name: string;
  text: string | null;
}

export interface MessagesJson {
  step: number[];
  sent: number[];
  from: number[];
  to: number[];
  words: Whole[];
  pass?: number[];
  route: number[];
  sendPlace?: number[];
  receivePlace?: number[];
}

export interface CallsJson {
  rank: number[];
  kind: number[];
  begin: number[];
  end: number[];
  other: number[];
  place: number[];
}

export interface ShowsJson {
  rank: number[];
  step: number[];
  name: number[];
  value: ShownJson[];
}

/// A value as the page's data have it: the sources of blocks and their destinations are columns of differences.
export type ShownJson = Exclude<ShownValue, { blocks: number[] }> | { blocks: [number[], number[]] };

export type ShownValue =
  | { numbers: ShownNumber[] }
  | { number: ShownNumber }
  | { text: string }
  | { blocks: number[] }
  | { intervals: number[] }
  | { sample: SampleJson }
  | { matrix: MatrixJson };

/// Every n-th of many numbers, and how all are spread.
export interface SampleJson {
  count: number;
  every: number;
  numbers: ShownNumber[];
  notFinite: number;
  least: ShownNumber;
  most: ShownNumber;
  mean: ShownNumber;
  histogram: number[]; // counts in equally wide parts from the least to the most
}

export interface MatrixJson {
  columns: number;
  numbers: ShownNumber[];
  every?: number; // of the rows and columns every n-th is here
  of?: [number, number]; // the rows and columns of the whole matrix
}

export interface FailureJson {
  kind: string;
  message: string;
  rank: number;
  step: number;
  phase: string;
  place: number;
  waits: WaitJson[];
  cycle: number[];
  messages: FailedMessageJson[];
}

export interface WaitJson {
  rank: number;
  for: number; // -1: for no processor alone, as in a barrier
  since: Whole;
  in?: string; // the call: receive, barrier, phase("merge")
  place: number;
}

export interface FailedMessageJson {
  from: number;
  to: number;
  words?: Whole; // where they are known
  step: number;
  place?: number;
  route: number[];
}

export interface ClaimJson {
  figure: string;
  formula: string;
  value: Whole;
  relation: string;
  holds: boolean;
  source: string;
  erratum?: string;
  verdict?: string; // "equal", "holds", "refuted", "our program exceeds", "outside the claim", ...
  reason?: string; // what the verdict rests on
}

/// The clocks of the processors.
export interface ClockJson {
  model: string;
  unit: string;
  makespan: number;
  utilisation: number;
  kinds: string[]; // of stretches: "send", "receive", "work", "waiting", "held", "barrier", "idle"
  stretches: { rank: number[]; what: number[]; begin: number[]; end: number[] }; // what: index into kinds
  steps?: { step: Whole[]; begin: number[]; end: number[] }; // of the run: from its first send to its last receive
  path: PathPieceJson[];
}

/// A piece of the critical path: what a processor did, or waited for; of a barrier `other` is -1.
export interface PathPieceJson {
  rank: number;
  what: string; // "send", "receive", "work", "idle", "barrier"
  begin: number;
  end: number;
  other: number;
}

export interface BoundJson {
  figure: string;
  value: Whole;
  formula: string;
  source: string;
  tight: boolean;
  sentence?: string; // why it holds
  drawing: BoundDrawing | null;
}

export type BoundDrawing =
  | { kind: "port"; rank: number; out?: boolean } // out: its out-port, else its in-port
  | { kind: "path"; ranks: number[] }
  | { kind: "cut"; side: number[] }
  | { kind: "doubling" }; // which is not drawn
