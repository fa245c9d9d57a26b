import type { Store } from "../state/store";

/// What each key does, as the help lists it.
export const key_help: [string, string][] = [
  ["space", "play or pause"],
  ["← →", "a step back or forward"],
  ["Home End", "the first or the last step"],
  ["+ −", "faster, slower"],
  ["[ ]", "the previous or next processor"],
  ["Esc", "choose no processor, follow no block, mark nothing"],
  ["f", "full screen"],
  ["l", "large type"],
  ["t", "light or dark"],
  ["h", "link loads of the whole run, or of what is marked"],
  ["q", "quiz"],
  ["?", "this help"],
];

export function listenToKeys(store: Store): void {
  addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.altKey || event.metaKey || writes(event.target)) return;
    const act = actions[event.key];
    if (!act || (event.key === " " && pressesButton(event.target))) return;
    event.preventDefault();
    act(store);
  });
  // A button that was clicked does not keep the keys to itself.
  addEventListener("click", (event) => {
    if (event.detail > 0) (event.target as Element).closest("button")?.blur();
  });
}

function writes(target: EventTarget | null): boolean {
  const element = target as HTMLElement | null;
  if (element?.tagName === "INPUT") {
    const { type } = element as HTMLInputElement;
    return type !== "range" && type !== "checkbox";
  }
  return element?.tagName === "SELECT" || element?.tagName === "TEXTAREA";
}

/// On a button the space key presses it.
function pressesButton(target: EventTarget | null): boolean {
  const element = target as HTMLElement | null;
  return element?.matches("button, summary, input[type=checkbox]") ?? false;
}

const actions: Record<string, (store: Store) => void> = {
  " ": (store) => store.toggle(),
  ArrowRight: (store) => {
    store.pause();
    store.forward();
  },
  ArrowLeft: (store) => store.back(),
  Home: (store) => store.jump(0),
  End: (store) => store.jump(store.steps),
  "+": (store) => store.faster(1),
  "-": (store) => store.faster(-1),
  "[": (store) => store.chooseNext(-1),
  "]": (store) => store.chooseNext(1),
  Escape: (store) => {
    store.help.value = false;
    store.chosen.value = -1;
    store.followed.value = undefined;
    store.mark.value = undefined;
  },
  f: () => fullScreen(),
  l: (store) => (store.large.value = !store.large.value),
  t: (store) => (store.theme.value = store.theme.value === "dark" ? "light" : "dark"),
  h: (store) => (store.heat.value = !store.heat.value && !store.locked),
  q: (store) => (store.panel.value = "quiz"),
  "?": (store) => (store.help.value = !store.help.value),
};

export function fullScreen(): void {
  if (document.fullscreenElement) void document.exitFullscreen();
  else void document.documentElement.requestFullscreen?.().catch(() => {});
}
