import type { ComponentType } from "preact";
import type { Store } from "../state/store";
import { useStore } from "./context";
import { FailurePanel } from "./Failure";
import { AboutPanel } from "./panels/AboutPanel";
import { BoundPanel } from "./panels/BoundPanel";
import { CodePanel } from "./panels/CodePanel";
import { CountsPanel } from "./panels/CountsPanel";
import { MessagesPanel } from "./panels/MessagesPanel";
import { ProcessorPanel } from "./panels/ProcessorPanel";
import { QuizPanel } from "./panels/QuizPanel";

interface Panel {
  id: string;
  name: string;
  show: ComponentType;
}

const panels: Panel[] = [
  { id: "failure", name: "Why it failed", show: FailurePanel },
  { id: "counts", name: "Counts", show: CountsPanel },
  { id: "processor", name: "Processor", show: ProcessorPanel },
  { id: "messages", name: "Messages", show: MessagesPanel },
  { id: "code", name: "Code", show: CodePanel },
  { id: "bound", name: "Why not faster", show: BoundPanel },
  { id: "about", name: "How it works", show: AboutPanel },
  { id: "quiz", name: "Quiz", show: QuizPanel },
];

/// The panels that have something to say about this run.
function useful(store: Store): Panel[] {
  if (store.hidesFuture.value) return panels.filter((panel) => panel.id === "quiz");
  const { json } = store.run.value;
  return panels.filter((panel) => {
    if (panel.id === "failure") return json.failure !== null;
    if (panel.id === "about") return json.explanation.length > 0 || json.call !== "";
    if (panel.id === "code") return json.sources.length > 0;
    return panel.id !== "bound" || json.bounds.length > 0;
  });
}

export function Panels() {
  const store = useStore();
  const shown = useful(store);
  const current = shown.find((panel) => panel.id === store.panel.value) ?? shown[0];
  const Show = current.show;
  const move = (by: number) => {
    const next = shown[(shown.indexOf(current) + by + shown.length) % shown.length];
    store.panel.value = next.id;
    document.getElementById(`tab-${next.id}`)?.focus();
  };
  const keys = (event: KeyboardEvent) => {
    if (event.key !== "ArrowRight" && event.key !== "ArrowLeft") return;
    event.preventDefault();
    event.stopPropagation();
    move(event.key === "ArrowRight" ? 1 : -1);
  };
  return (
    <aside class="panels card" aria-label="About this step">
      <div class="tabs" role="tablist" aria-label="Panels" onKeyDown={keys}>
        {shown.map((panel) => (
          <button
            type="button"
            key={panel.id}
            id={`tab-${panel.id}`}
            role="tab"
            aria-selected={panel === current}
            aria-controls="panel"
            tabIndex={panel === current ? 0 : -1}
            onClick={() => (store.panel.value = panel.id)}
          >
            {panel.name}
          </button>
        ))}
      </div>
      <div id="panel" role="tabpanel" aria-labelledby={`tab-${current.id}`} tabIndex={0}>
        <Show />
      </div>
    </aside>
  );
}
