import { expect, test } from "vitest";
import { Activity, activityText, Does } from "../../src/data/activity";
import { Run } from "../../src/data/run";
import { linesIn, standingAfter } from "../../src/data/standing";
import { deadlock, exchange, treeSum } from "../samples/runs";

test("what each rank does in each step", () => {
  const run = new Run(exchange(3, 3));
  const activity = new Activity(run);
  for (let rank = 0; rank < 9; ++rank)
    for (let step = 1; step <= run.steps; ++step)
      expect(activity.at(rank, step)).toBe(Does.send | Does.take_in);
});

test("a message that waits for its receiver is queued, one that is not there yet is waited for", () => {
  const run = new Run(treeSum(3));
  const activity = new Activity(run);
  // Rank 2 sends to 1 in step 1; rank 1 takes in from 0 first, and from 2 in step 2.
  expect(activity.at(2, 1) & Does.send).toBeTruthy();
  expect(activity.at(1, 1) & Does.queue).toBeTruthy();
  expect(activity.at(1, 2) & Does.queue).toBeFalsy();
  expect(activity.at(1, 2) & Does.take_in).toBeTruthy();
});

test("processors of a deadlock wait until the end", () => {
  const run = new Run(deadlock());
  const activity = new Activity(run);
  for (let rank = 0; rank < 6; ++rank) expect(activity.at(rank, 2)).toBe(Does.wait);
});

test("a cell in words", () => {
  expect(activityText(0)).toBe("rests");
  expect(activityText(Does.send | Does.take_in)).toBe("sends, takes in");
});

test("processors stand at the line of their last call", () => {
  const run = new Run(deadlock());
  const lines = linesIn(run, run.functions.whole(0), standingAfter(run, 2));
  expect(lines.get(5)).toEqual([0, 1, 2, 3, 4, 5]);
});

test("without recorded calls they stand where they send and receive", () => {
  const run = new Run({ ...exchange(2, 2), calls: undefined });
  const lines = linesIn(run, run.functions.whole(0), standingAfter(run, 1));
  expect(lines.get(4)).toHaveLength(4);
  expect(lines.get(5)).toHaveLength(4);
});
