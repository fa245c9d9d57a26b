import { expect, test } from "vitest";
import type { BoundDrawing, BoundJson } from "../../src/data/format";
import { Run } from "../../src/data/run";
import { reason } from "../../src/ui/panels/BoundPanel";
import { crossbarExchange, prefix, shifts } from "../samples/runs";

function bound(drawing: BoundDrawing | null, sentence?: string): BoundJson {
  return { figure: "words", value: 7, formula: "", source: "", tight: true, sentence, drawing };
}

test("a bound is explained by what is drawn for it", () => {
  const crossbar = new Run(crossbarExchange(8));
  expect(reason(crossbar, bound({ kind: "port", rank: 5 }))).toBe(
    "All that processor 5 needs comes in through its in-port, one message in a step: 7 words at least.",
  );
  expect(reason(crossbar, bound({ kind: "port", rank: 5, out: true }))).toBe(
    "All that processor 5 sends goes out through its out-port, one message in a step: 7 words at least.",
  );
  expect(reason(crossbar, { ...bound({ kind: "port", rank: 5 }), value: 1 })).toMatch(/: 1 word at/);
  const cube = new Run(prefix(3));
  expect(reason(cube, bound({ kind: "path", ranks: [0, 1, 3, 7] }))).toBe(
    "A message from 0 to 7 has to pass 3 links; no two processors are farther apart.",
  );
  expect(reason(cube, bound({ kind: "cut", side: [0, 1, 2, 3] }))).toBe(
    "What goes from the 4 processors of one side to the 4 of the other has to pass 4 links.",
  );
  const mesh = new Run(shifts("mesh", [4]));
  expect(reason(mesh, bound({ kind: "cut", side: [0, 1] }))).toMatch(/has to pass 1 link\.$/);
  const complete = new Run(crossbarExchange(8)); // whose links the page leaves out
  expect(reason(complete, bound({ kind: "cut", side: [0, 1] }))).toMatch(/pass the links between them\.$/);
  expect(reason(cube, bound({ kind: "doubling" }))).toBe("");
  expect(reason(cube, bound(null))).toBe("");
});

test("a bound's own sentence comes first", () => {
  const sentence = "Each step at most doubles the processors that know it.";
  const run = new Run(crossbarExchange(8));
  for (const drawing of [null, { kind: "doubling" }, { kind: "port", rank: 5 }] as const)
    expect(reason(run, bound(drawing, sentence))).toBe(sentence);
});
