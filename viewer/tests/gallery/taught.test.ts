// What a class reads on the pages that are taught most: the algorithm's own function beside the run, and
// values of at most three digits. LOCKSTEP names the tool.
import { expect, test } from "vitest";
import type { ShownNumber } from "../../src/data/format";
import type { Run } from "../../src/data/run";
import { standingAfter } from "../../src/data/standing";
import { shownText } from "../../src/data/words";
import { fileOf, names, runIn } from "./pages";

/// The 30 pages, and the functions of which one is shown after every step in which messages come in.
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
  "pipelined-prefix": ["run"],
  prefix: ["prefix_on_tree"],
  "radix-sort": ["sort_by"],
  "random-access-read": ["random_access_read"],
  "random-access-write": ["combined_writes_of", "random_access_write"],
  "rotate-sort": ["sort"],
  "sample-sort": ["sample_sort"],
  scatter: ["scatter_directly"],
  "shear-sort": ["shear_sort"],
  summa: ["summa"],
  transportation: ["transported_in_order"],
};

function functionsShown(run: Run): Set<string> {
  const shown = new Set<string>();
  for (let step = 1; step <= run.steps; ++step) {
    const places = standingAfter(run, step).map(({ place }) => place);
    const best = run.functions.best(places.filter((place) => place >= 0));
    if (best) shown.add(best.name);
  }
  return shown;
}

test("thirty pages are taught", () => {
  expect(Object.keys(taught)).toHaveLength(30);
  expect(names).toEqual(expect.arrayContaining(Object.keys(taught)));
});

test.each(Object.entries(taught))("%s: the algorithm's own function is shown", (name, expected) => {
  const shown = [...functionsShown(runIn(fileOf(name)))];
  expect(shown).not.toEqual([]);
  expect(shown.filter((one) => !expected.includes(one))).toEqual([]);
});

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
