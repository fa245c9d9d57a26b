import type { MachineJson } from "../../data/format";
import { arc, straight, undirected, type Layout } from "./layout";

/// Draws processors on a circle, rank 0 at the top, clockwise.
export function circleLayout(machine: MachineJson): Layout {
  const count = machine.processors;
  const radius = count < 2 ? 0 : 0.5 / Math.sin(Math.PI / Math.max(count, 5));
  const x = new Float64Array(count);
  const y = new Float64Array(count);
  for (let rank = 0; rank < count; ++rank) {
    x[rank] = radius * Math.sin((2 * Math.PI * rank) / count);
    y[rank] = -radius * Math.cos((2 * Math.PI * rank) / count);
  }
  const next = (from: number, to: number) => {
    const distance = Math.abs(from - to);
    return distance === 1 || distance === count - 1;
  };
  const layout = placedLayout(machine, "circle", x, y, (from, to) => (next(from, to) ? 0 : 0.08));
  const every = Math.ceil(count / 16);
  const labelSide = (rank: number) =>
    rank % every === 0 && Math.abs(x[rank]) > 0.3 * radius ? Math.sign(x[rank]) : 0;
  return { ...layout, labelSide };
}

/// Draws processors in rows by rank: what is left for large machines without a shape.
export function squareLayout(machine: MachineJson): Layout {
  const count = machine.processors;
  const columns = Math.ceil(Math.sqrt(count * 1.5));
  const x = Float64Array.from({ length: count }, (_, rank) => rank % columns);
  const y = Float64Array.from({ length: count }, (_, rank) => Math.floor(rank / columns));
  return placedLayout(machine, "rows by rank", x, y, () => 0.12);
}

/// Draws processors where the machine says that they are: y upwards in its data.
export function givenLayout(machine: MachineJson, name: string): Layout {
  const count = machine.processors;
  const x = new Float64Array(count);
  const y = new Float64Array(count);
  for (let rank = 0; rank < count; ++rank) {
    x[rank] = machine.layout[2 * rank] ?? 0;
    y[rank] = -(machine.layout[2 * rank + 1] ?? 0);
  }
  normalise(x, y);
  return placedLayout(machine, name, x, y, () => 0);
}

/// Draws processors at given places; a link bends by what `bend` says, so that both ways are seen.
export function placedLayout(
  machine: MachineJson,
  name: string,
  x: Float64Array,
  y: Float64Array,
  bend: (from: number, to: number) => number,
): Layout {
  const layout = { x, y };
  const links = undirected(machine.links).map((link) => {
    const bends = bend(link.from, link.to) !== 0;
    return { ...link, shape: bends ? ("arc" as const) : ("straight" as const) };
  });
  return {
    ...layout,
    name,
    links,
    note: "",
    hop: (from, to) => {
      const by = bend(from, to);
      return [by === 0 ? straight(layout, from, to) : arc(layout, from, to, by)];
    },
  };
}

/// Makes the distance of near neighbours 1, and a very wide or very high drawing less so.
export function normalise(x: Float64Array, y: Float64Array): void {
  const unit = nearDistance(x, y);
  const width = spread(x);
  const height = spread(y);
  const widest = 2.1;
  const byX = height > widest * width && width > 0 ? height / (widest * width) : 1;
  const byY = width > widest * height && height > 0 ? width / (widest * height) : 1;
  for (let at = 0; at < x.length; ++at) {
    x[at] *= byX / unit;
    y[at] *= byY / unit;
  }
}

function spread(values: Float64Array): number {
  return values.length === 0 ? 0 : Math.max(...values) - Math.min(...values);
}

/// A small distance of neighbours in the drawing: nine of ten have none nearer.
function nearDistance(x: Float64Array, y: Float64Array): number {
  const nearest: number[] = [];
  const every = Math.max(1, Math.floor(x.length / 256));
  for (let a = 0; a < x.length; a += every) {
    let least = Infinity;
    for (let b = 0; b < x.length; ++b)
      if (b !== a) least = Math.min(least, Math.hypot(x[a] - x[b], y[a] - y[b]));
    nearest.push(least);
  }
  nearest.sort((a, b) => a - b);
  const found = nearest[Math.floor(nearest.length / 10)];
  return found > 0 && Number.isFinite(found) ? found : 1;
}
