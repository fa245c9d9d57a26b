import { clashing } from "../../data/link_loads";
import { messageText } from "../../data/sentences";
import { counted } from "../../data/words";
import { useStore } from "../context";

const most_processors = 256;

/// The messages of a step as a matrix: a row for each source, a column for each destination.
export function PairMatrix({ step }: { step: number }) {
  const store = useStore();
  const run = store.run.value;
  const p = run.processors;
  if (p > most_processors || run.messages.of(step).length < 2) return null;
  const clashes = run.figures(step).contention > 1 ? clashing(run.loads(step)) : new Set<number>();
  const shade = (words: number) =>
    words === 0 ? 0.2 : 0.45 + (0.55 * words) / run.messages.largest;
  return (
    <figure class="pairs">
      <svg viewBox={`0 0 ${p} ${p}`} role="img" aria-label="Sources by destinations">
        <rect class="ground" width={p} height={p} />
        {run.messages.of(step).map((message) => (
          <rect
            key={message}
            class={clashes.has(message) ? "clash" : ""}
            x={run.messages.to[message]}
            y={run.messages.from[message]}
            width={1}
            height={1}
            opacity={shade(run.messages.words[message])}
            onClick={() => store.choose(run.messages.from[message])}
          >
            <title>
              {messageText(run, message)}: {counted(run.messages.words[message], "word")}
            </title>
          </rect>
        ))}
      </svg>
      <figcaption class="quiet">A row for each source, a column for each destination</figcaption>
    </figure>
  );
}
