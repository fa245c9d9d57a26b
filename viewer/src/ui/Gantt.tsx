import { useEffect, useRef, useState } from "preact/hooks";
import { activityText } from "../data/activity";
import { patternOf } from "../data/patterns";
import { useStore } from "./context";
import { GanttChart, hasSmallCells } from "./gantt_chart";

/// The processor by step matrix of a run: which sends, takes in, waits, queues. Brushing it marks
/// processors in the drawing; a processor chosen there is marked here.
export function Gantt({ side }: { side: number }) {
  const store = useStore();
  const box = useRef<HTMLDivElement>(null);
  const chart = useRef<GanttChart | undefined>(undefined);
  const [tip, setTip] = useState("");
  useEffect(() => {
    chart.current = new GanttChart(store, side, box.current!);
    return () => chart.current?.stop();
  }, [store, side]);
  const run = store.runs[side];
  const hover = (event: MouseEvent) => {
    const cell = chart.current?.cellAt(event.clientX, event.clientY);
    if (!cell) return setTip("");
    const does = activityText(store.activity(side).at(cell.rank, cell.step));
    const pattern = patternOf(run, cell.step);
    setTip(
      `Processor ${run.label(cell.rank)}, step ${cell.step}: ${does}.` +
        (pattern ? ` The step: ${pattern}.` : ""),
    );
  };
  return (
    <section class="gantt card" aria-label="Processors by steps">
      <div class="heading">
        <h2>Processors by steps{store.runs.length > 1 ? `: ${run.json.title}` : ""}</h2>
        <GanttLegend small={hasSmallCells(run.processors)} />
      </div>
      <div class="chart" ref={box} onMouseMove={hover} onMouseLeave={() => setTip("")} />
      <p class="quiet tipline">
        {tip || "Drag a rectangle to mark processors and steps, click to choose one."} <MarkField />
        {store.brushed.value && (
          <button type="button" class="link" onClick={() => chart.current?.clear()}>
            Clear the mark
          </button>
        )}
      </p>
    </section>
  );
}

/// Marks processors by their ranks, without dragging: "3" or "3-7".
function MarkField() {
  const store = useStore();
  const mark = (text: string) => {
    const found = /^\s*(\d+)(?:\s*-\s*(\d+))?\s*$/.exec(text);
    const first = found ? Number(found[1]) : 0;
    const last = Math.min(store.run.value.processors - 1, found ? Number(found[2] ?? first) : -1);
    const count = Math.max(0, last - first + 1);
    store.marked.value = new Set(Array.from({ length: count }, (_, at) => first + at));
  };
  return (
    <label>
      Mark processors{" "}
      <input
        class="short"
        placeholder="0-3"
        onChange={(event) => mark(event.currentTarget.value)}
      />
    </label>
  );
}

function GanttLegend({ small }: { small: boolean }) {
  return (
    <p class="legend">
      <span class="key send">sends</span>
      <span class="key takein">takes in</span>
      <span class={small ? "key small" : "key both"}>both</span>
      <span class="key wait">waits</span>
      <span class="key queue">a message is queued for it</span>
    </p>
  );
}
