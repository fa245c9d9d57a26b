import type { ComponentChildren } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { layouts, wantedSteps } from "../export/print";
import { saveAll, savePng, saveSvg } from "../export/save";
import { useStore } from "./context";
import { Icon } from "./Icon";
import { fullScreen, key_help } from "./keys";

/// The title of the run, and what concerns the whole page.
export function Header() {
  const store = useStore();
  const { json } = store.run.value;
  const title = store.runs.map((run) => run.json.title).join("  ·  ");
  const bar = useRef<HTMLElement>(null);
  useEffect(() => {
    // The drawing takes what the header leaves of the window.
    const observer = new ResizeObserver(() =>
      document.documentElement.style.setProperty("--head", `${bar.current!.offsetHeight}px`),
    );
    observer.observe(bar.current!);
    return () => observer.disconnect();
  }, []);
  return (
    <header ref={bar}>
      <div class="titles">
        <h1>{title}</h1>
        {json.command && <code class="command">{json.command}</code>}
      </div>
      <Tools />
      {store.help.value && <Help />}
    </header>
  );
}

function Tools() {
  const store = useStore();
  const isDark = store.theme.value === "dark";
  return (
    <div class="tools">
      <button
        type="button"
        disabled={store.panel.value === "quiz" || store.hidesFuture.value}
        onClick={() => (store.panel.value = "quiz")}
      >
        Quiz
      </button>
      <SaveMenu />
      <Tool
        name="Large type"
        keys="l"
        sign={<Icon name="type" />}
        pressed={store.large.value}
        act={() => (store.large.value = !store.large.value)}
      />
      <Tool
        name="Dark"
        keys="t"
        sign={<Icon name="theme" />}
        pressed={isDark}
        act={() => (store.theme.value = isDark ? "light" : "dark")}
      />
      <Tool name="Full screen" keys="f" sign={<Icon name="full" />} act={fullScreen} />
      <Tool
        name="Keys"
        keys="?"
        sign="?"
        pressed={store.help.value}
        act={() => (store.help.value = !store.help.value)}
      />
    </div>
  );
}

interface ToolOf {
  name: string;
  keys: string;
  sign: ComponentChildren;
  pressed?: boolean;
  act: () => void;
}

function Tool(its: ToolOf) {
  return (
    <button
      type="button"
      aria-label={its.name}
      aria-pressed={its.pressed}
      title={`${its.name} (${its.keys})`}
      onClick={its.act}
    >
      {its.sign}
    </button>
  );
}

function SaveMenu() {
  const store = useStore();
  const menu = useRef<HTMLDetailsElement>(null);
  const [copied, setCopied] = useState({ of: "", says: "" });
  const act = (what: () => void) => () => {
    what();
    if (menu.current) menu.current.open = false;
  };
  const copy = async () => {
    const of = store.address;
    try {
      await navigator.clipboard.writeText(location.href.split("#")[0] + of);
      setCopied({ of, says: "Link copied" });
    } catch {
      setCopied({ of, says: "Copy it from the address bar" });
    }
  };
  return (
    <details class="menu" ref={menu}>
      <summary>Save</summary>
      <div class="items">
        <button type="button" onClick={act(() => saveSvg(store))}>
          This step as SVG
        </button>
        <button type="button" onClick={act(() => void savePng(store))}>
          This step as PNG
        </button>
        <button type="button" onClick={act(() => saveAll(store, wantedSteps(store)))}>
          All steps as SVG
        </button>
        <label class="row">
          Print
          <select
            value={store.layout.value}
            onChange={(event) => (store.layout.value = event.currentTarget.value)}
          >
            {layouts.map(([layout, name]) => (
              <option key={layout} value={layout}>
                {name}
              </option>
            ))}
          </select>
        </label>
        <button type="button" onClick={act(() => print())}>
          Print, or save as PDF
        </button>
        <button type="button" onClick={copy}>
          {copied.of === store.address ? copied.says : "Copy a link to this step"}
        </button>
      </div>
    </details>
  );
}

function Help() {
  return (
    <section class="help card" aria-label="Keys">
      <dl>
        {key_help.map(([keys, what]) => (
          <div key={keys}>
            <dt>
              <kbd>{keys}</kbd>
            </dt>
            <dd>{what}</dd>
          </div>
        ))}
      </dl>
      <p class="quiet">Ctrl and the wheel, or two fingers, zoom the drawing; drag it then.</p>
    </section>
  );
}
