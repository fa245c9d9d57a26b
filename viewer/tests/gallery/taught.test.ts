// What a class reads on the pages: the algorithm's own function beside the run, and values of at most three
// digits. LOCKSTEP names the tool.
import { expect, test } from "vitest";
import type { ShownNumber } from "../../src/data/format";
import type { Run } from "../../src/data/run";
import { placesFrom } from "../../src/data/standing";
import { stepSentence } from "../../src/data/sentences";
import { shownText } from "../../src/data/words";
import { svgPicture } from "../../src/drawing/picture";
import { sceneOf } from "../samples/scene";
import { fileOf, names, runIn } from "./pages";

/// The 30 pages that are taught most, and the functions of which one is shown after every step.
const taught: Record<string, string[]> = {
  "all-gather": ["all_gather_directly"],
  "all-reduce": ["all_reduce_in_pieces"],
  "all-to-all": ["exchange", "all_to_all"],
  "all-to-all-direct": ["all_to_all_direct"],
  "bitonic-sort": ["bitonic_sort"],
  "block-broadcast": ["broadcast_in_pieces"],
  broadcast: ["broadcast_in_pieces"],
  cannon: ["cannon"],
  "column-sort": ["sort_full_columns"],
  "counting-sort": ["counting_sort"],
  fft: ["fft"],
  gather: ["gather_directly"],
  "h-relation": ["h_relation"],
  "h-relation-direct": ["h_relation_direct"],
  "matrix-product": ["matrix_product"],
  "matrix-sum": ["reduce_in_pieces"],
  "median-sort": ["median_sort"],
  "odd-even-merge-sort": ["odd_even_merge_sort"],
  "odd-even-transposition-sort": ["sort_line", "odd_even_transposition_sort"],
  "pipelined-prefix": ["run"], // of a class; the algorithm calls it
  prefix: ["prefix_on_tree"],
  "radix-sort": ["sort_by"],
  "random-access-read": ["random_access_read"],
  "random-access-write": ["write"], // of the chosen scheme, by buckets
  "rotate-sort": ["sort"],
  "sample-sort": ["sample_sort"],
  scatter: ["scatter_directly"],
  "shear-sort": ["shear_sort"],
  summa: ["summa"],
  transportation: ["transported_in_order"],
};

/// The other pages. Where the algorithm's own function only calls one of several schemes, that of the scheme
/// which runs is shown, and where all it does is one call, the function that it calls.
const others: Record<string, string[]> = {
  "all-gatherv": ["all_gather_in_ring"], // the scheme
  "all-to-all-binary": ["all_to_all_binary"],
  "all-to-allv": ["all_to_allv_in_rings"], // the scheme
  balance: ["balance"],
  concentrate: ["fix_bits"], // all that it does
  "concentrate-elements": ["concentrate_elements"],
  "data-distribution": ["prefix_on_shuffle_exchange"], // a prefix by the network's scheme, all that it does
  "distribute-elements": ["distribute_elements"],
  "exclusive-scan": ["prefixes_by_rounds"], // the scheme
  gatherv: ["gather_by_rounds"], // the scheme
  generalize: ["generalize"],
  goal: ["run"], // does one operation of the schedule after another
  "greedy-route": ["greedy_route"],
  "inverse-concentrate": ["fix_bits"], // all that it does
  merge: ["merged_set"], // the textbook's
  "merge-sort": ["merged_set"], // the textbook's merging, of which the sort is a loop
  "monotone-route": ["monotone_route"],
  "msbt-broadcast": ["msbt_broadcast"],
  "msbt-sum": ["msbt_sum"],
  "multiway-merge": ["multiway_merge"],
  "multiway-merge-sort": ["run"], // of a class; the algorithm calls it
  "nassimi-sahni-sort": ["merge_many_ways"], // of one level, which it does as often as there are levels
  "randomized-routing": ["routed_at_random"], // all that it does
  reduce: ["reduce_in_pieces"],
  "reduce-scatter": ["reduce_scatter_in_ring"], // the scheme
  scan: ["prefixes_by_doubling"], // the scheme
  scatterv: ["scatter_by_rounds"], // the scheme
  "segmented-prefix": ["prefix_on_hypercube"], // the network's scheme
  transpose: ["transpose"],
  "vector-combine": ["sums"], // of the scheme, by halving
  "vector-combine-scan": ["sums"],
  "vector-scan": ["sums"],
};

