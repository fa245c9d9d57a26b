#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <lockstep/algorithms/routing/randomized_routing.hpp>
#include <lockstep/algorithms/sorting/bucket_sorted.hpp>
#include <lockstep/experiments/parameter.hpp>

#include "harness/processor_notes.hpp"
#include "sorting/comparison_sort.hpp"

namespace lockstep {

inline constexpr real_parameter slot_factor_of_buckets{
    "c",
    "slots of the random routing have room for c n/p^2 keys: a larger one for fewer keys than the "
    "theorem is for",
    3};

/// The findings of a processor that sorts by buckets.
struct bucket_fact {
  std::uint64_t bucket = 0;
  int attempts = 1;
  std::uint64_t redrawn = 0;
};

/// Notes what a processor has found, and keeps its elements.
template <payload_element T>
[[nodiscard]] std::vector<T> noted(processor_notes<bucket_fact>& notes, processor const& me,
                                   bucket_sorted<T> sorted) {
  notes.of(me) = {sorted.bucket, sorted.attempts, sorted.redrawn};
  return std::move(sorted.elements);
}

/// The findings of sorts by buckets, one processor beside the other.
class bucket_facts {
 public:
  /// Takes the notes of a run. All processes make it.
  explicit bucket_facts(processor_notes<bucket_fact> const& notes) : m_all(notes.all()) {}

  [[nodiscard]] int attempts() const { return m_all.front().attempts; }
  [[nodiscard]] std::uint64_t redrawn() const {
    std::uint64_t sum = 0;
    for (auto const& one : m_all) sum += one.redrawn;
    return sum;
  }
  [[nodiscard]] std::uint64_t largest_bucket() const {
    return std::ranges::max_element(m_all, {}, &bucket_fact::bucket)->bucket;
  }

  /// Adds the figure of buckets.
  void add_buckets_to(experiment_result& result) const {
    result.figures["largest_bucket"] = static_cast<std::int64_t>(largest_bucket());
  }
  /// Adds the figures of random routing, in slots of that many keys.
  void add_routing_to(experiment_result& result, std::uint64_t slot) const {
    result.figures["slot"] = static_cast<std::int64_t>(slot);
    result.figures["attempts"] = std::int64_t{attempts()};
    result.figures["redrawn"] = static_cast<std::int64_t>(redrawn());
  }

 private:
  std::vector<bucket_fact> m_all;
};

/// Requires memory for the samples of all processors, which each of them has, and for its slots.
/// Errors: out_of_memory, with the figures.
inline void require_memory_of_buckets(arguments const& given, std::uint64_t samples_of_each,
                                      std::uint64_t slot) {
  constexpr double bytes_of_a_sample = 96;  // tagged, as it comes and among all
  constexpr double bytes_of_a_place = 128;  // of a slot, as it leaves and as it comes
  auto const p = static_cast<double>(given.processors());
  auto const samples = p * static_cast<double>(samples_of_each) * bytes_of_a_sample;
  require_memory(given, {.bytes_each = samples + static_cast<double>(slot) * bytes_of_a_place,
                         .held = fmt::format("{} samples of each, and slots of {} keys,",
                                             samples_of_each, slot),
                         .remedy = "fewer processors or a smaller c"});
}

}  // namespace lockstep
