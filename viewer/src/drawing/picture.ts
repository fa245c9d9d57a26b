import { paintHeld } from "./paint_held";
import { paintHeat, paintLinks, paintNodes } from "./paint_machine";
import { paintBound, paintFailure, paintJourney } from "./paint_marks";
import { paintStep } from "./paint_step";
import type { Scene } from "./scene";
import { SvgSurface, type Surface } from "./surface";

/// Draws what stands still in a step, from what lies behind to what lies before.
export function paintStill(surface: Surface, scene: Scene): void {
  paintWays(surface, scene);
  paintProcessors(surface, scene);
}

/// Draws what lies behind the messages on their way.
export function paintWays(surface: Surface, scene: Scene): void {
  paintLinks(surface, scene);
  if (scene.heat) paintHeat(surface, scene);
  paintJourney(surface, scene);
  paintBound(surface, scene);
  if (!scene.heat) paintStep(surface, scene);
  paintFailure(surface, scene);
}

/// Draws what lies before them.
export function paintProcessors(surface: Surface, scene: Scene): void {
  paintNodes(surface, scene);
  if (!scene.hideMessages) paintHeld(surface, scene);
}

/// A step as an SVG picture, with a title and what it says in small letters.
export function svgPicture(
  scene: Scene,
  width: number,
  height: number,
  title: string,
  sentence = "",
): string {
  const surface = new SvgSurface();
  paintStill(surface, scene);
  surface.text(14, 20, title, { size: 15, fill: scene.colours.ink, anchor: "start", weight: 600 });
  if (sentence) surface.text(14, 40, sentence, { size: 12, fill: scene.colours.quiet, anchor: "start" });
  return surface.picture(width, height, scene.colours.paper, title);
}
