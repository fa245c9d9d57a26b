import type { Layout } from "./layouts/layout";

/// How a layout's units become pixels: to fit a size, then zoomed and moved by the reader.
export interface Camera {
  scale: number;
  left: number;
  top: number;
  type: number; // how much larger letters are than usual
  node: number; // the radius of a processor, in the layout's units
}

export interface Zoom {
  k: number;
  x: number;
  y: number;
}

export interface Size {
  width: number;
  height: number;
}

export const unzoomed: Zoom = { k: 1, x: 0, y: 0 };
export const most_zoom = 30;

/// Moves what is shown of a size, as far as its edges let it.
export function moved({ k, x, y }: Zoom, right: number, down: number, size: Size): Zoom {
  const within = (at: number, length: number) => Math.min(0, Math.max(length * (1 - k), at));
  return { k, x: within(x + right, size.width), y: within(y + down, size.height) };
}

/// Zooms about a point, which stays where it is unless an edge would come in.
export function zoomedAt(zoom: Zoom, by: number, x: number, y: number, size: Size): Zoom {
  const k = Math.min(most_zoom, Math.max(1, zoom.k * by));
  const ratio = k / zoom.k;
  return moved({ k, x: x - (x - zoom.x) * ratio, y: y - (y - zoom.y) * ratio }, 0, 0, size);
}

const usual_radius = 0.25;
const most_below = 0.5; // more room below the lowest processors than above the highest ones
const distances = new WeakMap<Layout, number>();

/// Finds how near to each other the layout has two of its processors.
export function leastDistance(layout: Layout): number {
  const { x, y } = layout;
  let least = distances.get(layout) ?? Infinity;
  if (least < Infinity) return least;
  const order = Array.from(x.keys()).sort((a, b) => x[a] - x[b]);
  for (let at = 0; at < order.length; ++at)
    for (let to = at + 1; to < order.length && x[order[to]] - x[order[at]] < least; ++to)
      least = Math.min(least, Math.hypot(x[order[to]] - x[order[at]], y[order[to]] - y[order[at]]));
  distances.set(layout, least);
  return least;
}

/// Fits a layout into a size, with a margin for labels, wrap-around links and what stands below processors.
export function fit(
  layout: Layout,
  width: number,
  height: number,
  zoom: Zoom,
  type = 1,
  largest = 140, // pixels of a unit, however few processors there are
): Camera {
  const margin = layout.margin ?? 0.75;
  const [left, right] = extent(layout.x);
  const [top, bottom] = extent(layout.y);
  const across = right - left + 2 * margin;
  const node = Math.max(usual_radius, Math.min(usual_radius * type, 0.45 * leastDistance(layout)));
  const below = Math.max(margin, Math.min(leastDistance(layout) - node, margin + most_below)); // what is held stands there
  const down = bottom - top + margin + below;
  const scale = Math.min(width / across, height / down, largest);
  const originX = (width - scale * (right + left)) / 2;
  const originY = (height - scale * (bottom + top + below - margin)) / 2;
  return {
    scale: scale * zoom.k,
    left: originX * zoom.k + zoom.x,
    top: originY * zoom.k + zoom.y,
    type,
    node,
  };
}

function extent(values: Float64Array): [number, number] {
  let least = Infinity;
  let most = -Infinity;
  for (const value of values) {
    least = Math.min(least, value);
    most = Math.max(most, value);
  }
  return values.length === 0 ? [0, 0] : [least, most];
}

/// A layout's points in pixels.
export function projected(camera: Camera, points: readonly number[]): number[] {
  return points.map((value, at) =>
    at % 2 === 0 ? camera.left + camera.scale * value : camera.top + camera.scale * value,
  );
}

/// The radius of a processor in pixels.
export function nodeRadius(camera: Camera): number {
  return Math.max(1.2, camera.node * camera.scale);
}
