import type { RunJson } from "./format";

type Json = null | boolean | number | string | Json[] | { [name: string]: Json };
type Test = (value: Json | undefined, processors: number) => boolean;

const isText: Test = (value) => typeof value === "string";
const isTruth: Test = (value) => typeof value === "boolean";
const isWhole: Test = (value) => typeof value === "number" || /^-?\d+$/.test(String(value));
const isObject = (value: Json | undefined): value is { [name: string]: Json } =>
  typeof value === "object" && value !== null && !Array.isArray(value);

function listOf(test: Test): Test {
  return (value, processors) =>
    Array.isArray(value) && value.every((one) => test(one, processors));
}

function objectWith(fields: Record<string, Test>): Test {
  return (value, processors) =>
    isObject(value) &&
    Object.entries(fields).every(([name, test]) => test(value[name], processors));
}

/// What may be left out.
function optional(test: Test): Test {
  return (value, processors) => value === undefined || test(value, processors);
}

const isRank: Test = (value, processors) =>
  typeof value === "number" && Number.isInteger(value) && value >= 0 && value < processors;

const isDrawing: Test = (value, processors) => {
  if (value === null || value === undefined) return true;
  if (!isObject(value)) return false;
  if (value.kind === "port") return isRank(value.rank, processors);
  if (value.kind === "path") return listOf(isRank)(value.ranks, processors);
  return value.kind === "cut" ? listOf(isRank)(value.side, processors) : value.kind === "doubling";
};

const isClaim = objectWith({
  figure: isText,
  formula: isText,
  value: isWhole,
  relation: isText,
  holds: isTruth,
});
const isReason = objectWith({ phase: isText, text: isText });
const isBound = objectWith({
  figure: isText,
  value: isWhole,
  formula: isText,
  tight: isTruth,
  drawing: isDrawing,
});

const isTime: Test = (value) => typeof value === "number" && value >= 0;
const isIndex: Test = (value) => typeof value === "number" && Number.isInteger(value) && value >= 0;

const isPathPiece = objectWith({
  rank: isRank,
  what: isText,
  begin: isTime,
  end: isTime,
  other: (value) => typeof value === "number",
});
const isClock = objectWith({
  model: isText,
  unit: isText,
  makespan: isTime,
  utilisation: isTime,
  kinds: listOf(isText),
  stretches: objectWith({
    rank: listOf(isRank),
    what: listOf(isIndex),
    begin: listOf(isTime),
    end: listOf(isTime),
  }),
  path: listOf(isPathPiece),
  steps: optional(objectWith({ step: listOf(isWhole), begin: listOf(isTime), end: listOf(isTime) })),
});

/// What a page reads as each member that a program's notes give it.
const members: Record<string, [Test, string]> = {
  claims: [listOf(isClaim), "a list of claims, each with figure, formula, value, relation and holds"],
  bounds: [listOf(isBound), "a list of bounds, each with figure, value, formula and tight"],
  explanation: [listOf(isText), "a list of sentences"],
  call: [isText, "a text"],
  header: [isText, "a text"],
  parameters: [isObject, "an object"],
  textbook: [isText, "a text"],
  figures: [isObject, "an object"],
  clock: [isClock, "the clocks of the processors, with model, makespan, stretches and path"],
  reasons: [listOf(isReason), "a list of reasons, each with phase and text"],
};

/// Leaves out of a run what its notes have in another shape than the page reads. Result: the run, and
/// a sentence for each member that is left out.
export function withoutWrongNotes(run: RunJson): { run: RunJson; wrong: string[] } {
  const left = { ...run } as Record<string, unknown>;
  const wrong: string[] = [];
  for (const [name, [test, what]] of Object.entries(members)) {
    const value = left[name] as Json | undefined;
    if (value === undefined || test(value, run.machine?.processors ?? 0)) continue;
    delete left[name];
    const text = JSON.stringify(value);
    wrong.push(
      `The notes of this page have ${text.length > 60 ? `${text.slice(0, 60)}\u2026` : text} as ` +
        `\u201c${name}\u201d, where the page reads ${what}. It is left out.`,
    );
  }
  return { run: left as unknown as RunJson, wrong };
}
