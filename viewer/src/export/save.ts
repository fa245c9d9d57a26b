import { stepSentence } from "../data/sentences";
import { fit, unzoomed } from "../drawing/camera";
import { light } from "../drawing/colours";
import { svgPicture } from "../drawing/picture";
import type { Store } from "../state/store";
import { sceneOf } from "../ui/scene_of";
import { zipped } from "./zip";

const picture_size = { width: 1200, height: 800 };
/// On paper smaller pictures have larger letters.
const sizes_on_paper: Record<string, { width: number; height: number }> = {
  "2": { width: 900, height: 560 },
  "4": { width: 600, height: 440 },
  "6": { width: 600, height: 400 },
  slides: { width: 1200, height: 540 },
};
const most_files = 400;
const heading = 50; // pixels, of the title and the sentence
const largest = 200; // pixels of a unit

/// The picture of a step of a run, with the step's sentence below the title, which a printed page has beside it.
export function stepPicture(store: Store, side: number, step: number, layout = ""): string {
  const run = store.runs[side];
  const size = sizes_on_paper[layout] ?? picture_size;
  const colours = layout ? light : undefined;
  const scene = sceneOf(store, side, size, undefined, colours, Math.min(step, run.steps));
  const { width, height } = size;
  scene.camera = fit(scene.drawing.layout, width, height - heading, unzoomed, scene.camera.type, largest);
  scene.camera.top += heading;
  const phase = run.phaseName(step);
  const title = `${run.json.title}: ${run.heading(scene.step).toLowerCase()} of ${run.lastStep}${phase ? `, ${phase}` : ""}`;
  const sentence = layout ? "" : stepSentence(run, scene.step);
  return svgPicture(scene, width, height, title, sentence);
}

function fileName(store: Store, ending: string, of = `step-${store.step.value}`): string {
  const name = store.run.value.json.title.replace(/[^A-Za-z0-9]+/g, "-").replace(/^-|-$/g, "");
  return `${name || "run"}-${of}.${ending}`;
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

/// Saves the pictures of all steps of the run, or of those marked, as an archive.
export function saveAll(store: Store, { first, last }: { first: number; last: number }): void {
  const run = store.run.value;
  const files = [];
  for (let step = first; step <= Math.min(last, run.steps, first + most_files); ++step)
    files.push({
      name: `step-${String(step).padStart(3, "0")}.svg`,
      text: stepPicture(store, store.side.value, step),
    });
  save(new Blob([zipped(files) as BlobPart], { type: "application/zip" }), fileName(store, "zip", "steps"));
}

function save(blob: Blob, name: string): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}
