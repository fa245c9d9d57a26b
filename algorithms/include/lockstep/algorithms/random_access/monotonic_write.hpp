#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <source_location>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include <lockstep/algorithms/collectives/all_gather.hpp>
#include <lockstep/algorithms/detail/counting_operator.hpp>
#include <lockstep/algorithms/prefix/monoid.hpp>
#include <lockstep/algorithms/random_access/bucket_layout.hpp>
#include <lockstep/algorithms/random_access/detail/access_checks.hpp>
#include <lockstep/algorithms/random_access/detail/last_run.hpp>
#include <lockstep/algorithms/random_access/detail/run_ends.hpp>
#include <lockstep/algorithms/random_access/detail/sends_by_owner.hpp>
#include <lockstep/algorithms/random_access/item_scan.hpp>
#include <lockstep/claim.hpp>
#include <lockstep/detail/enumerator_check.hpp>
#include <lockstep/library_call.hpp>
#include <lockstep/processor.hpp>

namespace lockstep {

/// How processors learn of each other's equal pointers and destinations.
enum class monotonic_way : std::uint8_t {
  scans,          ///< by four scans of an item and an all-gather of destinations
  one_all_gather  ///< by one all-gather of the ends of all runs: fewer start-ups, O(p) words
};

namespace detail {

/// Combines what goes to the same address, on this processor.
template <payload_element T, class Operator>
[[nodiscard]] std::vector<keyed_value<T>> local_runs(std::span<std::size_t const> pointers,
                                                     std::span<T const> values,
                                                     Operator const& plus) {
  std::vector<keyed_value<T>> runs;
  for (std::size_t i = 0; i < pointers.size(); ++i) {
    if (pointers[i] == no_pointer) continue;
    if (runs.empty() || runs.back().address != pointers[i])
      runs.push_back({pointers[i], values[i]});
    else
      runs.back().value = plus(runs.back().value, values[i]);
  }
  return runs;
}

/// Finds the first address of the nearest higher rank that has any, by a scan of all `first`.
[[nodiscard]] extended<std::size_t> first_address_behind(processor& me,
                                                         extended<std::size_t> const& first);

/// Combines what goes to the same address, over all processors, where the last of those that have
/// it keeps it.
template <payload_element T, class Operator>
[[nodiscard]] std::vector<keyed_value<T>> runs_that_end_here(processor& me,
                                                             std::vector<keyed_value<T>> runs,
                                                             Operator const& plus) {
  last_run<T> own;
  extended<std::size_t> first;
  if (!runs.empty()) {
    own = {runs.back().address, runs.back().value, runs.size() == 1, true};
    first = runs.front().address;
  }
  auto const before = item_scan(me, counted_in(me, of_last_runs<T>(plus)), own);
  auto const next = first_address_behind(me, first);
  if (runs.empty()) return runs;
  if (before.is_there) require_sorted_ranks(me, before.key, runs.front().address);
  if (before.is_there && before.key == runs.front().address)
    runs.front().value = plus(before.value, runs.front().value);
  if (next.is_there && next.value == runs.back().address) runs.pop_back();
  return runs;
}

/// Shows the addresses of runs that are to be sent.
template <payload_element T>
void show_runs(processor& me, std::vector<keyed_value<T>> const& runs) {
  if (!me.is_shown()) [[likely]]
    return;
  std::vector<std::uint64_t> addresses;
  addresses.reserve(runs.size());
  for (auto const& run : runs) addresses.push_back(run.address);
  me.show("last pointers", addresses);
}

/// Requires a way that the network has: `one_all_gather` is for a crossbar. Errors: invalid_argument.
void require_way_of_network(processor const& me, monotonic_way way);

/// Sends runs to the owners of their addresses, after scans.
/// Result: what came, in the order of senders.
template <payload_element T, class Operator>
[[nodiscard]] std::vector<keyed_value<T>> runs_by_scans(processor& me, bucket_layout const& layout,
                                                        std::vector<keyed_value<T>> own,
                                                        Operator const& plus) {
  auto const runs = runs_that_end_here(me, std::move(own), plus);
  show_runs(me, runs);
  return sent_by_owner(me, layout, runs,
                       [](auto const& run, std::size_t /*i*/) { return run.address; });
}

/// Sends runs to the owners of their addresses, after one all-gather of their ends.
/// Result: what came, in the order of senders.
template <payload_element T, class Operator>
[[nodiscard]] std::vector<keyed_value<T>> runs_by_one_all_gather(processor& me,
                                                                 bucket_layout const& layout,
                                                                 std::vector<keyed_value<T>> runs,
                                                                 Operator const& plus) {
  auto const address_of = [](auto const& run, std::size_t /*i*/) { return run.address; };
  ends_of_runs<T> own;
  if (!runs.empty()) {
    auto const last_owner = layout.owner(runs.back().address);
    auto const for_last = std::ranges::count_if(
        runs, [&](auto const& run) { return layout.owner(run.address) == last_owner; });
    own = {{runs.front().address, runs.back().address, static_cast<std::uint64_t>(for_last), true},
           runs.back().value};
  }
  auto const p = me.size();
  auto const of_all =
      all_gather_pieces(me, std::span<ends_of_runs<T> const>(&own, 1),
                        pieces(static_cast<std::size_t>(p), p), {.k = 2}, piece_labels::for_all());
  std::vector<run_ends> ends;
  ends.reserve(of_all.size());
  for (auto const& one : of_all) ends.push_back(one.ends);
  if (last_run_goes_on(ends, me.rank())) runs.pop_back();
  show_runs(me, runs);
  auto messages = messages_by_owner(layout, runs, address_of);
  me.work(runs.size());
  auto known = neighbours_by_ends(me, layout, ends, ranks_of(messages));
  for (auto const rank : known.carriers)
    if (!messages.empty()) {
      auto& first = messages.front().elements.front().value;
      first = plus(of_all[static_cast<std::size_t>(rank)].last_value, first);
    }
  shown_messages shown(me, "messages", ranks_of(messages));
  me.phase("sends");
  return elements_in(sends_in_place(me, std::move(messages), known.place,
                                    {std::move(known.senders), std::move(known.skipped)}, shown));
}

}  // namespace detail

/// Writes each value to the address that its pointer says, A(P(i)) = A(P(i)) + D(i), where pointers
/// are in order: equal ones are combined before anything is sent, so that each processor sends and
/// receives at most ceil(n/p) elements, however many go to the same address. Called by all
/// processors of a crossbar, hypercube, torus or mesh; phases "equal pointers", "destinations" and "sends", of which
/// `one_all_gather` has no "destinations".
///
/// `layout`: of the addresses; k does not matter. `pointers`, `values`: this processor's elements,
/// of the same number, any; pointers do not decrease, from one rank to the next either, and
/// elements with `no_pointer` take part in nothing. `plus`: any associative operator; operands are
/// combined in the order of elements. `array`: this processor's block of A, which is the leftmost
/// operand. `way`: how processors learn of each other.
/// Shows: "last pointers", those of the elements that are left to be sent once equal ones are combined,
/// and "messages" with source and destination.
/// Errors: invalid_argument for pointers that are not in order, or not addresses, or lists of other
/// lengths, or `one_all_gather` elsewhere than on a crossbar; those of the machine.
///
/// **Cost** on a crossbar, one-port: q + 5 ceil(log2 p) start-ups, with q the most messages that a
/// processor sends or receives, or, with `one_all_gather`, q + ceil(log2 p) of them and an
/// all-gather of records of a value, two addresses and a number; strict. On the other networks
/// three all-gathers of an item and a transportation, by the bounds of `network_monotone_claims`. In phase "sends" at most
/// ceil(n/p) elements go in or out of
/// a processor, if it has at most as many. An element, whose address is a part of it, has the words
/// of its value.
///
/// **Source** Shankar and Ranka 1997, section 6 and Figure 11, mended as in `monotone_schedule`.
///
/// **Example**
/// ```
/// lockstep::machine machine{lockstep::crossbar{4}};
/// auto run = machine.run([](lockstep::processor& me) {
///   lockstep::bucket_layout const layout(8, me.size());
///   std::vector<std::size_t> const pointers{5, 5};  // one address, from everywhere
///   std::vector<int> const values{1, 2};
///   std::vector<int> array(layout.size_of(me.rank()));
///   lockstep::monotonic_write(me, layout, pointers, std::span(values), std::plus<int>{},
///                             std::span(array));
///   return array;
/// });
/// run.results()[2];  // {0, 12}
/// ```
template <payload_element T, associative_operator<T> Operator>
void monotonic_write(processor& me, bucket_layout const& layout,
                     std::span<std::size_t const> pointers,
                     std::span<std::type_identity_t<T> const> values, Operator const& plus,
                     std::span<T> array, monotonic_way way = monotonic_way::scans,
                     std::source_location where = std::source_location::current()) {
  library_call const call(me, where);
  detail::require_layout(me, layout);
  detail::require_length(me, "values", values.size(), pointers.size());
  detail::require_length(me, "elements of the array", array.size(), layout.size_of(me.rank()));
  detail::require_sorted(me, layout, pointers);
  detail::check_enumerator("monotonic_way", way,
                           {"monotonic_way::scans", "monotonic_way::one_all_gather"});
  detail::require_way_of_network(me, way);
  me.phase("equal pointers");
  auto own = detail::local_runs<T>(pointers, values, plus);
  me.work(pointers.size());  // each is put or combined
  auto const arrived = way == monotonic_way::one_all_gather
                           ? detail::runs_by_one_all_gather(me, layout, std::move(own), plus)
                           : detail::runs_by_scans(me, layout, std::move(own), plus);
  me.work(arrived.size());
  for (auto const& [address, value] : arrived) {
    auto& written = array[detail::place_of_own(address, layout.first_of(me.rank()), array.size())];
    written = plus(written, value);
  }
}

/// Makes the claims, the paper's and ours, about a monotonic write of n elements on p processors,
/// where one sends or receives q messages and none more. It is about the figure
/// "sends_port_words", too: the most words that a processor sends or receives in the phase "sends".
/// Errors: invalid_argument for p < 1.
[[nodiscard]] std::vector<claim> monotonic_write_claims(int p, std::uint64_t n, std::uint64_t q,
                                                        monotonic_way way = monotonic_way::scans);

}  // namespace lockstep
