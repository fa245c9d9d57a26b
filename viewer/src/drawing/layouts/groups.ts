import { levelInorder } from "../../data/patterns";
import type { MachineJson } from "../../data/format";
import type { Grouping } from "./layout";

const most_groups = 256;

/// Groups the processors of a large machine: rows of a grid, subcubes of a hypercube, levels of a
/// tree or butterfly, else neighbours in rank.
export function groupsOf(machine: MachineJson): Grouping {
  if (machine.kind === "tree") return levels(machine, levelOfTree);
  if (machine.kind === "butterfly") return levels(machine, levelOfButterfly);
  return blocks(machine);
}

function says(machine: MachineJson, nodes: number, what: string): string {
  return (
    `${machine.processors.toLocaleString("en")} processors are more than can be drawn one by one. ` +
    `Drawn are ${nodes} ${what}; a colour says how many words move within one of them.`
  );
}

function blocks(machine: MachineJson): Grouping {
  const size = blockSize(machine);
  const nodes = Math.ceil(machine.processors / size);
  const node = Int32Array.from({ length: machine.processors }, (_, rank) =>
    Math.floor(rank / size),
  );
  const last = (at: number) => Math.min(machine.processors, (at + 1) * size) - 1;
  return {
    nodes,
    node,
    label: (at) => `${at * size}\u2013${last(at)}`,
    note: says(machine, nodes, `groups of ${size} (${blockName(machine)})`),
  };
}

function blockName(machine: MachineJson): string {
  if (machine.axes.length > 1) return machine.axes.length === 2 ? "rows" : "rows and planes";
  return machine.kind === "hypercube" ? "subcubes" : "neighbours in rank";
}

/// Whole inner axes of a grid, a power of two on a hypercube, else equal parts.
function blockSize(machine: MachineJson): number {
  let size = 1;
  if (machine.axes.length > 1 && machine.kind !== "hypercube") {
    for (let axis = machine.axes.length - 1; axis > 0; --axis) {
      if (machine.processors / size <= most_groups) break;
      size *= machine.axes[axis].size;
    }
    return size;
  }
  while (machine.processors / size > most_groups) size *= 2;
  return size;
}

function levelOfTree(rank: number): number {
  return levelInorder(rank);
}

function levelOfButterfly(rank: number, machine: MachineJson): number {
  let dimension = 0;
  while ((dimension + 1) * 2 ** dimension < machine.processors) ++dimension;
  return dimension - Math.floor(rank / 2 ** dimension);
}

/// Levels, the lowest level of the drawing first.
function levels(
  machine: MachineJson,
  levelOf: (rank: number, machine: MachineJson) => number,
): Grouping {
  const node = Int32Array.from({ length: machine.processors }, (_, rank) => levelOf(rank, machine));
  const nodes = node.reduce((most, level) => Math.max(most, level), 0) + 1;
  const sizes = new Array<number>(nodes).fill(0);
  for (const level of node) ++sizes[level];
  return {
    nodes,
    node,
    label: (at) => `level ${nodes - 1 - at}: ${sizes[at]}`,
    note: says(machine, nodes, "levels"),
  };
}

/// The machine that the groups form, with links where processors of two groups are joined.
export function groupMachine(machine: MachineJson, grouping: Grouping): MachineJson {
  const axes = groupAxes(machine, grouping.nodes);
  const levelled = machine.kind === "tree" || machine.kind === "butterfly";
  return {
    ...machine,
    kind: levelled
      ? "mesh"
      : axes.length === 0 && machine.axes.length > 0
        ? "crossbar"
        : machine.kind,
    processors: grouping.nodes,
    axes,
    layout: [],
    coordinates: axes.length > 1 ? coordinatesOf(axes) : [],
    links: groupLinks(machine.links, grouping),
  };
}

function groupAxes(machine: MachineJson, nodes: number) {
  let size = 1;
  for (let kept = 0; kept < machine.axes.length; ++kept) {
    if (size === nodes) return machine.axes.slice(0, kept);
    size *= machine.axes[kept].size;
  }
  return size === nodes ? machine.axes : [];
}

function coordinatesOf(axes: readonly { size: number }[]): number[][] {
  let all: number[][] = [[]];
  for (const axis of axes)
    all = all.flatMap((at) => Array.from({ length: axis.size }, (_, value) => [...at, value]));
  return all;
}

function groupLinks(links: readonly number[], grouping: Grouping): number[] {
  const seen = new Set<number>();
  const found: number[] = [];
  for (let at = 0; at + 1 < links.length; at += 2) {
    const from = grouping.node[links[at]];
    const to = grouping.node[links[at + 1]];
    const key = from * grouping.nodes + to;
    if (from === to || seen.has(key)) continue;
    seen.add(key);
    found.push(from, to);
  }
  return found;
}
