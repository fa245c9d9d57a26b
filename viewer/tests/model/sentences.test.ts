import { expect, test } from "vitest";
import { tokens } from "../../src/data/code";
import { Run } from "../../src/data/run";
import { processorText, stepSentence } from "../../src/data/sentences";
import { counted, grouped, shownText } from "../../src/data/words";
import { exchange, prefix, transposition, treeSum } from "../samples/runs";

test("a step in sentences", () => {
  expect(stepSentence(new Run(prefix(3)), 3)).toBe(
    "8 messages of 1 word, to rank xor 4 (dimension 2). Each of the 8 links in use carries 1 word.",
  );
  expect(stepSentence(new Run(exchange(3, 3)), 3)).toContain("Data is rearranged before it.");
  expect(stepSentence(new Run(treeSum(3)), 5)).toContain("A start-up is paid.");
  expect(stepSentence(new Run(treeSum(3)), 6)).toContain("Pipelined");
  expect(stepSentence(new Run(prefix(3)), 0)).toContain("Before the first step");
});

test("what follows the last step of a run is not one of its steps", () => {
  const json = prefix(3);
  expect(new Run(json).heading(3)).toBe("Step 3");
  expect(new Run(json).lastStep).toBe("3");
  // A step more, in which no message comes in.
  const grown = <T>(column: T[]): T[] => [...column, 0 as T];
  const { totals, ...columns } = json.steps;
  const steps = Object.fromEntries(
    Object.entries(columns).map(([name, column]) => [name, grown(column as number[])]),
  );
  const last = (column: (number | string)[]) => [...column, column[column.length - 1]];
  const more = {
    ...json,
    counts: { ...json.counts, rounds: 3 },
    steps: {
      ...steps,
      totals: Object.fromEntries(Object.entries(totals).map(([name, column]) => [name, last(column)])),
    },
  } as unknown as typeof json;
  const run = new Run(more);
  expect(run.steps).toBe(4);
  expect(run.lastStep).toBe("3");
  expect(run.heading(3)).toBe("Step 3");
  expect(run.heading(4)).toBe("After step 3");
  expect(stepSentence(run, 4)).toBe("After the last step: what each processor holds in the end.");
  // Not of a run that has failed, is cut, or has steps without messages.
  for (const other of [
    { complete: false },
    { failure: { message: "so" } },
    { counts: { ...json.counts, rounds: 4 } },
  ]) {
    const cut = new Run({ ...more, ...other } as unknown as typeof json);
    expect(cut.heading(4)).toBe("Step 4");
    expect(cut.lastStep).toBe("4");
    expect(stepSentence(cut, 4)).toContain("No message comes in.");
  }
});

test("contention names its messages", () => {
  const sentence = stepSentence(new Run(transposition(3)), 1);
  expect(sentence).toContain("Contention 2: 4 links with more than one message.");
  expect(sentence).toMatch(/Link \d to \d carries \d → \d, \d → \d\./);
});

test("what a processor does", () => {
  expect(processorText(new Run(prefix(3)), 5, 1)).toBe("sends 1 word to 4, takes in 1 word from 4");
  expect(processorText(new Run(treeSum(3)), 3, 1)).toBe("neither sends nor takes in");
});

test("a message that comes in later is sent in the step of its send", () => {
  const run = new Run(treeSum(3));
  expect(processorText(run, 2, 1)).toBe("sends 1 word to 1, which arrives in step 2");
  expect(processorText(run, 2, 2)).toBe("neither sends nor takes in");
  expect(processorText(run, 1, 2)).toBe("takes in 1 word from 2, sent in step 1");
  expect(stepSentence(run, 1)).toContain("2 messages are on their way, and come in later.");
  expect(stepSentence(run, 3)).toContain("1 message is on its way, and comes in later.");
  expect(stepSentence(run, 4)).not.toContain("on its way");
});

test("numbers and nouns", () => {
  expect(counted(1, "word")).toBe("1 word");
  expect(counted(2, "word")).toBe("2 words");
  expect(grouped("1234567")).toBe("1\u2009234\u2009567");
  expect(grouped(1234)).toBe("1234");
});

test("shown numbers: exact whole ones, three digits of floating ones, what is not finite", () => {
  expect(shownText("9007199254740993")).toBe("9007199254740993");
  expect(shownText(1 / 3)).toBe("0.333");
  expect(shownText(-3.4142135)).toBe("-3.41");
  expect(shownText(1234.56)).toBe("1235");
  expect(shownText(999.96)).toBe("1000");
  expect(shownText(2.5e-7)).toBe("2.5e-7");
  expect(shownText(-7)).toBe("-7");
  expect(shownText(null)).toBe("not finite");
});

test("a line of C++ falls into its tokens, and none is lost", () => {
  const line = 'auto const x = me.send(3, "a // b");  // why';
  const found = tokens(line);
  expect(found.map((token) => token.text).join("")).toBe(line);
  expect(found.filter((token) => token.kind === "comment").map((token) => token.text)).toEqual([
    "// why",
  ]);
  expect(found.find((token) => token.kind === "string")?.text).toBe('"a // b"');
  expect(tokens("")).toEqual([]);
});
