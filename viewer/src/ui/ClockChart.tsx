import { useMemo, useState } from "preact/hooks";
import { ClockTimes, doingOf, isBusy } from "../data/clock_times";
import { linear, ticks } from "../data/linear";
import { shownText } from "../data/words";
import { useStore } from "./context";

const width = 1000; // of the drawing, which is as wide as its card
const most_rows = 40; // of the list of the critical path

/// The height of a processor's row, in pixels.
function rowHeight(processors: number): number {
  return Math.max(2, Math.min(16, Math.floor(360 / processors)));
}

/// The processors of a run by time: what each does when, by a clock, and the critical path. Nothing for
/// a run without a clock.
export function ClockChart({ side }: { side: number }) {
  const store = useStore();
  const run = store.runs[side];
  const json = run.json.clock;
  const times = useMemo(
    () => (json ? new ClockTimes(json, run.processors) : undefined),
    [json, run.processors],
  );
  const [tip, setTip] = useState("");
  if (!times) return null;
  const height = rowHeight(run.processors);
  const chosen = store.stepOf(side);
  const step = times.step(chosen, (of) => run.pageStep(of));
  const stepText = step
    ? ` The messages of step ${run.stepName(chosen)} are sent and taken in from ${times.span(step.begin, step.end)}.`
    : "";
  const timeAt = (event: MouseEvent) => {
    const box = (event.currentTarget as SVGElement).getBoundingClientRect();
    const row = Math.floor(((event.clientY - box.top) / box.height) * run.processors);
    const rank = Math.min(run.processors - 1, Math.max(0, row)); // an edge belongs to the drawing
    return { rank, time: ((event.clientX - box.left) / box.width) * times.makespan };
  };
  const hover = (event: MouseEvent) => {
    const { rank, time } = timeAt(event);
    store.hovered.value = rank;
    const stretch = times.at(rank, time);
    const does = stretch
      ? `${doingOf(stretch.what)}, ${times.span(stretch.begin, stretch.end)}`
      : "is done";
    setTip(`Processor ${run.label(rank)} ${does}.`);
  };
  const leave = () => {
    store.hovered.value = -1;
    setTip("");
  };
  return (
    <section class="clock card" aria-label="Processors by time">
      <div class="heading">
        <h2>Processors by time{store.runs.length > 1 ? `: ${run.json.title}` : ""}</h2>
        <Legend />
      </div>
      <p class="quiet">
        By {times.json.model}: {shownText(times.makespan)} {times.json.unit}, in which processors are
        busy for {shownText(Math.round(1000 * times.json.utilisation) / 10)} % of the time.
      </p>
      <div class="clockgrid">
        <Ranks processors={run.processors} height={height} />
        <svg
          viewBox={`0 0 ${width} ${height * run.processors}`}
          preserveAspectRatio="none"
          style={{ height: `${height * run.processors}px` }}
          role="img"
          aria-label={`What each processor does from 0 to ${shownText(times.makespan)} ${times.json.unit}`}
          onMouseMove={hover}
          onMouseLeave={leave}
          onClick={(event) => store.click(side, timeAt(event).rank)}
        >
          {step && <Step times={times} of={step} height={height * run.processors} />}
          <Ticks times={times} height={height * run.processors} />
          <Stretches times={times} processors={run.processors} height={height} />
          <Path times={times} height={height} />
          <Row rank={store.chosen.value} of={run.processors} height={height} />
        </svg>
        <span />
        <Axis times={times} />
      </div>
      <p class="quiet tipline">
        {tip || `The line is the critical path: who waits for whom.${stepText}`}
      </p>
      <PathList times={times} />
    </section>
  );
}

function Legend() {
  return (
    <p class="legend">
      <span class="key send">sends</span>
      <span class="key takein">receives</span>
      <span class="key small">works</span>
      <span class="key wait">waits</span>
      <span class="key path">critical path</span>
    </p>
  );
}

