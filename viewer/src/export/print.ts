import { stepSentence } from "../data/sentences";
import type { Store } from "../state/store";
import { stepPicture } from "./save";

const most_pages = 200;

/// Prepares a picture for each step when the page is printed, and takes them away afterwards.
export function printSteps(store: Store): void {
  addEventListener("beforeprint", () => fill(store));
  addEventListener("afterprint", () => document.querySelector(".printed")?.remove());
}

function fill(store: Store): void {
  document.querySelector(".printed")?.remove();
  const pages = document.createElement("div");
  pages.className = "printed";
  const last = store.hidesFuture.value ? store.step.value : store.run.value.steps;
  for (let step = 0; step <= Math.min(last, most_pages); ++step) pages.append(page(store, step));
  if (last > most_pages) pages.append(text("p", `Steps after ${most_pages} are not printed.`));
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
