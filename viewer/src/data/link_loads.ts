import type { Mark } from "./mark";
import type { Messages } from "./messages";

/// What a directed link carries: in a step, or in the whole run.
export interface LinkLoad {
  from: number;
  to: number;
  words: number;
  messages: number[]; // their numbers, without empty ones; of a whole run not kept
  count: number;
}

/// Sums up what each directed link carries in one step.
export function loadsOfStep(messages: Messages, processors: number, step: number): LinkLoad[] {
  const loads = new Map<number, LinkLoad>();
  for (const message of messages.of(step)) add(loads, messages, processors, message, true);
  return [...loads.values()];
}

/// Sums up what each directed link carries in the run, or of it the messages of a mark: those that
/// its processors send or take in during its steps.
export function loadsOfRun(messages: Messages, processors: number, mark?: Mark): LinkLoad[] {
  const loads = new Map<number, LinkLoad>();
  const { step, from, to } = messages;
  for (let message = 0; message < messages.count; ++message)
    if (
      !mark ||
      (step[message] >= mark.first &&
        step[message] <= mark.last &&
        (mark.ranks.has(from[message]) || mark.ranks.has(to[message])))
    )
      add(loads, messages, processors, message, false);
  return [...loads.values()];
}

function add(
  loads: Map<number, LinkLoad>,
  messages: Messages,
  processors: number,
  message: number,
  keep: boolean,
): void {
  const words = messages.words[message];
  if (words === 0) return;
  const route = messages.route(message);
  for (let hop = 0; hop + 1 < route.length; ++hop) {
    const key = route[hop] * processors + route[hop + 1];
    let load = loads.get(key);
    if (!load) {
      load = { from: route[hop], to: route[hop + 1], words: 0, messages: [], count: 0 };
      loads.set(key, load);
    }
    load.words += words;
    ++load.count;
    if (keep) load.messages.push(message);
  }
}

/// The most words that one of the links carries.
export function mostWords(loads: readonly Pick<LinkLoad, "words">[]): number {
  return loads.reduce((words, load) => Math.max(words, load.words), 0);
}

/// The busiest links: those that carry the most words. Empty where nothing is carried.
export function busiest(loads: readonly LinkLoad[]): LinkLoad[] {
  const most = mostWords(loads);
  return most === 0 ? [] : loads.filter((load) => load.words === most);
}

/// The links that carry more than one message at once.
export function contended(loads: readonly LinkLoad[]): LinkLoad[] {
  return loads.filter((load) => load.count > 1);
}

const kept = new WeakMap<readonly LinkLoad[], Set<number>>();

/// The messages that share a link with another, found once for each step.
export function clashing(loads: readonly LinkLoad[]): ReadonlySet<number> {
  let found = kept.get(loads);
  if (!found) kept.set(loads, (found = new Set(contended(loads).flatMap((link) => link.messages))));
  return found;
}