function functionsShown(run: Run): Set<string> {
  const shown = new Set<string>();
  for (let step = 0; step <= run.steps; ++step)
    shown.add(run.functions.best(placesFrom(run, step))?.name ?? "");
  return shown;
}

test("thirty pages are taught", () => {
  expect(Object.keys(taught)).toHaveLength(30);
  expect(Object.keys({ ...taught, ...others }).sort()).toEqual([...names].sort());
});

test.each(Object.entries({ ...taught, ...others }))(
  "%s: the algorithm's own function is shown at the beginning and after every step",
  (name, expected) => {
    const shown = [...functionsShown(runIn(fileOf(name)))];
    expect(shown.filter((one) => !expected.includes(one))).toEqual([]);
  },
);

/// The numbers that a run shows.
function numbersIn(run: Run): number[] {
  const found: number[] = [];
  for (let at = 0; at < run.shows.count; ++at) {
    const value = run.shows.value(at) as Record<string, unknown>;
    const matrix = value.matrix as { numbers: number[] } | undefined;
    const sample = value.sample as { numbers: number[] } | undefined;
    for (const numbers of [value.numbers, matrix?.numbers, sample?.numbers])
      if (numbers) found.push(...(numbers as number[]));
    if ("number" in value) found.push(value.number as number);
  }
  return found;
}

test.each(Object.keys(taught).filter((name) => name.endsWith("sort")))(
  "%s: the run shows numbers",
  (name) => expect(numbersIn(runIn(fileOf(name))).length).toBeGreaterThan(8),
);

test.each(names)("%s: no number has more than three digits", (name) => {
  const long = numbersIn(runIn(fileOf(name)))
    .map((one) => shownText(one as ShownNumber))
    .filter((text) => text.replace(/\D/g, "").replace(/^0+/, "").length > 3);
  expect([...new Set(long)]).toEqual([]);
});

test.each(names)("%s: the page counts the steps of the run, and each has a sentence that says what it is", (name) => {
  const run = runIn(fileOf(name));
  expect(run.lastStep).toBe(String(run.json.counts.rounds));
  for (let step = 1; step <= run.steps; ++step)
    expect(stepSentence(run, step)).toMatch(/Why: |^After the last step: /);
});

/// What is written in a step's picture: of the stage in a window of 1366 pixels, or on a telephone.
function textsIn(run: Run, step: number, size = { width: 900, height: 430 }): string[] {
  const svg = svgPicture(sceneOf(run, step, size), size.width, size.height, "");
  return [...svg.matchAll(/<text [^>]*>([^<]*)<\/text>/g)].map((found) => found[1]);
}

/// Sorts whose every key lies in a processor's memory after each step: of those by merges and by ranks some are on
/// their way.
const withKeysOnTheirWay = ["merge-sort", "multiway-merge-sort", "nassimi-sahni-sort"];
const sorts = names.filter((name) => name.endsWith("-sort") && !withKeysOnTheirWay.includes(name));

test.each(sorts)("%s: the keys are drawn at the processors after each step", (name) => {
  const run = runIn(fileOf(name));
  for (let step = 0; step <= run.steps; ++step) {
    const written = textsIn(run, step).flatMap((text) => text.split(" "));
    for (let rank = 0; rank < run.processors; ++rank) {
      const keys = run.shows.after(rank, step).find((one) => one.name === "keys");
      const value = keys?.value as { numbers: number[] };
      for (const key of value.numbers) expect([name, step, written]).toEqual([name, step, expect.arrayContaining([String(key)])]);
    }
    expect(textsIn(run, step, { width: 320, height: 290 }).at(-2)).toMatch(/^below.*: .*keys/);
  }
});

test.each([
  ["sample-sort", 3, 9],
  ["median-sort", 3, 8],
])("%s: in steps %i to %i the pivots are drawn beside the keys", (name, first, last) => {
  const run = runIn(fileOf(name));
  for (let step = first; step <= last; ++step)
    for (const size of [undefined, { width: 320, height: 290 }])
      expect(textsIn(run, step, size).at(-2)).toMatch(/: keys, pivots/);
});

test("cannon: what comes in is shown in the step in which it does", () => {
  const run = runIn(fileOf("cannon"));
  const shown = new Set([...run.shows.rank].map((rank, at) => `${rank} in ${run.shows.step[at]}`));
  for (let step = 1; step <= run.steps; ++step)
    for (const at of run.messages.of(step)) expect(shown).toContain(`${run.messages.to[at]} in ${step}`);
});
