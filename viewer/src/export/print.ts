import { stepSentence } from "../data/sentences";
import type { Store } from "../state/store";
import { stepPicture } from "./save";

const most_pages = 200;

/// Prepares a picture for each step when the page is printed, or for each marked one, and takes
/// them away afterwards.
export function printSteps(store: Store): void {
  addEventListener("beforeprint", () => fill(store));
  addEventListener("afterprint", () => document.querySelector(".printed")?.remove());
}

function fill(store: Store): void {
  document.querySelector(".printed")?.remove();
  const pages = document.createElement("div");
  pages.className = "printed";
  const { steps } = store.run.value;
  const mark = store.mark.value;
  const marked = mark && (mark.first > 1 || mark.last < store.steps);
  const first = marked ? mark.first : 0;
  const last = store.hidesFuture.value ? store.step.value : marked ? mark.last : steps;
  const until = Math.min(last, steps, first + most_pages);
  for (let step = first; step <= until; ++step) pages.append(page(store, step));
  if (until < Math.min(last, steps))
    pages.append(
      text("p", `Steps after ${until} are not printed; mark steps in the matrix to print those.`),
    );
  document.body.append(pages);
}

function page(store: Store, step: number): HTMLElement {
  const side = store.side.value;
  const run = store.runs[side];
  const figure = document.createElement("figure");
  const picture = document.createElement("img");
  picture.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(stepPicture(store, side, step, true))}`;
  picture.alt = "";
  figure.append(picture, text("figcaption", `Step ${step}. ${stepSentence(run, step)}`));
  return figure;
}

function text(name: string, content: string): HTMLElement {
  const element = document.createElement(name);
  element.textContent = content;
  return element;
}
