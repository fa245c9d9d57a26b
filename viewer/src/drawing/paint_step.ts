import { busiest, clashing, contended, type LinkLoad } from "../data/link_loads";
import { nodeRadius, projected } from "./camera";
import { moved, pointAt, trimmed, type Path } from "./paths";
import { nodeOf, nodeRoute, routePath, travellingIn, type Scene, type Travelling } from "./scene";
import type { Surface } from "./surface";

/// Draws a step: its busiest links and contention behind, then an arrow along each message's route.
export function paintStep(surface: Surface, scene: Scene): void {
  if (scene.step < 1 || scene.hideMessages) return;
  if (failedMessages(scene).length === 0) {
    paintBusy(surface, scene);
    paintContention(surface, scene);
  }
  paintUnderWay(surface, scene);
  const travelling = travellingIn(scene.run, scene.drawing, scene.step);
  for (const one of travelling) paintRoute(surface, scene, one);
  if (labelled(travelling) && scene.camera.scale > 40)
    for (const one of travelling) paintWords(surface, scene, one);
}

/// Draws the ways of messages that are sent and come in later.
function paintUnderWay(surface: Surface, scene: Scene): void {
  for (const message of scene.run.messages.underWay(scene.step)) {
    const nodes = nodeRoute(scene.drawing, scene.run.messages.route(message));
    if (nodes.length < 2) continue;
    for (const piece of routePath(scene.drawing, nodes).pieces)
      surface.polyline(projected(scene.camera, piece), {
        stroke: scene.colours.message,
        width: 1.5,
        alpha: 0.6,
        dash: [2, 4],
      });
  }
}

/// Draws the messages of one processor once more, over those of all.
export function paintMessagesOf(surface: Surface, scene: Scene, rank: number): void {
  if (scene.step < 1 || scene.heat || scene.drawing.grouping) return;
  const { from, to } = scene.run.messages;
  const its = { ...scene, chosen: rank, mark: undefined };
  for (const one of travellingIn(scene.run, scene.drawing, scene.step))
    if (from[one.message] === rank || to[one.message] === rank) paintRoute(surface, its, one);
}

/// Whether messages are few enough to write their words beside them, and it tells something: of
/// many of one size the step's sentence says it.
function labelled(travelling: readonly Travelling[]): boolean {
  if (travelling.length <= 4) return true;
  const sizes = new Set(travelling.map((one) => one.words));
  return travelling.length <= 24 && sizes.size > 1;
}

/// Whether the step's busiest links stand out: few of those that are used.
export function standOut(loads: readonly LinkLoad[], most: readonly LinkLoad[]): boolean {
  return (
    most.length > 0 &&
    (most.length <= 4 || most.length * 4 <= loads.length) &&
    most.length < loads.length
  );
}

function paintBusy(surface: Surface, scene: Scene): void {
  if (scene.drawing.grouping) return;
  const loads = scene.run.loads(scene.step);
  const most = busiest(loads);
  if (!standOut(loads, most)) return;
  for (const link of most) paintUnder(surface, scene, link, scene.colours.busy, 0.3, 0.75);
}

/// Draws links that carry more than one message at once in red, with how many.
function paintContention(surface: Surface, scene: Scene): void {
  if (scene.drawing.grouping || scene.run.figures(scene.step).contention <= 1) return;
  for (const link of contended(scene.run.loads(scene.step))) {
    paintUnder(surface, scene, link, scene.colours.clash, 0.26, 0.55);
    const piece = scene.drawing.layout.hop(link.from, link.to)[0];
    const middle = pointAt({ pieces: [moved(piece, 0.3)], length: length(piece) }, 0.5);
    const [x, y] = projected(scene.camera, [middle.x, middle.y]);
    if (scene.camera.scale > 18)
      surface.text(x, y, `${link.count}\u00d7`, {
        size: Math.max(9, Math.min(15, 0.26 * scene.camera.scale)) * scene.camera.type,
        fill: scene.colours.clash,
        halo: scene.colours.paper,
        weight: 700,
      });
  }
}

function length(piece: readonly number[]): number {
  return Math.hypot(piece[piece.length - 2] - piece[0], piece[piece.length - 1] - piece[1]);
}

