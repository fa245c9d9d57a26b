#pragma once

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <source_location>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include <lockstep/algorithms/random_access/bucket_layout.hpp>
#include <lockstep/algorithms/random_access/detail/access_entry.hpp>
#include <lockstep/algorithms/random_access/detail/bucket_plan.hpp>
#include <lockstep/algorithms/random_access/detail/sends_by_owner.hpp>
#include <lockstep/algorithms/random_access/detail/stored_buckets.hpp>
#include <lockstep/algorithms/random_access/monotone_sends.hpp>
#include <lockstep/algorithms/random_access/random_access_options.hpp>
#include <lockstep/algorithms/random_access/transportation.hpp>
#include <lockstep/detail/library_frame.hpp>
#include <lockstep/processor.hpp>

namespace lockstep::detail {

/// Combines in `cells` the entries that come to the owners of their addresses, in the order of sources.
/// Errors: those of the machine.
template <payload_element T, class Operator>
void write_entries(processor& me, bucket_layout const& layout,
                   std::vector<access_entry<T>> const& entries,
                   transportation_options const& options,
                   addressed_cells<T, Operator> const& cells) {
  std::vector<int> owners(entries.size());
  std::ranges::transform(entries, owners.begin(),
                         [&](access_entry<T> const& entry) { return layout.owner(entry.address); });
  auto const came =
      transported_in_order(me, std::span<access_entry<T> const>(entries), owners, options).elements;
  cells.add(came);
  me.work(came.size());
}

/// Writes by buckets: what arrives at a processor's addresses is combined in `cells`.
template <payload_element T, class Operator>
class bucket_writes {
 public:
  bucket_writes(processor& me, bucket_layout const& layout, Operator const& plus,
                random_access_options const& options, addressed_cells<T, Operator> const& cells,
                std::uint64_t most_narrow = std::numeric_limits<std::uint32_t>::max())
      : m_me(me),
        m_layout(layout),
        m_plus(plus),
        m_options(options),
        m_cells(cells),
        m_most_narrow(most_narrow) {}

  /// `record`: whose choice is arbitrary or hybrid; gets the counts.
  /// Errors: those of the machine.
  template <class Elements>
  void write(Elements const& elements, random_access_record& record,
             std::source_location where = std::source_location::current()) {
    library_frame const frame(m_me, where);
    bool const is_hybrid = record.choice == access_choice::hybrid;
    auto const mine = hits_of_those_that_leave(elements, is_hybrid);
    m_me.work(elements.values.size());
    auto const hits = counted_bucket_hits(m_me, mine);
    auto const plan = is_hybrid ? plan_for_dense(m_layout, hits.totals,
                                                 m_options.variant != access_variant::hybrid_plain)
                                : plan_for_all(m_layout, hits.totals);
    stored_buckets<T, Operator> stored(m_me, plan.buckets, m_plus, combines_in_any_order());
    auto const to_each = elements_to_each(plan, mine, hits.before);
    m_me.work(operations_of_plan(m_layout));
    if (fit_into_32_bits(hits.totals))
      stage_1(elements, is_hybrid, plan, hits.before, to_each, stored);
    else
      wide_stage_1(elements, is_hybrid, plan, hits.before, stored);
    stored.join_partial_buckets(m_me);
    auto const schedule = plan.buckets.messages();
    stage_2(stored.messages(m_me), schedule);
    if (is_hybrid) apply_local(elements);
    record.full_buckets = plan.buckets.full_buckets();
    record.partial_buckets = plan.buckets.partial_buckets();
    record.largest_bucket = hits.totals.empty() ? 0 : *std::ranges::max_element(hits.totals);
    record.stage_2_steps = schedule.steps();
  }

 private:
  /// Whether the sum is the same in whatever order. Rounding depends on it.
  [[nodiscard]] bool combines_in_any_order() const {
    return (m_options.commutes || is_commutative<Operator>)&&!std::is_floating_point_v<T>;
  }

  [[nodiscard]] bool is_local(std::size_t address) const {
    return m_layout.owner(address) == m_me.rank();
  }

  /// Counts the elements for each bucket; with a hybrid, of those for other processors.
  template <class Elements>
  [[nodiscard]] std::vector<std::uint64_t> hits_of_those_that_leave(Elements const& elements,
                                                                    bool is_hybrid) const {
    std::vector<std::uint64_t> hits(m_layout.buckets());
    auto const layout = m_layout;
    elements.for_each([&](std::size_t address, T const& /*value*/) {
      if (!is_hybrid || !is_local(address)) ++hits[layout.bucket(address)];
    });
    return hits;
  }

  /// Whether all slots and addresses fit into 32 bits.
  [[nodiscard]] bool fit_into_32_bits(std::vector<std::uint64_t> const& totals) const {
    std::uint64_t elements = 0;
    for (auto const each : totals) elements += each;
    return std::max<std::uint64_t>(elements, m_layout.elements()) <
           std::min<std::uint64_t>(m_most_narrow, std::numeric_limits<std::uint32_t>::max());
  }

  /// Calls `send(processor, slotted value)` for each element that leaves.
  template <std::unsigned_integral Index, class Elements, class Send>
  void deal(Elements const& elements, bool is_hybrid, bucket_plan const& plan,
            std::span<std::uint64_t const> before, Send const& send) const {
    slot_dealer<Index> slots(plan, before);
    elements.for_each([&](std::size_t address, T const& value) {
      if (!is_hybrid || !is_local(address)) slots.deal(address, value, send);
    });
  }

