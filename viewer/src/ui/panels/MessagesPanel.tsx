import { contended } from "../../data/link_loads";
import { messageText, stepSentence } from "../../data/sentences";
import { useStore } from "../context";
import { PairMatrix } from "./PairMatrix";

const most_rows = 200;

/// The messages of this step as a table, and those that share a link.
export function MessagesPanel() {
  const store = useStore();
  const run = store.run.value;
  const step = store.stepOf(store.side.value);
  const marked = store.mark.value?.ranks;
  const all = run.messages.of(step);
  const shown = all.filter(
    (message) =>
      !marked ||
      marked.has(run.messages.from[message]) ||
      marked.has(run.messages.to[message]),
  );
  return (
    <div>
      <p>{stepSentence(run, step)}</p>
      <Contention step={step} />
      <PairMatrix step={step} />
      <table>
        <caption class="hidden-text">The messages of step {run.stepName(step)}</caption>
        <thead>
          <tr>
            <th scope="col">from</th>
            <th scope="col">to</th>
            <th scope="col">words</th>
            <th scope="col">sent in</th>
            <th scope="col">route</th>
          </tr>
        </thead>
        <tbody>
          {shown.slice(0, most_rows).map((message) => (
            <Row key={message} message={message} />
          ))}
        </tbody>
      </table>
      {shown.length > most_rows && <p class="quiet">and {shown.length - most_rows} more</p>}
      {shown.length < all.length && <p class="quiet">Only those of marked processors.</p>}
    </div>
  );
}

function Row({ message }: { message: number }) {
  const store = useStore();
  const { messages } = store.run.value;
  const route = messages.route(message);
  const mine = [messages.from[message], messages.to[message]].includes(store.chosen.value);
  return (
    <tr class={mine ? "mine" : ""}>
      <td>{messages.from[message]}</td>
      <td>{messages.to[message]}</td>
      <td>{messages.words[message]}</td>
      <td>{messages.sent[message]}</td>
      <td class="route">{route.length > 2 ? route.join(" → ") : "direct"}</td>
    </tr>
  );
}

/// Names the messages of each link that carries more than one.
function Contention({ step }: { step: number }) {
  const store = useStore();
  const run = store.run.value;
  if (step < 1 || run.figures(step).contention <= 1) return null;
  const links = [...contended(run.loads(step))].sort((a, b) => b.count - a.count);
  return (
    <section class="clashes">
      <h3>Contention</h3>
      <ul>
        {links.slice(0, 12).map((link) => (
          <li key={`${link.from} ${link.to}`}>
            <b>
              Link {link.from} → {link.to}
            </b>
            : {link.count} messages,{" "}
            {link.messages
              .slice(0, 8)
              .map((message) => messageText(run, message))
              .join(", ")}
          </li>
        ))}
      </ul>
      {links.length > 12 && <p class="quiet">and {links.length - 12} more links</p>}
    </section>
  );
}
