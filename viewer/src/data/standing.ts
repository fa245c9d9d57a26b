import type { Run } from "./run";

/// At which line of which source each processor stands: file and line to ranks.
export type Standing = Map<number, Map<number, number[]>>;

/// Where the processors stand after a step: at the last call that each began; without recorded
/// calls at the line of the message that it sent or took in last in this step.
export function standingAfter(run: Run, step: number): Standing {
  const found: Standing = new Map();
  for (let rank = 0; rank < run.processors; ++rank) {
    const at = run.calls.recorded ? run.calls.standsAt(rank, step) : -1;
    if (at >= 0) add(found, run, run.calls.place(at), rank);
  }
  if (!run.calls.recorded) addMessages(found, run, step);
  return found;
}

function addMessages(found: Standing, run: Run, step: number): void {
  const { messages } = run;
  for (const at of messages.sentIn(step)) add(found, run, messages.sendPlace(at), messages.from[at]);
  for (const at of messages.of(step)) add(found, run, messages.receivePlace(at), messages.to[at]);
}

function add(found: Standing, run: Run, index: number, rank: number): void {
  const place = run.place(index);
  if (!place) return;
  let lines = found.get(place.file);
  if (!lines) found.set(place.file, (lines = new Map()));
  const ranks = lines.get(place.line) ?? [];
  if (!ranks.includes(rank)) lines.set(place.line, [...ranks, rank]);
}
