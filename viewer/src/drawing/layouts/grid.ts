import type { AxisJson, MachineJson } from "../../data/format";
import { arc, straight, undirected, type Layout, type LinkShape, type Piece } from "./layout";

const stub = 0.46; // how far a wrap-around link leaves the grid, and one to another layer its row

/// Draws tori and meshes: two dimensions as a grid, three as layers side by side, more as grids of
/// grids. The last axis goes to the right, the one before it downwards.
export function gridLayout(machine: MachineJson): Layout {
  const strides = stridesOf(machine.axes);
  const count = machine.processors;
  const x = new Float64Array(count);
  const y = new Float64Array(count);
  machine.coordinates.forEach((at, rank) => {
    at.forEach((value, axis) => {
      if (strides[axis].across) x[rank] += value * strides[axis].by;
      else y[rank] += value * strides[axis].by;
    });
  });
  const shape = shaper(machine);
  const layout = { x, y };
  return {
    name: machine.axes.length > 2 ? "grid of grids" : "grid",
    x,
    y,
    links: undirected(machine.links).map((link) => ({ ...link, shape: shape(link.from, link.to) })),
    note: noteOf(machine.axes),
    labelSide: (rank) => (machine.coordinates[rank][machine.axes.length - 1] === 0 ? -1 : 0),
    hop: (from, to) => {
      const how = shape(from, to);
      return how === "layer"
        ? slanting(layout, machine, from, to)
        : hopPieces(layout, how, from, to);
    },
  };
}

interface Stride {
  across: boolean; // to the right, else downwards
  by: number;
}

/// How far apart neighbours along each axis are: inner axes are tight, outer ones leave a gap.
function stridesOf(axes: readonly AxisJson[]): Stride[] {
  const strides: Stride[] = new Array(axes.length);
  let width = 1;
  let height = 1;
  for (let axis = axes.length - 1; axis >= 0; --axis) {
    const across = (axes.length - 1 - axis) % 2 === 0;
    const extent = across ? width : height;
    const by = extent === 1 && axis >= axes.length - 2 ? 1 : extent + 0.8;
    strides[axis] = { across, by };
    const total = by * (axes[axis].size - 1) + extent;
    if (across) width = total;
    else height = total;
  }
  return strides;
}

/// Says how the link between two processors is drawn.
function shaper(machine: MachineJson): (from: number, to: number) => LinkShape {
  const inner = machine.axes.length - 2;
  return (from, to) => {
    const a = machine.coordinates[from];
    const b = machine.coordinates[to];
    const changed = a.flatMap((at, axis) => (at === b[axis] ? [] : [axis]));
    if (changed.length !== 1) return "arc";
    if (changed[0] < inner) return "layer";
    const distance = Math.abs(a[changed[0]] - b[changed[0]]);
    if (distance === 1) return "straight";
    const { ring, size } = machine.axes[changed[0]];
    return ring && distance === size - 1 ? "wrap" : "arc";
  };
}

function hopPieces(
  layout: Pick<Layout, "x" | "y">,
  shape: LinkShape,
  from: number,
  to: number,
): Piece[] {
  if (shape === "straight") return [straight(layout, from, to)];
  if (shape === "arc") return [arc(layout, from, to, 0.16)];
  const [x0, y0, x1, y1] = straight(layout, from, to);
  const dx = -Math.sign(x1 - x0) * stub;
  const dy = -Math.sign(y1 - y0) * stub;
  return [
    [x0, y0, x0 + dx, y0 + dy],
    [x1 - dx, y1 - dy, x1, y1],
  ];
}

/// A hop to another layer: it leaves its processor slanting, and comes to the other one so. Each
/// dimension has a slope of its own.
function slanting(
  layout: Pick<Layout, "x" | "y">,
  machine: MachineJson,
  from: number,
  to: number,
): Piece[] {
  const a = machine.coordinates[from];
  const b = machine.coordinates[to];
  const axis = a.findIndex((at, dimension) => at !== b[dimension]);
  const { size, ring } = machine.axes[axis];
  const forward = (b[axis] - a[axis] + size) % size;
  const ahead = ring && size > 2 ? 2 * forward <= size : b[axis] > a[axis];
  const outward = machine.axes.length - 3 - axis;
  const angle = (ahead ? 0 : Math.PI) - 0.72 + (outward % 2 === 0 ? 0 : 1.45) - 0.12 * outward;
  const dx = stub * Math.cos(angle);
  const dy = stub * Math.sin(angle);
  const [x0, y0, x1, y1] = straight(layout, from, to);
  return [
    [x0, y0, x0 + dx, y0 + dy],
    [x1 - dx, y1 - dy, x1, y1],
  ];
}

function noteOf(axes: readonly AxisJson[]): string {
  const says: string[] = [];
  if (axes.length === 3)
    says.push("Slanting ends lead along dimension 0, to the same place in the next layer.");
  if (axes.length > 3)
    says.push(
      `Within a grid dimensions ${axes.length - 2} and ${axes.length - 1} change. ${outerText(axes)}. ` +
        "Slanting ends lead to the same place in another grid.",
    );
  if (axes.some((axis) => axis.ring && axis.size > 2))
    says.push(
      "Dashed ends are wrap-around links: what leaves at one side comes back at the other.",
    );
  return says.join(" ");
}

/// Says along which dimensions the grids of a drawing lie side by side, and one below another.
function outerText(axes: readonly AxisJson[]): string {
  const outer = Array.from({ length: axes.length - 2 }, (_, axis) => axis);
  const along = (across: boolean) =>
    outer.filter((axis) => ((axes.length - 1 - axis) % 2 === 0) === across).join(", ");
  return `From grid to grid it is dimension ${along(true)} to the right, ${along(false)} downwards`;
}

/// Draws a mesh of one dimension: in one row, a long one to and fro.
export function rowLayout(machine: MachineJson): Layout {
  const count = machine.processors;
  const columns = count <= 24 ? count : Math.ceil(Math.sqrt(2 * count));
  const x = new Float64Array(count);
  const y = new Float64Array(count);
  for (let rank = 0; rank < count; ++rank) {
    const row = Math.floor(rank / columns);
    const column = rank % columns;
    x[rank] = row % 2 === 0 ? column : columns - 1 - column;
    y[rank] = row;
  }
  const layout = { x, y };
  return {
    ...layout,
    name: "row",
    links: undirected(machine.links).map((link) => ({ ...link, shape: "straight" as const })),
    note: "",
    hop: (from, to) =>
      Math.abs(from - to) === 1 ? [straight(layout, from, to)] : [arc(layout, from, to, 0.16)],
  };
}
