import type { ShownNumber, ShownValue } from "../../data/format";
import { shownText } from "../../data/sentences";
import { rankColour } from "../../drawing/colours";
import { useStore } from "../context";

const most_processors = 64;

/// What all processors hold after this step, a line each: the data arrays one below another.
export function AllHeld() {
  const store = useStore();
  const run = store.run.value;
  const step = store.stepOf(store.side.value);
  if (run.shows.count === 0 || run.processors > most_processors) return null;
  const ranks = Array.from({ length: run.processors }, (_, rank) => rank);
  const names = run.shows.names.filter((name) => ranks.some((rank) => value(rank, name)));
  function value(rank: number, name: string): ShownValue | undefined {
    return run.shows.after(rank, step).find((shown) => shown.name === name)?.value;
  }
  return (
    <div class="allheld">
      {names.slice(0, 4).map((name) => (
        <section key={name}>
          <h3>
            {name} <span class="quiet">of all processors, after step {step}</span>
          </h3>
          <ol start={0}>
            {ranks.map((rank) => (
              <li key={rank}>
                <button type="button" class="link" onClick={() => store.choose(rank)}>
                  {rank}
                </button>
                <Strip value={value(rank, name)} processors={run.processors} />
              </li>
            ))}
          </ol>
        </section>
      ))}
    </div>
  );
}

/// A value in one line.
function Strip({ value, processors }: { value: ShownValue | undefined; processors: number }) {
  if (!value) return <span class="quiet">nothing</span>;
  if ("blocks" in value)
    return <span class="strip" style={{ background: gradient(value.blocks, processors) }} />;
  if ("intervals" in value)
    return <IntervalStrip intervals={value.intervals} processors={processors} />;
  if ("number" in value) return <span class="mini">{shownText(value.number)}</span>;
  if ("text" in value) return <span class="mini">{value.text.slice(0, 60)}</span>;
  const numbers = "numbers" in value ? value.numbers : value.matrix.numbers;
  return <Numbers numbers={numbers} />;
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

function Numbers({ numbers }: { numbers: ShownNumber[] }) {
  const text = numbers.slice(0, 24).map(shownText).join("  ");
  return <span class="mini">{numbers.length > 24 ? `${text} …` : text || "empty"}</span>;
}
