import type { Run } from "../data/run";
import { counted } from "../data/words";
import { useStore } from "./context";

const most_columns = 300;
const many = 60; // columns, between which there is no room

/// A column of the time line: one step, or as many as must share one.
interface Column {
  name: string; // of its steps
  first: number;
  last: number;
  words: number;
  contention: number;
  startup: boolean;
  pipelined: boolean;
  rearranges: boolean;
  onlyEmpty: boolean;
}

const kept = new WeakMap<Run, Column[]>();

export function columnsOf(run: Run): Column[] {
  const known = kept.get(run);
  if (known) return known;
  const each = Math.max(1, Math.ceil(run.steps / most_columns));
  const columns: Column[] = [];
  for (let first = 1; first <= run.steps; first += each)
    columns.push(columnOf(run, first, Math.min(run.steps, first + each - 1)));
  kept.set(run, columns);
  return columns;
}

function columnOf(run: Run, first: number, last: number): Column {
  const steps = first === last ? "Step " : `Steps ${run.stepName(first)}–`;
  const column: Column = {
    name: steps + run.stepName(last),
    first,
    last,
    words: 0,
    contention: 0,
    startup: false,
    pipelined: false,
    rearranges: false,
    onlyEmpty: true,
  };
  for (let step = first; step <= last; ++step) {
    const figures = run.figures(step);
    column.words = Math.max(column.words, run.largest(step));
    column.contention = Math.max(column.contention, figures.contention);
    column.startup ||= figures.startup;
    column.pipelined ||= figures.pipelined > 0;
    column.rearranges ||= figures.rearranges;
    column.onlyEmpty &&= figures.onlyEmpty;
  }
  return column;
}

/// The steps of a run from left to right: phases, words, and what sets steps apart.
export function Timeline({ side }: { side: number }) {
  const store = useStore();
  const run = store.runs[side];
  const until = store.hidesFuture.value ? store.step.value : run.steps;
  const columns = columnsOf(run);
  const most = columns.reduce((words, column) => Math.max(words, column.words), 1);
  const width = 100 / Math.max(1, store.steps);
  return (
    <div class="timeline">
      <Phases run={run} side={side} until={until} width={width} />
      <div class={columns.length > many ? "columns many" : "columns"} role="presentation" style={{ width: `${width * run.steps}%` }}>
        {columns.map((column) => (
          <Bar
            key={column.first}
            column={column}
            share={column.words / most}
            hidden={column.first > until}
            now={store.stepOf(side) >= column.first && store.stepOf(side) <= column.last}
            here={store.step.value === column.last}
            go={() => store.jump(column.last)}
          />
        ))}
      </div>
      <Legend columns={columns} />
    </div>
  );
}

interface BarOf {
  column: Column;
  share: number;
  hidden: boolean;
  now: boolean;
  here: boolean; // whether a click would lead to the step that is shown
  go: () => void;
}

function Bar({ column, share, hidden, now, here, go }: BarOf) {
  const classes = ["bar"];
  if (now) classes.push("now");
  if (hidden) classes.push("hidden");
  if (column.onlyEmpty) classes.push("empty");
  if (column.contention > 1) classes.push("clash");
  if (column.pipelined) classes.push("pipelined");
  const height = hidden ? 0 : column.words === 0 ? 0 : 8 + 92 * share;
  return (
    <div
      class={classes.join(" ")}
      title={hidden ? "" : titleOf(column)}
      aria-current={here ? "step" : undefined}
      onClick={go}
    >
      <i style={{ height: `${height}%` }} />
      <b class="mark">{!hidden && (column.rearranges ? "◇" : "")}</b>
      <b class="mark">{!hidden && (column.startup ? "▴" : "")}</b>
    </div>
  );
}

function titleOf(column: Column): string {
  const parts = [`${column.name}: ${counted(column.words, "word")}`];
  if (column.startup) parts.push("start-up");
  if (column.pipelined) parts.push("pipelined");
  if (column.rearranges) parts.push("rearranges");
  if (column.onlyEmpty) parts.push("only empty messages");
  if (column.contention > 1) parts.push(`contention ${column.contention}`);
  return parts.join(", ");
}

interface Span {
  name: string;
  phase: number;
  first: number;
  last: number;
}

/// The phases one after another, as the steps name them.
export function spansOf(run: Run): Span[] {
  const spans: Span[] = [];
  for (let step = 1; step <= run.steps; ++step) {
    const phase = run.json.steps.phase[step - 1] ?? -1;
    const last = spans[spans.length - 1];
    if (last && last.phase === phase) last.last = step;
    else spans.push({ name: run.phaseName(step), phase, first: step, last: step });
  }
  return spans;
}

function Phases(its: { run: Run; side: number; until: number; width: number }) {
  const store = useStore();
  const spans = spansOf(its.run).filter((span) => span.name !== "");
  if (spans.length === 0) return null;
  return (
    <div class="phases">
      {spans.map((span) => (
        <button
          type="button"
          key={span.first}
          class={`phase tint${span.phase % 4}`}
          tabIndex={-1}
          aria-current={store.step.value === span.first ? "step" : undefined}
          style={{
            left: `${(span.first - 1) * its.width}%`,
            width: `${(span.last - span.first + 1) * its.width}%`,
          }}
          title={`${span.name}: steps ${span.first} to ${span.last}`}
          onClick={() => store.jump(span.first)}
        >
          {span.first <= its.until ? span.name : ""}
        </button>
      ))}
    </div>
  );
}

/// Says what the marks mean that this run has.
function Legend({ columns }: { columns: readonly Column[] }) {
  const has = (what: (column: Column) => boolean) => columns.some(what);
  return (
    <p class="legend">
      <span>Bars: words of the largest message</span>
      {has((column) => column.startup) && <span>▴ start-up</span>}
      {has((column) => column.pipelined) && <span class="key pipelined">pipelined</span>}
      {has((column) => column.rearranges) && <span>◇ data rearranged</span>}
      {has((column) => column.onlyEmpty) && <span class="key empty">only empty messages</span>}
      {has((column) => column.contention > 1) && <span class="key clash">contention</span>}
    </p>
  );
}
