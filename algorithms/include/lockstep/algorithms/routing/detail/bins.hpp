#pragma once

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <ranges>
#include <source_location>
#include <span>
#include <utility>
#include <vector>

#include <lockstep/algorithms/collectives/detail/rounds.hpp>
#include <lockstep/algorithms/detail/counts_as.hpp>
#include <lockstep/algorithms/detail/size_checks.hpp>
#include <lockstep/algorithms/routing/bin_bounds.hpp>
#include <lockstep/detail/library_frame.hpp>
#include <lockstep/processor.hpp>

namespace lockstep::detail {

/// Memory for an element, which nobody clears before the element is there.
template <payload_element T>
struct place_for {
  using counts_as = T;

  union {
    T element;
  };

  place_for() noexcept {}  // NOLINT: there is nothing in it yet
};

/// One bin for each processor.
template <payload_element T>
using bins = std::vector<std::vector<T>>;

/// Bins that are being filled. Each has room for its part if all are about as large, and grows
/// where it needs more.
template <payload_element T>
class growing_bins {
 public:
  /// `elements`: in all bins together. `emptied`: bins whose memory is used again.
  growing_bins(int processors, std::size_t elements, bins<place_for<T>> emptied = {})
      : m_bins(std::move(emptied)) {
    auto const p = static_cast<std::size_t>(processors);
    m_bins.resize(p);
    auto const share = elements / p;
    auto const room = std::min<std::size_t>(largest_bin(elements, processors), 2 * share + 1);
    for (auto& bin : m_bins) {
      bin.resize(room);
      m_ends.push_back({bin.data(), bin.data() + room});
    }
  }

  void append(std::size_t bin, T element) {
    auto& end = m_ends[bin];
    if (end.filled == end.room) [[unlikely]]
      return append_to_full(bin, element);
    std::construct_at(std::addressof(end.filled->element), element);
    ++end.filled;
  }

  [[nodiscard]] bins<place_for<T>> finish() && {
    for (std::size_t bin = 0; bin < m_bins.size(); ++bin)
      m_bins[bin].resize(static_cast<std::size_t>(m_ends[bin].filled - m_bins[bin].data()));
    return std::move(m_bins);
  }

 private:
  struct ends {
    place_for<T>* filled;
    place_for<T>* room;
  };

  [[gnu::noinline]] void append_to_full(std::size_t bin, T element) {
    auto& grown = m_bins[bin];
    auto const filled = grown.size();
    grown.resize(2 * filled + 1);
    m_ends[bin] = {grown.data() + filled, grown.data() + grown.size()};
    append(bin, element);
  }

  bins<place_for<T>> m_bins;
  std::vector<ends> m_ends;
};

/// Deals elements out to bins (Step 1): the m-th for j goes to bin (rank + j + m) mod p.
template <payload_element T>
class dealer {
 public:
  dealer(processor const& me, std::size_t elements, bins<place_for<T>> emptied = {})
      : m_bins(me.size(), elements, std::move(emptied)) {
    for (int j = 0; j < me.size(); ++j) {
      m_next.push_back(static_cast<std::uint32_t>(shifted(me, j)));
      m_after.push_back(static_cast<std::uint32_t>((j + 1) % me.size()));
    }
  }

  void deal(std::size_t destination, T element) {
    auto const bin = m_next[destination];
    m_bins.append(bin, element);
    m_next[destination] = m_after[bin];
  }

  [[nodiscard]] bins<place_for<T>> finish() && { return std::move(m_bins).finish(); }

