import { stepSentence } from "../data/sentences";
import { fit, unzoomed } from "../drawing/camera";
import { light } from "../drawing/colours";
import { svgPicture } from "../drawing/picture";
import type { Store } from "../state/store";
import { sceneOf } from "../ui/scene_of";

const picture_size = { width: 1200, height: 800 };
const heading = 50; // pixels, of the title and the sentence
const largest = 200; // pixels of a unit

/// The picture of a step of a run, with the step's sentence below the title.
export function stepPicture(store: Store, side: number, step: number, onPaper = false): string {
  const run = store.runs[side];
  const colours = onPaper ? light : undefined;
  const scene = sceneOf(store, side, picture_size, undefined, colours, Math.min(step, run.steps));
  const { width, height } = picture_size;
  scene.camera = fit(scene.drawing.layout, width, height - heading, unzoomed, scene.camera.type, largest);
  scene.camera.top += heading;
  const phase = run.phaseName(step);
  const title = `${run.json.title}: step ${run.stepName(scene.step)} of ${run.stepName(run.steps)}${phase ? `, ${phase}` : ""}`;
  const sentence = onPaper ? "" : stepSentence(run, scene.step);
  return svgPicture(scene, width, height, title, sentence);
}

function fileName(store: Store, ending: string): string {
  const name = store.run.value.json.title.replace(/[^A-Za-z0-9]+/g, "-").replace(/^-|-$/g, "");
  return `${name || "run"}-step-${store.step.value}.${ending}`;
}

export function saveSvg(store: Store): void {
  const svg = stepPicture(store, store.side.value, store.step.value);
  save(new Blob([svg], { type: "image/svg+xml" }), fileName(store, "svg"));
}

/// Saves the step as PNG, twice as fine as on the screen.
export async function savePng(store: Store): Promise<void> {
  const svg = stepPicture(store, store.side.value, store.step.value);
  const picture = new Image();
  picture.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}`;
  await picture.decode();
  const canvas = document.createElement("canvas");
  canvas.width = 2 * picture_size.width;
  canvas.height = 2 * picture_size.height;
  canvas.getContext("2d")!.drawImage(picture, 0, 0, canvas.width, canvas.height);
  canvas.toBlob((blob) => {
    if (blob) save(blob, fileName(store, "png"));
  }, "image/png");
}

function save(blob: Blob, name: string): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}
