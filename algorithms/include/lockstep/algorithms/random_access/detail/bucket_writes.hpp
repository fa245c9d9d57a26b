#pragma once

#include <algorithm>
#include <cstddef>
#include <span>
#include <utility>
#include <vector>

#include <lockstep/algorithms/random_access/bucket_layout.hpp>
#include <lockstep/algorithms/random_access/detail/access_entry.hpp>
#include <lockstep/algorithms/random_access/detail/bucket_plan.hpp>
#include <lockstep/algorithms/random_access/detail/stored_buckets.hpp>
#include <lockstep/algorithms/random_access/monotone_sends.hpp>
#include <lockstep/algorithms/random_access/random_access_options.hpp>
#include <lockstep/algorithms/random_access/transportation.hpp>
#include <lockstep/processor.hpp>

namespace lockstep::detail {

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
    auto const hits = counted_bucket_hits(m_me, hits_of<T>(m_layout, entries));
    auto const plan = is_hybrid ? plan_for_dense(m_layout, hits.totals,
                                                 m_options.variant != access_variant::hybrid_plain)
                                : plan_for_all(m_layout, hits.totals);
    give_slots<T>(m_layout, plan, hits.before, entries);
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

  /// Brings elements to their slots, and those without to their addresses.
  [[nodiscard]] stored_buckets<T, Operator> stage_1(entry_list const& entries,
                                                    bucket_plan const& plan) {
    auto const to = [&](access_entry<T> const& entry) { return plan.processor_for(entry); };
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
