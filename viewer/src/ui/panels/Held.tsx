import { useState } from "preact/hooks";
import { changeText, type Change } from "../../data/changes";
import { exchangeOf, placeOf } from "../../data/follow";
import type { MatrixJson, SampleJson, ShownNumber, ShownValue } from "../../data/format";
import { columnsOfBlocks } from "../../data/shows";
import { blocksSay, blockText, counted, grouped, ordinal, shownText } from "../../data/words";
import { mixed, rankColour, readableOn } from "../../drawing/colours";
import { useStore } from "../context";

const most_cells = 1600;

interface HeldOf {
  value: ShownValue;
  name: string;
  processors: number;
  changes: Change[];
}

/// A value that a processor holds, drawn as what it is.
export function Held({ value, name, processors, changes }: HeldOf) {
  if ("number" in value) return <p class="figure">{shownText(value.number)}</p>;
  if ("text" in value) return <p class="text">{value.text}</p>;
  if ("numbers" in value) return <Bars numbers={value.numbers} changes={changes} />;
  if ("sample" in value) return <Sample sample={value.sample} />;
  if ("blocks" in value) return <Blocks {...{ blocks: value.blocks, name, processors, changes }} />;
  if ("intervals" in value)
    return <Intervals intervals={value.intervals} processors={processors} />;
  if ("matrix" in value) return <Matrix {...value.matrix} changes={changes} />;
  return <p class="quiet">A value that this page does not know.</p>;
}

const most_letters = 48; // below the bars

/// Numbers as bars, with the numbers below while these fit.
function Bars({ numbers, changes = [] }: { numbers: ShownNumber[]; changes?: Change[] }) {
  if (numbers.length === 0) return <p class="quiet">empty</p>;
  const values = numbers.map(Number);
  const most = Math.max(...values.map(Math.abs), 1e-300);
  const texts = numbers.map(shownText);
  const written = texts.length * Math.max(...texts.map((text) => text.length)) <= most_letters;
  return (
    <div>
      <div
        class={values.length > many ? "bars many" : "bars"}
        role="img"
        aria-label={`${numbers.length} numbers: ${texts.slice(0, 40).join(", ")}`}
      >
        {values.map((value, at) => (
          <div key={at} class={`numberbar ${changes[at]?.what ?? ""}`} title={titleOf(texts[at], changes[at])}>
            <i
              class={value < 0 ? "below" : ""}
              style={{ height: `${Math.max(2, (100 * Math.abs(value)) / most)}%` }}
            />
            {written && <span>{texts[at]}</span>}
          </div>
        ))}
      </div>
    </div>
  );
}

/// What is in a cell, and what became of it.
function titleOf(text: string, change: Change | undefined): string {
  const became = change ? changeText(change) : "";
  return became ? `${text}, ${became}` : text;
}

const many = 64; // bars, between which there is no room

/// Many numbers: every n-th as a bar, and how all of them are spread.
function Sample({ sample }: { sample: SampleJson }) {
  const { count, every, least, most, mean, histogram, notFinite } = sample;
  const largest = Math.max(...histogram);
  return (
    <div class="sample">
      <p class="quiet">
        {grouped(count)} numbers, every {ordinal(every)} as a bar
        {notFinite > 0 && `; ${grouped(notFinite)} are not finite`}
      </p>
      <Bars numbers={sample.numbers} />
      {histogram.length > 0 && (
        <figure>
          <figcaption class="quiet">
            How many are how large: {shownText(least)} to {shownText(most)}, in the mean{" "}
            {shownText(mean)}
          </figcaption>
          <div class="bars spread" role="img" aria-label="How the numbers are spread">
            {histogram.map((those, at) => (
              <div key={at} class="numberbar" title={counted(those, "number")}>
                <i style={{ height: `${(100 * those) / largest}%` }} />
              </div>
            ))}
          </div>
        </figure>
      )}
    </div>
  );
}

