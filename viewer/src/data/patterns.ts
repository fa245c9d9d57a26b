import type { MachineJson } from "./format";
import type { Run } from "./run";

interface Pair {
  from: number;
  to: number;
}

/// Names the pattern in which a step's messages go, where it is one that has a name; else "".
export function patternOf(run: Run, step: number): string {
  const { begin, end } = run.messages.range(step);
  const pairs: Pair[] = [];
  for (let at = begin; at < end; ++at)
    pairs.push({ from: run.messages.from[at], to: run.messages.to[at] });
  return patternOfPairs(run.machine, pairs);
}

export function patternOfPairs(machine: MachineJson, pairs: readonly Pair[]): string {
  if (pairs.length === 0) return "";
  if (pairs.length === 1) return `${pairs[0].from} to ${pairs[0].to}`;
  const name =
    inTree(machine, pairs) ||
    inShuffleExchange(machine, pairs) ||
    alongAxis(machine, pairs) ||
    transposition(machine, pairs) ||
    oneToMany(pairs) ||
    (without_ranks.has(machine.kind) ? "" : byRanks(machine, pairs));
  return name ? name + part(machine, pairs) : "";
}

/// Machines on which the difference of two ranks says little.
const without_ranks = new Set(["tree", "butterfly", "cube-connected-cycles", "fat-tree", "graph"]);

function byRanks(machine: MachineJson, pairs: readonly Pair[]): string {
  const shift = shiftOfRanks(machine, pairs);
  const xor = exclusiveOr(machine, pairs);
  if (shift && xor && machine.kind === "crossbar") return `${shift}, that is ${xor}`;
  return xor || acrossDimensions(machine, pairs) || shift || reversal(machine, pairs);
}

/// Says how many take part, where not all processors send.
function part(machine: MachineJson, pairs: readonly Pair[]): string {
  const senders = new Set(pairs.map((pair) => pair.from)).size;
  const all = senders === machine.processors || senders === 1;
  return all ? "" : `, from ${senders} of ${machine.processors}`;
}

function same<T>(values: readonly T[]): T | undefined {
  return values.every((value) => value === values[0]) ? values[0] : undefined;
}

function exclusiveOr(machine: MachineJson, pairs: readonly Pair[]): string {
  const mask = same(pairs.map((pair) => pair.from ^ pair.to));
  if (mask === undefined || mask === 0) return "";
  const bit = Math.log2(mask);
  const dimension =
    machine.kind === "hypercube" && Number.isInteger(bit) ? ` (dimension ${bit})` : "";
  return `to rank xor ${mask}${dimension}`;
}

/// Messages over links of several dimensions of a hypercube at once.
function acrossDimensions(machine: MachineJson, pairs: readonly Pair[]): string {
  if (machine.kind !== "hypercube") return "";
  const dimensions = pairs.map((pair) => Math.log2(pair.from ^ pair.to));
  return dimensions.every(Number.isInteger) ? `across dimensions ${listed(dimensions, "and")}` : "";
}

function shiftOfRanks(machine: MachineJson, pairs: readonly Pair[]): string {
  const p = machine.processors;
  const shift = same(pairs.map((pair) => (pair.to - pair.from + p) % p));
  if (!shift) return "";
  const by = shift * 2 > p ? shift - p : shift;
  const wraps = pairs.some((pair) => pair.to - pair.from !== by);
  return `to rank ${by < 0 ? "\u2212" : "+"} ${Math.abs(by)}${wraps ? " (mod p)" : ""}`;
}

function oneToMany(pairs: readonly Pair[]): string {
  const from = same(pairs.map((pair) => pair.from));
  if (from !== undefined) return `all from rank ${from}`;
  const to = same(pairs.map((pair) => pair.to));
  return to === undefined ? "" : `all to rank ${to}`;
}

function reversal(machine: MachineJson, pairs: readonly Pair[]): string {
  return pairs.every((pair) => pair.from + pair.to === machine.processors - 1)
    ? "in reverse: to rank p - 1 - rank"
    : "";
}

