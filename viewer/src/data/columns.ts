import type { Whole } from "./format";

/// Sums up a column of differences: the first entry is its difference to 0.
export function summed(differences: readonly number[]): Int32Array {
  const values = new Int32Array(differences.length);
  let value = 0;
  for (let at = 0; at < differences.length; ++at) values[at] = value += differences[at];
  return values;
}

/// Reads whole numbers, exact up to 2^53.
export function numbers(column: readonly Whole[]): Float64Array {
  return Float64Array.from(column, Number);
}

/// Where each key's entries begin in a sorted column: those of key k are [begins[k], begins[k +
/// 1]).
export function beginnings(sorted: Int32Array, keys: number): Int32Array {
  const begins = new Int32Array(keys + 1);
  for (const key of sorted) if (key >= 0 && key < keys) ++begins[key + 1];
  for (let key = 0; key < keys; ++key) begins[key + 1] += begins[key];
  return begins;
}

/// The last index in [begin, end) whose value is at most `limit`, or -1.
export function lastUpTo(
  sorted: ArrayLike<number>,
  limit: number,
  begin: number,
  end: number,
): number {
  let low = begin;
  let high = end;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (sorted[middle] <= limit) low = middle + 1;
    else high = middle;
  }
  return low > begin ? low - 1 : -1;
}
