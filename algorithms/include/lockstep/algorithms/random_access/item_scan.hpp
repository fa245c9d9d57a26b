#pragma once

#include <algorithm>
#include <cstddef>
#include <optional>
#include <source_location>
#include <span>
#include <type_traits>

#include <lockstep/algorithms/collectives/detail/network_collectives.hpp>
#include <lockstep/algorithms/collectives/pieces.hpp>
#include <lockstep/algorithms/collectives/scatter.hpp>
#include <lockstep/algorithms/prefix/detail/show_sums.hpp>
#include <lockstep/algorithms/prefix/monoid.hpp>
#include <lockstep/algorithms/prefix/prefix.hpp>
#include <lockstep/algorithms/random_access/detail/network_rounds.hpp>
#include <lockstep/library_call.hpp>
#include <lockstep/processor.hpp>

namespace lockstep {

namespace detail {

/// Makes the prefix of an item from the items of all, where messages to ranks at distances 1, 2, 4, ..
/// would share links.
template <payload_element T, class Directed>
[[nodiscard]] T item_of_all_gathered(processor& me, Directed const& in_order, T const& item) {
  auto const p = me.size();
  auto const scheme =
      scheme_of_blocks(collective_operation::all_gather, me, collective_scheme::automatic, 1);
  me.barrier();
  auto const items =
      all_gather_on_network(network_call(me, scheme), pieces(static_cast<std::size_t>(p), p),
                            std::span<T const>(&item, 1));
  auto const place = in_order.role(me.rank(), p);
  T before = in_order.identity();
  for (int lower = 0; lower < place; ++lower)
    before =
        in_order(before, static_cast<T>(items[static_cast<std::size_t>(in_order.role(lower, p))]));
  T const through = in_order(before, item);
  show_sum(me, in_order, "scan", {0, place + 1}, through);
  show_sum(me, in_order, "scan before", {0, place}, before);
  return in_order.is_inclusive() ? through : before;
}

}  // namespace detail

/// Combines one item of each processor by recursive doubling: processor q gets x_0 + ... + x_{q-1},
/// or what `kind` says, for any associative operator and any number of processors. Operands are
/// combined in rank order. Called by all processors of a crossbar, in the same step, or of a hypercube,
/// torus or mesh.
///
/// `plus`: operator and identity; `item`: this processor's.
/// Shows: the ranks that are in "scan" and "scan before", and the values of both.
/// Result: this processor's prefix; the identity if nothing has to be combined.
/// Errors: those of the machine.
///
/// **Cost** on a crossbar, one-port: a step, a start-up and one item, of words_of<T>, each time
/// that the distance doubles, which is ceil(log2 p) times; strict. An exclusive scan needs no shift
/// besides, since the sum without the own item is kept beside that with it. On the other networks that
/// of an `all_gather` of the items.
///
/// **Source** Shankar and Ranka 1997, section 6, whose scans are not spelled out; recursive
/// doubling: Hillis and Steele 1986.
///
/// **Example**
/// ```
/// lockstep::machine machine{lockstep::crossbar{5}};
/// auto run = machine.run([](lockstep::processor& me) {
///   return lockstep::item_scan(me, lockstep::monoid{0, std::plus<int>{}}, me.rank());
/// });
/// run.results()[4];    // 6
/// run.counts().steps;  // 3
/// ```
template <payload_element T, associative_operator<T> Operator>
[[nodiscard]] T item_scan(processor& me, monoid<T, Operator> const& plus,
                          std::type_identity_t<T> const& item,
                          prefix_kind kind = prefix_kind::exclusive,
                          std::source_location where = std::source_location::current()) {
  library_call const call(me, where);
  detail::directed const in_order(plus, kind);
  if (!detail::reaches_anybody(me)) return detail::item_of_all_gathered<T>(me, in_order, item);
  auto const p = me.size();
  auto const place = in_order.role(me.rank(), p);
  T before = in_order.identity();
  T through = item;
  for (int distance = 1; distance < p; distance *= 2) {
    auto const round = me.now();
    if (place + distance < p) me.send(in_order.role(place + distance, p), through);
    if (place >= distance) {
      auto const received = me.receive_value<T>(in_order.role(place - distance, p));
      before = in_order(received, before);
      through = in_order(received, through);
    }
    if (me.now() == round) me.idle();
    detail::place_range const places{std::max(0, place - 2 * distance + 1), place + 1};
    detail::show_sum(me, in_order, "scan", places, through);
    detail::show_sum(me, in_order, "scan before", places.up_to(place, false), before);
  }
  return in_order.is_inclusive() ? through : before;
}

/// The same for an operator that has no identity, whose domain is extended by one.
/// Result: nothing if nothing has to be combined.
template <payload_element T, associative_operator<T> Operator>
  requires(!detail::is_monoid<Operator>)
[[nodiscard]] std::optional<T> item_scan(
    processor& me, Operator const& plus, T const& item, prefix_kind kind = prefix_kind::exclusive,
    std::source_location where = std::source_location::current()) {
  library_call const call(me, where);
  return item_scan(me, with_identity<T>(plus), extended<T>(item), kind).as_optional();
}

}  // namespace lockstep
