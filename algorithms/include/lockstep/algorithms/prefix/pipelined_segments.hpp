#pragma once

#include <concepts>
#include <cstdint>
#include <source_location>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include <lockstep/algorithms/prefix/monoid.hpp>
#include <lockstep/algorithms/prefix/pipelined_prefix.hpp>
#include <lockstep/claim.hpp>
#include <lockstep/library_call.hpp>
#include <lockstep/options.hpp>

namespace lockstep {

/// k segmented prefixes at once: processor i gets, of each of them, the sum from the beginning of
/// its interval up to its own value. An interval of a prefix begins at each processor whose element
/// for that prefix `begins`, and at processor 0. Called by all processors of a binary tree, a
/// hypercube (or a subcube) or a shuffle-exchange.
///
/// `x`: this processor's elements, one for each prefix; as many on every processor. `schedule`: as of
/// `pipelined_prefix`.
/// Shows: what `pipelined_prefix` shows.
/// Result: this processor's prefixes, in the same order.
/// Errors, cost: those of `pipelined_prefix`, by the operator that definition 1.1 makes of `plus`.
///
/// **Source** Mayr and Plaxton 1989, sections 1 and 2.
///
/// **Example**
/// ```
/// lockstep::machine tree{lockstep::binary_tree{3}};
/// lockstep::prefix_schedule const schedule(tree.topology(), lockstep::pipelined_scheme::lagged);
/// auto run = tree.run([&](lockstep::processor& me) {
///   std::vector<lockstep::segmented<int>> const mine(8, {me.rank() == 4, me.rank()});
///   return lockstep::pipelined_segmented_prefix(me, lockstep::monoid{0, std::plus<int>{}}, mine,
///                                               schedule);
/// });
/// run.results()[3][7];  // 6
/// run.results()[6][7];  // 15
/// ```
template <payload_element T, associative_operator<T> Operator>
  requires(!std::same_as<T, bool>)
[[nodiscard]] std::vector<T> pipelined_segmented_prefix(
    processor& me, monoid<T, Operator> const& plus,
    std::span<segmented<std::type_identity_t<T>> const> x, prefix_schedule const& schedule,
    std::source_location where = std::source_location::current()) {
  library_call const call(me, where);
  std::vector<T> values;
  values.reserve(x.size());
  for (auto const& prefix : pipelined_prefix(me, by_segments(plus), x, schedule))
    values.push_back(prefix.value);
  return values;
}

/// k data distributions at once, which are k segmented broadcasts: every processor gets, of each of
/// them, the value of the first processor of its interval. The first interval of each begins at
/// processor 0, whatever that says.
///
/// `x`, `schedule`: as of `pipelined_segmented_prefix`.
/// Result: this processor's values, in the same order.
/// Errors, cost: those of `pipelined_prefix`, with Copy's domain extended by an identity.
///
/// **Source** Mayr and Plaxton 1989, section 3.
template <payload_element T>
  requires(!std::same_as<T, bool>)
[[nodiscard]] std::vector<T> pipelined_data_distribution(
    processor& me, std::span<segmented<T> const> x, prefix_schedule const& schedule,
    std::source_location where = std::source_location::current()) {
  library_call const call(me, where);
  std::vector<segmented<extended<T>>> mine;
  mine.reserve(x.size());
  for (auto const& [begins, value] : x) {
    bool const is_first = begins || me.rank() == 0;
    mine.push_back({is_first, is_first ? extended<T>(value) : extended<T>()});
  }
  std::vector<T> values;
  values.reserve(x.size());
  for (auto const& first : pipelined_segmented_prefix(me, with_identity<T>(copy_operator<T>{}),
                                                      std::span(std::as_const(mine)), schedule))
    values.push_back(first.value);
  return values;
}

/// Makes the claims, the paper's and ours, about the cost of k segmented prefixes.
/// Errors: invalid_argument where `prefix_schedule::unsupported_reason` has a reason.
[[nodiscard]] std::vector<claim> pipelined_segmented_prefix_claims(topology const& network,
                                                                   pipelined_scheme scheme,
                                                                   std::uint64_t k, ports with);

/// Makes the claims about the cost of k data distributions. Errors: the same.
[[nodiscard]] std::vector<claim> pipelined_data_distribution_claims(topology const& network,
                                                                    pipelined_scheme scheme,
                                                                    std::uint64_t k, ports with);

}  // namespace lockstep
