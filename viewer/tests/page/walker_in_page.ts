/// A control as a reader sees it, at its place in the page.
export interface Control {
  at: number; // in the order of the document
  name: string; // with its number, where several have that name
  plain: string; // without it
  kind: string; // button, select, range, checkbox, number, text, summary, tab, mark
  list: string; // the list that it is one of many in, or empty
  disabled: boolean;
  reason: string; // why it changes nothing here
}

/// What a walk over a page's controls found. Each control that it does not act on has a reason.
export interface Walked {
  acted: string[]; // controls that changed something
  dead: string[]; // that changed nothing
  excused: string[]; // that can change nothing in any of the states, and why
}

/// What works within the page: it lists controls, brings the page into a state, tells states apart.
export interface Walker {
  controls(): Control[];
  state(own?: Element | null): string;
  reset(address: string): Promise<void>;
  prepare(control: Control): HTMLElement;
  actInPage(control: Control): Promise<boolean>;
  act(control: Control): Promise<boolean>; // in the page, unless told otherwise
  walk(addresses: readonly string[], mostOfAList: number): Promise<Walked>;
}

/// Puts a Walker into the page, as `walker`. It runs there, so it needs nothing from around it.
export function installWalker(): void {
  const all =
    "button, select, input, textarea, summary, a[href], .bar, .stepbars rect, .pairs rect:not(.ground)";

  // What is typed into a field, by its name.
  const typed: Record<string, string> = {
    "Mark processors": "0-1",
    "Source-destination": "0-1",
    Questions: "3",
    Variant: "7",
  };

  const step = () => Number(document.querySelector<HTMLInputElement>(".slider")?.value ?? 0);
  const last = () => Number(document.querySelector<HTMLInputElement>(".slider")?.max ?? 0);
  const has = (what: string) => document.querySelector(what) !== null;

  // What may be disabled, by its name: whether it can change nothing in the state of the page.
  const may_be_disabled: Record<string, () => boolean> = {
    "First step": () => step() === 0,
    Back: () => step() === 0,
    Forward: () => step() === last(),
    "Last step": () => step() === last(),
    Play: () => last() === 0,
    Step: () => last() === 0,
    Quiz: () => has("#tab-quiz[aria-selected=true]"),
    Answer: () => document.querySelector<HTMLInputElement>(".quiz .short")!.value.trim() === "",
    Start: () => !has(".quiz input:checked"),
    Again: () => !has(".answers li"),
  };

  // What brings a control into a state in which it can change something, by its name.
  const first_press: Record<string, string> = { "Zoom out": "Zoom in", "Show all": "Zoom in" };

  const nameOf = (element: Element) => {
    const own = element as HTMLInputElement;
    const ofLabel = [...(own.labels?.[0]?.childNodes ?? [])]
      .filter((node) => node !== own && (node.textContent ?? "").trim() !== "")
      .map((node) => node.textContent!.trim())[0];
    const title = element.getAttribute("title");
    const name = element.getAttribute("aria-label") ?? (ofLabel || title || element.textContent);
    return (name ?? "").trim().slice(0, 60);
  };
  const kindOf = (element: Element) => {
    if (element.getAttribute("role") === "tab") return "tab";
    const tag = element.tagName.toLowerCase();
    if (tag === "input") return (element as HTMLInputElement).type;
    return ["div", "rect"].includes(tag) ? "mark" : tag;
  };
  const reasonOf = (element: Element) => {
    const is = (what: string) => element.matches(what);
    if (is("[role=tab][aria-selected=true]")) return "its panel is the one that is shown";
    if (is("[role=group] > [aria-pressed=true], h2 > [aria-pressed=true]"))
      return "it is the one of several that is chosen";
    if (is("[aria-current=step]")) return "it leads to the step that is shown";
    if (is("input[readonly]")) return "its text is there to be copied";
    const name = nameOf(element);
    if (!(element as HTMLButtonElement).disabled || first_press[name]) return "";
    return may_be_disabled[name]?.() ? "it is disabled, for it can change nothing now" : "";
  };
  const listOf = (element: Element) => {
    const list = element.closest("ol, ul, .blocks, .columns, .phases, .stepbars svg, .pairs svg");
    if (!list) return "";
    const number = [...document.querySelectorAll(list.tagName)].indexOf(list);
    return `${list.tagName} ${number} ${element.tagName}`;
  };

  const controls = () => {
    const counts = new Map<string, number>();
    return [...document.querySelectorAll(all)].map((element, at) => {
      const [plain, kind] = [nameOf(element), kindOf(element)];
      const count = (counts.get(`${plain} ${kind}`) ?? 0) + 1;
      counts.set(`${plain} ${kind}`, count);
      return {
        at,
        name: count === 1 ? plain : `${plain} #${count}`,
        plain,
        kind,
        list: listOf(element),
        disabled: (element as HTMLButtonElement).disabled === true,
        reason: reasonOf(element),
      };
    });
  };

  // What leaves the page is counted: prints, and what is saved.
  let done = 0;
  window.print = () => void ++done;
  const click = HTMLAnchorElement.prototype.click;
  HTMLAnchorElement.prototype.click = function () {
    ++done;
    click.call(this);
  };

  const hashOf = (canvas: HTMLCanvasElement) => {
    if (canvas.width === 0 || canvas.height === 0) return 0;
    const context = canvas.getContext("2d", { willReadFrequently: true })!;
    const { data } = context.getImageData(0, 0, canvas.width, canvas.height);
    let hash = 0;
    for (const pixel of new Int32Array(data.buffer)) hash = (hash * 31 + pixel) | 0;
    return hash;
  };
  const state = (own?: Element | null) =>
    JSON.stringify([
      [...document.documentElement.attributes].map(({ name, value }) => `${name}=${value}`),
      document.getElementById("lockstep-view")!.innerHTML,
      [...document.querySelectorAll("canvas")].map(hashOf),
      [...document.querySelectorAll<HTMLInputElement>("input, select, textarea")]
        .filter((field) => field !== own)
        .map((field) => (field.type === "checkbox" ? String(field.checked) : field.value)),
      document.fullscreenElement !== null,
      done,
    ]);

  const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
  const pause = (milliseconds: number) =>
    new Promise((resolve) => setTimeout(resolve, milliseconds));
  const press = (key: string, target: EventTarget = window) =>
    target.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true }));

  let resets = 0;
  const reset = async (address: string) => {
    if (document.fullscreenElement) await document.exitFullscreen();
    (document.activeElement as HTMLElement | null)?.blur();
    press("Escape");
    for (const menu of document.querySelectorAll("details")) menu.open = false;
    for (const zoomed of document.querySelectorAll<HTMLButtonElement>("[aria-label='Show all']"))
      zoomed.click();
    if (document.documentElement.classList.contains("large")) press("l");
    location.hash = `${address}&reset=${++resets}`;
    await pause(0);
    await frame();
    await frame();
  };

  const changed = async (before: string, own?: Element | null) => {
    for (let tries = 0; tries < 10; ++tries) {
      if (state(own) !== before) return true;
      await pause(2 ** tries);
    }
    return false;
  };

  const prepare = ({ at, plain }: Control) => {
    const element = document.querySelectorAll<HTMLElement>(all)[at];
    const first = first_press[plain];
    if (first) element.parentElement!.querySelector<HTMLElement>(`[aria-label="${first}"]`)!.click();
    const menu = element.closest("details");
    if (menu && element.tagName !== "SUMMARY") menu.open = true;
    return element;
  };

  const fill = (field: HTMLInputElement, text: string, event: string) => {
    field.focus();
    field.value = text;
    field.dispatchEvent(new Event(event, { bubbles: true }));
  };

  /// Chooses each other option of a select, one after another.
  const chooseEach = async (field: HTMLSelectElement) => {
    const options = [...field.options].map((option) => option.value);
    for (const option of [...options.filter((one) => one !== field.value), field.value]) {
      const before = state();
      field.value = option;
      field.dispatchEvent(new Event("change", { bubbles: true }));
      if (!(await changed(before))) return false;
    }
    return options.length > 1;
  };

  const act = async (control: Control) => {
    const element = prepare(control);
    await frame();
    if (control.kind === "select") return chooseEach(element as unknown as HTMLSelectElement);
    const field = element as HTMLInputElement;
    const types = ["number", "text"].includes(control.kind);
    const before = state(types ? field : null);
    if (control.kind === "range") fill(field, String(step() > 0 ? step() - 1 : 1), "input");
    else if (types) {
      fill(field, typed[control.plain] ?? "1", "input");
      field.dispatchEvent(new Event("change", { bubbles: true }));
    } else element.dispatchEvent(new MouseEvent("click", { bubbles: true, cancelable: true }));
    if (!(await changed(before, types ? field : null))) return false;
    if (control.kind !== "checkbox") return true;
    const checked = state();
    field.click();
    return changed(checked);
  };

  /// Takes a few of each long list: the first, the last, and some between.
  const someOfLists = (found: Control[], most: number) => {
    const lists = new Map<string, Control[]>();
    for (const one of found) if (one.list) lists.set(one.list, [...(lists.get(one.list) ?? []), one]);
    const taken = new Set<Control>();
    for (const list of lists.values()) {
      const count = Math.min(most, list.length);
      for (let at = 0; at < count; ++at)
        taken.add(list[Math.round((at * (list.length - 1)) / Math.max(1, count - 1))]);
    }
    return found.filter((one) => !one.list || taken.has(one));
  };

  const walk = async (addresses: readonly string[], most: number) => {
    const [acted, dead] = [[] as string[], [] as string[]];
    const excused = new Map<string, string>();
    const known = new Set<string>();
    for (const address of addresses) {
      await reset(address);
      for (const control of someOfLists(controls(), most)) {
        const key = `${control.kind} ${control.name}`;
        if (known.has(key)) continue;
        if (control.reason) {
          excused.set(key, control.reason);
          continue;
        }
        known.add(key);
        await reset(address);
        const acts = await walker.act(control);
        if (acts) acted.push(key);
        else dead.push(`${key} (${address})`);
      }
    }
    const never = [...excused].filter(([key]) => !known.has(key));
    return { acted, dead, excused: never.map(([key, reason]) => `${key}: ${reason}`) };
  };

  const walker: Walker = { controls, state, reset, prepare, actInPage: act, act, walk };
  Object.assign(window, { walker });
}
