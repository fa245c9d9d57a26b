import type { ShownValue } from "./format";
import type { Run } from "./run";

/// What became of an element of an array since it was shown before: it is where it was, was at place
/// `from`, was at processor `from`, which has sent since, or is new.
export interface Change {
  what: "kept" | "moved" | "came" | "new";
  from: number;
}

const most_elements = 1024;
const most_steps = 256; // back to what was shown before
const kept = new WeakMap<Run, Map<number, Change[]>>();

/// Tells what became of the elements of what a processor shows, for its entry of that number; nothing
/// of what is no array, or is shown for the first time.
export function changesOf(run: Run, entry: number): Change[] {
  let all = kept.get(run);
  if (!all) kept.set(run, (all = new Map()));
  let changes = all.get(entry);
  if (!changes) all.set(entry, (changes = compared(run, entry)));
  return changes;
}

/// Says in words what became of an element; nothing where it is kept.
export function changeText({ what, from }: Change): string {
  if (what === "came") return `as processor ${from} had it`;
  if (what === "moved") return `was at place ${from}`;
  return what === "new" ? "new" : "";
}

/// The elements of an array as texts; of numbers that are compared place by place, with their places.
function elementsOf(value: ShownValue): string[] {
  if ("numbers" in value) return value.numbers.map(String);
  if ("matrix" in value) return value.matrix.numbers.map((number, at) => `${at} ${number}`);
  if (!("blocks" in value)) return [];
  const pairs = Array.from({ length: value.blocks.length / 2 }, (_, at) => 2 * at);
  return pairs.map((at) => (value.blocks[at] < 0 ? "" : value.blocks.slice(at, at + 2).join("-")));
}

function compared(run: Run, entry: number): Change[] {
  const { shows } = run;
  const now = elementsOf(shows.value(entry));
  const before = shows.before(entry);
  if (before < 0 || now.length === 0 || now.length > most_elements) return [];
  const old = elementsOf(shows.value(before));
  const places = new Map<string, number[]>(); // of what is not where it was
  old.forEach((one, at) => {
    if (now[at] !== one) places.set(one, [...(places.get(one) ?? []), at]);
  });
  const senders = sendersTo(run, entry, shows.step[before]);
  const whole = "matrix" in shows.value(entry) && senders.find(({ held }) => now.every((one) => held.has(one)));
  if (whole) return now.map(() => ({ what: "came", from: whole.rank }));
  return now.map((one, at) => {
    if (one === old[at] || one === "") return { what: "kept", from: at };
    const place = places.get(one)?.shift();
    if (place !== undefined) return { what: "moved", from: place };
    const sender = !("matrix" in shows.value(entry)) && senders.find(({ held }) => held.has(one));
    return sender ? { what: "came", from: sender.rank } : { what: "new", from: -1 };
  });
}

/// The processors whose messages came in after a step until an entry was shown, and what they held after that
/// step: in the array of the same name, if they have one.
function sendersTo({ messages, shows }: Run, entry: number, after: number) {
  const ranks = new Set<number>();
  const rank = shows.rank[entry];
  const last = shows.step[entry];
  const name = shows.name(entry);
  for (let step = Math.max(after + 1, last - most_steps); step <= last; ++step)
    for (const message of messages.of(step))
      if (messages.to[message] === rank) ranks.add(messages.from[message]);
  return [...ranks].map((sender) => {
    const all = shows.after(sender, after);
    const same = all.filter((one) => one.name === name);
    const held = (same.length > 0 ? same : all).flatMap(({ value }) => elementsOf(value));
    return { rank: sender, held: new Set(held) };
  });
}
