#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <source_location>
#include <span>
#include <vector>

#include <lockstep/algorithms/detail/counting_operator.hpp>
#include <lockstep/algorithms/detail/show_values.hpp>
#include <lockstep/algorithms/prefix/monoid.hpp>
#include <lockstep/algorithms/random_access/bucket_layout.hpp>
#include <lockstep/algorithms/random_access/detail/access_checks.hpp>
#include <lockstep/algorithms/random_access/detail/latest_operator.hpp>
#include <lockstep/algorithms/random_access/detail/sends_by_owner.hpp>
#include <lockstep/algorithms/random_access/item_scan.hpp>
#include <lockstep/claim.hpp>
#include <lockstep/library_call.hpp>
#include <lockstep/processor.hpp>

namespace lockstep {

namespace detail {

/// Gives each value its addresses: those behind the pointer before, up to its own. A value without
/// any is left out. `last_before`: of lower ranks.
template <payload_element T>
[[nodiscard]] std::vector<copied_value<T>> ranges_of(std::span<std::size_t const> pointers,
                                                     std::span<T const> values,
                                                     std::optional<std::size_t> last_before) {
  std::vector<copied_value<T>> ranges;
  std::size_t next = last_before ? *last_before + 1 : 0;
  for (std::size_t i = 0; i < pointers.size(); ++i) {
    if (pointers[i] == no_pointer || pointers[i] < next) continue;
    ranges.push_back({next, pointers[i], values[i]});
    next = pointers[i] + 1;
  }
  return ranges;
}

/// The last pointer of lower ranks.
[[nodiscard]] std::optional<std::size_t> last_pointer_before(
    processor& me, std::span<std::size_t const> pointers,
    std::source_location where = std::source_location::current());

}  // namespace detail

/// Copies value i to all addresses from P(i-1) + 1 to P(i), with P(-1) = -1. Called by all
/// processors of a crossbar, hypercube, torus or mesh; phases "pointers before", "destinations", "sends" and "copies".
///
/// `layout`: of the addresses; k does not matter. `pointers`, `values`: this processor's elements,
/// of the same number, any; pointers do not decrease, from one rank to the next either, and
/// elements with `no_pointer` take part in nothing. A value whose pointer is that before goes
/// nowhere.
/// Shows: "pointers", "values" and "copies".
/// Result: the values for this processor's addresses; nothing behind the last pointer.
/// Errors: invalid_argument for pointers that are not in order, or not addresses, or lists of other
/// lengths; those of the machine.
///
/// **Cost** on a crossbar, one-port: q + 5 ceil(log2 p) start-ups, with q the most messages that a
/// processor sends or receives, of at most ceil(n/p) elements together; strict. On the other networks
/// three all-gathers and a transportation, by the bounds of `network_monotone_claims`. An element, whose
/// addresses are a part of it, has the words of its value.
///
/// **Source** Shankar and Ranka 1997, section 6 and Figure 12; the end of a range goes with its
/// value, without which addresses behind the last pointer would get copies, too.
///
/// **Example** Figure 12:
/// ```
/// lockstep::machine machine{lockstep::crossbar{4}};
/// auto run = machine.run([](lockstep::processor& me) {
///   lockstep::bucket_layout const layout(8, me.size());
///   std::vector<std::size_t> const all{1, 4, 5, 7};
///   std::vector<int> const values{10, 11, 12, 13};
///   auto const rank = static_cast<std::size_t>(me.rank());
///   return lockstep::generalize(me, layout, std::span(all).subspan(rank, 1),
///                               std::span(values).subspan(rank, 1));
/// });
/// run.results()[1];  // {11, 11}
/// ```
template <payload_element T>
[[nodiscard]] std::vector<std::optional<T>> generalize(
    processor& me, bucket_layout const& layout, std::span<std::size_t const> pointers,
    std::span<T const> values, std::source_location where = std::source_location::current()) {
  library_call const call(me, where);
  detail::require_sorted_pointers(me, layout, pointers, values.size());
  detail::show_pointers(me, pointers);
  detail::show_values(me, "values", values);
  me.phase("pointers before");
  auto const before = detail::last_pointer_before(me, pointers);
  me.work(pointers.size());  // each gets a range
  auto const arrived =
      detail::sent_by_owner(me, layout, detail::ranges_of(pointers, values, before),
                            [](auto const& range, std::size_t /*i*/) { return range.first; });
  me.phase("copies");
  using copied = detail::copied_value<T>;
  auto const last = arrived.empty() ? extended<copied>{} : extended<copied>{arrived.back()};
  auto const goes_on = item_scan(
      me, detail::counted_in(me, with_identity<copied>(detail::latest_operator<copied>{})), last);
  auto const begin = layout.first_of(me.rank());
  std::vector<std::optional<T>> copies(layout.size_of(me.rank()));
  auto const copy = [&](copied const& range) {
    auto const from = std::max(range.first, begin);
    auto a = from;
    for (; a <= range.last && a - begin < copies.size(); ++a) copies[a - begin] = range.value;
    me.work(a - from);
  };
  if (goes_on.is_there) copy(goes_on.value);
  for (auto const& range : arrived) copy(range);
  detail::show_values(me, "copies", copies);
  return copies;
}

/// Makes the claims, the paper's and ours, about its cost, as `monotonic_write_claims` does.
[[nodiscard]] std::vector<claim> generalize_claims(int p, std::uint64_t n, std::uint64_t q);

}  // namespace lockstep
