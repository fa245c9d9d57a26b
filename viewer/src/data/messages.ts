import { beginnings, numbers, summed } from "./columns";
import type { MessagesJson } from "./format";

/// The messages of a run, by number, in the order of the step in which they came in.
export class Messages {
  readonly count: number;
  readonly step: Int32Array;
  readonly sent: Int32Array;
  readonly from: Int32Array;
  readonly to: Int32Array;
  readonly words: Float64Array;
  readonly largest: number;
  readonly late: readonly number[]; // the numbers of those that came in after the step of the send
  private readonly m_begins: Int32Array;

  constructor(
    private readonly m_json: MessagesJson,
    private readonly m_routes: readonly number[][],
    steps: number,
  ) {
    this.count = m_json.step.length;
    this.step = summed(m_json.step);
    this.sent = summed(m_json.sent);
    this.from = Int32Array.from(m_json.from);
    this.to = Int32Array.from(m_json.to);
    this.words = numbers(m_json.words);
    this.largest = this.words.reduce((most, words) => Math.max(most, words), 0);
    this.late = [...this.step.keys()].filter((at) => this.sent[at] < this.step[at]);
    this.m_begins = beginnings(this.step, steps + 1);
  }

  /// The numbers of the messages that arrive in this step: from `begin`, below `end`.
  range(step: number): { begin: number; end: number } {
    if (step < 1 || step + 1 >= this.m_begins.length) return { begin: 0, end: 0 };
    return { begin: this.m_begins[step], end: this.m_begins[step + 1] };
  }

  /// The numbers of the messages that arrive in this step.
  of(step: number): number[] {
    const { begin, end } = this.range(step);
    return Array.from({ length: end - begin }, (_, at) => begin + at);
  }

  /// Finds the messages that are sent in this step, whenever they come in.
  sentIn(step: number): number[] {
    return [...this.of(step), ...this.late].filter((message) => this.sent[message] === step);
  }

  /// Finds the messages that are sent by this step and come in after it.
  underWay(step: number): number[] {
    return this.late.filter((message) => this.sent[message] <= step && step < this.step[message]);
  }

  /// The processors that a message passes, its source and destination included.
  route(message: number): readonly number[] {
    const at = this.m_json.route[message] ?? -1;
    return this.m_routes[at] ?? [this.from[message], this.to[message]];
  }

  pass(message: number): number {
    return this.m_json.pass?.[message] ?? 0;
  }

  sendPlace(message: number): number {
    return this.m_json.sendPlace?.[message] ?? -1;
  }

  receivePlace(message: number): number {
    return this.m_json.receivePlace?.[message] ?? -1;
  }
}
