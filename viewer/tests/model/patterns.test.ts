import { expect, test } from "vitest";
import { levelInorder, patternOf, patternOfPairs } from "../../src/data/patterns";
import { Run } from "../../src/data/run";
import * as machines from "../samples/machines";
import {
  cannon,
  exchange,
  prefix,
  shuffleBroadcast,
  sort,
  transposition,
  treeSum,
} from "../samples/runs";

function pairs(count: number, to: (rank: number) => number) {
  return Array.from({ length: count }, (_, from) => ({ from, to: to(from) }));
}

test("steps of samples have the names that a teacher gives them", () => {
  expect(patternOf(new Run(prefix(3)), 3)).toBe("to rank xor 4 (dimension 2)");
  expect(patternOf(new Run(exchange(4, 4)), 1)).toBe("shift by 1 in dimension 1");
  expect(patternOf(new Run(exchange(4, 4)), 4)).toBe("shift by 1 in dimension 0");
  expect(patternOf(new Run(cannon(4)), 1)).toBe("shift by \u22121 in dimension 1");
  expect(patternOf(new Run(treeSum(4)), 1)).toBe("up the tree, from 4 of 15");
  expect(patternOf(new Run(treeSum(4)), 9)).toMatch(/^down the tree/);
  expect(patternOf(new Run(shuffleBroadcast(3)), 1)).toBe("exchange: to rank xor 1");
  expect(patternOf(new Run(shuffleBroadcast(3)), 2)).toBe("shuffle");
  expect(patternOf(new Run(transposition(4)), 1)).toMatch(/^transposition/);
  expect(patternOf(new Run(sort(4)), 1)).toBe("to rank xor 1 (distance 1 in dimension 0)");
  expect(patternOf(new Run(sort(5)), 2)).toBe("pairs at distance 1 in dimension 0, from 4 of 5");
});

test("one exclusive or of all ranks is named as that, with its distance", () => {
  const { machine } = machines.grid("torus", [8, 8]);
  const by = (mask: number) =>
    patternOfPairs(
      machine,
      pairs(64, (rank) => rank ^ mask),
    );
  expect(by(5)).toBe("to rank xor 5 (distance 3 in dimension 1)");
  expect(by(3)).toBe("to rank xor 3");
  expect(by(7)).toBe("to rank xor 7");
  expect(by(2)).toBe("to rank xor 2 (distance 2 in dimension 1)");
  expect(by(4)).toBe("to rank xor 4 (shift by 4 in dimension 1)"); // half way round
});

test("a shift over half a ring counts the shorter way", () => {
  const { machine } = machines.grid("torus", [4, 8]);
  const by = (shift: number) =>
    pairs(32, (rank) => 8 * Math.floor(rank / 8) + ((rank + shift) % 8));
  expect(patternOfPairs(machine, by(2))).toBe("shift by 2 in dimension 1");
  expect(patternOfPairs(machine, by(4))).toBe("to rank xor 4 (shift by 4 in dimension 1)");
  expect(patternOfPairs(machine, by(5))).toBe("shift by \u22123 in dimension 1");
});

test("shifts, reversals, one to many and many to one", () => {
  const { machine } = machines.crossbar(6);
  expect(
    patternOfPairs(
      machine,
      pairs(6, (rank) => (rank + 2) % 6),
    ),
  ).toBe("to rank + 2 (mod p)");
  expect(
    patternOfPairs(
      machine,
      pairs(6, (rank) => (rank + 5) % 6),
    ),
  ).toBe("to rank \u2212 1 (mod p)");
  expect(
    patternOfPairs(
      machine,
      pairs(6, (rank) => 5 - rank),
    ),
  ).toMatch(/^in reverse/);
  expect(patternOfPairs(machine, pairs(6, () => 0).slice(1))).toBe("all to rank 0, from 5 of 6");
  expect(
    patternOfPairs(machine, [
      { from: 1, to: 2 },
      { from: 1, to: 5 },
    ]),
  ).toBe("all from rank 1");
  expect(patternOfPairs(machine, [{ from: 1, to: 2 }])).toBe("1 to 2");
});

test("a shift that does not wrap says nothing of p", () => {
  const { machine } = machines.crossbar(6);
  const shifted = pairs(6, (rank) => rank - 1).slice(1);
  expect(patternOfPairs(machine, shifted)).toBe("to rank \u2212 1, from 5 of 6");
});

test("half way round is a shift and an exclusive or", () => {
  const { machine } = machines.crossbar(8);
  expect(
    patternOfPairs(
      machine,
      pairs(8, (rank) => rank ^ 4),
    ),
  ).toBe("to rank + 4 (mod p), that is to rank xor 4");
});

test("several dimensions at once", () => {
  const { machine } = machines.hypercube(3);
  const both = [...pairs(8, (rank) => rank ^ 1), ...pairs(8, (rank) => rank ^ 4)];
  expect(patternOfPairs(machine, both)).toBe("across dimensions 0 and 2");
  const torus = machines.grid("torus", [8, 8]).machine;
  const exchange = pairs(64, (rank) =>
    rank % 2 === 0 ? (rank + 16) % 64 : (rank & ~7) | ((rank + 6) & 7),
  );
  expect(patternOfPairs(torus, exchange)).toBe("pairs at distance 2 in dimension 0 or 1");
});

test("messages without order have no name", () => {
  const { machine } = machines.crossbar(6);
  const tangle = [
    { from: 0, to: 1 },
    { from: 1, to: 3 },
    { from: 4, to: 2 },
  ];
  expect(patternOfPairs(machine, tangle)).toBe("");
  expect(patternOfPairs(machine, [])).toBe("");
});

test("levels of a tree in inorder", () => {
  expect([0, 1, 2, 3, 4, 5, 6].map(levelInorder)).toEqual([0, 1, 0, 2, 0, 1, 0]);
});
