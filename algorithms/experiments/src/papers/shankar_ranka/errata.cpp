#include "papers/shankar_ranka/errata.hpp"

namespace lockstep {

erratum doubled_bound() {
  return {1,
          "transportation takes r + c words, not 2(r + c): with r = c = t that would be twice the "
          "2t of the sentence before"};
}

erratum terms_of_lower_order() {
  return {2,
          "O(p^2) and O(p^3) must be Omega; at the threshold the terms of lower order, p^2 of "
          "rounding and 4kp + 4n/(kp) of vectors, are as large as what is claimed"};
}

erratum whole_sparse_buckets() {
  return {3,
          "without requests a source sends all cells of a sparse bucket, and one processor may "
          "hold min(kp, n/p) of these"};
}

erratum shifts_are_not_enough() {
  return {
      6,
      "shifts by one processor are misled by processors that have nothing left; lockstep's scans "
      "up and down, and its all-gather, take log p start-ups each"};
}

erratum whole_elements() {
  return {10,
          "n >= p^3/m suffices only if elements are cut into words: rounding whole elements of m "
          "words costs up to m p(p - 1)"};
}

erratum elements_are_not_cut() {
  return {0, "2m(1 - 1/p) words need p to divide m: a half of an odd number is rounded up"};
}

erratum fold_sends_whole_vectors() {
  return {0,
          "p is not a power of two: a fold keeps the start-ups, and sends vectors whole before and "
          "after"};
}

erratum exchange_has_more_startups() {
  return {
      0, "p is not a power of two: complete exchanges keep the words, and have 2(p - 1) start-ups"};
}

}  // namespace lockstep