  /// Brings elements to their slots, and those without to their addresses.
  template <class Elements>
  void stage_1(Elements const& elements, bool is_hybrid, bucket_plan const& plan,
               std::span<std::uint64_t const> before, std::span<std::uint32_t const> to_each,
               stored_buckets<T, Operator>& stored,
               std::source_location where = std::source_location::current()) {
    library_frame const frame(m_me, where);
    using element = slotted_value<T, std::uint32_t>;
    auto const make = [&](auto const& send) {
      deal<std::uint32_t>(elements, is_hybrid, plan, before, send);
    };
    auto came = transport_made<element>(m_me, to_each, make,
                                        [&](element const& one) { return plan.processor_for(one); },
                                        {.route = m_options.stage_1});
    m_me.work(operations_of_storage(m_layout, elements_of(came)));
    if (m_me.is_shown()) [[unlikely]]
      show_buckets_of_slots(plan.buckets, [&](auto const& show) {
        for (auto const& message : came)
          for (auto const& place : message) show(place.element);
      });
    for (auto& message : came) {
      for (auto const& place : message) store(place.element, stored);
      message = {};
    }
  }

  /// The same where slots or addresses need more than 32 bits: elements travel like those of stage 2, in more
  /// memory.
  template <class Elements>
  void wide_stage_1(Elements const& elements, bool is_hybrid, bucket_plan const& plan,
                    std::span<std::uint64_t const> before, stored_buckets<T, Operator>& stored) {
    std::vector<access_entry<T>> entries;
    std::vector<int> to;
    deal<std::uint64_t>(elements, is_hybrid, plan, before,
                        [&](std::size_t processor, auto const& one) {
                          entries.push_back({one.slot, one.address, one.value});
                          to.push_back(static_cast<int>(processor));
                        });
    auto const came = transported_in_order(m_me, std::span<access_entry<T> const>(entries), to,
                                           {.route = m_options.stage_1, .keeps_route = false})
                          .elements;
    m_me.work(operations_of_storage(m_layout, 0));  // those that came are counted
    auto const for_each = [&](auto const& visit) {
      for (auto const& entry : came)
        visit(slotted_value<T, std::uint64_t>{entry.slot, entry.address, entry.value.value});
    };
    if (m_me.is_shown()) [[unlikely]]
      show_buckets_of_slots(plan.buckets, for_each);
    for_each([&](auto const& one) { store(one, stored); });
  }

  /// Puts an element into its slot, or, without one, into the cell of its address.
  template <std::unsigned_integral Index>
  void store(slotted_value<T, Index> const& one, stored_buckets<T, Operator>& stored) const {
    if (one.slot == one.no_slot)
      m_cells.add(one.address, one.value);
    else
      stored.store(one);
  }

  /// Shows to which bucket the element in each slot of this processor belongs. `for_each(show)`: calls
  /// `show(element)` for those that came.
  template <class ForEach>
  [[gnu::cold, gnu::noinline]] void show_buckets_of_slots(stretched_buckets const& buckets,
                                                          ForEach const& for_each) const {
    std::vector<std::uint64_t> of_slots(buckets.slots_of(m_me.rank()));
    auto const first = buckets.first_slot_of(m_me.rank());
    for_each([&](auto const& one) {
      if (one.slot == one.no_slot) return;
      if (one.slot < first || one.slot - first >= of_slots.size())
        throw_address_elsewhere(one.address, m_layout.first_of(m_me.rank()),
                                m_layout.size_of(m_me.rank()));
      of_slots[static_cast<std::size_t>(one.slot - first)] = m_layout.bucket(one.address);
    });
    m_me.show("buckets", of_slots);
  }

  /// Shows to which bucket each value belongs that goes to an owner.
  [[gnu::cold, gnu::noinline]] void show_buckets_for_owners(
      std::vector<addressed_elements<access_entry<T>>> const& messages) const {
    std::vector<std::uint64_t> of_values;
    for (auto const& message : messages)
      for (auto const& entry : message.elements)
        of_values.push_back(m_layout.bucket(entry.address));
    m_me.show("buckets for owners", of_values);
  }

  template <class Elements>
  void apply_local(Elements const& elements) const {
    m_me.work(elements.values.size());
    elements.for_each([&](std::size_t address, T const& value) {
      if (is_local(address)) m_cells.add(address, value);
    });
  }

  /// Brings buckets to their owners, which combine them in the order of senders.
  void stage_2(std::vector<addressed_elements<access_entry<T>>> messages,
               monotone_schedule const& schedule,
               std::source_location where = std::source_location::current()) {
    library_frame const frame(m_me, where);
    if (m_me.is_shown()) [[unlikely]]
      show_buckets_for_owners(messages);
    if (m_options.stage_2 == bucket_route::sends && reaches_anybody(m_me)) {
      m_me.phase("sends");
      for (auto const& message : monotone_sends(m_me, std::move(messages), schedule)) {
        m_cells.add(message.elements);
        m_me.work(message.elements.size());
      }
      return;
    }
    auto const route = m_options.stage_2 == bucket_route::linear ? transportation_route::direct
                                                                 : transportation_route::two_stages;
    write_entries(m_me, m_layout, elements_in(messages),
                  {.route = route, .phases = {"sends", "sends"}, .keeps_route = false}, m_cells);
  }

  processor& m_me;
  bucket_layout const& m_layout;
  Operator const& m_plus;
  random_access_options const& m_options;
  addressed_cells<T, Operator> const& m_cells;
  std::uint64_t m_most_narrow;  ///< slots and addresses below it travel in 32 bits
};

}  // namespace lockstep::detail
