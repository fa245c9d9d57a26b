import type { BoundJson } from "../../data/format";
import type { Run } from "../../data/run";
import { counted, grouped } from "../../data/words";
import { useStore } from "../context";

/// Why the run is not faster: the lower bounds, the tight ones first.
export function BoundPanel() {
  const store = useStore();
  const run = store.run.value;
  const bounds = [...run.json.bounds].sort((a, b) => Number(b.tight) - Number(a.tight));
  if (bounds.length === 0)
    return <p class="quiet">No lower bound is known for this problem on this machine.</p>;
  return (
    <div>
      {bounds.map((bound, at) => (
        <Bound key={at} run={run} bound={bound} />
      ))}
    </div>
  );
}

function Bound({ run, bound }: { run: Run; bound: BoundJson }) {
  const store = useStore();
  const measured = run.json.counts[bound.figure];
  const drawn = store.bound.value === bound.drawing;
  return (
    <section class={bound.tight ? "bound tight" : "bound"}>
      <h3>
        {bound.figure} ≥ {grouped(String(bound.value))}{" "}
        <span class="badge">{bound.tight ? "tight" : "not reached"}</span>
      </h3>
      <p>{reason(run, bound)}</p>
      {measured !== undefined && (
        <p>
          This run: {grouped(String(measured))}
          {bound.tight ? ". No program can have fewer." : "."}
        </p>
      )}
      <p class="quiet">
        {bound.formula}. {bound.source}
      </p>
      {bound.drawing && bound.drawing.kind !== "doubling" && (
        <button
          type="button"
          aria-pressed={drawn}
          onClick={() => (store.bound.value = drawn ? undefined : bound.drawing!)}
        >
          {drawn ? "Hide it in the drawing" : "Show it in the drawing"}
        </button>
      )}
    </section>
  );
}

/// Says why a bound holds: in the words of the data, else by what is drawn for it.
export function reason(run: Run, bound: BoundJson): string {
  const { drawing, sentence } = bound;
  if (sentence || !drawing) return sentence ?? "";
  if (drawing.kind === "port")
    return (
      `All that processor ${run.label(drawing.rank)} ` +
      (drawing.out ? "sends goes out through its out-port" : "needs comes in through its in-port") +
      `, one message in a step: ${counted(bound.value, bound.figure.replace(/s$/, ""))} at least.`
    );
  if (drawing.kind === "path") {
    const { ranks } = drawing;
    const last = ranks.length - 1;
    const links = counted(last, "link");
    return `A message from ${ranks[0]} to ${ranks[last]} has to pass ${links}; no two processors are farther apart.`;
  }
  return drawing.kind === "cut" ? cutText(run, drawing.side) : "";
}

/// Counts the links from one side of a cut to the other.
function cutText({ machine }: Run, side: readonly number[]): string {
  const inside = new Set(side);
  const links = machine.links.filter(
    (from, at) => at % 2 === 0 && inside.has(from) && !inside.has(machine.links[at + 1]),
  ).length;
  return (
    `What goes from the ${side.length} processors of one side to the ` +
    `${machine.processors - side.length} of the other has to pass ` +
    `${links > 0 ? counted(links, "link") : "the links between them"}.`
  );
}
