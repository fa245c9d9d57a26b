import { expect, test } from "vitest";
import { follow, followedText, parseFollowed, placeOf, stations } from "../../src/data/follow";
import { Run } from "../../src/data/run";
import * as machines from "../samples/machines";
import { Recorder } from "../samples/recorder";
import { exchange, prefix } from "../samples/runs";

test("a block is followed from its source to its destination", () => {
  const run = new Run(exchange(4, 4));
  const journey = follow(run, { source: 5, destination: 2 });
  const way = stations(journey.holdings);
  expect(way[0]).toEqual({ step: 0, rank: 5 });
  expect(way[way.length - 1].rank).toBe(2);
  expect(journey.holdings[run.steps].map((holding) => holding.rank)).toEqual([2]);
  const hops = journey.carried.flat();
  expect(hops.map((hop) => [hop.from, hop.to])).toEqual([
    [5, 6],
    [6, 10],
    [10, 14],
    [14, 2],
  ]);
});

test("each message of the way goes in the step in which the block moves", () => {
  const run = new Run(exchange(4, 4));
  const journey = follow(run, { source: 0, destination: 15 });
  journey.carried.forEach((carried, step) => {
    for (const { message } of carried) expect(run.messages.step[message]).toBe(step);
  });
  expect(journey.carried.flat()).toHaveLength(6);
});

test("a rank alone follows what intervals contain it", () => {
  const journey = follow(new Run(prefix(3)), { source: 5, destination: -1 });
  const ranks = (step: number) => new Set(journey.holdings[step].map((holding) => holding.rank));
  expect(ranks(0)).toEqual(new Set([5]));
  expect(ranks(1)).toEqual(new Set([4, 5]));
  expect(ranks(3).size).toBe(8);
});

test("a block that no processor shows has no way", () => {
  const journey = follow(new Run(exchange(2, 2)), { source: 0, destination: 99 });
  expect(stations(journey.holdings)).toEqual([]);
});

/// A block of 0 for 2 that 1 passes on before it shows it, and that nobody shows at last.
function shownLate(): Run {
  const { machine, route } = machines.crossbar(4);
  const run = new Recorder("late shows", machine, route);
  const show = (rank: number, blocks: number[]) => run.show(rank, "array", { blocks });
  show(0, [0, 2]);
  show(1, [1, 2]);
  run.next();
  run.send(3, 1, 1);
  run.send(0, 1, 1);
  run.next();
  run.send(1, 2, 1);
  show(0, []);
  show(2, [0, 2]);
  run.next();
  run.send(2, 3, 1);
  show(1, [0, 2]);
  run.next();
  show(1, []);
  show(2, []);
  return new Run(run.json());
}

test("a message is found whose sender showed the block just after it", () => {
  const { machine, route } = machines.crossbar(2);
  const run = new Recorder("shown after the send", machine, route);
  run.next();
  run.send(0, 1, 1);
  run.show(0, "sum", { intervals: [0, 0] });
  run.show(1, "sum", { intervals: [0, 1] });
  const { carried } = follow(new Run(run.json()), { source: 0, destination: -1 });
  expect(carried[1].map(({ from, to }) => [from, to])).toEqual([[0, 1]]);
});

test("a block is followed within one exchange, of several with blocks of the same ends", () => {
  const { machine, route } = machines.crossbar(3);
  const run = new Recorder("two exchanges", machine, route);
  const show = (rank: number, of: string, blocks: number[]) => run.show(rank, of, { blocks });
  show(0, "counts: blocks", [0, 1]);
  run.next();
  run.send(0, 1, 1);
  show(0, "counts: blocks", []);
  show(1, "counts: blocks", [0, 1]);
  show(0, "ranks: blocks", [0, 1]);
  run.next();
  run.send(0, 2, 1);
  show(0, "ranks: blocks", []);
  show(2, "ranks: blocks", [0, 1]);
  const ranks = (exchange?: string) =>
    stations(follow(new Run(run.json()), { source: 0, destination: 1, exchange }).holdings)
      .map(({ rank }) => rank)
      .filter((rank) => rank >= 0);
  expect(ranks()).toEqual([0, 1]);
  expect(ranks("counts")).toEqual([0, 1]);
  expect(ranks("ranks")).toEqual([0, 2]);
});

test("a message is found that came in before its receiver showed the block", () => {
  const run = shownLate();
  const { holdings, carried } = follow(run, { source: 0, destination: 2 });
  expect(carried.map((those) => those.map(({ from, to }) => `${from}-${to}`))).toEqual([
    [],
    ["0-1"],
    ["1-2"],
    [],
    [],
  ]);
  expect(stations(holdings)).toEqual([
    { step: 0, rank: 0 },
    { step: 2, rank: 2 },
    { step: 3, rank: 1 },
    { step: 4, rank: -1 },
  ]);
});

test("what is followed is read and written", () => {
  expect(parseFollowed("7-2")).toEqual({ source: 7, destination: 2 });
  expect(parseFollowed("7")).toEqual({ source: 7, destination: -1 });
  for (const text of ["7→2", "7->2", " 7 2 ", "7 - 2", "7 → 2"])
    expect(parseFollowed(text)).toEqual({ source: 7, destination: 2 });
  for (const text of ["x", "", "7-", "7-2-1", "7--2", "(0,1)"])
    expect(parseFollowed(text)).toBeUndefined();
  expect(followedText({ source: 7, destination: 2 })).toBe("7-2");
  expect(followedText({ source: 7, destination: -1 })).toBe("7");
});

test("what is followed is read by coordinates, where the machine has them", () => {
  const grid = new Run(exchange(4, 4));
  for (const text of ["(0,3)-(2,1)", "(0, 3)→(2, 1)", "3-(2,1)", "(0,3) (2,1)"])
    expect(parseFollowed(text, grid)).toEqual({ source: 3, destination: 9 });
  expect(parseFollowed("(2,1)", grid)).toEqual({ source: 9, destination: -1 });
  expect(parseFollowed("(0,4)-(2,1)", grid)).toBeUndefined();
  expect(parseFollowed("(0,3)-(2,4)", grid)).toBeUndefined();
  const cube = new Run(prefix(3));
  expect(parseFollowed("(011)-(101)", cube)).toEqual({ source: 3, destination: 5 });
});

test("the place in an array of blocks, past empty places", () => {
  const blocks = { blocks: [-1, -1, 3, 4, 5, 6] };
  expect(placeOf(blocks, { source: 5, destination: 6 })).toBe(2);
  expect(placeOf(blocks, { source: 5, destination: 7 })).toBe(-1);
  expect(placeOf({ number: 5 }, { source: 5, destination: -1 })).toBe(-1);
});