function paintUnder(
  surface: Surface,
  scene: Scene,
  link: LinkLoad,
  colour: string,
  width: number,
  alpha: number,
): void {
  for (const piece of scene.drawing.layout.hop(link.from, link.to))
    surface.polyline(projected(scene.camera, piece.length === 4 ? moved(piece) : piece), {
      stroke: colour,
      width: Math.max(2.5, width * scene.camera.scale),
      alpha,
    });
}

/// The messages that the run failed of, in the step in which it did.
function failedMessages(scene: Scene): readonly unknown[] {
  return scene.step >= scene.run.steps ? (scene.run.json.failure?.messages ?? []) : [];
}

/// What makes a message less visible than others: that it is not of the chosen or followed ones.
export function messageAlpha(scene: Scene, one: Travelling): number {
  const { messages } = scene.run;
  if (failedMessages(scene).length > 0) return 0.25;
  if (scene.journey)
    return scene.journey.carried[scene.step]?.some((it) => it.message === one.message) ? 1 : 0.12;
  if (scene.chosen >= 0 && !scene.drawing.grouping) {
    const its =
      messages.from[one.message] === scene.chosen || messages.to[one.message] === scene.chosen;
    return its ? 1 : 0.3;
  }
  const marked = scene.mark?.ranks;
  if (marked && !marked.has(messages.from[one.message]) && !marked.has(messages.to[one.message]))
    return 0.25;
  const { begin, end } = scene.run.messages.range(scene.step);
  return Math.max(0.2, Math.min(1, 300 / (end - begin)));
}

/// A message's colour: followed, in contention, empty, or as most are.
export function messageColour(scene: Scene, one: Travelling): string {
  const { colours, run } = scene;
  if (scene.journey && messageAlpha(scene, one) === 1) return colours.follow;
  if (one.words === 0) return colours.empty;
  if (run.figures(scene.step).contention > 1 && !scene.drawing.grouping)
    if (clashing(run.loads(scene.step)).has(one.message)) return colours.clash;
  return colours.message;
}

/// The share of the largest message's size, as a width: its square root.
function relativeSize(scene: Scene, one: Travelling): number {
  const largest = scene.run.messages.largest * (scene.drawing.grouping ? one.count : 1);
  return largest > 0 ? Math.sqrt(one.words / largest) : 0;
}

function paintRoute(surface: Surface, scene: Scene, one: Travelling): void {
  const colour = messageColour(scene, one);
  const alpha = messageAlpha(scene, one);
  const size = relativeSize(scene, one);
  const width = Math.max(0.8, Math.min(8, (0.03 + 0.05 * size) * scene.camera.scale));
  const radius = nodeRadius(scene.camera) / scene.camera.scale;
  const path = trimmed(one.path, radius, radius + 0.02);
  const dash = one.words === 0 ? [2 * width, 2.5 * width] : undefined;
  path.pieces.forEach((piece, at) => {
    const points = projected(scene.camera, piece);
    const last = at === path.pieces.length - 1;
    const head = last
      ? arrowHead(points, Math.max(3.5, Math.min(1.6 * width + 4, 0.2 * scene.camera.scale)))
      : undefined;
    if (head) shorten(points, head.length * 0.8);
    surface.polyline(points, { stroke: colour, width, alpha: 0.85 * alpha, dash });
    if (head) surface.polygon(head.points, { fill: colour, alpha });
  });
}

interface Head {
  points: number[];
  length: number;
}

/// A triangle at the end of a line, which points where the line leads.
export function arrowHead(points: readonly number[], size: number): Head | undefined {
  const end = points.length - 2;
  const x = points[end];
  const y = points[end + 1];
  let before = end - 2;
  while (before > 0 && Math.hypot(x - points[before], y - points[before + 1]) < 0.5) before -= 2;
  if (before < 0) return undefined;
  const length = Math.hypot(x - points[before], y - points[before + 1]);
  if (length === 0) return undefined;
  const dx = (x - points[before]) / length;
  const dy = (y - points[before + 1]) / length;
  const half = 0.5 * size;
  const backX = x - dx * size;
  const backY = y - dy * size;
  return {
    points: [x, y, backX - dy * half, backY + dx * half, backX + dy * half, backY - dx * half],
    length: size,
  };
}

