import { busiest } from "../../data/link_loads";
import type { Run } from "../../data/run";
import { grouped } from "../../data/words";
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
      {run.json.steps.work && (
        <BarChart
          name="Work: operations of the processor that does most"
          values={Float64Array.from(run.json.steps.work, Number)}
          until={until}
        />
      )}
    </div>
  );
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
}

function BarChart({ name, values, until, clash }: Chart) {
  const store = useStore();
  const each = Math.max(1, Math.ceil(values.length / most_bars));
  const bars: number[] = [];
  for (let at = 0; at < values.length; at += each)
    bars.push(Math.max(...values.subarray(at, at + each)));
  const high = 24 / Math.max(1, ...bars);
  const now = store.stepOf(store.side.value);
  const width = 100 / bars.length;
  const classOf = (at: number) =>
    Math.ceil(now / each) === at + 1 ? "now" : clash && bars[at] > 1 ? "clash" : "";
  return (
    <figure>
      <figcaption>
        {name} <b>{now > 0 ? grouped(values[now - 1] ?? 0) : ""}</b>
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
      </svg>
    </figure>
  );
}
