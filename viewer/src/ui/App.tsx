import { useErrorBoundary } from "preact/hooks";
import { stepSentence } from "../data/sentences";
import type { Store } from "../state/store";
import { ClockChart } from "./ClockChart";
import { StoreContext, useStore } from "./context";
import { Gantt } from "./Gantt";
import { Header } from "./Header";
import { Panels } from "./Panels";
import { Stage } from "./Stage";
import { Transport } from "./Transport";

/// The page, or, where its data cannot be drawn, why not.
export function App({ store }: { store: Store }) {
  const [error] = useErrorBoundary();
  if (error)
    return (
      <p role="alert">
        This page cannot be shown. Its data are not what its viewer reads ({String(error)}). Write it
        again with one version of lockstep.
      </p>
    );
  return (
    <StoreContext.Provider value={store}>
      <Page />
    </StoreContext.Provider>
  );
}

function Page() {
  const store = useStore();
  const quiz = store.hidesFuture.value;
  const sides = store.runs.map((_, side) => side);
  return (
    <div class={`page${sides.length > 1 ? " two" : ""}`}>
      <Header />
      <main>
        <div class={store.panel.value === "code" && !quiz ? "upper reads" : "upper"}>
          <div class="left">
            <div class="stages">
              {sides.map((side) => (
                <Stage key={side} side={side} />
              ))}
            </div>
            {!quiz && (
              <div class="card controls">
                <Transport />
              </div>
            )}
          </div>
          <Panels />
        </div>
        {!quiz && (
          <div class="gantts">
            {sides.map((side) => (
              <Gantt key={side} side={side} />
            ))}
            {sides.map((side) => (
              <ClockChart key={side} side={side} />
            ))}
          </div>
        )}
      </main>
      <Spoken />
    </div>
  );
}

/// Tells a screen reader what happens, while the run does not play by itself.
function Spoken() {
  const store = useStore();
  const step = store.stepOf(store.side.value);
  const text = store.playing.value ? "" : `${store.run.value.heading(step)}. ${stepSentence(store.run.value, step)}`;
  return (
    <div class="hidden-text" aria-live="polite">
      {text}
    </div>
  );
}