/// Takes a length off a line's end, so that it does not look out of its arrow head.
function shorten(points: number[], by: number): void {
  const end = points.length - 2;
  const dx = points[end] - points[end - 2];
  const dy = points[end + 1] - points[end - 1];
  const length = Math.hypot(dx, dy);
  if (length <= by) return;
  points[end] -= (dx / length) * by;
  points[end + 1] -= (dy / length) * by;
}

function paintWords(surface: Surface, scene: Scene, one: Travelling): void {
  if (one.words === 0 || one.route.length > 2 || messageAlpha(scene, one) < 0.5) return;
  const [x, y] = projected(scene.camera, besideWay(one));
  surface.text(x, y, String(one.words), {
    size: Math.max(9, Math.min(13, 0.2 * scene.camera.scale)) * scene.camera.type,
    fill: messageColour(scene, one),
    halo: scene.colours.paper,
    weight: 600,
  });
}

/// A place to the right of a message's way, past its first third: in the middle many ways cross.
function besideWay(one: Travelling): number[] {
  const before = pointAt(one.path, 0.33);
  const after = pointAt(one.path, 0.39);
  const length = Math.hypot(after.x - before.x, after.y - before.y) || 1;
  const away = length < 0.3 ? 0.15 / length : 0;
  return [
    (before.x + after.x) / 2 - (after.y - before.y) * away,
    (before.y + after.y) / 2 + (after.x - before.x) * away,
  ];
}

/// A message on its way: where its path runs in pixels, its colour and size. Made once a step, so
/// that a frame only moves it.
export interface Mover {
  path: Path;
  colour: string;
  alpha: number;
  radius: number;
  empty: boolean;
}

export function moversOf(scene: Scene): Mover[] {
  if (scene.step < 1 || scene.hideMessages) return [];
  const radius = nodeRadius(scene.camera);
  return travellingIn(scene.run, scene.drawing, scene.step).map((one) => ({
    path: one.path,
    colour: messageColour(scene, one),
    alpha: messageAlpha(scene, one),
    radius: Math.max(1.6, radius * (0.2 + 0.34 * relativeSize(scene, one))),
    empty: one.words === 0,
  }));
}

/// Draws all messages after a share of their way.
export function paintMovers(
  surface: Surface,
  scene: Scene,
  movers: readonly Mover[],
  share: number,
) {
  const eased = share < 0.5 ? 2 * share * share : 1 - 2 * (1 - share) * (1 - share);
  const { left, top, scale } = scene.camera;
  for (const mover of movers) {
    const at = pointAt(mover.path, eased);
    if (Number.isNaN(at.x)) continue;
    const x = left + scale * at.x;
    const y = top + scale * at.y;
    if (mover.empty)
      surface.circle(x, y, mover.radius, { stroke: mover.colour, width: 1.2, alpha: mover.alpha });
    else surface.circle(x, y, mover.radius, { fill: mover.colour, alpha: mover.alpha });
  }
}

/// The processors whose node this is not hidden behind a group, for clicks.
export function nodeAt(scene: Pick<Scene, "drawing" | "camera">, x: number, y: number): number {
  const { layout } = scene.drawing;
  const reach = Math.max(10, 1.5 * nodeRadius(scene.camera));
  let found = -1;
  let least = reach;
  for (let node = 0; node < layout.x.length; ++node) {
    const [atX, atY] = projected(scene.camera, [layout.x[node], layout.y[node]]);
    const distance = Math.hypot(atX - x, atY - y);
    if (distance < least) {
      least = distance;
      found = node;
    }
  }
  return found;
}

/// The first processor of a node of the drawing.
export function rankOfNode(scene: Pick<Scene, "drawing">, node: number): number {
  const { grouping } = scene.drawing;
  return grouping ? grouping.node.indexOf(node) : node;
}

/// Whether a processor belongs to this node.
export function isAt(scene: Pick<Scene, "drawing">, rank: number, node: number): boolean {
  return nodeOf(scene.drawing, rank) === node;
}
