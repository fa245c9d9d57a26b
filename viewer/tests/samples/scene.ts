import type { Run } from "../../src/data/run";
import { unzoomed } from "../../src/drawing/camera";
import { light } from "../../src/drawing/colours";
import { chooseDrawing } from "../../src/drawing/layouts/choose";
import { cameraOf, type Scene } from "../../src/drawing/scene";

/// Makes the scene of a step of a run, in which nothing is chosen, for a picture of that size.
export function sceneOf(run: Run, step: number, size: { width: number; height: number }): Scene {
  const drawing = chooseDrawing(run.machine);
  return {
    run,
    drawing,
    camera: cameraOf(drawing, size.width, size.height, unzoomed),
    colours: light,
    step,
    chosen: -1,
    mark: undefined,
    followed: undefined,
    journey: undefined,
    heat: false,
    most: 0,
    bound: undefined,
    hideMessages: false,
    asked: -1,
  };
}
