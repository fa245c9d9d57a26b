#include <lockstep/algorithms/sorting/sample_sort.hpp>

#include <cstdint>
#include <limits>
#include <span>
#include <utility>
#include <vector>

#include <lockstep/claim_list.hpp>

#include "harness/experiment_list.hpp"
#include "harness/sources.hpp"
#include "harness/stages.hpp"
#include "numeric/textbook_time.hpp"
#include "routing/supposed_sizes.hpp"
#include "sorting/bucket_sort_run.hpp"
#include "sorting/counted_order.hpp"

namespace lockstep {

namespace {

/// Bytes of a key: made, numbered, on its way, sorted, and to compare with.
constexpr bytes_of_keys bytes_of_sample_key{.each = 190};

constexpr integer_parameter samples_drawn{"samples",
                                          "samples that each processor draws; 0 takes ceil(5 ln n)",
                                          0, 0, std::numeric_limits<std::uint32_t>::max()};
constexpr flag_parameter drawn_with_replacement{
    "with-replacement", "a processor may draw a key as a sample more than once"};
constexpr flag_parameter made_even{
    "even", "keys are shifted in the end, so that every processor has n/p of them"};

/// The sizes on which the communication of a sample sort depends.
struct sizes_of_samples {
  bool is_of_one_routing = true;  ///< and nothing behind it
  std::uint64_t samples = 0;      ///< of each processor
  std::uint64_t slot = 0;
};

/// Claims T_p: the textbook's order, and, with the operations that were counted, what the schedule gives.
void claim_time(experiment_result& result, bdm_machine const& on, std::uint64_t n,
                sizes_of_samples const& sizes) {
  claim_textbook_time_of_samples(result, on.p, n);
  auto const p = static_cast<std::uint64_t>(on.p);
  if (!sizes.is_of_one_routing || p < 2 || sizes.samples == 0 || sizes.samples * p > n) return;
  claim_list const letters({{{"p", on.p},
                             {"m", static_cast<double>(on.packet)},
                             {"s", static_cast<double>(sizes.samples)},
                             {"slot", static_cast<double>(sizes.slot)},
                             {"work", static_cast<double>(result.record.counts().work)}}});
  claim_textbook_time(result, letters,
                      "work + 3 t_s + (p - 1)m ceil(s/m) + 2(p - 1)m ceil(slot/m)");
}

[[nodiscard]] experiment_result run_sample_sort(arguments const& given) {
  auto const on = bdm_machine_from(given);
  auto promises = promises_of_comparing(given, bytes_of_sample_key, on.packet);
  auto const input = keys_to_compare(given, promises);
  sample_sort_options const options{.samples = given[samples_drawn],
                                    .with_replacement = given[drawn_with_replacement],
                                    .c = given[slot_factor_of_buckets],
                                    .evened_out = given[made_even],
                                    .seed = given.seed()};
  std::uint64_t const n = input.size();
  auto const slot = randomized_slot(n, on.p, options.c);
  auto const samples = options.samples == 0 ? samples_of(n) : options.samples;
  require_memory_of_buckets(given, samples, slot);
  processor_notes<bucket_fact> notes(given);
  promises.even_blocks = options.evened_out;
  if (progress_scope::board() != nullptr) expect_steps(sample_sort_claims(on, n, options, {1, 0}));
  auto result =
      solve_sort(given, input, promises, [&](processor& me, std::vector<sort_element> mine) {
        return noted(notes, me, sample_sort(me, mine, n, counted_order(me), options));
      });
  bucket_facts const facts(notes);
  facts.add_buckets_to(result);
  facts.add_routing_to(result, slot);
  result.figures["samples"] = static_cast<std::int64_t>(samples);
  result.claims = sample_sort_claims(on, n, options, {facts.attempts(), facts.largest_bucket()});
  auto order = order_of_comparisons(on, n, "Theorem 5.2, with high probability");
  if (n > 1) order.where(detail::room_with_high_probability);
  add_claims(result, order);
  claim_time(result, on, n,
             {.is_of_one_routing = !options.evened_out && facts.attempts() == 1,
              .samples = samples,
              .slot = slot});
  return result;
}

}  // namespace

experiment sample_sort_experiment() {
  return comparison_sort_experiment(
      {.name = "sample-sort",
       .summary =
           "stable sort of any numbers by buckets between random samples, which go by way of "
           "random processors; keys are generated, or those of an input file",
       .source = cited(jaja_ryu_1994, "Theorem 5.2"),
       .run = run_sample_sort},
      {slot_factor_of_buckets, samples_drawn, drawn_with_replacement, made_even});
}

}  // namespace lockstep
