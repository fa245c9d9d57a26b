import { expect, test } from "vitest";
import { readAddress, start, writeAddress } from "../../src/state/address";

test("an address is read as it is documented", () => {
  expect(readAddress("#step=5&processor=3&follow=7-2")).toEqual({
    ...start,
    step: 5,
    processor: 3,
    follow: { source: 7, destination: 2 },
  });
});

test("what is written is read again", () => {
  const address = {
    step: 12,
    processor: 0,
    follow: { source: 7, destination: -1, exchange: "ranks, digit 2" },
    side: 1,
    panel: "code",
    heat: true,
    mark: "0-3,8",
    steps: [2, 5],
    quiz: undefined,
  };
  expect(readAddress(writeAddress(address))).toEqual(address);
  const quiz = { asks: ["where" as const, "steps" as const], questions: 5, seed: 7 };
  expect(readAddress(writeAddress({ ...start, quiz })).quiz).toEqual(quiz);
});

test("nonsense in an address is as if it were not there", () => {
  expect(readAddress("#step=-3&processor=x&follow=<b>&quiz=all&mark=<i>&steps=3&panel=x")).toEqual(start);
  expect(readAddress("")).toEqual(start);
  expect(writeAddress(start)).toBe("#step=0");
});
