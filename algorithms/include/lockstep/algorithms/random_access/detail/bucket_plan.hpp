#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <source_location>
#include <span>
#include <vector>

#include <lockstep/algorithms/random_access/bucket_layout.hpp>
#include <lockstep/algorithms/random_access/detail/access_checks.hpp>
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
[[nodiscard]] std::vector<std::uint64_t> total_bucket_hits(
    processor& me, std::vector<std::uint64_t> const& mine,
    std::source_location where = std::source_location::current());
/// Adds up those of lower ranks in phase "scan bucket hits".
[[nodiscard]] std::vector<std::uint64_t> bucket_hits_before(
    processor& me, std::vector<std::uint64_t> const& mine,
    std::source_location where = std::source_location::current());
/// Does both.
[[nodiscard]] bucket_hits counted_bucket_hits(
    processor& me, std::vector<std::uint64_t> const& mine,
    std::source_location where = std::source_location::current());

/// How a random access by buckets is to go on, once all hits are known.
struct bucket_plan {
  stretched_buckets buckets;
  std::vector<bool> goes_straight;  ///< for each bucket, whether elements go to their owner at once

  /// Where an element goes in stage 1: to its slot, or, without one, to the owner of its address.
  /// Errors: invalid_argument for one of a processor with another layout, which has no place here.
  template <payload_element T, class Index>
  [[nodiscard]] int processor_for(slotted_value<T, Index> const& element) const {
    return element.slot == element.no_slot ? owner(element.address)
                                           : processor_of(element.slot, element.address);
  }
  template <payload_element T>
  [[nodiscard]] int processor_for(access_entry<T> const& entry) const {
    return entry.slot == no_slot ? owner(entry.address) : processor_of(entry.slot, entry.address);
  }

 private:
  [[nodiscard]] int owner(std::size_t address) const {
    if (address >= buckets.layout().elements()) [[unlikely]]
      throw_no_place(address);
    return buckets.layout().owner(address);
  }
  [[nodiscard]] int processor_of(std::uint64_t slot, std::size_t address) const {
    if (slot >= buckets.slots()) [[unlikely]]
      throw_no_place(address);
    return buckets.processor_of(slot);
  }
};

/// Where the elements of a processor go in stage 1, one after another, and which slots they get.
/// The t-th element of a stretched bucket gets the slot behind those of lower ranks.
template <std::unsigned_integral Index>
class slot_dealer {
 public:
  /// `before`: elements of lower ranks in each bucket.
  slot_dealer(bucket_plan const& plan, std::span<std::uint64_t const> before)
      : m_layout(plan.buckets.layout()), m_buckets(plan.buckets) {
    for (std::size_t bucket = 0; bucket < before.size(); ++bucket) {
      auto const& of = plan.buckets;
      if (plan.goes_straight[bucket] || of.hits(bucket) == 0)
        m_next.push_back({no_slot, 0});
      else
        m_next.push_back({static_cast<Index>(of.first_slot(bucket) + before[bucket]), 1});
    }
  }

  /// Calls `send(processor, slotted value)` for the next element.
  template <payload_element T, class Send>
  void deal(std::size_t address, T const& value, Send const& send) {
    auto& next = m_next[m_layout.bucket(address)];
    auto const slot = next.slot;
    next.slot = static_cast<Index>(slot + next.step);
    // Not by whether the bucket has one processor: that branch would be guessed wrong.
    auto const to = slot == no_slot ? m_layout.owner(address) : m_buckets.processor_of(slot);
    send(static_cast<std::size_t>(to),
         slotted_value<T, Index>{slot, static_cast<Index>(address), value});
  }

 private:
  static constexpr Index no_slot = std::numeric_limits<Index>::max();

  /// The slot of a bucket's next element.
  struct next_element {
    Index slot;
    Index step;  ///< 0 where elements get no slot
  };

  bucket_layout m_layout;
  stretched_buckets const& m_buckets;
  std::vector<next_element> m_next;
};

/// Counts the elements that a processor sends to each in stage 1. `mine`: its elements in each
/// bucket; `before`: those of lower ranks.
[[nodiscard]] std::vector<std::uint32_t> elements_to_each(bucket_plan const& plan,
                                                          std::span<std::uint64_t const> mine,
                                                          std::span<std::uint64_t const> before);

/// Counts the operations of a plan on a processor: the additions that give each bucket its place, its
/// first slot for this processor's elements, and these to the messages of stage 1.
[[nodiscard]] inline std::uint64_t operations_of_plan(bucket_layout const& layout) {
  return 3 * std::uint64_t{layout.buckets()};
}

/// Counts the operations that put elements where they belong between the stages: section 4.3's passes over
/// buckets and elements.
[[nodiscard]] inline std::uint64_t operations_of_storage(bucket_layout const& layout,
                                                         std::size_t elements) {
  return std::uint64_t{layout.buckets()} + elements;
}

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
