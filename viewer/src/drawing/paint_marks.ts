import { nodeRadius, projected } from "./camera";
import { arc } from "./layouts/layout";
import { trimmed, pathOf } from "./paths";
import { arrowHead } from "./paint_step";
import { nodeOf, nodeRoute, routePath, type Scene } from "./scene";
import type { Surface } from "./surface";

/// Draws the lower bound that is shown: a port, a path, or a cut's links.
export function paintBound(surface: Surface, scene: Scene): void {
  const { bound } = scene;
  if (!bound) return;
  if (bound.kind === "port") paintPort(surface, scene, bound.rank, bound.out);
  if (bound.kind === "path") paintWay(surface, scene, bound.ranks);
  if (bound.kind === "cut") paintCut(surface, scene, new Set(bound.side));
}

function paintPort(surface: Surface, scene: Scene, rank: number, out = false): void {
  const node = nodeOf(scene.drawing, rank);
  const { x, y } = scene.drawing.layout;
  const [atX, atY] = projected(scene.camera, [x[node], y[node]]);
  const radius = nodeRadius(scene.camera);
  const colour = scene.colours.bound;
  surface.circle(atX, atY, 1.55 * radius + 3, { stroke: colour, width: 3 });
  for (let arrow = 0; arrow < 6; ++arrow) {
    const angle = (Math.PI * arrow) / 3 + Math.PI / 6;
    const far = 3 * radius + 8;
    const near = 1.6 * radius + 6;
    const points = (out ? [near, far] : [far, near]).flatMap((at) => [
      atX + at * Math.cos(angle),
      atY + at * Math.sin(angle),
    ]);
    const head = arrowHead(points, 9);
    surface.polyline(points, { stroke: colour, width: 2.5 });
    if (head) surface.polygon(head.points, { fill: colour });
  }
}

function paintWay(surface: Surface, scene: Scene, ranks: readonly number[]): void {
  const path = pathOf(scene.drawing.layout, nodeRoute(scene.drawing, ranks));
  for (const piece of path.pieces)
    surface.polyline(projected(scene.camera, piece), {
      stroke: scene.colours.bound,
      width: Math.max(4, 0.2 * scene.camera.scale),
      alpha: 0.6,
    });
}

function paintCut(surface: Surface, scene: Scene, side: ReadonlySet<number>): void {
  const nodes = new Set([...side].map((rank) => nodeOf(scene.drawing, rank)));
  for (const link of scene.drawing.layout.links) {
    if (nodes.has(link.from) === nodes.has(link.to)) continue;
    for (const piece of scene.drawing.layout.hop(link.from, link.to))
      surface.polyline(projected(scene.camera, piece), {
        stroke: scene.colours.bound,
        width: Math.max(3, 0.12 * scene.camera.scale),
        alpha: 0.8,
        dash: [8, 5],
      });
  }
}

/// Draws why a run failed: which processors wait for which, and the messages of the failure with
/// their routes.
export function paintFailure(surface: Surface, scene: Scene): void {
  const { failure } = scene.run.json;
  if (!failure || scene.step < scene.run.steps || scene.hideMessages) return;
  const cycle = new Set(failure.cycle);
  for (const waits of failure.waits)
    if (waits.for >= 0) paintWait(surface, scene, waits.rank, waits.for, cycle.has(waits.rank));
  failure.messages
    .slice(0, 64)
    .forEach((message, at) => paintFailed(surface, scene, message.route, Math.min(at, 2)));
  paintShared(surface, scene);
}

function paintWait(
  surface: Surface,
  scene: Scene,
  rank: number,
  other: number,
  inCycle: boolean,
): void {
  const from = nodeOf(scene.drawing, rank);
  const to = nodeOf(scene.drawing, other);
  if (from === to) return;
  const piece = arc(scene.drawing.layout, from, to, 0.14, 16);
  const radius = nodeRadius(scene.camera) / scene.camera.scale;
  const path = trimmed({ pieces: [piece], length: 1e9 }, radius + 0.03, radius + 0.05);
  const points = projected(scene.camera, path.pieces[0]);
  const width = inCycle ? 3 : 1.6;
  const head = arrowHead(points, 6 + 2.5 * width);
  surface.polyline(points, { stroke: scene.colours.clash, width, dash: [3 * width, 2 * width] });
  if (head) surface.polygon(head.points, { fill: scene.colours.clash });
}

/// Draws the route of a failed message, each beside the others.
function paintFailed(
  surface: Surface,
  scene: Scene,
  route: readonly number[],
  number: number,
): void {
  const nodes = nodeRoute(scene.drawing, route);
  if (nodes.length < 2) return;
  const radius = nodeRadius(scene.camera) / scene.camera.scale;
  const path = trimmed(
    pathOf(scene.drawing.layout, nodes, 0.06 + 0.1 * number),
    radius,
    radius + 0.02,
  );
  path.pieces.forEach((piece, at) => {
    const points = projected(scene.camera, piece);
    surface.polyline(points, { stroke: scene.colours.clash, width: 3.2, alpha: 0.9 });
    const head = at === path.pieces.length - 1 ? arrowHead(points, 13) : undefined;
    if (head) surface.polygon(head.points, { fill: scene.colours.clash });
  });
}

/// Draws links that two failed messages share, under a broad stroke.
function paintShared(surface: Surface, scene: Scene): void {
  const counts = new Map<string, { from: number; to: number; count: number }>();
  for (const message of scene.run.json.failure?.messages ?? []) {
    const route = nodeRoute(scene.drawing, message.route);
    for (let hop = 0; hop + 1 < route.length; ++hop) {
      const key = `${route[hop]} ${route[hop + 1]}`;
      const known = counts.get(key);
      if (known) ++known.count;
      else counts.set(key, { from: route[hop], to: route[hop + 1], count: 1 });
    }
  }
  for (const link of counts.values())
    if (link.count > 1)
      for (const piece of scene.drawing.layout.hop(link.from, link.to))
        surface.polyline(projected(scene.camera, piece), {
          stroke: scene.colours.clash,
          width: Math.max(8, 0.4 * scene.camera.scale),
          alpha: 0.3,
        });
}

/// Draws the way that a followed block has come so far.
export function paintJourney(surface: Surface, scene: Scene): void {
  const { journey } = scene;
  if (!journey) return;
  for (let step = 1; step < scene.step; ++step)
    for (const { message } of journey.carried[step] ?? []) {
      const nodes = nodeRoute(scene.drawing, scene.run.messages.route(message));
      if (nodes.length < 2) continue;
      for (const piece of routePath(scene.drawing, nodes).pieces)
        surface.polyline(projected(scene.camera, piece), {
          stroke: scene.colours.follow,
          width: Math.max(2, 0.07 * scene.camera.scale),
          alpha: 0.45,
        });
    }
}
