import { busiest, contended, type LinkLoad } from "./link_loads";
import { patternOf } from "./patterns";
import { reasonsText } from "./reasons";
import type { Run } from "./run";
import { counted, grouped } from "./words";

/// What happens in a step, in a sentence or two.
export function stepSentence(run: Run, step: number): string {
  if (step < 1) return `Before the first step: what each processor holds at the beginning.`;
  if (run.isEnd(step)) return "After the last step: what each processor holds in the end.";
  const sentences = [
    messagesText(run, step),
    reasonsText(run, step),
    underWayText(run, step),
    ...marksOf(run, step),
    linksText(run, step),
  ];
  return sentences.filter((text) => text !== "").join(" ");
}

/// The messages of a step, their sizes and the pattern in which they go.
export function messagesText(run: Run, step: number): string {
  const { begin, end } = run.messages.range(step);
  const figures = run.figures(step);
  if (begin === end && figures.messages > 0)
    return `${counted(figures.messages, "message")}, which this page leaves out.`;
  if (begin === end) return "No message comes in.";
  const pattern = patternOf(run, step);
  const where = pattern ? `, ${pattern}` : "";
  if (figures.onlyEmpty) return `${counted(end - begin, "empty message")}${where}: free.`;
  let least = Infinity;
  let most = 0;
  for (let at = begin; at < end; ++at) {
    const words = run.messages.words[at];
    most = Math.max(most, words);
    if (words > 0) least = Math.min(least, words);
  }
  const sizes =
    least === most ? counted(most, "word") : `${grouped(least)} to ${counted(most, "word")}`;
  return `${counted(figures.messages, "message")} of ${sizes}${where}.`;
}

/// Counts the messages that are sent by this step and not in yet.
function underWayText(run: Run, step: number): string {
  const count = run.messages.underWay(step).length;
  if (count === 0) return "";
  return count === 1
    ? "1 message is on its way, and comes in later."
    : `${grouped(count)} messages are on their way, and come in later.`;
}

/// What sets a step apart from others.
export function marksOf(run: Run, step: number): string[] {
  const figures = run.figures(step);
  const marks: string[] = [];
  if (figures.startup && run.hasFreeSteps) marks.push("A start-up is paid.");
  else if (figures.pipelined > 0) marks.push("Pipelined: the start-up was paid before.");
  if (figures.rearranges) marks.push("Data is rearranged before it.");
  return marks;
}

/// The busiest link of a step, and contention with the messages that share a link.
export function linksText(run: Run, step: number): string {
  const loads = run.loads(step);
  const figures = run.figures(step);
  if (figures.contention > 1) return contentionText(run, contended(loads), figures.contention);
  const most = busiest(loads);
  if (most.length === 0 || loads.length < 2) return "";
  if (most.length === loads.length)
    return `Each of the ${loads.length} links in use carries ${counted(most[0].words, "word")}.`;
  const which = most.length === 1 ? ` (${most[0].from} to ${most[0].to})` : "";
  return `The busiest link${which} carries ${counted(most[0].words, "word")}.`;
}

function contentionText(run: Run, links: readonly LinkLoad[], contention: number): string {
  const worst = [...links].sort((a, b) => b.count - a.count)[0];
  if (!worst) return `Contention ${contention}.`;
  const named = worst.messages.slice(0, 4).map((message) => messageText(run, message));
  const more = worst.messages.length > 4 ? ` and ${worst.messages.length - 4} more` : "";
  return (
    `Contention ${contention}: ${counted(links.length, "link")} with more than one message. ` +
    `Link ${worst.from} to ${worst.to} carries ${named.join(", ")}${more}.`
  );
}

export function messageText(run: Run, message: number): string {
  return `${run.messages.from[message]} \u2192 ${run.messages.to[message]}`;
}

/// Says what a processor does in a step: what it sends, and what it takes in, and where these are
/// different steps the other one.
export function processorText(run: Run, rank: number, step: number): string {
  const { messages } = run;
  const parts: string[] = [];
  for (const at of messages.sentIn(step)) {
    if (messages.from[at] !== rank) continue;
    const later = messages.step[at] > step ? `, which arrives in step ${run.stepName(messages.step[at])}` : "";
    parts.push(`sends ${counted(messages.words[at], "word")} to ${messages.to[at]}${later}`);
  }
  for (const at of messages.of(step)) {
    if (messages.to[at] !== rank) continue;
    const before = messages.sent[at] < step ? `, sent in step ${run.stepName(messages.sent[at])}` : "";
    parts.push(`takes in ${counted(messages.words[at], "word")} from ${messages.from[at]}${before}`);
  }
  return parts.length > 0 ? parts.join(", ") : "neither sends nor takes in";
}
