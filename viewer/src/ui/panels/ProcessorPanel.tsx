import { useState } from "preact/hooks";
import { activityText } from "../../data/activity";
import { changesOf, type Change } from "../../data/changes";
import { parseFollowed, followedText, stations, type Station } from "../../data/follow";
import { labelIn, reasonsFor } from "../../data/reasons";
import type { Run } from "../../data/run";
import { processorText } from "../../data/sentences";
import { counted } from "../../data/words";
import type { Shown } from "../../data/shows";
import { useStore } from "../context";
import { AllHeld } from "./AllHeld";
import { Held } from "./Held";

/// What the chosen processor does in this step, and what it holds after it.
export function ProcessorPanel() {
  const store = useStore();
  const run = store.run.value;
  const rank = store.chosen.value;
  return (
    <div>
      <ChooseProcessor />
      {rank < 0 || rank >= run.processors ? (
        <>
          <p class="quiet">
            Click a processor in the drawing, or type its rank, to see what it holds.
          </p>
          <AllHeld />
        </>
      ) : (
        <Chosen rank={rank} />
      )}
      <FollowBlock />
    </div>
  );
}

function ChooseProcessor() {
  const store = useStore();
  const { processors } = store.run.value;
  const [wrong, setWrong] = useState("");
  const choose = (text: string) => {
    const rank = Number(text);
    const exists = Number.isInteger(rank) && rank >= 0 && rank < processors;
    store.chosen.value = text !== "" && exists ? rank : -1;
    setWrong(exists ? "" : text);
  };
  return (
    <div class="row">
      <label>
        Processor{" "}
        <input
          type="number"
          min={0}
          max={processors - 1}
          value={store.chosen.value < 0 ? wrong : store.chosen.value}
          onChange={(event) => choose(event.currentTarget.value)}
        />
      </label>
      <Next name="Previous processor" keys="[" sign="‹" by={-1} />
      <Next name="Next processor" keys="]" sign="›" by={1} />
      {store.chosen.value >= 0 && (
        <button type="button" class="link" onClick={() => choose("")}>
          None
        </button>
      )}
      {wrong && store.chosen.value < 0 && (
        <span role="status">There are processors 0 to {processors - 1}.</span>
      )}
    </div>
  );
}

function Next(its: { name: string; keys: string; sign: string; by: number }) {
  const store = useStore();
  return (
    <button
      type="button"
      aria-label={its.name}
      title={`${its.name} (${its.keys})`}
      disabled={store.run.value.processors === 1 && store.chosen.value === 0}
      onClick={() => store.chooseNext(its.by)}
    >
      {its.sign}
    </button>
  );
}

function Chosen({ rank }: { rank: number }) {
  const store = useStore();
  const run = store.run.value;
  const side = store.side.value;
  const step = store.stepOf(side);
  const shown = run.shows.after(rank, step);
  const does = step < 1 ? "" : activityText(store.activity(side).at(rank, step));
  const label = labelIn(run, rank, step);
  const standing = run.calls.recorded ? run.calls.standsAt(rank, step) : -1;
  return (
    <div>
      <h3>
        Processor {run.label(rank)} <span class="quiet">after step {run.stepName(step)}</span>
      </h3>
      {step > 0 && (
        <p>
          In step {run.stepName(step)} it {processorText(run, rank, step)}
          {does.includes("waits") && "; it waits"}
          {does.includes("queued") && "; a message is queued for it"}.
        </p>
      )}
      {reasonsFor(run, rank, step).map((reason) => (
        <p key={reason}>Why: {reason}.</p>
      ))}
      {label && <p class="quiet">It goes on under the label “{label}”.</p>}
      {standing >= 0 && run.calls.place(standing) >= 0 && (
        <p class="quiet">
          It stands at {run.placeName(run.calls.place(standing))}, where it{" "}
          {run.calls.verb(standing)}.
        </p>
      )}
      {shown.length === 0 && (
        <p class="quiet">
          {run.shows.count > 0
            ? "It shows nothing yet."
            : 'This program shows no data. me.show("name", value) in it would.'}
        </p>
      )}
      {shown.map((one) => (
        <HeldBox key={one.name} shown={one} changed={one.step === step && step > 0} />
      ))}
    </div>
  );
}

