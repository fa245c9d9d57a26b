import { expect, test } from "vitest";
import { ticks } from "../../src/data/linear";
import { busiest, clashing, contended } from "../../src/data/link_loads";
import { Run } from "../../src/data/run";
import {
  contentionFailure,
  crossbarExchange,
  exchange,
  prefix,
  samples,
  shuffleBroadcast,
  transposition,
  treeSum,
} from "../samples/runs";

test.each(Object.keys(samples))("%s: the sums of the messages are the steps' figures", (name) => {
  for (const json of samples[name]()) {
    const run = new Run(json);
    let volume = 0;
    let words = 0;
    for (let step = 1; step <= run.steps; ++step) {
      const mine = run.messages.of(step).map((message) => run.messages.words[message]);
      volume += mine.reduce((sum, one) => sum + one, 0);
      words += Math.max(0, ...mine);
      expect(run.total("volume", step)).toBe(String(volume));
      expect(run.total("words", step)).toBe(String(words));
    }
    expect(run.total("volume", 0)).toBe("0");
    expect(run.total("volume", run.steps + 5)).toBe(String(volume));
  }
});

test("operations of a step, and the share of its work in which processors idle", () => {
  const json = prefix(2);
  json.steps.work = [8, 0];
  json.steps.totals.work = [8, 8];
  json.steps.totals.operations = ["9007199254740993", "9007199254741001"];
  const run = new Run(json);
  expect(run.operations(2)).toBe(8);
  expect(run.idleShare(8, 8)).toBe(0.75);
  expect(run.idleShare(32, 8)).toBe(0);
  expect(run.idleShare(0, 0)).toBe(0);
});

test("ticks are round, and stand before the end", () => {
  expect(ticks(12, 8)).toEqual([0, 2, 4, 6, 8, 10]);
  expect(ticks(0.3, 3)).toEqual([0, 0.1, 0.2]);
  expect(ticks(814.06, 8)).toEqual([0, 200, 400, 600, 800]);
  expect(ticks(0, 8)).toEqual([0]);
});

test("messages are found by their step, from 1 to the last", () => {
  const run = new Run(prefix(3));
  expect(run.steps).toBe(3);
  expect(run.messages.of(0)).toEqual([]);
  expect(run.messages.of(4)).toEqual([]);
  for (const step of [1, 2, 3]) {
    expect(run.messages.of(step)).toHaveLength(8);
    for (const message of run.messages.of(step)) {
      const mask = run.messages.from[message] ^ run.messages.to[message];
      expect(mask).toBe(1 << (step - 1));
    }
  }
});

test("steps after idle ones that the page shows as one have the numbers of the run", () => {
  const json = { ...prefix(3), stretches: [[2, "2305843009213693952"]] as [number, string][] };
  const run = new Run(json);
  expect([0, 1, 2, 3].map((step) => run.stepName(step))).toEqual([
    "0",
    "1",
    "2 to 2305843009213693953",
    "2305843009213693954",
  ]);
  const steps = [0, 1, 2, 3, "2305843009213693953", "2305843009213693954", "2305843009213693955"];
  expect(steps.map((step) => run.pageStep(step))).toEqual([0, 1, 2, 2, 2, 3, 4]);
  const plain = new Run(prefix(3));
  expect([0, 3, 4].map((step) => plain.stepName(step))).toEqual(["0", "3", "4"]);
  expect([0, 3, 4].map((step) => plain.pageStep(step))).toEqual([0, 3, 4]);
});

test("a route has all processors on its way, also the direct one", () => {
  const run = new Run(transposition(4));
  const far = run.messages.of(1).find((it) => run.messages.from[it] === 3)!;
  expect(run.messages.route(far)).toEqual([3, 7, 11, 15, 14, 13, 12]);
  const cube = new Run(prefix(3));
  expect(cube.messages.route(0)).toEqual([cube.messages.from[0], cube.messages.to[0]]);
});

test("link loads of a step count words and messages of each directed link", () => {
  const run = new Run(transposition(3));
  const loads = run.loads(1);
  const load = loads.find((link) => link.from === 3 && link.to === 0)!;
  expect(load.count).toBe(2); // 3 -> 1 and 6 -> 2 pass 3 -> 0
  expect(load.words).toBe(8);
  expect(contended(loads).every((link) => link.count > 1)).toBe(true);
  expect(Math.max(...loads.map((link) => link.count))).toBe(run.figures(1).contention);
  expect(busiest(loads).every((link) => link.words === 8)).toBe(true);
  expect(clashing(loads).size).toBe(4); // all but 1 -> 3 and 5 -> 7, which pass alone
});

