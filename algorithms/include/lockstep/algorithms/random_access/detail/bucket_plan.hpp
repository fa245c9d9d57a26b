#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include <lockstep/algorithms/random_access/bucket_layout.hpp>
#include <lockstep/algorithms/random_access/detail/access_entry.hpp>
#include <lockstep/algorithms/random_access/detail/stretched_buckets.hpp>
#include <lockstep/payload.hpp>
#include <lockstep/processor.hpp>

namespace lockstep::detail {

/// The hits of each bucket: of all processors, and of those with lower ranks.
struct bucket_hits {
  std::vector<std::uint64_t> totals;
  std::vector<std::uint64_t> before;
};

/// Adds up the hits of all processors in phase "combine bucket hits". `mine`: of this processor.
[[nodiscard]] std::vector<std::uint64_t> total_bucket_hits(processor& me,
                                                           std::vector<std::uint64_t> const& mine);
/// Adds up those of lower ranks in phase "scan bucket hits".
[[nodiscard]] std::vector<std::uint64_t> bucket_hits_before(processor& me,
                                                            std::vector<std::uint64_t> const& mine);
/// Does both.
[[nodiscard]] bucket_hits counted_bucket_hits(processor& me,
                                              std::vector<std::uint64_t> const& mine);

/// How a random access by buckets is to go on, once all hits are known.
struct bucket_plan {
  stretched_buckets buckets;
  std::vector<bool> goes_straight;  ///< for each bucket, whether elements go to their owner at once

  /// Where an element goes in stage 1: to its slot, or, without one, to the owner of its address.
  template <payload_element T>
  [[nodiscard]] int processor_for(access_entry<T> const& entry) const {
    return entry.slot == no_slot ? buckets.layout().owner(entry.address)
                                 : buckets.processor_of(entry.slot);
  }
};

/// Stretches all buckets, over L slots on each processor.
[[nodiscard]] bucket_plan plan_for_all(bucket_layout const& layout,
                                       std::vector<std::uint64_t> const& hits);
/// Stretches the dense buckets, with more elements than addresses; the other elements go straight.
/// `is_levelled`: so that, with what goes straight, processors get as even a number as can be.
[[nodiscard]] bucket_plan plan_for_dense(bucket_layout const& layout,
                                         std::vector<std::uint64_t> const& hits, bool is_levelled);

/// Counts the elements for each bucket.
template <payload_element T>
[[nodiscard]] std::vector<std::uint64_t> hits_of(bucket_layout const& layout,
                                                 std::span<access_entry<T> const> entries) {
  std::vector<std::uint64_t> hits(layout.buckets());
  for (auto const& entry : entries) ++hits[layout.bucket(entry.address)];
  return hits;
}

/// Gives the t-th element of a stretched bucket the slot behind those of lower ranks, `before` of
/// each bucket.
template <payload_element T>
void give_slots(bucket_layout const& layout, bucket_plan const& plan,
                std::vector<std::uint64_t> const& before, std::span<access_entry<T>> entries) {
  auto next = before;
  for (auto& entry : entries)
    if (auto const bucket = layout.bucket(entry.address); !plan.goes_straight[bucket])
      entry.slot = plan.buckets.first_slot(bucket) + next[bucket]++;
}

}  // namespace lockstep::detail