function HeldBox({ shown, changed }: { shown: Shown; changed: boolean }) {
  const store = useStore();
  const run = store.run.value;
  const changes = changed ? changesOf(run, shown.entry) : [];
  const wholly = changes.every(({ what }) => what === "came");
  return (
    <section class={changed ? "held changed" : "held"}>
      <h4>
        {shown.name} {changed && <span class="badge">new in this step</span>}
      </h4>
      <Held value={shown.value} name={shown.name} processors={run.processors} changes={wholly ? [] : changes} />
      <Became changes={changes} />
    </section>
  );
}

/// Says what became of the elements of an array in this step.
function Became({ changes }: { changes: Change[] }) {
  const run = useStore().run.value;
  const count = (what: string) => changes.filter((one) => one.what === what).length;
  const senders = [...new Set(changes.flatMap(({ what, from }) => (what === "came" ? [from] : [])))];
  const [came, moved, fresh] = ["came", "moved", "new"].map(count);
  if (came + moved + fresh === 0) return null;
  const parts = [
    came > 0 && `${came < changes.length ? `${came} framed` : "all"} came from ${senders.map((one) => run.label(one)).join(", ")}`,
    moved > 0 && `${moved} underlined moved`,
    fresh > 0 && `${fresh} ${fresh === 1 ? "is" : "are"} new`,
    came + moved + fresh < changes.length && `${changes.length - came - moved - fresh} stayed`,
  ];
  return <p class="quiet">{parts.filter((part) => part).join("; ")}.</p>;
}

/// Picks a block to follow, and tells its way.
function FollowBlock() {
  const store = useStore();
  const followed = store.followed.value;
  const journey = store.journeys.value[store.side.value];
  const way = journey ? stations(journey.holdings) : [];
  const run = store.run.value;
  const [wrong, setWrong] = useState("");
  const choose = (text: string) => {
    store.followed.value = parseFollowed(text, run);
    setWrong(store.followed.value ? "" : text);
  };
  if (!run.shows.hasOrigins) return null;
  return (
    <section class="follow">
      <h3>Follow one block</h3>
      <div class="row">
        <label>
          Source-destination{" "}
          <input
            class="short"
            placeholder="5-2"
            value={followed ? followedText(followed) : wrong}
            onChange={(event) => choose(event.currentTarget.value)}
          />
        </label>
        {followed && (
          <button type="button" class="link" onClick={() => choose("")}>
            Stop
          </button>
        )}
      </div>
      {!followed && (
        <p class="quiet">
          {wrong
            ? howToWrite(run)
            : "Click a block above, or type it. A single rank follows all that came from it."}
        </p>
      )}
      {followed && way.length === 0 && <p>No processor shows that block.</p>}
      {way.length > 0 && <Way way={way} />}
    </section>
  );
}

/// Says how to write a block, by the first and last processor.
function howToWrite(run: Run): string {
  const last = run.processors - 1;
  const at = run.coordinates(0);
  return `Write 0-${last}${at && ` or (${at})-(${run.coordinates(last)})`}.`;
}

function Way({ way }: { way: Station[] }) {
  const store = useStore();
  const run = store.run.value;
  const most = 60;
  return (
    <ol class="way">
      {way.slice(0, most).map((at) => (
        <li key={`${at.step} ${at.rank}`} class={at.step <= store.step.value ? "" : "later"}>
          <button
            type="button"
            class="link"
            aria-current={at.step === store.step.value ? "step" : undefined}
            onClick={() => store.jump(at.step)}
          >
            {at.step === 0 ? "at the beginning" : `${at.rank < 0 ? "after " : ""}step ${run.stepName(at.step)}`}
          </button>{" "}
          {at.rank < 0 ? "no processor shows it" : `at ${run.label(at.rank)}`}
        </li>
      ))}
      {way.length > most && <li>and {counted(way.length - most, "more place")}</li>}
    </ol>
  );
}