test("link loads of the run sum up those of its steps", () => {
  const run = new Run(exchange(3, 4));
  const words = (loads: ReturnType<typeof run.runLoads>) => loads.reduce((sum, link) => sum + link.words, 0);
  let sum = 0;
  for (let step = 1; step <= run.steps; ++step) sum += words(run.loads(step));
  expect(words(run.runLoads())).toBe(sum);
  expect(sum).toBeGreaterThan(0);
});

test("empty messages load no link", () => {
  const run = new Run(treeSum(3));
  const empty = run.messages.words.findIndex((words) => words === 0);
  expect(empty).toBeGreaterThanOrEqual(0);
  const loads = run.loads(run.messages.step[empty]);
  expect(loads.flatMap((load) => load.messages)).not.toContain(empty);
});

test("steps say what sets them apart", () => {
  const run = new Run(treeSum(3));
  expect(run.figures(1).startup).toBe(true);
  expect(run.figures(1).pipelined).toBe(0);
  expect(run.figures(run.steps).pipelined).toBe(1);
  expect(run.figures(run.steps).startup).toBe(false);
  const rings = new Run(exchange(3, 3));
  expect(rings.figures(3).rearranges).toBe(true);
  expect(rings.figures(2).rearranges).toBe(false);
  expect(rings.phaseName(1)).toBe("rows");
  expect(rings.phaseName(3)).toBe("columns");
  expect(rings.phaseName(0)).toBe("");
});

test("places are named as a reader says them", () => {
  const run = new Run(contentionFailure());
  expect(run.placeName(0)).toBe("ring.hpp:4");
  expect(run.placeName(-1)).toBe("");
});

test("processors are named with what tells where they are", () => {
  expect(new Run(contentionFailure()).label(5)).toBe("5 (1,1)");
  expect(new Run(prefix(5)).label(5)).toBe("5 (00101)");
  expect(new Run(shuffleBroadcast(3)).label(3)).toBe("3 (011)");
  const json = treeSum(3);
  json.machine.coordinates = [[2, 0], [1, 0], [2, 1], [0, 0], [2, 2], [1, 1], [2, 3]];
  expect(new Run(json).label(3)).toBe("3");
  expect(new Run(crossbarExchange(4)).label(3)).toBe("3");
});

test("messages that are sent, and come in later, are under way", () => {
  const { messages } = new Run(treeSum(3));
  const named = (found: readonly number[]) =>
    found.map((at) => `${messages.from[at]}-${messages.to[at]}`);
  expect(named(messages.late)).toEqual(["2-1", "6-5", "5-3"]);
  expect(named(messages.underWay(0))).toEqual([]);
  expect(named(messages.underWay(1))).toEqual(["2-1", "6-5"]);
  expect(named(messages.underWay(2))).toEqual([]);
  expect(named(messages.sentIn(1))).toEqual(["0-1", "4-5", "2-1", "6-5"]);
  expect(named(messages.sentIn(2))).toEqual([]);
});

test("the largest message of a pipelined step is found among its messages", () => {
  const json = treeSum(3);
  json.steps.words = json.steps.words.map((_, at) => (at === 4 ? 14 : 0));
  const run = new Run(json);
  expect(run.pipelined).toBe(true);
  expect([1, 5, 6].map((step) => run.largest(step))).toEqual([1, 1, 1]);
  expect(new Run(prefix(3)).pipelined).toBe(false);
});

test("the largest message of a step is what it counts where its messages are left out", () => {
  const json = exchange(3, 3);
  const expected = json.steps.words.map(Number);
  for (const column of ["step", "sent", "from", "to", "words", "route"] as const)
    json.messages[column] = [];
  const run = new Run(json);
  expect(expected.map((_, at) => run.largest(at + 1))).toEqual(expected);
});

test("claims on figures of the whole run stand apart from those that grow", () => {
  const json = prefix(3);
  const claim = { formula: "1", value: 1, relation: "=", holds: true, source: "a paper" };
  json.claims = [
    { ...claim, figure: "steps" },
    { ...claim, figure: "rearrangements" },
  ];
  expect(new Run(json).otherClaims.map(({ figure }) => figure)).toEqual(["rearrangements"]);
});
