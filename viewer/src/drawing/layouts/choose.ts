import type { MachineJson } from "../../data/format";
import { groupsOf, groupMachine } from "./groups";
import { gridLayout, rowLayout } from "./grid";
import type { Grouping, Layout } from "./layout";
import { circleLayout, givenLayout, placedLayout, squareLayout } from "./placed";
import { springLayout } from "./spring";

export const most_processors = 1024; // more are drawn by groups
const most_on_circle = 64;

/// The drawing of a machine: where its processors, or groups of them, are.
export interface Drawing {
  layout: Layout;
  grouping: Grouping | undefined; // undefined: each processor for itself
}

/// Chooses how a machine is drawn, as textbooks draw it.
export function chooseDrawing(machine: MachineJson): Drawing {
  if (machine.processors <= most_processors)
    return { layout: chooseLayout(machine), grouping: undefined };
  const grouping = groupsOf(machine);
  return { layout: chooseLayout(groupMachine(machine, grouping)), grouping };
}

export function chooseLayout(machine: MachineJson): Layout {
  const { kind, axes, processors } = machine;
  const placed = machine.coordinates.length === processors;
  if ((kind === "torus" || kind === "mesh") && axes.length > 1 && placed)
    return gridLayout(machine);
  if (kind === "mesh" && axes.length <= 1) return rowLayout(machine);
  if (kind === "torus") return circleLayout(machine);
  if (kind === "hypercube") return hypercubeLayout(machine);
  if (kind === "shuffle-exchange" && processors <= 4 * most_on_circle) return circleLayout(machine);
  if (kind === "crossbar") return roundOrSquare(machine);
  if (hasOwnPlaces(machine)) return givenLayout(machine, nameOf(kind));
  if (machine.links.length > 0) return springLayout(machine);
  return roundOrSquare(machine);
}

function roundOrSquare(machine: MachineJson): Layout {
  return machine.processors <= most_on_circle ? circleLayout(machine) : squareLayout(machine);
}

function nameOf(kind: string): string {
  return kind === "tree" ? "tree, inorder" : kind === "butterfly" ? "levels" : "given places";
}

/// The usual projection to six dimensions; above, low bits to the right and high bits downwards,
/// and links only where a message uses them.
function hypercubeLayout(machine: MachineJson): Layout {
  const dimension = Math.round(Math.log2(machine.processors));
  if (dimension <= 6 && machine.layout.length === 2 * machine.processors)
    return projection(machine);
  const across = Math.ceil(dimension / 2);
  const x = new Float64Array(machine.processors);
  const y = new Float64Array(machine.processors);
  for (let rank = 0; rank < machine.processors; ++rank) {
    x[rank] = spaced(rank & ((1 << across) - 1));
    y[rank] = spaced(rank >> across);
  }
  const layout = placedLayout({ ...machine, links: [] }, "bits", x, y, () => 0.14);
  layout.margin = 0.75 + 0.07 * Math.max(...x, ...y);
  layout.labelSide = (rank) => ((rank & ((1 << across) - 1)) === 0 ? -1 : 0);
  layout.note =
    `The ${across} low bits of a rank count to the right, the others downwards. ` +
    "Links are drawn where messages use them.";
  return layout;
}

/// The usual projection: edges of the first three dimensions are straight, what goes along the
/// others passes the corners between in an arc.
function projection(machine: MachineJson): Layout {
  const given = givenLayout(machine, "hypercube");
  const far = (from: number, to: number) => (from ^ to) >= 8;
  const { x, y } = given;
  const layout = placedLayout(machine, "hypercube", x, y, (from, to) => (far(from, to) ? 0.13 : 0));
  layout.links = given.links;
  return layout;
}

/// A coordinate with gaps between groups of 4 and of 16, so that the bits can be seen.
function spaced(value: number): number {
  return value + 0.5 * Math.floor(value / 4) + 0.7 * Math.floor(value / 16);
}

/// Whether the machine gives places of its own: not those of a circle, nor all in one point.
function hasOwnPlaces(machine: MachineJson): boolean {
  const { layout, processors } = machine;
  if (layout.length !== 2 * processors || processors < 2) return false;
  const radii = Array.from({ length: processors }, (_, rank) =>
    Math.hypot(layout[2 * rank], layout[2 * rank + 1]),
  );
  const radius = radii[0];
  const circle = radii.every((one) => Math.abs(one - radius) < 1e-6 * Math.max(1, radius));
  return !circle || (processors <= 6 && machine.links.length === 2 * processors);
}
