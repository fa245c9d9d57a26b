import type { Followed, Journey } from "../data/follow";
import type { BoundDrawing } from "../data/format";
import type { Mark } from "../data/mark";
import type { Run } from "../data/run";
import { fit, type Camera, type Zoom } from "./camera";
import type { Colours } from "./colours";
import type { Drawing } from "./layouts/choose";
import { pathOf, type Path } from "./paths";

/// What of a step is drawn.
export interface Scene {
  run: Run;
  drawing: Drawing;
  camera: Camera;
  colours: Colours;
  step: number;
  chosen: number; // a processor, -1: none
  mark: Mark | undefined;
  followed: Followed | undefined;
  journey: Journey | undefined;
  heat: boolean; // link loads of the whole run, or of the mark, in place of the step
  most: number; // words that the heat map's strongest colour stands for
  bound: BoundDrawing | undefined;
  hideMessages: boolean; // in a quiz
  asked: number; // the processor that a quiz asks about, -1: none
}

/// What the run carries from one node of the drawing to another.
export interface NodeLoad {
  from: number;
  to: number;
  words: number;
}

/// Sums up between nodes of the drawing what the run, or what is marked of it, carries.
export function nodeLoads(run: Run, drawing: Drawing, mark: Mark | undefined): NodeLoad[] {
  const loads = run.runLoads(mark);
  if (!drawing.grouping) return [...loads];
  const sums = new Map<string, NodeLoad>();
  for (const load of loads) {
    const from = nodeOf(drawing, load.from);
    const to = nodeOf(drawing, load.to);
    if (from === to) continue;
    const known = sums.get(`${from} ${to}`);
    if (known) known.words += load.words;
    else sums.set(`${from} ${to}`, { from, to, words: load.words });
  }
  return [...sums.values()];
}

/// A message of a step as it is drawn, or what goes from one group to another.
export interface Travelling {
  message: number; // of a group: the first
  route: number[]; // in nodes of the drawing
  words: number;
  count: number;
  path: Path;
}

export function cameraOf(
  drawing: Drawing,
  width: number,
  height: number,
  zoom: Zoom,
  type = 1,
): Camera {
  return fit(drawing.layout, width, height, zoom, type);
}

/// The node of the drawing that stands for a processor.
export function nodeOf(drawing: Drawing, rank: number): number {
  return drawing.grouping ? drawing.grouping.node[rank] : rank;
}

const kept = new WeakMap<Drawing, Map<string, Path>>();

/// The path along a route of nodes, made once for each drawing.
export function routePath(drawing: Drawing, route: readonly number[]): Path {
  let paths = kept.get(drawing);
  if (!paths) kept.set(drawing, (paths = new Map()));
  const key = route.join(" ");
  let path = paths.get(key);
  if (!path) paths.set(key, (path = pathOf(drawing.layout, route)));
  return path;
}

/// What travels in a step: each message, or the sums between groups.
export function travellingIn(run: Run, drawing: Drawing, step: number): Travelling[] {
  const { begin, end } = run.messages.range(step);
  const found = new Map<string, Travelling>();
  for (let message = begin; message < end; ++message) {
    const route = nodeRoute(drawing, run.messages.route(message));
    const key = drawing.grouping ? route.join(" ") : String(message);
    const words = run.messages.words[message];
    const known = found.get(key);
    if (known) {
      known.words += words;
      ++known.count;
    } else if (route.length > 1)
      found.set(key, { message, route, words, count: 1, path: routePath(drawing, route) });
  }
  return [...found.values()];
}

/// A route in nodes of the drawing, without hops within a group.
export function nodeRoute(drawing: Drawing, route: readonly number[]): number[] {
  if (!drawing.grouping) return [...route];
  const nodes: number[] = [];
  for (const rank of route) {
    const node = drawing.grouping.node[rank];
    if (nodes[nodes.length - 1] !== node) nodes.push(node);
  }
  return nodes;
}
