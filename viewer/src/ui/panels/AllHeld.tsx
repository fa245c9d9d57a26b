import type { ShownNumber, ShownValue } from "../../data/format";
import { shownText } from "../../data/words";
import { rankColour } from "../../drawing/colours";
import { useStore } from "../context";

const most_processors = 64;

/// What all processors hold after this step, a line each: the data arrays one below another.
export function AllHeld() {
  const store = useStore();
  const run = store.run.value;
  const step = store.stepOf(store.side.value);
  if (run.shows.count === 0 || run.processors > most_processors) return null;
  const held = Array.from({ length: run.processors }, (_, rank) => run.shows.after(rank, step));
  const names = [...new Set(held.flatMap((shown) => shown.map((one) => one.name)))];
  return (
    <div class="allheld">
      {names.slice(0, 4).map((name) => (
        <section key={name}>
          <h3>
            {name} <span class="quiet">of all processors, after step {run.stepName(step)}</span>
          </h3>
          <Lines values={held.map((shown) => shown.find((one) => one.name === name)?.value)} />
        </section>
      ))}
    </div>
  );
}

/// One value of each processor, numbers on one scale.
function Lines({ values }: { values: (ShownValue | undefined)[] }) {
  const store = useStore();
  const numbers = values.flatMap((value) => (value ? numbersOf(value) : []));
  const most = numbers.reduce<number>((so_far, one) => Math.max(so_far, Math.abs(Number(one))), 0);
  return (
    <ol start={0}>
      {values.map((value, rank) => (
        <li key={rank}>
          <button type="button" class="link" onClick={() => store.choose(rank)}>
            {rank}
          </button>
          <Strip value={value} processors={values.length} most={most} />
        </li>
      ))}
    </ol>
  );
}

function numbersOf(value: ShownValue): ShownNumber[] {
  if ("number" in value) return [value.number];
  if ("numbers" in value) return value.numbers;
  if ("sample" in value) return value.sample.numbers;
  return "matrix" in value ? value.matrix.numbers : [];
}

interface StripOf {
  value: ShownValue | undefined;
  processors: number;
  most: number; // the largest number of all processors
}

/// A value in one line.
function Strip({ value, processors, most }: StripOf) {
  if (!value) return <span class="quiet">nothing</span>;
  if ("blocks" in value)
    return <span class="strip" style={{ background: gradient(value.blocks, processors) }} />;
  if ("intervals" in value)
    return <IntervalStrip intervals={value.intervals} processors={processors} />;
  if ("text" in value) return <span class="mini">{value.text.slice(0, 60)}</span>;
  return <Numbers numbers={numbersOf(value)} most={most} />;
}

/// A colour for each block's destination, from left to right; empty places stay without one.
function gradient(blocks: readonly number[], processors: number): string {
  const count = blocks.length / 2;
  const stops = Array.from({ length: count }, (_, at) => {
    const colour = blocks[2 * at] < 0 ? "transparent" : rankColour(blocks[2 * at + 1], processors);
    return `${colour} ${(100 * at) / count}% ${(100 * (at + 1)) / count}%`;
  });
  return stops.length > 0 ? `linear-gradient(90deg, ${stops.join(",")})` : "none";
}

function IntervalStrip({ intervals, processors }: { intervals: number[]; processors: number }) {
  const share = (ranks: number) => `${(100 * ranks) / processors}%`;
  return (
    <span class="strip scale">
      {Array.from({ length: intervals.length / 2 }, (_, at) => {
        const [first, last] = intervals.slice(2 * at, 2 * at + 2);
        return <i key={at} style={{ left: share(first), width: share(last + 1 - first) }} />;
      })}
    </span>
  );
}

const most_bars = 64;

/// Numbers as small bars, and as text while they are few.
function Numbers({ numbers, most }: { numbers: ShownNumber[]; most: number }) {
  const every = Math.ceil(numbers.length / most_bars);
  const shown = numbers.filter((_, at) => at % every === 0);
  const height = (value: ShownNumber) => (100 * Math.abs(Number(value))) / Math.max(most, 1e-300);
  return (
    <span class="minibars" title={shown.map(shownText).join(", ")}>
      {shown.map((value, at) => (
        <i key={at} style={{ height: `${Math.max(4, height(value))}%` }} />
      ))}
      {numbers.length <= 4 && <span class="mini">{shown.map(shownText).join("  ")}</span>}
    </span>
  );
}
