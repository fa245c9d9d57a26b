import type { ShownValue } from "./format";
import type { Run } from "./run";

/// What is followed: the block of `source` for `destination`, or with destination -1 everything
/// that came from `source`: its blocks, and intervals that contain it.
export interface Followed {
  source: number;
  destination: number;
  exchange?: string; // in which it is followed; else the one that shows it first
}

/// The exchange that a shown name belongs to: what stands before a colon, as in "counts: blocks".
export function exchangeOf(name: string): string {
  return name.includes(":") ? name.slice(0, name.indexOf(":")) : "";
}

/// Where a followed block is after a step, and in which array.
export interface Holding {
  rank: number;
  name: string;
}

/// A message that may have carried it: from a processor that held it before to one that holds it.
export interface Carried {
  message: number;
  from: number;
  to: number;
}

/// The way of a followed block through the steps of a run.
export interface Journey {
  holdings: Holding[][]; // by step, from 0
  carried: Carried[][]; // by step, from 0, where nothing moves
}

/// Reads "5-2", "5→2", "5 2", "F2" or "5", or with the coordinates of a run's processors "(0,5)-(0,2)".
export function parseFollowed(text: string, run?: Run): Followed | undefined {
  const lettered = /^([A-Z]) ?(\d+)$/.exec(text.trim()); // as blocks say it
  if (lettered) return { source: lettered[1].charCodeAt(0) - 65, destination: Number(lettered[2]) };
  const end = "(\\d+|\\([\\d, ]+\\))";
  const found = RegExp(`^${end}(?:\\s*(?:->|[-→\\s])\\s*${end})?$`).exec(text.trim());
  if (!found) return undefined;
  const source = rankOf(found[1], run);
  const destination = found[2] ? rankOf(found[2], run) : -1;
  return source === undefined || destination === undefined ? undefined : { source, destination };
}

function rankOf(text: string, run?: Run): number | undefined {
  if (!text.startsWith("(")) return Number(text);
  const at = text.replace(/[() ]/g, "");
  for (let rank = 0; run && rank < run.processors; ++rank)
    if (run.coordinates(rank) === at) return rank;
  return undefined;
}

export function followedText(followed: Followed): string {
  return followed.destination < 0
    ? String(followed.source)
    : `${followed.source}-${followed.destination}`;
}

/// The place at which a shown value holds what is followed, or -1.
export function placeOf(value: ShownValue, followed: Followed): number {
  if ("blocks" in value)
    return pairPlace(
      value.blocks,
      (source, destination) =>
        source === followed.source &&
        (followed.destination < 0 || destination === followed.destination),
    );
  if ("intervals" in value && followed.destination < 0)
    return pairPlace(
      value.intervals,
      (first, last) => first <= followed.source && followed.source <= last,
    );
  return -1;
}

function pairPlace(pairs: readonly number[], fits: (a: number, b: number) => boolean): number {
  for (let at = 0; at + 1 < pairs.length; at += 2)
    if (fits(pairs[at], pairs[at + 1])) return at / 2;
  return -1;
}

/// Follows a block through all steps.
export function follow(run: Run, followed: Followed): Journey {
  const holdings: Holding[][] = Array.from({ length: run.steps + 1 }, () => []);
  const exchange = followed.exchange ?? firstExchange(run, followed);
  for (let rank = 0; rank < run.processors; ++rank)
    addHoldings(run, { ...followed, exchange }, rank, holdings);
  return { holdings, carried: carriedBy(run, holdings) };
}

/// Finds the exchange of the array that shows it first.
function firstExchange(run: Run, followed: Followed): string {
  let first = -1;
  for (let at = 0; at < run.shows.count; ++at)
    if (
      (first < 0 || run.shows.step[at] < run.shows.step[first]) &&
      placeOf(run.shows.value(at), followed) >= 0
    )
      first = at;
  return first < 0 ? "" : exchangeOf(run.shows.name(first));
}

/// Adds where this processor holds it: from the step of an entry to that of the next of its name.
function addHoldings(run: Run, followed: Followed, rank: number, holdings: Holding[][]): void {
  const { begin, end } = run.shows.range(rank);
  const held = new Map<string, { since: number; holding: Holding }>();
  const close = (name: string, until: number) => {
    const open = held.get(name);
    if (!open) return;
    for (let step = open.since; step < until && step <= run.steps; ++step)
      holdings[step].push(open.holding);
    held.delete(name);
  };
  for (let at = begin; at < end; ++at) {
    const name = run.shows.name(at);
    const since = Math.max(0, run.shows.step[at]);
    close(name, since);
    if (exchangeOf(name) !== followed.exchange) continue;
    if (placeOf(run.shows.value(at), followed) < 0) continue;
    held.set(name, { since, holding: { rank, name } });
  }
  for (const name of [...held.keys()]) close(name, run.steps + 1);
}

/// Finds for each station the messages that brought the block there, by the step in which they came
/// in: a processor may show it some steps later, and pass it on before.
function carriedBy(run: Run, holdings: Holding[][]): Carried[][] {
  const { messages } = run;
  const carried: Carried[][] = holdings.map(() => []);
  const holders = holdings.map((those) => new Set(those.map((holding) => holding.rank)));
  const into: number[][] = Array.from({ length: run.processors }, () => []);
  messages.to.forEach((rank, message) => into[rank]?.push(message));
  const explain = ({ step, rank }: Station) => {
    const since = shownBefore(run, rank, step, holdings);
    // Of senders those that held it before the send, else those that showed it just after.
    const from = (after: number) =>
      into[rank].filter((message) => {
        const at = messages.step[message];
        const held = holders[messages.sent[message] - 1 + after];
        return at > since && at <= step && held?.has(messages.from[message]);
      });
    const before = from(0);
    const found = before.length > 0 ? before : from(1);
    const last = messages.step[found[found.length - 1]];
    for (const message of found)
      if (messages.step[message] === last)
        carried[last].push({ message, from: messages.from[message], to: rank });
    for (let at = last; at < step; ++at) holders[at].add(rank);
    return found.length > 0;
  };
  let rest = stations(holdings).filter(({ step, rank }) => step > 0 && rank >= 0);
  for (let count = Infinity; rest.length < count; ) {
    count = rest.length;
    rest = rest.filter((station) => !explain(station));
  }
  return carried;
}

/// Finds the step before this one in which a processor last showed that array, or 0.
function shownBefore(run: Run, rank: number, step: number, holdings: Holding[][]): number {
  const { name } = holdings[step].find((holding) => holding.rank === rank)!;
  const { begin, end } = run.shows.range(rank);
  let before = 0;
  for (let at = begin; at < end; ++at)
    if (run.shows.name(at) === name && run.shows.step[at] < step) before = run.shows.step[at];
  return before;
}

/// A processor that comes to hold a block in a step, or -1: after it no processor shows it.
export interface Station {
  step: number;
  rank: number;
}

/// Finds the stations of a block's way, in the order of the steps.
export function stations(holdings: readonly Holding[][]): Station[] {
  const found: Station[] = [];
  let before = new Set<number>();
  holdings.forEach((those, step) => {
    const now = new Set(those.map((holding) => holding.rank));
    for (const rank of now) if (!before.has(rank)) found.push({ step, rank });
    if (now.size === 0 && before.size > 0) found.push({ step, rank: -1 });
    before = now;
  });
  return found;
}
