#include "papers/shankar_ranka/errata.hpp"

namespace lockstep {

erratum doubled_bound() {
  return {
      1,
      "2(r + c) is a bound that holds, and twice what suffices: with r = c = t it would be twice "
      "the 2t of the sentence before"};
}

erratum terms_of_lower_order() {
  return {
      2,
      "\"(+ lower order terms)\": up to p^2 words of rounding, and 4kp + 4n/(kp) of vectors; the "
      "row with all terms has to hold"};
}

erratum whole_sparse_buckets() {
  return {
      3,
      "section 7's change, read for all buckets: without requests a source does not know which "
      "cells of a sparse bucket are wanted, so it sends all, and one processor may hold min(kp, "
      "n/p) of these buckets; for the dense buckets of a hybrid alone the bound holds"};
}

erratum whole_weighted_buckets() {
  return {3, "weighted buckets are ours, for at most 2n/p + n/(kp)"};
}

erratum scans_and_all_gather() {
  return {
      6,
      "\"(+ lower order terms)\": our scans up and down, and our all-gather, take log2 p start-ups "
      "each"};
}

erratum whole_elements() {
  return {10,
          "\"(+ lower order terms)\": we send elements of m words whole, and rounding costs up to "
          "m p(p - 1); the paper does not say whether they are cut"};
}

erratum whole_bucket_in_a_round() {
  return {
      0,
      "section 4.5 has n/(kp) in the second stage and advises \"an intermediate value of k\", "
      "which "
      "leaves it among the terms of lower order; section 8 gives the sum without it, and with k = "
      "1 "
      "it is n/p: straight, a bucket of as many words goes in one round, and rounds are as long as "
      "their largest message"};
}

erratum startups_of_vectors() {
  return {0,
          "section 4.5 has O(p + log p) start-ups in all: those of vectors, 2 log2 p of each, are "
          "besides the ones of communications between the three kinds of processors"};
}

erratum words_of_scans() {
  return {0,
          "\"(+ lower order terms)\": our scans and all-gathers take O(p) words; phase \"sends\" "
          "keeps n/p"};
}

erratum operations_of_scans() {
  return {0,
          "section 6 has delta n/p of elements; our scans over processors combine up to twice in "
          "each of "
          "log2 p rounds, which it counts as tau log p"};
}

erratum sparse_buckets_alone() {
  return {
      0,
      "every bucket is sparse here: this is section 5's \"processing of sparse buckets alone\"; "
      "+ up to p^2 words of rounding (number 2)"};
}

erratum whole_cells() {
  return {0, "elements are not cut: section 2's 2m words hold where p divides m"};
}

}  // namespace lockstep