/// The ranks at the left, as many as have room.
function Ranks({ processors, height }: { processors: number; height: number }) {
  const every = Math.max(1, Math.ceil(13 / height));
  const shown = Array.from({ length: Math.ceil(processors / every) }, (_, at) => at * every);
  return (
    <div class="ranks" style={{ height: `${height * processors}px` }} aria-hidden="true">
      {shown.map((rank) => (
        <span key={rank} style={{ top: `${rank * height}px`, lineHeight: `${height}px` }}>
          {rank}
        </span>
      ))}
    </div>
  );
}

interface Drawn {
  times: ClockTimes;
  height: number;
}

/// The round times that have room, but for those at the end, where the makespan stands.
function shownTicks(times: ClockTimes): number[] {
  return ticks(times.makespan, 8).filter((time) => time === 0 || time < 0.9 * times.makespan);
}

/// A line for each round time.
function Ticks({ times, height }: Drawn) {
  const x = linear([0, times.makespan], [0, width]);
  return (
    <g class="ticks">
      {shownTicks(times).map((time) => (
        <line
          key={time}
          class="tick"
          x1={x(time)}
          x2={x(time)}
          y1={0}
          y2={height}
          vector-effect="non-scaling-stroke"
        />
      ))}
    </g>
  );
}

/// The time of the chosen step.
function Step({ times, of, height }: Drawn & { of: { begin: number; end: number } }) {
  const x = linear([0, times.makespan], [0, width]);
  return <rect class="step" x={x(of.begin)} y={0} width={Math.max(2, x(of.end) - x(of.begin))} height={height} />;
}

/// The times below the drawing.
function Axis({ times }: { times: ClockTimes }) {
  return (
    <p class="quiet axis">
      {shownTicks(times).map((time) => (
        <span key={time} style={{ left: `${(100 * time) / (times.makespan || 1)}%` }}>
          {time}
        </span>
      ))}
      <span>
        {shownText(times.makespan)} {times.json.unit}
      </span>
    </p>
  );
}

function Stretches({ times, height, processors }: Drawn & { processors: number }) {
  const x = linear([0, times.makespan], [0, width]);
  const gap = height > 4 ? 1 : 0;
  return (
    <g>
      {Array.from({ length: processors }, (_, rank) =>
        times.stretchesOf(rank).map(({ what, begin, end }) => {
          const busy = isBusy(what);
          return (
            <rect
              key={`${rank} ${begin}`}
              class={busy ? what : "wait"}
              x={x(begin)}
              y={height * rank + (busy ? gap / 2 : height * 0.4)}
              width={x(end) - x(begin)}
              height={busy ? height - gap : height * 0.2}
            />
          );
        }),
      )}
    </g>
  );
}

/// The critical path, from processor to processor.
function Path({ times, height }: Drawn) {
  const x = linear([0, times.makespan], [0, width]);
  const middle = (rank: number) => height * (rank + 0.5);
  const points = times.path.flatMap(({ rank, begin, end }) => [
    `${x(begin)},${middle(rank)}`,
    `${x(end)},${middle(rank)}`,
  ]);
  return <polyline class="path" points={points.join(" ")} vector-effect="non-scaling-stroke" />;
}

/// A frame around the row of a processor.
function Row({ rank, of, height }: { rank: number; of: number; height: number }) {
  if (rank < 0 || rank >= of) return null;
  return (
    <rect
      class="row"
      x={0}
      y={height * rank}
      width={width}
      height={height}
      vector-effect="non-scaling-stroke"
    />
  );
}

/// The critical path in words.
function PathList({ times }: { times: ClockTimes }) {
  const shown = times.path.slice(0, most_rows);
  return (
    <details>
      <summary>The critical path</summary>
      <ol class="pathlist">
        {shown.map((piece) => (
          <li key={piece.begin}>
            {times.span(piece.begin, piece.end)}: processor {piece.rank} {pathDoing(piece.what)}
            {piece.other >= 0 && ` ${piece.what === "receive" ? "from" : "to"} ${piece.other}`}
          </li>
        ))}
      </ol>
      {times.path.length > shown.length && (
        <p class="quiet">and {times.path.length - shown.length} more</p>
      )}
    </details>
  );
}

function pathDoing(what: string): string {
  return what === "receive" ? "waits for and receives a message" : doingOf(what);
}
