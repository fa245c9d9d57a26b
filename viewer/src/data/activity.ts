import { Kind } from "./calls";
import type { Run } from "./run";

/// What a processor does in a step, as bits of a cell.
export const Does = { send: 1, take_in: 2, wait: 4, queue: 8 } as const;

/// A processor by step matrix: what each processor does in each step.
export class Activity {
  private readonly m_cells: Uint8Array;

  constructor(private readonly m_run: Run) {
    this.m_cells = new Uint8Array(m_run.processors * (m_run.steps + 1));
    this.addMessages();
    if (m_run.calls.recorded) this.addWaiting();
    this.addFailedWaits();
  }

  at(rank: number, step: number): number {
    return this.m_cells[rank * (this.m_run.steps + 1) + step];
  }

  private set(rank: number, step: number, does: number): void {
    if (step < 1 || step > this.m_run.steps || rank < 0 || rank >= this.m_run.processors) return;
    this.m_cells[rank * (this.m_run.steps + 1) + step] |= does;
  }

  /// A message that waits for its receiver stands in the queue before it.
  private addMessages(): void {
    const { messages } = this.m_run;
    for (let at = 0; at < messages.count; ++at) {
      this.set(messages.from[at], messages.sent[at], Does.send);
      this.set(messages.to[at], messages.step[at], Does.take_in);
      for (let step = messages.sent[at]; step < messages.step[at]; ++step)
        this.set(messages.to[at], step, Does.queue);
    }
  }

  /// A receive waits before the step in which it takes in; a barrier and an idle step wait
  /// throughout.
  private addWaiting(): void {
    const { calls, steps } = this.m_run;
    for (let at = 0; at < calls.count; ++at) {
      const kind = calls.kind(at);
      if (kind !== Kind.receive && kind !== Kind.barrier && kind !== Kind.idle) continue;
      const ends = calls.end(at) > 0 ? calls.end(at) : steps + 1;
      for (let step = calls.begin(at); step < ends; ++step) this.wait(calls.rank[at], step);
    }
  }

  private addFailedWaits(): void {
    for (const waits of this.m_run.json.failure?.waits ?? [])
      for (let step = this.m_run.pageStep(waits.since); step <= this.m_run.steps; ++step) this.wait(waits.rank, step);
  }

  private wait(rank: number, step: number): void {
    if (step > 0 && step <= this.m_run.steps && !(this.at(rank, step) & Does.take_in))
      this.set(rank, step, Does.wait);
  }
}

/// A cell in words: "sends, takes in".
export function activityText(cell: number): string {
  const parts: string[] = [];
  if (cell & Does.send) parts.push("sends");
  if (cell & Does.take_in) parts.push("takes in");
  if (cell & Does.wait) parts.push("waits");
  if (cell & Does.queue) parts.push("has a message queued for it");
  return parts.length > 0 ? parts.join(", ") : "rests";
}
