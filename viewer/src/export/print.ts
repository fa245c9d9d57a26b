import { stepSentence } from "../data/sentences";
import type { Store } from "../state/store";
import { stepPicture } from "./save";

const most_pages = 200;
const most_messages = 10_000; // in the pictures together: more take the browser too long

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
  const { first, last } = wanted(store);
  let messages = 0;
  let step = first;
  for (; step <= last && step < first + most_pages && messages <= most_messages; ++step) {
    const figure = document.createElement("figure");
    for (const [side, run] of store.runs.entries()) {
      if (step > run.steps) continue;
      messages += run.messages.of(step).length;
      figure.append(picture(store, side, step), text("figcaption", stepSentence(run, step)));
    }
    pages.append(figure);
  }
  if (step <= last)
    pages.append(
      text("p", `Steps after ${step - 1} are not printed; mark steps in the matrix to print them.`),
    );
  document.body.append(pages);
}

/// The steps to print: those marked, or all; in a quiz those that are over.
function wanted(store: Store): { first: number; last: number } {
  if (store.hidesFuture.value) return { first: 0, last: store.step.value };
  const mark = store.mark.value;
  if (mark && (mark.first > 1 || mark.last < store.steps)) return mark;
  return { first: 0, last: store.steps };
}

function picture(store: Store, side: number, step: number): HTMLElement {
  const image = document.createElement("img");
  const svg = stepPicture(store, side, step, true);
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}`;
  image.alt = "";
  return image;
}

function text(name: string, content: string): HTMLElement {
  const element = document.createElement(name);
  element.textContent = content;
  return element;
}
