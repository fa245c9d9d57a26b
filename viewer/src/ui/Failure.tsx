import type { FailureJson } from "../data/format";
import type { Run } from "../data/run";
import { counted } from "../data/words";
import { useStore } from "./context";

const titles: Record<string, string> = {
  deadlock: "Deadlock: no processor can go on",
  link_contention: "Link contention: two messages on one link in one step",
  unreceived_message: "A message was never received",
  exception: "The program threw an exception",
  port_conflict: "Port conflict: two messages for one in-port in one step",
};

function titleOf(failure: FailureJson): string {
  return (
    titles[failure.kind.replace(/[ -]/g, "_")] ?? `It failed: ${failure.kind.replace(/_/g, " ")}`
  );
}

/// Gives what the error says as a sentence, without the lines of its list of waits, which stands
/// below.
function messageOf({ message, waits }: FailureJson): string {
  const lines = message
    .split("\n")
    .filter((line) => waits.length === 0 || !line.startsWith("  "));
  return lines.join("\n").replace(/^./, (first) => first.toUpperCase());
}

/// That a run ended early, above its drawing.
export function FailureBanner({ run }: { run: Run }) {
  const { failure } = run.json;
  if (!failure) return null;
  return (
    <section class="failure" aria-label="This run failed">
      <h3>{titleOf(failure)}</h3>
      {failure.cycle.length > 0 ? (
        <Cycle failure={failure} />
      ) : (
        <Messages failure={failure} most={3} />
      )}
    </section>
  );
}

/// Why a run ended early: a deadlock's cycle, the two routes of a contention, a message left over.
export function FailurePanel() {
  const run = useStore().run.value;
  const { failure } = run.json;
  if (!failure) return null;
  const where = run.placeName(failure.place);
  return (
    <section>
      <h3>{titleOf(failure)}</h3>
      <p class="message">{messageOf(failure)}</p>
      <p class="quiet">
        {failure.rank >= 0 && `Processor ${failure.rank}, `}step {failure.step}
        {failure.phase && `, ${failure.phase}`}
        {where && `, ${where}`}
      </p>
      <Cycle failure={failure} />
      <Waits run={run} failure={failure} />
      <Messages failure={failure} />
    </section>
  );
}

function Cycle({ failure }: { failure: FailureJson }) {
  if (failure.cycle.length === 0) return null;
  return (
    <p>
      They wait in a cycle: <b>{[...failure.cycle, failure.cycle[0]].join(" → ")}</b>
    </p>
  );
}

const most_listed = 32;

function Waits({ run, failure }: { run: Run; failure: FailureJson }) {
  if (failure.waits.length === 0) return null;
  return (
    <ul class="waits">
      {failure.waits.slice(0, most_listed).map((waits) => (
        <li key={waits.rank}>
          Processor {waits.rank} waits{" "}
          {waits.for < 0 ? `in ${waits.in || "a barrier"}` : `for processor ${waits.for}`} since
          step {waits.since}
          {run.placeName(waits.place) && <>, {run.placeName(waits.place)}</>}
          <SourceLine run={run} place={waits.place} />
        </li>
      ))}
      {failure.waits.length > most_listed && (
        <li>and {counted(failure.waits.length - most_listed, "more")}</li>
      )}
    </ul>
  );
}

/// The line of the source at a place, where it is known.
function SourceLine({ run, place }: { run: Run; place: number }) {
  const at = run.place(place);
  const line = at && run.json.sources[at.file]?.text?.split("\n")[at.line - 1];
  return line ? <code class="sourceline">{line.trim()}</code> : null;
}

function Messages({ failure, most = most_listed }: { failure: FailureJson; most?: number }) {
  if (failure.messages.length === 0) return null;
  return (
    <ul>
      {failure.messages.slice(0, most).map((message, at) => (
        <li key={at}>
          From {message.from} to {message.to}
          {message.words !== undefined && <>, {counted(message.words, "word")}</>}, sent in step{" "}
          {message.step}
          {message.route.length > 2 && <>, by {message.route.join(" → ")}</>}
        </li>
      ))}
      {failure.messages.length > most && <li>and {failure.messages.length - most} more</li>}
    </ul>
  );
}
