import type { ClaimJson } from "../data/format";
import { stepSentence } from "../data/sentences";
import { shownText } from "../data/words";
import type { Store } from "../state/store";
import { stepPicture } from "./save";

const most_pages = 200;
const most_messages = 10_000; // in the pictures together: more take the browser too long

/// What the page prints: a handout of so many steps on each page, or slides.
export const layouts = [
  ["1", "a step on each page"],
  ["2", "2 steps on each page"],
  ["4", "4 steps on each page"],
  ["6", "6 steps on each page"],
  ["slides", "slides of 16:9"],
];

/// Prepares a picture for each step when the page is printed, or for each marked one, and takes
/// them away afterwards.
export function printSteps(store: Store): void {
  addEventListener("beforeprint", () => fill(store));
  addEventListener("afterprint", () => document.querySelector(".printed")?.remove());
}

function fill(store: Store): void {
  document.querySelector(".printed")?.remove();
  const layout = store.layout.value;
  const pages = element("div", "", `printed of-${layout}`);
  if (layout === "slides") pages.append(element("style", "@page{size:13.333in 7.5in;margin:.4in}"));
  const { first, last } = wantedSteps(store);
  let messages = 0;
  let step = first;
  let sheet = pages;
  for (; step <= last && step < first + most_pages && messages <= most_messages; ++step) {
    if ((step - first) % (Number(layout) || 1) === 0)
      pages.append((sheet = element("div", "", "sheet")));
    const figure = element("figure");
    for (const [side, run] of store.runs.entries()) {
      if (step > run.steps) continue;
      messages += run.messages.of(step).length;
      const phase = run.phaseName(step);
      const says = element("figcaption", `${phase && `, ${phase}`}. ${stepSentence(run, step)}`);
      says.prepend(element("b", run.heading(step)));
      figure.append(picture(store, side, step), says);
    }
    sheet.append(figure);
  }
  const isWhole = first === 0 && last === store.steps && !store.hidesFuture.value;
  if (step <= last)
    pages.append(
      element("p", `Steps after ${step - 1} are not printed; mark steps in the matrix to print them.`),
    );
  else if (isWhole) pages.append(endOf(store));
  document.body.append(pages);
}

/// The steps to print: those marked, or all; in a quiz those that are over.
export function wantedSteps(store: Store): { first: number; last: number } {
  if (store.hidesFuture.value) return { first: 0, last: store.step.value };
  const mark = store.mark.value;
  if (mark && (mark.first > 1 || mark.last < store.steps)) return mark;
  return { first: 0, last: store.steps };
}

/// The last page: what each run cost, what is claimed of it, and what no program can do better.
function endOf(store: Store): HTMLElement {
  const end = element("div", "", "sums");
  for (const run of store.runs) {
    const { title, command, claims, bounds } = run.json;
    const list = element("ul");
    for (const figure of run.figureNames)
      list.append(element("li", `${named(figure)} ${run.total(figure, run.steps)}`));
    for (const claim of claims) list.append(element("li", claimText(claim)));
    for (const one of bounds)
      list.append(
        element(
          "li",
          `Lower bound: ${named(one.figure)} \u2265 ${one.value} (${one.formula}; ${one.source})` +
            `${one.tight ? ", which this run attains" : ""}. ${one.sentence ?? ""}`,
        ),
      );
    end.append(element("h2", title), element("p", command), list);
  }
  return end;
}

function claimText(claim: ClaimJson): string {
  const verdict = claim.verdict ?? (claim.holds ? "holds" : "does not hold");
  const value = typeof claim.value === "number" ? shownText(claim.value) : claim.value;
  return `Claim: ${named(claim.figure)} ${claim.relation} ${value} = ${claim.formula} (${claim.source}): ${verdict}`;
}

function named(figure: string): string {
  return figure === "startups" ? "start-ups" : figure.replace(/_/g, " ");
}

function picture(store: Store, side: number, step: number): HTMLElement {
  const image = document.createElement("img");
  const svg = stepPicture(store, side, step, store.layout.value);
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}`;
  image.alt = "";
  return image;
}

function element(name: string, content = "", style = ""): HTMLElement {
  const made = document.createElement(name);
  made.textContent = content;
  if (style) made.className = style;
  return made;
}
