#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>
#include <vector>

#include <lockstep/algorithms/prefix/monoid.hpp>
#include <lockstep/algorithms/random_access/bucket_layout.hpp>
#include <lockstep/algorithms/random_access/detail/access_checks.hpp>
#include <lockstep/algorithms/random_access/detail/last_run.hpp>
#include <lockstep/algorithms/random_access/detail/sends_by_owner.hpp>
#include <lockstep/algorithms/random_access/item_scan.hpp>
#include <lockstep/claim.hpp>
#include <lockstep/processor.hpp>

namespace lockstep {

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
  auto const before = item_scan(me, of_last_runs<T>(plus), own);
  auto const next = item_scan(me, with_identity<std::size_t>(copy_operator<std::size_t>{}), first,
                              prefix_kind::backward_exclusive);
  if (runs.empty()) return runs;
  if (before.is_there) require_sorted_ranks(me, before.key, runs.front().address);
  if (before.is_there && before.key == runs.front().address)
    runs.front().value = plus(before.value, runs.front().value);
  if (next.is_there && next.value == runs.back().address) runs.pop_back();
  return runs;
}

}  // namespace detail

/// Writes each value to the address that its pointer says, A(P(i)) = A(P(i)) + D(i), where pointers
/// are in order: equal ones are combined before anything is sent, so that each processor sends and
/// receives at most ceil(n/p) elements, however many go to the same address. Called by all
/// processors of a crossbar; phases "equal pointers", "destinations" and "sends".
///
/// `layout`: of the addresses; k does not matter. `pointers`, `values`: this processor's elements,
/// of the same number, any; pointers do not decrease, from one rank to the next either, and
/// elements with `no_pointer` take part in nothing. `plus`: any associative operator; operands are
/// combined in the order of elements. `array`: this processor's block of A, which is the leftmost
/// operand.
/// Errors: invalid_argument for pointers that are not in order, or not addresses, or lists of other
/// lengths; those of the machine.
///
/// **Cost** on a crossbar, one-port: q + 5 ceil(log2 p) start-ups, with q the most messages that a
/// processor sends or receives; strict. In phase "sends" at most ceil(n/p) elements go in or out of
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
                     std::span<T> array) {
  detail::require_layout(me, layout);
  detail::require_length(me, "values", values.size(), pointers.size());
  detail::require_length(me, "elements of the array", array.size(), layout.size_of(me.rank()));
  detail::require_sorted(me, layout, pointers);
  me.phase("equal pointers");
  auto const runs =
      detail::runs_that_end_here(me, detail::local_runs<T>(pointers, values, plus), plus);
  auto const arrived = detail::sent_by_owner(
      me, layout, runs, [](auto const& run, std::size_t /*i*/) { return run.address; });
  for (auto const& [address, value] : arrived) {
    auto& written = array[address - layout.first_of(me.rank())];
    written = plus(written, value);
  }
}

/// What the paper and lockstep say that a monotonic write of n elements on p processors costs, of
/// which one sends or receives q messages and none more. It is about the figure "sends_port_words",
/// too: the most words that a processor sends or receives in the phase "sends".
[[nodiscard]] std::vector<claim> monotonic_write_claims(int p, std::uint64_t n, std::uint64_t q);

}  // namespace lockstep
