import type { ClaimJson, LabelJson, Whole } from "../../data/format";
import type { Run } from "../../data/run";
import { grouped, shownText } from "../../data/words";
import { useStore } from "../context";
import { StepBars } from "./StepBars";

/// The figures after this step, beside those of the whole run and what the paper claims.
export function CountsPanel() {
  const store = useStore();
  return (
    <div>
      {store.runs.map((run, side) => (
        <section key={side}>
          {store.runs.length > 1 && <h3>{run.json.title}</h3>}
          <Figures run={run} step={store.stepOf(side)} hides={store.hidesFuture.value} />
          {run.figureNames.includes("serialised_steps") && (
            <p class="quiet">
              Messages share links. Steps and words are those of messages that travel at the same time; "in turns"
              are those of messages that wait for their links.
            </p>
          )}
          {!store.hidesFuture.value && <Labels run={run} />}
          {run.pipelined && (
            <p class="quiet">The words of a pipelined run are counted in its first step.</p>
          )}
        </section>
      ))}
      <StepBars />
      <label class="row">
        <input
          type="checkbox"
          checked={store.heat.value}
          onChange={(event) => (store.heat.value = event.currentTarget.checked)}
        />
        Show the link loads of the whole run in the drawing
      </label>
    </div>
  );
}

const names: Record<string, string> = {
  startups: "start-ups",
  serialised_steps: "steps in turns",
  link_words: "words in turns",
};

/// Figures of the whole run alone.
const lengths: { name: string; unit: string; of: (run: Run) => Whole | undefined }[] = [
  { name: "span", unit: "operations", of: (run) => run.json.span },
  { name: "makespan", unit: "steps", of: (run) => run.json.makespan },
];

/// What counts under each label, in the whole run.
function Labels({ run }: { run: Run }) {
  const labels = run.json.labels ?? [];
  if (labels.length === 0) return null;
  const works = labels.some(({ operations }) => operations !== undefined);
  return (
    <table class="figures labels">
      <caption>By label, in the whole run</caption>
      <thead>
        <tr>
          {["label", "steps", "words", "volume", "messages", ...(works ? ["operations"] : [])].map(
            (title) => (
              <th scope="col" key={title}>
                {title}
              </th>
            ),
          )}
        </tr>
      </thead>
      <tbody>
        {labels.map((label, at) => (
          <tr key={at}>
            <th scope="row" style={{ paddingLeft: `${depthOf(labels, at)}em` }}>
              {label.name}
            </th>
            {[label.steps, label.words, label.volume, label.messages].map((value, column) => (
              <td key={column}>{grouped(String(value))}</td>
            ))}
            {works && <td>{grouped(String(label.operations ?? 0))}</td>}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/// How many labels are around a label. One that is around another stands before it.
function depthOf(labels: readonly LabelJson[], at: number): number {
  let depth = 0;
  for (let around = labels[at].inside; around !== undefined && around < at; around = labels[at].inside) {
    at = around;
    ++depth;
  }
  return depth;
}

function Figures({ run, step, hides }: { run: Run; step: number; hides: boolean }) {
  return (
    <table class="figures">
      <caption class="hidden-text">Counts after step {run.stepName(step)}, of the whole run, and claimed</caption>
      <thead>
        <tr>
          <th scope="col">figure</th>
          <th scope="col">after step {run.stepName(step)}</th>
          <th scope="col">whole run</th>
          <th scope="col">claimed</th>
        </tr>
      </thead>
      <tbody>
        {run.figureNames.map((figure) => (
          <FigureRow key={figure} run={run} figure={figure} step={step} hides={hides} />
        ))}
        {!hides &&
          lengths.map(
            ({ name, unit, of }) =>
              of(run) !== undefined && (
                <tr key={name} data-figure={name}>
                  <th scope="row">{name}</th>
                  <td class="quiet">{unit}</td>
                  <td>{grouped(String(of(run)))}</td>
                  <td />
                </tr>
              ),
          )}
        {!hides &&
          run.otherClaims.map((claim) => (
            <tr key={claim.figure + claim.formula + claim.source}>
              <th scope="row">{claim.figure.replace(/_/g, " ")}</th>
              <td />
              <td>
                {grouped(
                  String(run.json.figures?.[claim.figure] ?? run.json.counts[claim.figure] ?? ""),
                )}
              </td>
              <td class="claim">
                <Claim claim={claim} />
              </td>
            </tr>
          ))}
      </tbody>
    </table>
  );
}

function FigureRow(its: { run: Run; figure: string; step: number; hides: boolean }) {
  const { run, figure, step } = its;
  const now = run.total(figure, step);
  const whole = String(run.json.counts[figure] ?? run.total(figure, run.steps));
  const share = Number(whole) > 0 ? Math.min(1, Number(now) / Number(whole)) : 0;
  const claims = run.json.claims.filter((claim) => claim.figure === figure);
  return (
    <tr data-figure={figure}>
      <th scope="row">{names[figure] ?? figure}</th>
      <td class="now">
        {grouped(now)}
        {!its.hides && <i class="grown" style={{ width: `${100 * share}%` }} />}
      </td>
      <td>{its.hides ? "?" : grouped(whole)}</td>
      <td class="claim">
        {!its.hides && claims.map((claim) => <Claim key={claim.formula + claim.source} claim={claim} />)}
      </td>
    </tr>
  );
}

const relations: Record<string, string> = { "<=": "\u2264", ">=": "\u2265" };

/// Classes of the verdicts; those that say nothing of the claim have none of these.
const classes: Record<string, string> = {
  equal: "holds",
  holds: "holds",
  refuted: "fails",
  "our program exceeds": "fails",
  "does not hold": "fails",
};

function claimed(value: ClaimJson["value"]): string {
  return typeof value === "number" ? grouped(shownText(value)) : grouped(value);
}

function Claim({ claim }: { claim: ClaimJson }) {
  const verdict = claim.verdict ?? (claim.holds ? "holds" : "does not hold");
  const reason = claim.reason ?? claim.erratum;
  return (
    <span class={classes[verdict] ?? "open"} title={reason ? `${claim.source}: ${reason}` : claim.source}>
      {relations[claim.relation] ?? claim.relation} {claimed(claim.value)} {verdict}
      <small>{claim.formula}</small>
    </span>
  );
}
