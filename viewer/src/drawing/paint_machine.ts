import { mostWords } from "../data/link_loads";
import { nodeRadius, projected } from "./camera";
import { mixed } from "./colours";
import { straight, type DrawnLink, type Piece } from "./layouts/layout";
import { moved } from "./paths";
import { nodeLoads, nodeOf, nodeRoute, type Scene } from "./scene";
import type { Surface } from "./surface";

/// Draws the links of the machine, wrap-around ones dashed.
export function paintLinks(surface: Surface, scene: Scene): void {
  const { layout } = scene.drawing;
  const width = Math.max(0.6, Math.min(2, 0.035 * scene.camera.scale));
  for (const link of layout.links) {
    const dash = link.shape === "wrap" ? [3 * width, 2.5 * width] : undefined;
    const style = {
      stroke: scene.colours.link,
      width,
      alpha: link.shape === "arc" ? 0.55 : 1,
      dash,
    };
    for (const piece of piecesOf(scene, link))
      surface.polyline(projected(scene.camera, piece), style);
  }
}

/// The way of a link: that of its messages, unless it is drawn straight where they pass in an arc.
function piecesOf(scene: Scene, link: DrawnLink): Piece[] {
  const { layout } = scene.drawing;
  return link.shape === "straight"
    ? [straight(layout, link.from, link.to)]
    : layout.hop(link.from, link.to);
}

/// Draws each directed link in the colour of the words that it carries in the whole run, or of the
/// mark.
export function paintHeat(surface: Surface, scene: Scene): void {
  const loads = nodeLoads(scene.run, scene.drawing, scene.mark);
  const most = Math.max(scene.most, mostWords(loads));
  for (const load of loads.sort((a, b) => a.words - b.words)) {
    const share = load.words / most;
    for (const piece of scene.drawing.layout.hop(load.from, load.to))
      surface.polyline(projected(scene.camera, piece.length === 4 ? moved(piece, 0.07) : piece), {
        stroke: mixed(scene.colours.low, scene.colours.high, 0.15 + 0.85 * share),
        width: Math.max(1, 0.1 * scene.camera.scale * (0.45 + 0.55 * share)),
      });
  }
}

/// Draws the processors, with their ranks where there is room.
export function paintNodes(surface: Surface, scene: Scene): void {
  const { layout, grouping } = scene.drawing;
  const radius = nodeRadius(scene.camera);
  const holders = holderNodes(scene);
  const inside = grouping && scene.step > 0 && !scene.hideMessages ? wordsWithin(scene) : [];
  const most = Math.max(0, ...inside);
  const side = new Set(scene.bound?.kind === "cut" ? scene.bound.side : []);
  for (let node = 0; node < layout.x.length; ++node) {
    const [x, y] = projected(scene.camera, [layout.x[node], layout.y[node]]);
    const holds = holders.has(node);
    const faded = scene.followed !== undefined && !holds;
    surface.circle(x, y, radius, { fill: scene.colours.paper });
    surface.circle(x, y, radius, {
      fill: holds
        ? scene.colours.follow
        : side.has(node)
          ? mixed(scene.colours.node, scene.colours.bound, 0.35)
          : inside[node] > 0
            ? mixed(scene.colours.node, scene.colours.message, (0.8 * inside[node]) / most)
            : scene.colours.node,
      stroke: holds ? scene.colours.follow : scene.colours.edge,
      width: radius > 6 ? 1.2 : 0.7,
      alpha: faded ? 0.35 : 1,
    });
    const label = grouping ? grouping.label(node) : String(node);
    const { type } = scene.camera;
    const widest = type > 1 ? 3.4 : 2.9; // radii
    const size = Math.min(radius * Math.min(0.95 * type, widest / label.length), 22 * type);
    if (size >= 6.5)
      surface.text(x, y, label, {
        size,
        fill: holds ? scene.colours.paper : scene.colours.ink,
        alpha: faded ? 0.4 : 1,
        weight: 500,
      });
    else if (layout.labelSide?.(node))
      surface.text(x + layout.labelSide(node) * (radius + 3), y, label, {
        size: 10 * type,
        fill: scene.colours.ink,
        anchor: layout.labelSide(node) < 0 ? "end" : "start",
        halo: scene.colours.paper,
      });
  }
  paintChosen(surface, scene);
}

/// The words that move within each group of processors in this step.
function wordsWithin({ run, drawing, step }: Scene): number[] {
  const words = new Array<number>(drawing.layout.x.length).fill(0);
  for (const message of run.messages.of(step))
    if (nodeRoute(drawing, run.messages.route(message)).length === 1)
      words[nodeOf(drawing, run.messages.to[message])] += run.messages.words[message];
  return words;
}

function holderNodes(scene: Scene): Set<number> {
  const holdings = scene.journey?.holdings[scene.step] ?? [];
  return new Set(holdings.map((holding) => nodeOf(scene.drawing, holding.rank)));
}

/// Draws rings round the chosen processor, those marked, and one that a quiz asks about.
function paintChosen(surface: Surface, scene: Scene): void {
  const { mark, colours } = scene;
  if (mark && mark.ranks.size < scene.run.processors)
    for (const rank of mark.ranks) paintRing(surface, scene, rank, colours.busy);
  paintRing(surface, scene, scene.chosen, colours.chosen);
  paintRing(surface, scene, scene.asked, colours.follow, [6, 4]);
}

/// Draws a ring round a processor, if the machine has it.
export function paintRing(
  surface: Surface,
  scene: Scene,
  rank: number,
  colour: string,
  dash?: number[],
): void {
  if (rank < 0 || rank >= scene.run.processors) return;
  const radius = nodeRadius(scene.camera);
  const width = Math.max(1.5, Math.min(3.5, 0.13 * radius + 1)) * (dash ? 1.4 : 1);
  const node = nodeOf(scene.drawing, rank);
  const { x, y } = scene.drawing.layout;
  const [atX, atY] = projected(scene.camera, [x[node], y[node]]);
  surface.circle(atX, atY, radius + width, { stroke: colour, width, dash });
}
