import { stepSentence } from "../data/sentences";
import { useStore } from "./context";
import { FailureBanner } from "./Failure";
import { Network } from "./Network";
import { Timeline } from "./Timeline";

/// A run on the stage: what happens in this step, the machine, the time line.
export function Stage({ side }: { side: number }) {
  const store = useStore();
  const run = store.runs[side];
  const two = store.runs.length > 1;
  const quiz = store.hidesFuture.value;
  const current = two && store.side.value === side;
  return (
    <section class={`stage card${current ? " current" : ""}`} aria-label={run.json.title}>
      {two && (
        <h2>
          <button
            type="button"
            class="link"
            aria-pressed={current}
            onClick={() => (store.side.value = side)}
          >
            {run.json.title}
          </button>
        </h2>
      )}
      <Caption side={side} />
      {run.json.failure && store.stepOf(side) >= run.steps && !quiz && <FailureBanner run={run} />}
      <Network side={side} />
      {two && !quiz && <Totals side={side} />}
      {!quiz && <Timeline side={side} />}
    </section>
  );
}

/// The step's number, its phase, and what happens in it.
function Caption({ side }: { side: number }) {
  const store = useStore();
  const run = store.runs[side];
  const step = store.stepOf(side);
  const phase = run.phaseName(step);
  const ended = store.step.value > run.steps;
  return (
    <div class="caption">
      <p class="where">
        <b>{run.heading(step)}</b>
        {!store.hidesFuture.value && <span class="quiet"> of {run.lastStep}</span>}
        {phase && <span class={`phase-name tint${run.figures(step).phase % 4}`}>{phase}</span>}
        {store.heat.value && <span class="badge">link loads of {store.mark.value ? "what is marked" : "the whole run"}</span>}
        {ended && <span class="badge">{run.json.failure ? "it failed here" : "it has ended"}</span>}
      </p>
      <p class="sentence">{stepSentence(run, step)}</p>
      {run.json.wrong?.map((sentence) => (
        <p key={sentence} role="status" class="wrong">
          {sentence}
        </p>
      ))}
      {!run.json.complete && <p class="quiet">{run.json.incomplete_why}</p>}
    </div>
  );
}

/// The running figures of one of two runs, below its drawing.
function Totals({ side }: { side: number }) {
  const store = useStore();
  const run = store.runs[side];
  const step = store.stepOf(side);
  return (
    <dl class="totals">
      {["steps", "startups", "words", "hops", "contention"].map((figure) => (
        <div key={figure}>
          <dt>{figure === "startups" ? "start-ups" : figure}</dt>
          <dd>{run.total(figure, step)}</dd>
        </div>
      ))}
    </dl>
  );
}
