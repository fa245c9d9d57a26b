import type { BoundJson } from "../../data/format";
import type { Run } from "../../data/run";
import { counted, grouped } from "../../data/sentences";
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
  const drawn = store.bound.value !== undefined && store.bound.value === bound.drawing;
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
      {bound.drawing && (
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

/// Why a bound holds, by what is drawn for it.
export function reason(run: Run, bound: BoundJson): string {
  const drawing = bound.drawing;
  const figure = bound.figure === "words" ? "words" : bound.figure;
  if (drawing?.kind === "port")
    return (
      `All that processor ${run.label(drawing.rank)} needs comes in through its in-port, ` +
      `one message in a step: ${grouped(String(bound.value))} ${figure} at least.`
    );
  if (drawing?.kind === "path")
    return (
      `What goes from processor ${drawing.ranks[0]} to ${drawing.ranks[drawing.ranks.length - 1]} ` +
      `has ${counted(drawing.ranks.length - 1, "link")} to pass, which is the farthest way there is.`
    );
  if (drawing?.kind === "cut")
    return (
      `What goes between the ${drawing.side.length} processors of one side and the ` +
      `${run.processors - drawing.side.length} of the other has to pass the few links between them.`
    );
  return "";
}
