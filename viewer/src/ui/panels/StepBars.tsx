import { busiest } from "../../data/link_loads";
import type { Run } from "../../data/run";
import { grouped, shownText } from "../../data/words";
import { useStore } from "../context";

const most_bars = 240;

/// Words, link load and local work of each step, as bars.
export function StepBars() {
  const store = useStore();
  const side = store.side.value;
  const run = store.runs[side];
  const until = store.hidesFuture.value ? store.step.value : run.steps;
  if (run.steps === 0) return null;
  return (
    <div class="stepbars">
      <BarChart name="Words of the largest message" values={largest(run)} until={until} />
      <BarChart name="Words on the busiest link" values={linkLoads(run)} until={until} />
      {run.column("contention").some((contention) => contention > 1) && (
        <BarChart
          name="Contention: messages on the busiest link"
          values={run.column("contention")}
          until={until}
          clash
        />
      )}
      {run.json.steps.work && <WorkChart run={run} until={until} step={store.stepOf(side)} />}
    </div>
  );
}

/// The work of each step, and how much of it the processors do on average: the rest is idle.
function WorkChart({ run, until, step }: { run: Run; until: number; step: number }) {
  const { work, means } = workOf(run);
  const of = (share: number) => `${Math.round(100 * share)} % idle`;
  const now = run.idleShare(step > 0 ? run.operations(step) : 0, step > 0 ? work[step - 1] : 0);
  const last = Math.min(until, run.steps);
  const whole = run.idleShare(Number(run.total("operations", last)), Number(run.total("work", last)));
  return (
    <div>
      <BarChart
        name="Work: operations of the processor that does most"
        values={work}
        means={means}
        until={until}
        more={step > 0 && work[step - 1] > 0 ? `mean ${shownText(means[step - 1])}, ${of(now)}` : ""}
      />
      <p class="quiet">
        The darker part is the mean of all processors; the others idle for the rest: {of(whole)} until step{" "}
        {run.stepName(last)}.
      </p>
    </div>
  );
}

const worked = new WeakMap<Run, { work: Float64Array; means: Float64Array }>();

function workOf(run: Run): { work: Float64Array; means: Float64Array } {
  let both = worked.get(run);
  if (!both) {
    const work = Float64Array.from(run.json.steps.work ?? [], Number);
    both = { work, means: work.map((_, at) => run.operations(at + 1) / run.processors) };
    worked.set(run, both);
  }
  return both;
}

/// Finds the words of the largest message of each step.
function largest(run: Run): Float64Array {
  return Float64Array.from({ length: run.steps }, (_, at) => run.largest(at + 1));
}

const kept = new WeakMap<Run, Float64Array>();

/// The words on the busiest link of each step.
export function linkLoads(run: Run): Float64Array {
  let loads = kept.get(run);
  if (!loads) {
    loads = Float64Array.from({ length: run.steps }, (_, at) => {
      const most = busiest(run.loads(at + 1));
      return most[0]?.words ?? 0;
    });
    kept.set(run, loads);
  }
  return loads;
}

interface Chart {
  name: string;
  values: Float64Array;
  until: number;
  clash?: boolean;
  means?: Float64Array; // drawn in the bars
  more?: string; // to say of the step
}

function BarChart({ name, values, until, clash, means, more }: Chart) {
  const store = useStore();
  const each = Math.max(1, Math.ceil(values.length / most_bars));
  const bars: number[] = [];
  const inner: number[] = []; // of the step that its bar shows
  for (let at = 0; at < values.length; at += each) {
    const some = values.subarray(at, at + each);
    bars.push(Math.max(...some));
    if (means) inner.push(means[at + some.indexOf(bars[bars.length - 1])]);
  }
  const high = 24 / Math.max(1, ...bars);
  const now = store.stepOf(store.side.value);
  const width = 100 / bars.length;
  const classOf = (at: number) =>
    Math.ceil(now / each) === at + 1 ? "now" : clash && bars[at] > 1 ? "clash" : "";
  return (
    <figure>
      <figcaption>
        {name} <b>{now > 0 ? grouped(values[now - 1] ?? 0) : ""}</b> {more}
      </figcaption>
      <svg viewBox="0 0 100 24" preserveAspectRatio="none" role="img" aria-label={name}>
        {bars.map((value, at) => (
          <rect
            key={at}
            class={classOf(at)}
            x={(at + 0.08) * width}
            width={0.84 * width}
            y={24 - high * value}
            height={at * each >= until ? 0 : high * value}
            aria-current={store.step.value === at * each + 1 ? "step" : undefined}
            onClick={() => store.jump(at * each + 1)}
          />
        ))}
        {inner.map((mean, at) => (
          <rect
            key={`mean ${at}`}
            class="mean"
            x={(at + 0.08) * width}
            width={0.84 * width}
            y={24 - high * mean}
            height={at * each >= until ? 0 : high * mean}
          />
        ))}
      </svg>
    </figure>
  );
}
