import { deflateRawSync } from "node:zlib";
import { expect, test } from "vitest";
import { beginnings, lastUpTo, summed } from "../../src/data/columns";
import { decode, UnreadablePage } from "../../src/data/decode";
import { Run } from "../../src/data/run";
import { exchange } from "../samples/runs";

const view = { format: 1, runs: [exchange(3, 3)] };

test("deflated data in base64 decodes to what plain JSON does", () => {
  const json = JSON.stringify(view);
  const base64 = deflateRawSync(Buffer.from(json)).toString("base64");
  expect(decode(base64, "deflate-base64")).toEqual(decode(json, "json"));
  expect(decode(json, "json").runs[0].title).toBe("all-to-all on torus:3x3");
});

test("what may be left out is empty after decoding", () => {
  const { messages, steps, machine, counts, title } = exchange(3, 3);
  const bare = { title, machine: { ...machine, layout: undefined }, counts, steps, messages };
  delete (bare.machine as Partial<typeof bare.machine>).layout;
  const run = decode(JSON.stringify({ format: 1, runs: [bare] }), "json").runs[0];
  expect(run.machine.layout).toEqual([]);
  expect(run.claims).toEqual([]);
  expect(new Run(run).calls.recorded).toBe(false);
  expect(new Run(run).shows.after(0, 1)).toEqual([]);
});

test("data of another format is refused with what to do", () => {
  expect(() => decode('{"format": 2, "runs": []}', "json")).toThrow(UnreadablePage);
  expect(() => decode('{"format": 1, "runs": []}', "json")).toThrow("lockstep view");
});

test("columns of differences sum up, and the first entry counts from 0", () => {
  expect([...summed([1, 0, 2, -3])]).toEqual([1, 1, 3, 0]);
  expect([...beginnings(Int32Array.of(0, 0, 2), 3)]).toEqual([0, 2, 2, 3]);
});

test("the last entry up to a limit is found, or none", () => {
  const sorted = [1, 3, 3, 7];
  expect(lastUpTo(sorted, 3, 0, 4)).toBe(2);
  expect(lastUpTo(sorted, 0, 0, 4)).toBe(-1);
  expect(lastUpTo(sorted, 9, 0, 4)).toBe(3);
  expect(lastUpTo(sorted, 1, 1, 4)).toBe(-1);
});

test("whole numbers beyond 2^53 stay exact in totals", () => {
  const json = exchange(2, 2);
  json.steps.totals.volume[0] = "9007199254740993";
  expect(new Run(json).total("volume", 1)).toBe("9007199254740993");
});
