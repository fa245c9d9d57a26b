#pragma once

#include <cstddef>
#include <cstdint>
#include <source_location>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include <lockstep/algorithms/random_access/bucket_layout.hpp>
#include <lockstep/algorithms/random_access/detail/access_checks.hpp>
#include <lockstep/algorithms/random_access/detail/access_entry.hpp>
#include <lockstep/algorithms/random_access/detail/bucket_plan.hpp>
#include <lockstep/algorithms/random_access/detail/bucket_rows.hpp>
#include <lockstep/algorithms/random_access/detail/read_plan.hpp>
#include <lockstep/algorithms/random_access/detail/sends_by_owner.hpp>
#include <lockstep/algorithms/random_access/detail/stored_buckets.hpp>
#include <lockstep/algorithms/random_access/detail/stretched_buckets.hpp>
#include <lockstep/algorithms/random_access/monotone_sends.hpp>
#include <lockstep/algorithms/random_access/random_access_read_options.hpp>
#include <lockstep/algorithms/random_access/transportation.hpp>
#include <lockstep/detail/library_frame.hpp>
#include <lockstep/processor.hpp>

namespace lockstep::detail {

/// A request for what stands at an address: a word. In the cells of a bucket a flag, which says
/// whether anybody asks.
using read_request = access_entry<std::uint8_t>;

/// x0 + x1 = x0 or x1, of flags.
struct either_operator {
  [[nodiscard]] std::uint8_t operator()(std::uint8_t a, std::uint8_t b) const {
    return a != 0 ? a : b;
  }
};

/// Reads by buckets: requests go to the slots of stretched buckets, where the values come, too, and
/// the answers go back by the way that the requests came.
template <payload_element T>
class bucket_reads {
 public:
  /// `array`: this processor's block, rows of `options.elements_each`.
  bucket_reads(processor& me, bucket_layout const& layout,
               random_access_read_options const& options, std::span<T const> array)
      : m_me(me),
        m_layout(layout),
        m_options(options),
        m_array(array),
        m_first_address(layout.first_of(me.rank())),
        m_addresses(layout.size_of(me.rank())) {}

  /// `requests`: those that go. Result: a row for each of them, in their order.
  /// Errors: those of the machine.
  [[nodiscard]] std::vector<T> read(std::vector<read_request> requests,
                                    std::vector<std::uint64_t> const& totals,
                                    random_access_read_record& record,
                                    std::source_location where = std::source_location::current()) {
    library_frame const frame(m_me, where);
    auto const variant = record.variant;
    auto const plan = plan_for_read(variant, m_layout, totals);
    auto const& buckets = plan.buckets;
    auto const mine = hits_of<std::uint8_t>(m_layout, requests);
    m_me.work(requests.size() + operations_of_plan(m_layout));
    give_slots<std::uint8_t>(m_layout, plan, bucket_hits_before(m_me, mine), requests);
    m_me.work(requests.size());  // each gets its slot
    auto const came =
        transportation(m_me, std::span<read_request const>(requests),
                       [&](read_request const& request) { return plan.processor_for(request); },
                       {.route = m_options.stage_1});
    auto const schedule = buckets.messages();
    auto rows = variant == read_variant::requested
                    ? requested_rows(buckets, schedule, came.elements)
                    : whole_buckets(buckets);
    m_me.phase("sends");
    bucket_rows<T> here(
        m_me, buckets, variant, m_options.elements_each,
        sends_between_stages("answers", m_me, std::move(rows), schedule.reversed()));
    here.hand_on_partial_buckets(m_me);
    record.full_buckets = buckets.full_buckets();
    record.partial_buckets = buckets.partial_buckets();
    record.largest_bucket = std::ranges::max(totals);
    record.stage_2_steps = schedule.steps();
    return transportation_back(m_me, came.route, std::span<T const>(answers(came.elements, here)),
                               {.route = m_options.stage_1}, m_options.elements_each);
  }

  /// Returns the row at an address of this processor.
  [[nodiscard]] std::span<T const> own_row(std::size_t address) const {
    auto const each = m_options.elements_each;
    return m_array.subspan(place_of_own(address, m_first_address, m_addresses) * each, each);
  }

 private:
  using row_messages = std::vector<addressed_elements<T>>;

  static void append(std::vector<T>& to, std::span<T const> row) {
    to.insert(to.end(), row.begin(), row.end());
  }

  /// Sends the requests for each bucket to its owner, which answers each entry by a row.
  [[nodiscard]] row_messages requested_rows(
      stretched_buckets const& buckets, monotone_schedule const& schedule,
      std::span<read_request const> came,
      std::source_location where = std::source_location::current()) {
    library_frame const frame(m_me, where);
    constexpr either_operator either;
    stored_buckets<std::uint8_t, either_operator> stored(m_me, buckets, either, true);
    for (auto const& request : came)
      if (request.slot != no_slot)
        stored.store(slotted_value<std::uint8_t, std::uint64_t>{request.slot, request.address, 1});
    m_me.work(operations_of_storage(m_layout, came.size()));
    stored.join_partial_buckets(m_me);
    m_me.phase("sends");
    row_messages answers;
    for (auto const& [from, entries] :
         sends_between_stages("requests", m_me, stored.messages(m_me), schedule)) {
      answers.push_back({from, {}});
      for (auto const& entry : entries) append(answers.back().elements, own_row(entry.address));
      m_me.work(answers.back().elements.size());
    }
    return answers;
  }

  /// All values of this processor's buckets for which there are slots.
  [[nodiscard]] row_messages whole_buckets(stretched_buckets const& buckets) const {
    row_messages messages;
    auto const each = m_layout.buckets_each();
    auto const begin = static_cast<std::size_t>(m_me.rank()) * each;
    for (auto bucket = begin; bucket < begin + each; ++bucket) {
      if (buckets.hits(bucket) == 0) continue;
      auto const to = buckets.first(bucket);
      if (messages.empty() || messages.back().rank != to) messages.push_back({to, {}});
      for (std::size_t i = 0; i < m_layout.size(bucket); ++i)
        append(messages.back().elements, own_row(m_layout.first_in(bucket) + i));
      m_me.work(m_layout.size(bucket) * m_options.elements_each);
    }
    return messages;
  }

  /// Sends between the stages, in phase "sends": by the schedule where anybody reaches anybody, else
  /// by way of all processors.
  template <payload_element Element>
  [[nodiscard]] static std::vector<addressed_elements<Element>> sends_between_stages(
      std::string_view name, processor& me, std::vector<addressed_elements<Element>> messages,
      monotone_schedule const& schedule,
      std::source_location where = std::source_location::current()) {
    library_frame const frame(me, where);
    if (reaches_anybody(me)) return monotone_sends_as(name, me, std::move(messages), schedule);
    return sends_by_way_of_all(me, messages);
  }

  [[nodiscard]] std::vector<T> answers(std::span<read_request const> came,
                                       bucket_rows<T> const& rows) const {
    std::vector<T> all;
    all.reserve(came.size() * m_options.elements_each);
    for (auto const& request : came)
      append(all, request.slot == no_slot ? own_row(request.address) : rows.row_for(request));
    m_me.work(all.size());
    return all;
  }

  processor& m_me;
  bucket_layout const& m_layout;
  random_access_read_options const& m_options;
  std::span<T const> m_array;
  std::size_t m_first_address;  ///< of this processor
  std::size_t m_addresses;
};

}  // namespace lockstep::detail
