#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <utility>
#include <vector>

#include <lockstep/algorithms/random_access/bucket_layout.hpp>
#include <lockstep/algorithms/random_access/detail/access_entry.hpp>
#include <lockstep/algorithms/random_access/detail/stored_buckets.hpp>
#include <lockstep/algorithms/random_access/detail/stretched_buckets.hpp>
#include <lockstep/algorithms/random_access/monotone_sends.hpp>
#include <lockstep/algorithms/random_access/random_access_options.hpp>
#include <lockstep/algorithms/random_access/transportation.hpp>
#include <lockstep/algorithms/random_access/vector_combine.hpp>
#include <lockstep/processor.hpp>

namespace lockstep::detail {

/// The hits of each bucket: of all processors, and of those with lower ranks.
struct bucket_hits {
  std::vector<std::uint64_t> totals;
  std::vector<std::uint64_t> before;
};

/// Counts them in phases "combine bucket hits" and "scan bucket hits". `mine`: of this processor.
[[nodiscard]] bucket_hits counted_bucket_hits(processor& me,
                                              std::vector<std::uint64_t> const& mine);

/// How a random access write by buckets is to go on, once all hits are known.
struct bucket_plan {
  stretched_buckets buckets;
  std::vector<bool> goes_straight;  ///< for each bucket, whether elements go to their owner at once
};

/// Stretches all buckets, over L slots on each processor.
[[nodiscard]] bucket_plan plan_for_all(bucket_layout const& layout,
                                       std::vector<std::uint64_t> const& hits);
/// Stretches the dense buckets, with more elements than addresses; the other elements go straight.
/// `is_levelled`: so that, with what goes straight, processors get as even a number as can be.
[[nodiscard]] bucket_plan plan_for_dense(bucket_layout const& layout,
                                         std::vector<std::uint64_t> const& hits, bool is_levelled);

/// Writes by buckets: what arrives at a processor's addresses is combined in `cells`.
template <payload_element T, class Operator>
class bucket_writes {
 public:
  bucket_writes(processor& me, bucket_layout const& layout, Operator const& plus,
                random_access_options const& options, std::span<extended<T>> cells)
      : m_me(me), m_layout(layout), m_plus(plus), m_options(options), m_cells(cells) {}

  /// Errors: those of the machine.
  [[nodiscard]] random_access_record write(std::vector<access_entry<T>> entries, bool is_hybrid) {
    auto const local = is_hybrid ? take_out_local(entries) : std::vector<access_entry<T>>();
    auto const hits = counted_bucket_hits(m_me, hits_of(entries));
    auto const plan = is_hybrid ? plan_for_dense(m_layout, hits.totals,
                                                 m_options.variant != access_variant::hybrid_plain)
                                : plan_for_all(m_layout, hits.totals);
    give_slots(entries, hits.before, plan);
    auto const stored = stage_1(entries, plan);
    auto const schedule = plan.buckets.messages();
    stage_2(stored.messages(), schedule);
    apply(local);
    return {.choice = is_hybrid ? access_choice::hybrid : access_choice::arbitrary,
            .full_buckets = plan.buckets.full_buckets(),
            .partial_buckets = plan.buckets.partial_buckets(),
            .largest_bucket = hits.totals.empty() ? 0 : *std::ranges::max_element(hits.totals),
            .stage_2_steps = schedule.steps()};
  }

 private:
  using entry_list = std::vector<access_entry<T>>;

  /// Moves the elements out whose addresses are here.
  [[nodiscard]] entry_list take_out_local(entry_list& entries) const {
    auto const leaves = [&](access_entry<T> const& entry) {
      return m_layout.owner(entry.address) != m_me.rank();
    };
    auto const local = std::stable_partition(entries.begin(), entries.end(), leaves);
    entry_list taken(local, entries.end());
    entries.erase(local, entries.end());
    return taken;
  }

  [[nodiscard]] std::vector<std::uint64_t> hits_of(entry_list const& entries) const {
    std::vector<std::uint64_t> hits(m_layout.buckets());
    for (auto const& entry : entries) ++hits[m_layout.bucket(entry.address)];
    return hits;
  }

  /// Gives the t-th element of a stretched bucket the slot behind those of lower ranks.
  void give_slots(entry_list& entries, std::vector<std::uint64_t> next,
                  bucket_plan const& plan) const {
    for (std::size_t bucket = 0; bucket < next.size(); ++bucket)
      next[bucket] += plan.buckets.first_slot(bucket);
    for (auto& entry : entries)
      if (auto const bucket = m_layout.bucket(entry.address); !plan.goes_straight[bucket])
        entry.slot = next[bucket]++;
  }

  /// Brings elements to their slots, and those without to their addresses.
  [[nodiscard]] stored_buckets<T, Operator> stage_1(entry_list const& entries,
                                                    bucket_plan const& plan) {
    auto const to = [&](access_entry<T> const& entry) {
      return entry.slot == no_slot ? m_layout.owner(entry.address)
                                   : plan.buckets.processor_of(entry.slot);
    };
    auto const came =
        transportation(m_me, std::span<access_entry<T> const>(entries), to,
                       {.route = m_options.stage_1, .keeps_route = false, .in_order = false})
            .elements;
    for (auto const& entry : came)
      if (entry.slot == no_slot) apply(std::span(&entry, 1));
    stored_buckets<T, Operator> stored(m_me, plan.buckets, m_plus);
    stored.store(came);
    stored.join_partial_buckets(m_me);
    return stored;
  }

  /// Brings buckets to their owners, which combine them in the order of senders.
  void stage_2(std::vector<addressed_elements<access_entry<T>>> messages,
               monotone_schedule const& schedule) {
    if (m_options.stage_2 == bucket_route::sends) {
      m_me.phase("sends");
      for (auto const& message : monotone_sends(m_me, std::move(messages), schedule))
        apply(message.elements);
      return;
    }
    entry_list all;
    for (auto const& message : messages)
      all.insert(all.end(), message.elements.begin(), message.elements.end());
    auto const route = m_options.stage_2 == bucket_route::linear ? transportation_route::direct
                                                                 : transportation_route::two_stages;
    auto const owner = [&](access_entry<T> const& entry) { return m_layout.owner(entry.address); };
    apply(transportation(m_me, std::span<access_entry<T> const>(all), owner,
                         {.route = route, .phases = {"sends", "sends"}, .keeps_route = false})
              .elements);
  }

  void apply(std::span<access_entry<T> const> entries) const {
    apply_entries<T>(m_cells, m_layout.first_of(m_me.rank()), m_plus, entries);
  }

  processor& m_me;
  bucket_layout const& m_layout;
  Operator const& m_plus;
  random_access_options const& m_options;
  std::span<extended<T>> m_cells;
};

}  // namespace lockstep::detail
