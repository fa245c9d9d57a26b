import { expect, test } from "vitest";
import { markText, parseRanks, ranksText } from "../../src/data/mark";
import { Run } from "../../src/data/run";
import { samples, transposition } from "../samples/runs";

test("ranks are read as they are typed, and written so", () => {
  expect(parseRanks("0-3, 8", 16)).toEqual(new Set([0, 1, 2, 3, 8]));
  expect(parseRanks("5", 16)).toEqual(new Set([5]));
  expect(parseRanks("14-99", 16)).toEqual(new Set([14, 15]));
  for (const wrong of ["", "x", "3-", "-1", "1,,2", "16", "7-4", "0-3;8"])
    expect(parseRanks(wrong, 16)).toBeUndefined();
  expect(ranksText(new Set([8, 0, 2, 1, 3, 10]))).toBe("0-3,8,10");
});

test("a mark is said in words, briefly where it is many pieces", () => {
  expect(markText({ ranks: new Set([0, 1]), first: 1, last: 2 })).toBe(
    "processors 0-1 in steps 1 to 2",
  );
  const even = new Set(Array.from({ length: 40 }, (_, at) => 2 * at));
  expect(markText({ ranks: even, first: 3, last: 3 })).toBe("40 processors in step 3");
});

test.each(["mesh-transpose", "exchange-4x4", "two"])(
  "%s: link loads of a mark count the messages of its processors in its steps",
  (name) => {
    for (const json of samples[name]()) {
      const run = new Run(json);
      const mark = { ranks: new Set([1, 2]), first: 1, last: Math.min(2, run.steps) };
      const sums = new Map<string, number>();
      for (let message = 0; message < run.messages.count; ++message) {
        const { step, from, to, words } = run.messages;
        if (step[message] < mark.first || step[message] > mark.last) continue;
        if (!mark.ranks.has(from[message]) && !mark.ranks.has(to[message])) continue;
        const route = run.messages.route(message);
        for (let hop = 0; hop + 1 < route.length; ++hop) {
          const link = `${route[hop]} ${route[hop + 1]}`;
          if (words[message] > 0) sums.set(link, (sums.get(link) ?? 0) + words[message]);
        }
      }
      const loads = run.runLoads(mark).map((load) => [`${load.from} ${load.to}`, load.words]);
      expect(sums.size).toBeGreaterThan(0);
      expect(new Map(loads as [string, number][])).toEqual(sums);
    }
  },
);

test("the mark of everything has the link loads of the run", () => {
  const run = new Run(transposition(4));
  const ranks = new Set(Array.from({ length: run.processors }, (_, rank) => rank));
  expect(run.runLoads({ ranks, first: 1, last: run.steps })).toEqual(run.runLoads());
});
