#include <lockstep/algorithms/sorting/median_sort.hpp>

#include <array>
#include <cstdint>
#include <functional>
#include <span>
#include <utility>
#include <vector>

#include "harness/experiment_list.hpp"
#include "harness/sources.hpp"
#include "harness/stages.hpp"
#include "numeric/textbook_time.hpp"
#include "sorting/bucket_sort_run.hpp"
#include "sorting/counted_order.hpp"
#include "sorting/supposed_sizes.hpp"

namespace lockstep {

namespace {

/// Bytes of a key: made, numbered, on its way, sorted, and to compare with.
constexpr bytes_of_keys bytes_of_median_key{.each = 72};

constexpr choice_parameter way_of_buckets{
    "way", "of the buckets: direct (after their bounds) or random (by random processors, in slots)",
    std::array{named_choice{"direct", median_sort_route::direct},
               named_choice{"random", median_sort_route::random}}};

/// Claims how many comparisons the merge of a bucket takes where the bucket comes in sorted runs, and the
/// paper's order of all.
void claim_comparisons(experiment_result& result, bdm_machine const& on, std::uint64_t n,
                       bucket_facts const& facts, median_sort_route way) {
  if (way == median_sort_route::direct) {
    result.figures["merging"] = static_cast<std::int64_t>(work_of_phases(result.record, "buckets"));
    claim_list merges(
        {{{"p", on.p}, {"largest_bucket", static_cast<double>(facts.largest_bucket())}}});
    add_claims(result, merges.from("lockstep, the comparisons counted")
                           .at_most("merging", "largest_bucket ceil(log2 p)"));
  }
  auto order = order_of_comparisons(on, n, "section 5.1");
  if (n > 1) order.where(detail::elements_of_columns);
  add_claims(result, order);
}

[[nodiscard]] experiment_result run_median_sort(arguments const& given) {
  auto const on = bdm_machine_from(given);
  auto const promises = promises_of_comparing(given, bytes_of_median_key, on.packet);
  auto const input = keys_to_compare(given, promises);
  median_sort_options const options{
      .way = given[way_of_buckets], .c = given[slot_factor_of_buckets], .seed = given.seed()};
  std::uint64_t const n = input.size();
  bool const has_slots = options.way == median_sort_route::random;
  auto const slot_of_random =
      randomized_slot(n, on.p, options.c);  // so that c is checked in any case
  auto const slot = has_slots ? slot_of_random : 0;
  require_memory_of_buckets(given, static_cast<std::uint64_t>(on.p), slot);
  processor_notes<bucket_fact> notes(given);
  if (progress_scope::board() != nullptr) expect_steps(median_sort_claims(on, n, options, {1}));
  auto result =
      solve_sort(given, input, promises, [&](processor& me, std::vector<sort_element> mine) {
        return noted(notes, me, median_sort(me, std::move(mine), n, counted_order(me), options));
      });
  bucket_facts const facts(notes);
  facts.add_buckets_to(result);
  if (has_slots) facts.add_routing_to(result, slot);
  result.claims = median_sort_claims(on, n, options, {facts.attempts()});
  claim_comparisons(result, on, n, facts, options.way);
  if (!has_slots) claim_textbook_time_of_samples(result, on.p, n);
  return result;
}

}  // namespace

experiment median_sort_experiment() {
  return comparison_sort_experiment(
      {.name = "median-sort",
       .summary =
           "stable sort of any numbers by buckets between p - 1 keys of each sorted block; keys "
           "are generated, or those of an input file",
       .source = cited(jaja_ryu_1994, "section 5.1"),
       .run = run_median_sort},
      {way_of_buckets, slot_factor_of_buckets});
}

}  // namespace lockstep
