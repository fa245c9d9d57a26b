import { expect, test } from "vitest";
import { ClockTimes, doingOf } from "../../src/data/clock_times";
import { clocked } from "../samples/runs";

const times = new ClockTimes(clocked().clock!, 4);

test("a processor does one thing at a time, and nothing after its end", () => {
  expect(times.at(0, 0.5)?.what).toBe("send");
  expect(times.at(0, 1)?.what).toBe("waiting");
  expect(times.at(0, 7)).toBeUndefined();
  expect(times.at(9, 1)).toBeUndefined();
  expect(doingOf(times.at(2, 3)!.what)).toBe("waits for a message");
});

test("what a processor is busy with leaves out what it waits for", () => {
  expect([0, 1, 2, 3].map((rank) => times.busy(rank))).toEqual([2, 2, 1.5, 5]);
});

test("a step of the page has the time of its messages", () => {
  expect(times.step(2, Number)).toEqual({ begin: 4, end: 11.5 });
  expect(times.step(3, Number)).toBeUndefined();
  expect(new ClockTimes({ ...clocked().clock!, steps: undefined }, 4).step(1, Number)).toBeUndefined();
});

test("pieces of the path that belong together are one", () => {
  expect(times.path.map(({ rank, what, begin, end }) => [rank, what, begin, end])).toEqual([
    [3, "work", 0, 4],
    [3, "send", 4, 5],
    [2, "receive", 5, 11.5],
  ]);
  expect(times.span(5, 11.5)).toBe("5 to 11.5 us");
});
