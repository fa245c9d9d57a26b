#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <source_location>
#include <span>
#include <vector>

#include <lockstep/algorithms/detail/show_values.hpp>
#include <lockstep/algorithms/random_access/bucket_layout.hpp>
#include <lockstep/algorithms/random_access/detail/access_checks.hpp>
#include <lockstep/algorithms/random_access/detail/sends_by_owner.hpp>
#include <lockstep/claim.hpp>
#include <lockstep/library_call.hpp>
#include <lockstep/processor.hpp>

namespace lockstep {

namespace detail {

/// Requires room for the elements of this processor behind those of lower ranks.
/// Errors: invalid_argument.
void require_room(processor const& me, bucket_layout const& layout, std::size_t before,
                  std::size_t own);

/// Requires that an address comes behind the one before. Errors: invalid_argument.
void require_behind(processor const& me, std::optional<std::size_t> before, std::size_t address);

/// Counts the elements of lower ranks, by a scan.
[[nodiscard]] std::size_t elements_before(
    processor& me, std::size_t own, std::source_location where = std::source_location::current());

}  // namespace detail

/// Brings the elements of all processors together, in rank order, at addresses 0, 1, 2, ... Called
/// by all processors of a crossbar, hypercube, torus or mesh; phases "count", "destinations" and "sends".
///
/// `layout`: of the addresses; k does not matter. `elements`: this processor's, any number.
/// Shows: "elements".
/// Result: the elements at this processor's addresses; fewer than it has addresses, or none, where
/// they end.
/// Errors: invalid_argument for more elements than addresses; those of the machine.
///
/// **Cost** on a crossbar, one-port: q + 4 ceil(log2 p) start-ups, with q the most messages that a
/// processor sends or receives; strict. In phase "sends" a processor sends its elements and
/// receives those of its block, without what stays. On the other networks two all-gathers and a
/// transportation, by the bounds of `network_monotone_claims`.
///
/// **Source** Shankar and Ranka 1997, section 6; concentration of Nassimi and Sahni 1981.
///
/// **Example**
/// ```
/// lockstep::machine machine{lockstep::crossbar{4}};
/// auto run = machine.run([](lockstep::processor& me) {
///   std::vector<int> const odd(me.rank() % 2 == 1 ? 2U : 0U, me.rank());
///   lockstep::bucket_layout const layout(8, me.size());
///   return lockstep::concentrate_elements(me, layout, std::span(odd));
/// });
/// run.results()[1];  // {3, 3}
/// ```
template <payload_element T>
[[nodiscard]] std::vector<T> concentrate_elements(
    processor& me, bucket_layout const& layout, std::span<T const> elements,
    std::source_location where = std::source_location::current()) {
  library_call const call(me, where);
  detail::require_layout(me, layout);
  detail::show_values(me, "elements", elements);
  me.phase("count");
  auto const before = detail::elements_before(me, elements.size());
  detail::require_room(me, layout, before, elements.size());
  auto concentrated =
      detail::sent_by_owner(me, layout, std::vector<T>(elements.begin(), elements.end()),
                            [&](T const& /*element*/, std::size_t i) { return before + i; });
  detail::show_values(me, "elements", concentrated);
  return concentrated;
}

/// Sends each element to an address of its own, in order: the inverse of `concentrate_elements`.
/// Called by all processors of a crossbar, hypercube, torus or mesh; phases "destinations" and "sends".
///
/// `layout`: of the addresses; k does not matter. `pointers`, `values`: this processor's elements,
/// of the same number, any; pointers increase, from one rank to the next, too, and elements with
/// `no_pointer` take part in nothing.
/// Result: the values at this processor's addresses, if it has any.
/// Errors: invalid_argument for pointers that do not increase, or that are not addresses, or lists
/// of other lengths; those of the machine.
///
/// **Cost** on a crossbar, one-port: q + 3 ceil(log2 p) start-ups, with q the most messages that a
/// processor sends or receives; strict. In phase "sends" a processor sends its elements and
/// receives those of its block, without what stays; on the other networks by an all-gather and a
/// transportation (`network_monotone_claims`). An element, whose address is a part of it, has
/// the words of its value.
///
/// **Source** Shankar and Ranka 1997, section 6; distribution of Nassimi and Sahni 1981.
///
/// **Example**
/// ```
/// lockstep::machine machine{lockstep::crossbar{4}};
/// auto run = machine.run([](lockstep::processor& me) {
///   lockstep::bucket_layout const layout(8, me.size());
///   std::vector<std::size_t> const pointers{static_cast<std::size_t>(2 * me.rank() + 1)};
///   std::vector<int> const values{me.rank()};
///   return lockstep::distribute_elements(me, layout, pointers, std::span(values));
/// });
/// run.results()[3][1];              // 3
/// run.results()[3][0].has_value();  // false
/// ```
template <payload_element T>
[[nodiscard]] std::vector<std::optional<T>> distribute_elements(
    processor& me, bucket_layout const& layout, std::span<std::size_t const> pointers,
    std::span<T const> values, std::source_location where = std::source_location::current()) {
  library_call const call(me, where);
  detail::require_sorted_pointers(me, layout, pointers, values.size());
  detail::show_values(me, "elements", values);
  std::vector<detail::keyed_value<T>> elements;
  for (std::size_t i = 0; i < pointers.size(); ++i)
    if (pointers[i] != no_pointer) elements.push_back({pointers[i], values[i]});
  auto const arrived = detail::sent_by_owner(
      me, layout, elements, [](auto const& one, std::size_t /*i*/) { return one.address; });
  std::vector<std::optional<T>> distributed(layout.size_of(me.rank()));
  std::optional<std::size_t> before;
  me.work(arrived.size());
  for (auto const& [address, value] : arrived) {
    detail::require_behind(me, before, address);
    before = address;
    distributed[detail::place_of_own(address, layout.first_of(me.rank()), distributed.size())] =
        value;
  }
  detail::show_values(me, "elements", distributed);
  return distributed;
}

/// Makes the claims, the paper's and ours, about their costs, as `monotonic_write_claims` does.
[[nodiscard]] std::vector<claim> concentrate_elements_claims(int p, std::uint64_t n,
                                                             std::uint64_t q);
[[nodiscard]] std::vector<claim> distribute_elements_claims(int p, std::uint64_t n,
                                                            std::uint64_t q);

}  // namespace lockstep
