import { expect, test } from "vitest";
import { changesOf, changeText } from "../../src/data/changes";
import type { ShownValue } from "../../src/data/format";
import { Run } from "../../src/data/run";
import * as machines from "../samples/machines";
import { Recorder } from "../samples/recorder";

/// What became of what processor 0 shows, after a step in which processor 1 sent to it.
function became(before: ShownValue, after: ShownValue, of_sender: ShownValue, sends = true) {
  const { machine, route } = machines.crossbar(2);
  const recorder = new Recorder("changes", machine, route);
  recorder.show(0, "keys", before);
  recorder.show(1, "keys", of_sender);
  recorder.next();
  if (sends) recorder.send(1, 0, 1);
  recorder.show(0, "keys", after);
  recorder.next();
  const run = new Run(recorder.json());
  const entry = run.shows.after(0, 1)[0].entry;
  return changesOf(run, entry).map(({ what, from }) => (from < 0 ? what : `${what} ${from}`));
}

const numbers = (...of: number[]): ShownValue => ({ numbers: of });

test("an element stays, moves, comes from a sender or is new", () => {
  expect(became(numbers(3, 9, 40), numbers(3, 5, 9, 77), numbers(5, 60))).toEqual([
    "kept 0",
    "came 1",
    "moved 1",
    "new",
  ]);
});

test("equal elements move once each", () => {
  expect(became(numbers(4, 7, 1), numbers(7, 7, 1), numbers(7, 2))).toEqual([
    "came 1",
    "kept 1",
    "kept 2",
  ]);
});

test("what only a processor that did not send had is new", () => {
  expect(became(numbers(3, 9), numbers(3, 5), numbers(5, 60), false)).toEqual(["kept 0", "new"]);
});

test("blocks come as what they are, and empty places do not", () => {
  const after = { blocks: [0, 0, -1, -1, 1, 0] };
  expect(became({ blocks: [0, 0, 0, 1] }, after, { blocks: [1, 0, 1, 1] })).toEqual([
    "kept 0",
    "kept 1",
    "came 1",
  ]);
});

test("a matrix comes as a whole, or its elements change in their places", () => {
  const matrix = (...of: number[]): ShownValue => ({ matrix: { columns: 2, numbers: of } });
  const whole = became(matrix(1, 2, 3, 4), matrix(1, 6, 7, 8), matrix(1, 6, 7, 8));
  expect(whole).toEqual(["came 1", "came 1", "came 1", "came 1"]);
  const part = became(matrix(1, 2, 3, 4), matrix(1, 4, 3, 5), matrix(1, 6, 7, 8));
  expect(part).toEqual(["kept 0", "new", "kept 2", "new"]);
});

test("what is shown for the first time, or is no array, has not changed", () => {
  expect(became({ number: 3 }, { number: 5 }, { number: 5 })).toEqual([]);
  const { machine, route } = machines.crossbar(2);
  const recorder = new Recorder("first", machine, route);
  recorder.show(0, "keys", numbers(1, 2, 3, 4));
  recorder.next();
  expect(changesOf(new Run(recorder.json()), 0)).toEqual([]);
});

test("changes are said in words", () => {
  expect(changeText({ what: "came", from: 5 })).toBe("as processor 5 had it");
  expect(changeText({ what: "moved", from: 2 })).toBe("was at place 2");
  expect(changeText({ what: "kept", from: 2 })).toBe("");
});
