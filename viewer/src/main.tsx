import { effect } from "@preact/signals";
import { render } from "preact";
import { decode } from "./data/decode";
import { Run } from "./data/run";
import { printSteps } from "./export/print";
import { Store } from "./state/store";
import { App } from "./ui/App";
import { listenToKeys } from "./ui/keys";
import "./viewer.css";

/// Reads the page's data, and draws it where the page has a place for it.
function begin(): void {
  const place = document.getElementById("lockstep-view");
  const data = document.getElementById("lockstep-run");
  if (!place || !data) return;
  try {
    const view = decode(data.textContent ?? "", data.dataset.encoding ?? "json");
    show(new Store(view.runs.map((run) => new Run(run))), place);
  } catch (error) {
    place.textContent = `This page cannot be shown. ${error instanceof Error ? error.message : ""}`;
  }
}

function show(store: Store, place: HTMLElement): void {
  store.theme.value = matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light";
  if (!location.hash && store.runs[0].json.failure) store.go(store.steps);
  else store.readAddress(location.hash);
  effect(() => writeSoon(store.address));
  effect(() => {
    document.documentElement.dataset.theme = store.theme.value;
    document.documentElement.classList.toggle("large", store.large.value);
  });
  addEventListener("hashchange", ({ newURL }) => {
    const { hash } = new URL(newURL); // by now the page may have written its own
    if (hash !== store.address) store.readAddress(hash);
  });
  listenToKeys(store);
  printSteps(store);
  render(<App store={store} />, place);
}

let timer = 0;
let written = -Infinity;

/// Writes the address at once, but only now and then while steps follow fast: browsers refuse more
/// than a few changes a second.
function writeSoon(hash: string): void {
  clearTimeout(timer);
  const wait = Math.max(0, written + 400 - performance.now());
  if (wait === 0) writeHash(hash);
  else timer = window.setTimeout(() => writeHash(hash), wait);
}

/// Keeps the state in the address, without a new entry in the history for each step.
function writeHash(hash: string): void {
  written = performance.now();
  try {
    history.replaceState(null, "", hash);
  } catch {
    // A page inside a sandboxed frame may not change its address.
  }
}

begin();
