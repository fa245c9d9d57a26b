import { Kind } from "./calls";
import { lastUpTo } from "./columns";
import type { Run } from "./run";
import { counted, grouped } from "./words";

/// What processors said of the reason for a call, and which of them did.
export interface Reason {
  text: string;
  ranks: number[];
}

const most_named = 4;
const kept = new WeakMap<Run, Map<number, Reason[]>>();

/// The reasons that processors gave (me.note) for what they do in a step, those of most processors
/// first.
export function reasonsIn(run: Run, step: number): Reason[] {
  let all = kept.get(run);
  if (!all) {
    all = reasonsOf(run);
    kept.set(run, all);
  }
  return all.get(step) ?? [];
}

/// The reasons that one processor gave for what it does in a step.
export function reasonsFor(run: Run, rank: number, step: number): string[] {
  return reasonsIn(run, step)
    .filter((reason) => reason.ranks.includes(rank))
    .map((reason) => reason.text);
}

// Calls are sorted by rank. A note ends in the step of what the call does that it is about.
function reasonsOf(run: Run): Map<number, Reason[]> {
  const all = new Map<number, Map<string, Reason>>();
  for (let at = 0; at < run.calls.count; ++at) {
    if (run.calls.kind(at) !== Kind.note) continue;
    const step = run.calls.end(at);
    const reasons = all.get(step) ?? new Map<string, Reason>();
    all.set(step, reasons);
    const rank = run.calls.rank[at];
    const text = run.calls.text(at);
    const same = reasons.get(text);
    if (!same) reasons.set(text, { text, ranks: [rank] });
    else if (same.ranks[same.ranks.length - 1] !== rank) same.ranks.push(rank);
  }
  return new Map(
    [...all].map(([step, reasons]) => [
      step,
      [...reasons.values()].sort((a, b) => b.ranks.length - a.ranks.length),
    ]),
  );
}

/// The reason that the page has for all that happens in a step's phase: that of the longest beginning of its
/// name. Empty without one, and where no message comes in.
export function reasonOfPhase(run: Run, step: number): string {
  const { begin, end } = run.messages.range(step);
  if (begin === end) return "";
  const phase = run.phaseName(step);
  let best: { phase: string; text: string } | undefined;
  for (const each of run.json.reasons ?? [])
    if (phase.startsWith(each.phase) && (!best || each.phase.length > best.phase.length)) best = each;
  return best?.text ?? "";
}

/// Why the processors do what they do in a step: "keeps the smaller half (4 processors)."; where none of them
/// says so, the reason for its phase.
export function reasonsText(run: Run, step: number): string {
  const reasons = reasonsIn(run, step);
  if (reasons.length === 0) {
    const ofPhase = reasonOfPhase(run, step);
    return ofPhase ? `Why: ${ofPhase}.` : "";
  }
  const named = reasons.slice(0, most_named).map(({ text, ranks }) => {
    const who = ranks.length === 1 ? `processor ${ranks[0]}` : counted(ranks.length, "processor");
    return `${text} (${who})`;
  });
  const more = reasons.length - named.length;
  return `Why: ${named.join("; ")}${more > 0 ? `; and ${grouped(more)} more` : ""}.`;
}

/// The label (me.label) under which a processor goes on in a step, with those around it; empty without.
export function labelIn(run: Run, rank: number, step: number): string {
  if (!run.calls.recorded) return "";
  const { begin, end } = run.calls.range(rank);
  for (let at = lastUpTo(run.calls.begins, step, begin, end); at >= begin; --at)
    if (run.calls.kind(at) === Kind.label) return run.calls.text(at);
  return "";
}