/// The data array: a cell for each block, coloured by its source or its destination.
function Blocks(its: { blocks: number[]; name: string; processors: number; changes: Change[] }) {
  const { blocks, processors } = its;
  const exchange = exchangeOf(its.name);
  const store = useStore();
  const [by, setBy] = useState<"source" | "destination">("destination");
  const count = Math.min(most_cells, blocks.length / 2);
  const followed = store.followed.value;
  const here = followed && (followed.exchange ?? exchange) === exchange;
  const place = here ? placeOf({ blocks }, followed) : -1;
  const columns = columnsOfBlocks(blocks.length / 2);
  if (count === 0) return <p class="quiet">empty</p>;
  return (
    <div>
      <div class="row" role="group" aria-label="Coloured by">
        <span class="quiet">Coloured by</span>
        {(["source", "destination"] as const).map((one) => (
          <button key={one} type="button" aria-pressed={by === one} onClick={() => setBy(one)}>
            {one}
          </button>
        ))}
      </div>
      <div
        class={columns > 16 ? "blocks tiny" : "blocks"}
        style={{ gridTemplateColumns: `repeat(${columns}, minmax(0, 1fr))` }}
      >
        {Array.from({ length: count }, (_, at) => (
          <Block
            key={at}
            source={blocks[2 * at]}
            destination={blocks[2 * at + 1]}
            colour={rankColour(by === "source" ? blocks[2 * at] : blocks[2 * at + 1], processors)}
            large={columns <= 8}
            followed={at === place}
            exchange={exchange}
            processors={processors}
            change={its.changes[at]}
          />
        ))}
      </div>
      <p class="quiet">
        {blocks.length / 2} places: blocks, {blocksSay(processors)}.
        {blocks.length / 2 > count && ` The first ${count} are shown.`}
      </p>
    </div>
  );
}

interface BlockOf {
  source: number;
  destination: number;
  colour: string;
  large: boolean;
  followed: boolean;
  exchange: string;
  processors: number;
  change: Change | undefined;
}

function Block({ source, destination, colour, large, followed, exchange, processors, change }: BlockOf) {
  const store = useStore();
  if (source < 0) return <span class="block none" title="empty place" />;
  const name = `${source}→${destination}`;
  const text = large ? blockText(source, destination, processors) : "";
  const label = text && text !== name ? `${text}, ${name}` : name; // what is read begins as what is seen
  return (
    <button
      type="button"
      class={`block ${followed ? "followed" : (change?.what ?? "")}`}
      style={{ background: colour, color: readableOn(colour) }}
      title={titleOf(`Block ${name}`, change) + (followed ? ": click to follow it no more" : ": click to follow it")}
      aria-label={followed ? `${label}: stop following` : `${label}: follow this block`}
      onClick={() => {
        store.followed.value = followed ? undefined : { source, destination, exchange };
      }}
    >
      {text}
    </button>
  );
}

/// Partial results as intervals of the ranks that are summed up in them.
function Intervals({ intervals, processors }: { intervals: number[]; processors: number }) {
  const count = intervals.length / 2;
  const pairs = Array.from({ length: Math.min(200, count) }, (_, at) => ({
    first: intervals[2 * at],
    last: intervals[2 * at + 1],
  }));
  const share = (rank: number) => (100 * rank) / processors;
  return (
    <div class="intervals">
      {pairs.map(({ first, last }, at) => (
        <div key={at} class="interval">
          <div class="scale">
            <i
              style={{
                left: `${share(first)}%`,
                width: `${Math.max(1, share(last + 1) - share(first))}%`,
              }}
            />
          </div>
          <span>{last < first ? "empty" : first === last ? `${first}` : `${first}–${last}`}</span>
        </div>
      ))}
      {count > pairs.length && <p class="quiet">and {grouped(count - pairs.length)} more</p>}
      <p class="quiet">0 to {processors - 1}: which processors' values are in it</p>
    </div>
  );
}

function Matrix({ columns, numbers, every, of, changes }: MatrixJson & { changes: Change[] }) {
  const values = numbers.map(Number);
  const least = Math.min(...values);
  const most = Math.max(...values);
  const rows = Math.ceil(numbers.length / Math.max(1, columns));
  const text = columns <= 8;
  const [all_rows, all_columns] = of ?? [rows, columns];
  return (
    <>
      <div
        class="matrix"
        role="img"
        aria-label={`a matrix of ${all_rows} rows and ${all_columns} columns`}
        style={{ gridTemplateColumns: `repeat(${columns}, minmax(0, 1fr))` }}
      >
        {numbers.map((value, at) => {
          const share = most > least ? (values[at] - least) / (most - least) : 0.3;
          const colour = mixed("#f2f6f9", "#0b5c8e", share);
          return (
            <span
              key={at}
              class={changes[at]?.what}
              style={{ background: colour, color: readableOn(colour) }}
              title={titleOf(shownText(value), changes[at])}
            >
              {text ? shownText(value) : ""}
            </span>
          );
        })}
      </div>
      {of && (
        <p class="quiet">
          {grouped(all_rows)} rows and {grouped(all_columns)} columns, every {ordinal(every ?? 1)} of
          both
        </p>
      )}
    </>
  );
}
