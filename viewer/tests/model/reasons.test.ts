import { expect, test } from "vitest";
import { Kind } from "../../src/data/calls";
import { labelIn, reasonOfPhase, reasonsFor, reasonsIn, reasonsText } from "../../src/data/reasons";
import { Run } from "../../src/data/run";
import { processorText, stepSentence } from "../../src/data/sentences";
import { prefix } from "../samples/runs";

/// The run of a prefix in which processors say why, and under which labels.
function told(): Run {
  const json = prefix(2);
  const texts = ["adds the lower half", "passes its total on", "low bits", "low bits > last", ""];
  const calls: [rank: number, kind: number, begin: number, end: number, other: number][] = [
    [0, Kind.label, 1, 1, 2],
    [0, Kind.note, 1, 1, 1],
    [0, Kind.send, 1, 1, 1],
    [0, Kind.receive, 1, 2, 1],
    [0, Kind.label, 2, 2, 3],
    [0, Kind.note, 2, 2, 1],
    [0, Kind.work, 2, 2, 7],
    [0, Kind.send, 2, 2, 2],
    [1, Kind.note, 1, 1, 1],
    [1, Kind.send, 1, 1, 0],
    [1, Kind.note, 1, 2, 0],
    [1, Kind.receive, 1, 3, 0],
    [1, Kind.label, 3, 3, 4],
    [2, Kind.note, 2, 2, 0],
  ];
  const column = (at: 1 | 2 | 3 | 4) => calls.map((call) => call[at]);
  json.calls = {
    rank: calls.map(([rank], at) => rank - (at > 0 ? calls[at - 1][0] : 0)),
    kind: column(1),
    begin: column(2),
    end: column(3),
    other: column(4),
    place: calls.map(() => 0),
  };
  json.texts = texts;
  return new Run(json);
}

test("the reasons for a step are those for its messages, most processors first", () => {
  const run = told();
  expect(reasonsIn(run, 1)).toEqual([{ text: "passes its total on", ranks: [0, 1] }]);
  expect(reasonsIn(run, 2)).toEqual([
    { text: "adds the lower half", ranks: [1, 2] },
    { text: "passes its total on", ranks: [0] },
  ]);
  expect(reasonsIn(run, 3)).toEqual([]);
  expect(reasonsFor(run, 1, 2)).toEqual(["adds the lower half"]);
  expect(reasonsText(run, 1)).toBe("Why: passes its total on (2 processors).");
  expect(stepSentence(run, 2)).toContain(
    "Why: adds the lower half (2 processors); passes its total on (processor 0).",
  );
});

test("a processor goes on under the label that it gave last", () => {
  const run = told();
  expect(labelIn(run, 0, 1)).toBe("low bits");
  expect(labelIn(run, 0, 2)).toBe("low bits > last");
  expect(labelIn(run, 1, 2)).toBe("");
  expect(labelIn(run, 1, 3)).toBe("");
});

test("labels and notes are no call at which a processor stands", () => {
  const run = told();
  const at = run.calls.standsAt(0, 2);
  expect(run.calls.kind(at)).toBe(Kind.send);
  expect(processorText(run, 0, 1)).toBe("sends 1 word to 1, takes in 1 word from 1");
});

test("a run without notes has no reasons", () => {
  const run = new Run(prefix(2));
  expect(reasonsText(run, 1)).toBe("");
  expect(labelIn(run, 0, 1)).toBe("");
});

test("a step without notes has the reason for its phase, if messages come in", () => {
  const json = prefix(2);
  json.reasons = [
    { phase: "", text: "adds values up" },
    { phase: "no such phase", text: "does nothing" },
  ];
  expect(reasonsText(new Run(json), 1)).toBe("Why: adds values up.");
  const name = json.phases[json.steps.phase[0] ?? -1]?.name ?? "";
  json.reasons.push({ phase: name.slice(0, 2) || "x", text: "goes up" });
  expect(reasonOfPhase(new Run(json), 1)).toBe(name ? "goes up" : "adds values up");
  expect(reasonOfPhase(new Run(json), 0)).toBe("");
  const noted = told();
  noted.json.reasons = json.reasons;
  expect(reasonsText(noted, 1)).toBe("Why: passes its total on (2 processors).");
});
