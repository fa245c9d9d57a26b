import { useEffect, useRef, useState } from "preact/hooks";
import { tokens } from "../../data/code";
import type { CodeFunction } from "../../data/functions";
import { linesIn, placesFrom, standingAfter, type Stands } from "../../data/standing";
import { counted } from "../../data/words";
import { useStore } from "../context";

const most_functions = 20; // to choose from

/// The function that runs, with the line at which each processor stands, or another piece of the program.
export function CodePanel() {
  const store = useStore();
  const run = store.run.value;
  const step = store.stepOf(store.side.value);
  const { functions } = run;
  const standing = standingAfter(run, step);
  const chosen = standing.filter(({ rank }) => rank === store.chosen.value);
  const { sources } = run.json;
  const [picked, pick] = useState("");
  const known = functions.known.slice(0, most_functions);
  const from = chosen[0] ?? standing[0];
  const around = from ? functions.chain(from.place).map((at) => functions.at(at)) : [];
  const wholes = sources.map((_, file) => functions.whole(file));
  const pieces = [...new Set([...known, ...around, ...wholes])];
  const places = chosen.length > 0 ? chosen.map(({ place }) => place) : placesFrom(run, step);
  const shown =
    pieces.find((one) => keyOf(one) === picked) ?? functions.best(places) ?? known[0] ?? pieces[0];
  const lines = linesIn(run, shown, standing);
  const here = [...lines.values()].reduce((sum, ranks) => sum + ranks.length, 0);
  return (
    <div>
      <label class="row code-of">
        Code
        <select value={picked} onChange={(event) => pick(event.currentTarget.value)}>
          <option value="">what runs: {nameOf(shown, sources)}</option>
          {pieces.map((one) => (
            <option key={keyOf(one)} value={keyOf(one)}>
              {nameOf(one, sources)}
            </option>
          ))}
        </select>
      </label>
      <p class="quiet">
        After step {run.stepName(step)}: how many processors stand at a line, or in what it calls
        {run.calls.recorded ? "" : " (where they send and receive in this step)"}
        {standing.length > here && `; ${standing.length - here} are elsewhere`}.
      </p>
      {run.json.textbook && (
        <p class="quiet textbook">
          The form that is written in the paper: <code>{run.json.textbook}</code>
        </p>
      )}
      <Source of={shown} text={sources[shown.file].text} lines={lines} chosen={store.chosen.value} />
      <Chain from={from} pick={(one) => pick(keyOf(one))} />
    </div>
  );
}

function keyOf(of: CodeFunction): string {
  return `${of.file}:${of.first}-${of.last}`;
}

function nameOf(of: CodeFunction, sources: { name: string }[]): string {
  const file = sources[of.file].name;
  return of.name === file ? `all of ${file}` : `${of.name || "?"} in ${file}`;
}

/// The calls that a processor is in, on demand.
function Chain({ from, pick }: { from: Stands | undefined; pick: (one: CodeFunction) => void }) {
  const run = useStore().run.value;
  if (!from) return null;
  return (
    <details class="chain">
      <summary>Calls that processor {from.rank} is in</summary>
      <ol>
        {run.functions.chain(from.place).map((at) => (
          <li key={at}>
            <button type="button" class="link" onClick={() => pick(run.functions.at(at))}>
              {run.placeName(at)}
            </button>{" "}
            in {run.functions.at(at).name}
          </li>
        ))}
      </ol>
    </details>
  );
}

interface SourceOf {
  of: CodeFunction;
  text: string | null;
  lines: Map<number, number[]>;
  chosen: number;
}

function Source({ of, text, lines, chosen }: SourceOf) {
  const box = useRef<HTMLDivElement>(null);
  const first = Math.min(...lines.keys());
  useEffect(() => {
    const line = box.current?.querySelector<HTMLElement>(".line.chosen, .line.stands");
    if (line && box.current) box.current.scrollTop = line.offsetTop - box.current.clientHeight / 3;
  }, [first, chosen, keyOf(of)]);
  if (text === null) return <Places name={of.name} lines={lines} />;
  const own = text.split("\n").slice(of.first - 1, of.last);
  const indents = own.filter((line) => line.trim()).map((line) => line.search(/\S/));
  const indent = Math.min(...indents, 99);
  return (
    <div class="code" ref={box} tabIndex={0} role="region" aria-label={`Source of ${of.name}`}>
      {own.map((line, at) => (
        <Line
          key={at}
          number={of.first + at}
          text={line.slice(indent)}
          ranks={lines.get(of.first + at) ?? []}
          chosen={chosen}
        />
      ))}
    </div>
  );
}

function Line(its: { number: number; text: string; ranks: number[]; chosen: number }) {
  const stands = its.ranks.length > 0;
  const chosen = its.ranks.includes(its.chosen);
  // Of what does not fit in a line.
  const indent = `min(${Math.max(0, its.text.search(/\S/)) + 4}ch, 40cqw)`;
  return (
    <div class={`line${stands ? " stands" : ""}${chosen ? " chosen" : ""}`}>
      <span class="ranks" title={stands ? `processors ${its.ranks.slice(0, 40).join(", ")}` : ""}>
        {stands ? ranksText(its.ranks) : ""}
      </span>
      <span class="number">{its.number}</span>
      <code style={{ paddingLeft: indent, textIndent: `calc(-1 * ${indent})` }}>
        {tokens(its.text).map((token, at) => (
          <span key={at} class={token.kind}>
            {token.text}
          </span>
        ))}
      </code>
    </div>
  );
}

function ranksText(ranks: readonly number[]): string {
  return ranks.length <= 2 ? ranks.join(" ") : `${ranks.length}×`;
}

/// Where the text could not be had: the lines alone.
function Places({ name, lines }: { name: string; lines: Map<number, number[]> }) {
  return (
    <ul>
      {[...lines].map(([line, ranks]) => (
        <li key={line}>
          {name}:{line}: {counted(ranks.length, "processor")}
        </li>
      ))}
    </ul>
  );
}
