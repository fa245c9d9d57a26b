import { unzoomed, type Zoom } from "../drawing/camera";
import { dark, light, type Colours } from "../drawing/colours";
import { cameraOf, type Scene } from "../drawing/scene";
import type { Store } from "../state/store";

export const large_type = 4 / 3; // as viewer.css has it

/// The scene that the page's state asks for, of one of the runs.
export function sceneOf(
  store: Store,
  side: number,
  size: { width: number; height: number },
  zoom: Zoom = unzoomed,
  colours: Colours = store.theme.value === "dark" ? dark : light,
  step = store.stepOf(side),
): Scene {
  const quiz = store.quiz.value;
  const mine = side === store.side.value;
  return {
    run: store.runs[side],
    drawing: store.drawings[side],
    camera: cameraOf(store.drawings[side], size.width, size.height, zoom, store.large.value ? large_type : 1),
    colours,
    step,
    chosen: mine || store.chosen.value < store.runs[side].processors ? store.chosen.value : -1,
    mark: store.mark.value,
    followed: store.followed.value,
    journey: store.journeys.value[side],
    heat: store.heat.value,
    most: store.heat.value ? store.mostWords : 0,
    bound: mine ? store.bound.value : undefined,
    hideMessages: false,
    asked: quiz?.side === side && !quiz.over.value && !quiz.answered.value ? quiz.asked : -1,
  };
}