 private:
  growing_bins<T> m_bins;
  std::vector<std::uint32_t> m_next;   ///< bin for the next element, by destination
  std::vector<std::uint32_t> m_after;  ///< the bin after each: a comparison would be guessed wrong
};

/// The destination of the element, as an index.
/// Errors: invalid_argument.
template <std::integral Destination>
[[nodiscard]] std::size_t checked_destination(processor const& me, std::size_t element,
                                              Destination destination) {
  if (std::cmp_less(destination, 0) || std::cmp_greater_equal(destination, me.size()))
    throw_no_destination("h_relation", me.rank(), element, static_cast<std::int64_t>(destination),
                         me.size());
  return static_cast<std::size_t>(destination);
}

/// The same, of an element of this processor.
template <payload_element T, class Destination>
[[nodiscard]] std::size_t checked_destination(processor const& me, std::span<T const> elements,
                                              std::size_t index,
                                              Destination const& destination_of) {
  return checked_destination(me, index, std::invoke(destination_of, elements[index]));
}

/// Step 1: successive elements for a processor in successive bins.
template <payload_element T, class Destination>
[[nodiscard]] bins<place_for<T>> deal_out(processor const& me, std::span<T const> elements,
                                          Destination const& destination_of) {
  dealer<T> to_bins(me, elements.size());
  for (std::size_t i = 0; i < elements.size(); ++i)
    to_bins.deal(checked_destination(me, elements, i, destination_of), elements[i]);
  return std::move(to_bins).finish();
}

template <payload_element T>
[[nodiscard]] std::uint64_t elements_of(bins<T> const& of) {
  std::uint64_t elements = 0;
  for (auto const& bin : of) elements += bin.size();
  return elements;
}

/// Step 3: what came from all processors, in the order of sources, by destination.
template <payload_element T, class Destination>
[[nodiscard]] bins<place_for<T>> bins_by_destination(processor const& me,
                                                     bins<place_for<T>> const& by_source,
                                                     Destination const& destination_of,
                                                     bins<place_for<T>> emptied = {}) {
  growing_bins<T> sorted(me.size(), elements_of(by_source), std::move(emptied));
  for (auto const& bin : by_source)
    for (std::size_t i = 0; i < bin.size(); ++i) {
      auto const& element = bin[i].element;
      sorted.append(checked_destination(me, i, std::invoke(destination_of, element)), element);
    }
  return std::move(sorted).finish();
}

/// For exchanges that show nothing of their own.
struct show_nothing {
  template <class... Anything>
  void operator()(Anything const&... /*of*/) const {}
};

/// Bin l goes to processor l, in p - 1 pipelined rounds: in round k from i to (i + k) mod p. The
/// own bin stays. Empty ones are sent, too: nobody can know that nothing comes. `show(out, in)`: in
/// a view, shows the bins that have not gone and those that have come.
/// Result: what came, indexed by source.
template <payload_element T, class Show = show_nothing>
[[nodiscard]] bins<T> exchange_bins(processor& me, bins<T> out, Show const& show = {},
                                    std::source_location where = std::source_location::current()) {
  library_frame const frame(me, where);
  bins<T> in(out.size());
  auto const own = static_cast<std::size_t>(me.rank());
  in[own] = std::move(out[own]);
  if (me.is_shown()) show(out, in);
  me.pipelined([&] {
    in_shifted_rounds(
        me, [&](int to) { me.send(to, std::move(out[static_cast<std::size_t>(to)])); },
        [&](int from) {
          in[static_cast<std::size_t>(from)] = me.receive<T>(from);
          if (me.is_shown()) show(out, in);
        });
  });
  return in;
}

template <payload_element T>
[[nodiscard]] std::uint64_t largest_of(bins<T> const& of) {
  std::uint64_t largest = 0;
  for (auto const& bin : of) largest = std::max<std::uint64_t>(largest, bin.size());
  return largest;
}

/// One after the other.
template <payload_element T>
[[nodiscard]] std::vector<T> joined(bins<T> const& of) {
  std::vector<T> all;
  all.reserve(elements_of(of));
  for (auto const& bin : of) all.insert(all.end(), bin.begin(), bin.end());
  return all;
}

/// The same, of their elements.
template <payload_element T>
[[nodiscard]] std::vector<T> joined(bins<place_for<T>> const& of) {
  std::vector<T> all;
  all.reserve(elements_of(of));
  for (auto const& bin : of) {
    auto const elements = bin | std::views::transform(&place_for<T>::element);
    all.insert(all.end(), elements.begin(), elements.end());
  }
  return all;
}

}  // namespace lockstep::detail