function transposition(machine: MachineJson, pairs: readonly Pair[]): string {
  if (machine.axes.length !== 2 || machine.axes[0].size !== machine.axes[1].size) return "";
  const transposed = pairs.every((pair) => {
    const from = machine.coordinates[pair.from];
    const to = machine.coordinates[pair.to];
    return from && to && from[0] === to[1] && from[1] === to[0];
  });
  return transposed ? "transposition: (i,j) to (j,i)" : "";
}

interface Move {
  axis: number;
  by: number; // the shorter way round; of two equally long ones the positive
}

/// A message's move along one axis, undefined where it turns or has no coordinates.
function moveOf(machine: MachineJson, pair: Pair): Move | undefined {
  const from = machine.coordinates[pair.from];
  const to = machine.coordinates[pair.to];
  if (!from || !to || from.length === 0 || from.length !== to.length) return undefined;
  const changed = from.flatMap((at, axis) => (at === to[axis] ? [] : [axis]));
  if (changed.length !== 1) return undefined;
  const axis = changed[0];
  return { axis, by: shorter(to[axis] - from[axis], machine.axes[axis]) };
}

function shorter(by: number, axis: { size: number; ring: boolean }): number {
  if (!axis.ring) return by;
  const forward = (by + axis.size) % axis.size;
  return forward * 2 <= axis.size ? forward : forward - axis.size;
}

function alongAxis(machine: MachineJson, pairs: readonly Pair[]): string {
  if (machine.axes.length === 0 || machine.kind === "hypercube") return "";
  const moves: Move[] = [];
  for (const pair of pairs) {
    const move = moveOf(machine, pair);
    if (!move) return "";
    moves.push(move);
  }
  const distance = same(moves.map((move) => Math.abs(move.by)));
  if (distance === undefined) return "";
  const where = `in dimension ${listed(
    moves.map((move) => move.axis),
    "or",
  )}`;
  const by = same(moves.map((move) => move.by));
  const xor = exclusiveOr(machine, pairs);
  const { size, ring } = machine.axes[moves[0].axis];
  if (by !== undefined) {
    const shift = `shift by ${by < 0 ? `\u2212${-by}` : by} ${where}`;
    return xor && ring && by * 2 === size ? `${xor} (${shift})` : shift; // half way round
  }
  return xor ? `${xor} (distance ${distance} ${where})` : `pairs at distance ${distance} ${where}`;
}

/// Different numbers in their order: "0", "0 or 1", "0, 1 or 2".
function listed(numbers: readonly number[], last: string): string {
  const sorted = [...new Set(numbers)].sort((a, b) => a - b);
  const end = sorted.pop()!;
  return sorted.length === 0 ? String(end) : `${sorted.join(", ")} ${last} ${end}`;
}

/// How far a processor is above the leaves of a tree in inorder: the trailing zeros of rank + 1.
export function levelInorder(rank: number): number {
  return Math.log2((rank + 1) & -(rank + 1));
}

function inTree(machine: MachineJson, pairs: readonly Pair[]): string {
  if (machine.kind !== "tree") return "";
  let up = 0;
  let down = 0;
  for (const pair of pairs)
    if (levelInorder(pair.to) > levelInorder(pair.from)) ++up;
    else ++down;
  if (down === 0) return "up the tree";
  return up === 0 ? "down the tree" : "up and down the tree";
}

function inShuffleExchange(machine: MachineJson, pairs: readonly Pair[]): string {
  if (machine.kind !== "shuffle-exchange") return "";
  const bits = Math.round(Math.log2(machine.processors));
  const top = machine.processors - 1;
  const shuffled = (rank: number) => ((rank << 1) & top) | (rank >> (bits - 1));
  if (pairs.every((pair) => pair.to === (pair.from ^ 1))) return "exchange: to rank xor 1";
  if (pairs.every((pair) => pair.to === shuffled(pair.from))) return "shuffle";
  return pairs.every((pair) => pair.from === shuffled(pair.to)) ? "unshuffle" : "";
}
