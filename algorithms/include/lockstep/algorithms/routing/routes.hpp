#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <ranges>
#include <source_location>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include <lockstep/algorithms/detail/counts_as.hpp>
#include <lockstep/algorithms/detail/show_values.hpp>
#include <lockstep/algorithms/prefix/monoid.hpp>
#include <lockstep/algorithms/prefix/pipelined_prefix.hpp>
#include <lockstep/algorithms/routing/detail/pipelined_crossing.hpp>
#include <lockstep/algorithms/routing/detail/required_hypercube.hpp>
#include <lockstep/claim.hpp>
#include <lockstep/detail/library_frame.hpp>
#include <lockstep/library_call.hpp>
#include <lockstep/payload.hpp>
#include <lockstep/processor.hpp>

namespace lockstep {

/// A record and where it goes, or nothing. It counts as many words as the record: the papers count
/// records, with which their destinations (and the bit that tells a record from nothing) travel.
template <payload_element T>
struct routed {
  using counts_as = T;

  static constexpr int nowhere = -1;

  T value{};
  int destination = nowhere;  ///< rank in the hypercube or subcube; `nowhere`: there is no record

  [[nodiscard]] bool is_there() const { return destination != nowhere; }
};

/// The routes of a hypercube on which no two records of an instance meet.
enum class route : std::uint8_t {
  concentration,          ///< from anywhere to processors 0, 1, 2, ..., in the same order
  inverse_concentration,  ///< from processors 0, 1, 2, ... to anywhere, in the same order
  monotone                ///< from anywhere to anywhere, in the same order
};

/// "concentration", "inverse concentration", "monotone route".
[[nodiscard]] std::string_view name_of(route which);

namespace detail {

/// Errors: invalid_argument unless the destination is a processor of the network.
void require_destination(topology const& network, route which, std::size_t instance,
                         int destination);

/// Errors: invalid_argument, always: two records of an instance are in one processor.
[[noreturn]] void throw_records_meet(route which, std::size_t instance, int rank,
                                     int one_destination, int other_destination);

/// Shows the records that there are: their values, and the processors that they go to.
template <std::ranges::forward_range Records>
void show_records(processor& me, Records const& records, int slot_bits = 0,
                  std::source_location where = std::source_location::current()) {
  if (!me.is_shown()) [[likely]]
    return;
  std::vector<int> destinations;
  for (auto const& record : records)
    if (record.is_there()) destinations.push_back(record.destination >> slot_bits);
  show_values(me, "records", records, where);
  me.show("destinations", destinations, where);
}

/// Takes out of a place the record that leaves it over a dimension, if it has to cross; else
/// nothing.
template <class T>
[[nodiscard]] routed<T> what_leaves(routed<T>& place, int rank, int dimension) {
  bool const crosses = place.is_there() && ((place.destination ^ rank) >> dimension & 1) != 0;
  return crosses ? std::exchange(place, {}) : routed<T>{};
}

/// Bit fixing: a record crosses a dimension if its destination is on the other side. Instance j
/// crosses its s-th dimension in step j + s, and all processors send each time, if only nothing.
/// Of `held` instance j has place j; `which` is named where records meet.
template <payload_element T>
[[nodiscard]] std::vector<routed<T>> fix_bits(
    processor& me, crossing order, route which, std::vector<routed<T>> held,
    std::source_location where = std::source_location::current()) {
  library_frame const frame(me, where);
  auto const& cube = required_hypercube(me.topology(), name_of(which));
  for (std::size_t j = 0; j < held.size(); ++j)
    if (held[j].is_there()) require_destination(cube, which, j, held[j].destination);

  show_records(me, held);
  cross_dimensions<routed<T>>(
      me, cube.dimension(), held.size(), order,
      [&](std::size_t j, int dimension) { return what_leaves(held[j], me.rank(), dimension); },
      [&](std::size_t j, int /*dimension*/, routed<T> const& arrived) {
        if (!arrived.is_there()) return;
        if (held[j].is_there())
          throw_records_meet(which, j, me.rank(), held[j].destination, arrived.destination);
        held[j] = arrived;
        show_records(me, held);
      });
  show_records(me, held);
  return held;
}

/// Collects the values that have arrived.
template <payload_element T>
[[nodiscard]] std::vector<std::optional<T>> values_of(std::vector<routed<T>> const& places) {
  std::vector<std::optional<T>> values(places.size());
  for (std::size_t j = 0; j < places.size(); ++j)
    if (places[j].is_there()) values[j] = places[j].value;
  return values;
}

/// Each record with its rank among those of its instance, in processor order, as its destination.
template <payload_element T>
[[nodiscard]] std::vector<routed<routed<T>>> ranked(
    processor& me, std::span<routed<T> const> records,
    std::source_location where = std::source_location::current()) {
  library_frame const frame(me, where);
  std::vector<int> counts(records.size());
  std::ranges::transform(records, counts.begin(),
                         [](routed<T> const& record) { return record.is_there() ? 1 : 0; });
  prefix_schedule const schedule(me.topology(), pipelined_scheme::fft, ports::all);
  auto const ranks = pipelined_prefix(me, monoid{0, std::plus<int>{}}, std::span<int const>(counts),
                                      schedule, prefix_kind::exclusive);
  std::vector<routed<routed<T>>> with_ranks(records.size());
  for (std::size_t j = 0; j < records.size(); ++j)
    if (records[j].is_there()) with_ranks[j] = {records[j], ranks[j]};
  return with_ranks;
}

}  // namespace detail

/// k concentrations at once: in each instance the records, at most one in a processor, go
/// to processors 0, 1, 2, ... in processor order. Called by all processors of a hypercube or a
/// subcube (`me.subset`), with the same k.
///
/// `records`: this processor's record of each instance, or nothing; its destination is its rank
/// among the records of its instance.
/// Shows: "records" and their "destinations".
/// Result: the record that this processor has in the end, of each instance, or nothing.
/// Errors: invalid_argument on another topology, for a destination that is not a rank, and where
/// two records of an instance meet in a processor, which those with such destinations never do;
/// those of the machine.
///
/// **Cost** neighbour switching. With all ports k + d - 1 steps (0 for d = 0 or
/// k = 0), strict; on one port kd steps, strict: all at once gain nothing there. kdp messages of
/// one record: a processor that passes on no record says so by a message of the same size, for its
/// neighbour cannot know.
///
/// **Source** Nassimi and Sahni's route; Mayr and Plaxton 1989, section 4, whose bound is k + log
/// p.
///
/// **Example**
/// ```
/// lockstep::machine cube{lockstep::hypercube{3}};
/// auto run = cube.run([](lockstep::processor& me) {
///   std::vector<lockstep::routed<char>> mine(1);   // one instance: 3, 4 and 6 have a record
///   if (me.rank() == 3) mine[0] = {'a', 0};
///   if (me.rank() == 4) mine[0] = {'b', 1};
///   if (me.rank() == 6) mine[0] = {'c', 2};
///   return lockstep::concentrate(me, std::span<lockstep::routed<char> const>(mine))[0];
/// });
/// run.results()[2];    // 'c'
/// run.counts().steps;  // 3
/// ```
template <payload_element T>
[[nodiscard]] std::vector<std::optional<T>> concentrate(
    processor& me, std::span<routed<T> const> records,
    std::source_location where = std::source_location::current()) {
  library_call const call(me, where);
  return detail::values_of(detail::fix_bits<T>(me, detail::crossing::upwards, route::concentration,
                                               {records.begin(), records.end()}));
}

/// k inverse concentrations at once: in each instance the records of processors 0, 1, 2, ..., r -
/// 1, or of p - 1, p - 2, ..., p - r, go to destinations that increase in this order.
///
/// `records`: this processor's record of each instance with its destination, or nothing.
/// Result, errors, cost: as `concentrate`.
///
/// **Source** Nassimi and Sahni's route; Mayr and Plaxton 1989, section 4, whose bound is k + log
/// p.
template <payload_element T>
[[nodiscard]] std::vector<std::optional<T>> inverse_concentrate(
    processor& me, std::span<routed<T> const> records,
    std::source_location where = std::source_location::current()) {
  library_call const call(me, where);
  return detail::values_of(detail::fix_bits<T>(me, detail::crossing::downwards,
                                               route::inverse_concentration,
                                               {records.begin(), records.end()}));
}

/// k monotone routes at once: in each instance records go from any processors to destinations that
/// increase from processor to processor. Ranks by exclusive prefixes, a concentration, and an
/// inverse concentration, one after the other: the two routes cross the same links.
///
/// `records`: this processor's record of each instance with its destination, or nothing.
/// Result, errors: as `concentrate`.
///
/// **Cost** as `concentrate`, three times: 3(k + d - 1) steps with all ports, 3d on one port for
/// k = 1; 3kdp messages, kdp of them counts of one word.
///
/// **Source** Mayr and Plaxton 1989, section 4: "a monotone route is equivalent to a concentration
/// route followed by an inverse concentration".
template <payload_element T>
[[nodiscard]] std::vector<std::optional<T>> monotone_route(
    processor& me, std::span<routed<T> const> records,
    std::source_location where = std::source_location::current()) {
  library_call const call(me, where);
  static_cast<void>(detail::required_hypercube(me.topology(), name_of(route::monotone)));
  for (std::size_t j = 0; j < records.size(); ++j)
    if (records[j].is_there())
      detail::require_destination(me.topology(), route::monotone, j, records[j].destination);

  using detail::crossing;
  auto with_ranks = detail::ranked(me, records);
  auto const concentrated =
      detail::fix_bits(me, crossing::upwards, route::monotone, std::move(with_ranks));
  std::vector<routed<T>> in_order(concentrated.size());
  std::ranges::transform(concentrated, in_order.begin(), &routed<routed<T>>::value);
  return detail::values_of(
      detail::fix_bits(me, crossing::downwards, route::monotone, std::move(in_order)));
}

/// Makes the claims, the paper's and ours, about k routes of one-word records, with all ports, or
/// on one port for k = 1.
/// Errors: invalid_argument for a network that is not a hypercube.
[[nodiscard]] std::vector<claim> route_claims(topology const& network, route which,
                                              std::uint64_t k);

}  // namespace lockstep
