import { useEffect, useRef, useState } from "preact/hooks";
import { activityText } from "../data/activity";
import { markText, parseRanks, type Mark } from "../data/mark";
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
    store.hovered.value = cell?.rank ?? -1;
    if (!cell) return setTip("");
    const does = activityText(store.activity(side).at(cell.rank, cell.step));
    const pattern = patternOf(run, cell.step);
    setTip(
      `Processor ${run.label(cell.rank)}, step ${run.stepName(cell.step)}: ${does}.` +
        (pattern ? ` The step: ${pattern}.` : ""),
    );
  };
  const leave = () => {
    store.hovered.value = -1;
    setTip("");
  };
  const mark = store.mark.value;
  return (
    <section class="gantt card" aria-label="Processors by steps">
      <div class="heading">
        <h2>Processors by steps{store.runs.length > 1 ? `: ${run.json.title}` : ""}</h2>
        <GanttLegend small={hasSmallCells(run.processors)} />
      </div>
      <div class="chart" ref={box} onMouseMove={hover} onMouseLeave={leave} />
      <p class="quiet tipline">
        {tip || "Drag a rectangle, here or in the drawing, to mark what lies in it."} <MarkField />
        {mark && <MarkTools mark={mark} />}
      </p>
    </section>
  );
}

/// What is done with a mark.
function MarkTools({ mark }: { mark: Mark }) {
  const store = useStore();
  return (
    <span class="row">
      Marked: {markText(mark)}.
      <button
        type="button"
        aria-pressed={store.heat.value}
        onClick={() => (store.heat.value = !store.heat.value)}
      >
        Its link loads
      </button>
      <button type="button" class="link" onClick={() => (store.mark.value = undefined)}>
        Clear the mark
      </button>
    </span>
  );
}

/// Marks processors by their ranks, without dragging: "3" or "0-3,8".
function MarkField() {
  const store = useStore();
  const mark = (text: string) => {
    const ranks = parseRanks(text, store.run.value.processors);
    store.mark.value = ranks && store.markOf(ranks);
  };
  return (
    <label>
      Mark processors{" "}
      <input
        class="short"
        placeholder="0-3,8"
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
