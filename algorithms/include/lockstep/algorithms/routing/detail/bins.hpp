#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <utility>
#include <vector>

#include <lockstep/algorithms/collectives/detail/rounds.hpp>
#include <lockstep/algorithms/routing/bin_bounds.hpp>
#include <lockstep/processor.hpp>

namespace lockstep::detail {

/// One bin for each processor.
template <payload_element T>
using bins = std::vector<std::vector<T>>;

/// Errors: invalid_argument, always: an element goes to a processor that is none.
[[noreturn]] void throw_no_destination(int rank, std::size_t element, std::int64_t destination,
                                       int processors);

/// The destination of an element, as an index.
/// Errors: invalid_argument.
template <payload_element T, class Destination>
[[nodiscard]] std::size_t checked_destination(processor const& me, std::span<T const> elements,
                                              std::size_t index,
                                              Destination const& destination_of) {
  auto const destination = std::invoke(destination_of, elements[index]);
  if (std::cmp_less(destination, 0) || std::cmp_greater_equal(destination, me.size()))
    throw_no_destination(me.rank(), index, static_cast<std::int64_t>(destination), me.size());
  return static_cast<std::size_t>(destination);
}

/// Step 1: the m-th element for j goes to bin (rank + j + m) mod p.
template <payload_element T, class Destination>
[[nodiscard]] bins<T> deal_out(processor const& me, std::span<T const> elements,
                               Destination const& destination_of) {
  auto const p = static_cast<std::size_t>(me.size());
  bins<T> dealt(p);
  for (auto& bin : dealt) bin.reserve(largest_bin(elements.size(), me.size()));
  std::vector<std::size_t> next(p);
  for (std::size_t j = 0; j < p; ++j) next[j] = (static_cast<std::size_t>(me.rank()) + j) % p;
  for (std::size_t i = 0; i < elements.size(); ++i) {
    auto& bin = next[checked_destination(me, elements, i, destination_of)];
    dealt[bin].push_back(elements[i]);
    if (++bin == p) bin = 0;
  }
  return dealt;
}

/// Step 3: what came from everybody, in the order of sources, by destination.
template <payload_element T, class Destination>
[[nodiscard]] bins<T> bins_by_destination(processor const& me, bins<T> const& by_source,
                                          Destination const& destination_of) {
  auto const destination = [&](T const& element) {
    return static_cast<std::size_t>(std::invoke(destination_of, element));
  };
  std::vector<std::size_t> sizes(static_cast<std::size_t>(me.size()));
  for (auto const& bin : by_source)
    for (auto const& element : bin) ++sizes[destination(element)];
  bins<T> sorted(sizes.size());
  for (std::size_t j = 0; j < sizes.size(); ++j) sorted[j].reserve(sizes[j]);
  for (auto const& bin : by_source)
    for (auto const& element : bin) sorted[destination(element)].push_back(element);
  return sorted;
}

/// Bin l goes to processor l, in p - 1 pipelined rounds: in round k from i to (i + k) mod p. The own
/// bin stays. Empty ones are sent, too: nobody can know that nothing comes.
/// Result: what came, indexed by source.
template <payload_element T>
[[nodiscard]] bins<T> exchange_bins(processor& me, bins<T> out) {
  bins<T> in(out.size());
  auto const own = static_cast<std::size_t>(me.rank());
  in[own] = std::move(out[own]);
  me.pipelined([&] {
    for (int shift = 1; shift < me.size(); ++shift) {
      int const to = shifted(me, shift);
      int const from = shifted(me, -shift);
      me.send(to, std::move(out[static_cast<std::size_t>(to)]));
      in[static_cast<std::size_t>(from)] = me.receive<T>(from);
    }
  });
  return in;
}

template <payload_element T>
[[nodiscard]] std::uint64_t largest_of(bins<T> const& of) {
  std::uint64_t largest = 0;
  for (auto const& bin : of) largest = std::max<std::uint64_t>(largest, bin.size());
  return largest;
}

template <payload_element T>
[[nodiscard]] std::uint64_t elements_of(bins<T> const& of) {
  std::uint64_t elements = 0;
  for (auto const& bin : of) elements += bin.size();
  return elements;
}

/// One after the other.
template <payload_element T>
[[nodiscard]] std::vector<T> joined(bins<T> const& of) {
  std::vector<T> all;
  all.reserve(elements_of(of));
  for (auto const& bin : of) all.insert(all.end(), bin.begin(), bin.end());
  return all;
}

}  // namespace lockstep::detail
