import { useEffect, useRef, useState } from "preact/hooks";
import { tokens } from "../../data/code";
import { standingAfter } from "../../data/standing";
import { counted } from "../../data/words";
import { useStore } from "../context";

/// The program's source, with the line at which each processor stands.
export function CodePanel() {
  const store = useStore();
  const run = store.run.value;
  const step = store.stepOf(store.side.value);
  const standing = standingAfter(run, step);
  const { sources } = run.json;
  const [picked, setPicked] = useState(-1);
  const file =
    picked >= 0 && picked < sources.length ? picked : busiestFile(standing, sources.length);
  if (sources.length === 0) return <p class="quiet">The source of this program was not found.</p>;
  return (
    <div>
      <div class="row" role="group" aria-label="Files">
        {sources.map((source, at) => (
          <button key={at} type="button" aria-pressed={at === file} onClick={() => setPicked(at)}>
            {source.name}
          </button>
        ))}
      </div>
      <p class="quiet">
        After step {run.stepName(step)}: how many processors stand at a line
        {run.calls.recorded ? "" : " (where they send and receive in this step)"}.
      </p>
      <Source
        text={sources[file].text}
        name={sources[file].name}
        lines={standing.get(file) ?? new Map<number, number[]>()}
        chosen={store.chosen.value}
      />
    </div>
  );
}

function busiestFile(standing: Map<number, Map<number, number[]>>, files: number): number {
  let best = 0;
  let most = 0;
  for (const [file, lines] of standing) {
    const ranks = [...lines.values()].reduce((sum, at) => sum + at.length, 0);
    if (ranks > most && file < files) [best, most] = [file, ranks];
  }
  return best;
}

interface SourceOf {
  text: string | null;
  name: string;
  lines: Map<number, number[]>;
  chosen: number;
}

function Source({ text, name, lines, chosen }: SourceOf) {
  const box = useRef<HTMLDivElement>(null);
  const first = Math.min(...lines.keys());
  useEffect(() => {
    const line = box.current?.querySelector<HTMLElement>(".line.chosen, .line.stands");
    if (line && box.current) box.current.scrollTop = line.offsetTop - box.current.clientHeight / 3;
  }, [first, chosen, name]);
  if (text === null) return <Places name={name} lines={lines} />;
  return (
    <div class="code" ref={box} tabIndex={0} role="region" aria-label={`Source of ${name}`}>
      {text.split("\n").map((line, at) => (
        <Line
          key={at}
          number={at + 1}
          text={line}
          ranks={lines.get(at + 1) ?? []}
          chosen={chosen}
        />
      ))}
    </div>
  );
}

function Line(its: { number: number; text: string; ranks: number[]; chosen: number }) {
  const stands = its.ranks.length > 0;
  const chosen = its.ranks.includes(its.chosen);
  return (
    <div class={`line${stands ? " stands" : ""}${chosen ? " chosen" : ""}`}>
      <span class="ranks" title={stands ? `processors ${its.ranks.slice(0, 40).join(", ")}` : ""}>
        {stands ? ranksText(its.ranks) : ""}
      </span>
      <span class="number">{its.number}</span>
      <code>
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
