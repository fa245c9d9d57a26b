#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <source_location>
#include <span>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include <lockstep/algorithms/random_access/transportation.hpp>
#include <lockstep/claim.hpp>
#include <lockstep/library_call.hpp>
#include <lockstep/payload.hpp>
#include <lockstep/processor.hpp>

namespace lockstep {

/// The processors of a crossbar as places of an m-dimensional cube of q processors a side: digit i of a rank
/// to base q, from the lowest, is its place in dimension i.
class crossbar_digits {
 public:
  /// Errors: invalid_argument for another network than a crossbar, a number of stages that is not even and
  /// at least 2, and a p that is not q to the power of half of the stages for any q.
  crossbar_digits(topology const& network, int stages,
                  std::source_location where = std::source_location::current());

  [[nodiscard]] int digits() const { return m_digits; }
  [[nodiscard]] int base() const { return m_base; }
  /// Finds the digit of a rank.
  [[nodiscard]] int digit_of(int rank, int digit) const {
    return rank / m_weights[static_cast<std::size_t>(digit)] % m_base;
  }
  /// Lists the processors that differ from a rank in that digit at most, in the order of it.
  [[nodiscard]] std::vector<int> line_of(int rank, int digit) const;

 private:
  int m_digits;
  int m_base = 1;
  std::vector<int> m_weights;  ///< of each digit: 1, q, q^2, ...
};

namespace detail {

/// Sorts elements by destination, and those for one destination by source and number. Comparisons are
/// operations.
template <payload_element T>
void sort_by_destination(processor& me, std::vector<in_transit<T>>& elements) {
  std::uint64_t comparisons = 0;
  std::ranges::sort(elements, [&](in_transit<T> const& one, in_transit<T> const& other) {
    ++comparisons;
    return std::tie(one.destination, one.source, one.number) <
           std::tie(other.destination, other.source, other.number);
  });
  me.work(comparisons);
}

/// Exchanges elements along a line: element e of those held goes to the place `place_of(e)` there.
template <payload_element T, class PlaceOf>
void exchange_in_line(processor& me, std::vector<int> const& line, std::vector<in_transit<T>>& held,
                      PlaceOf const& place_of) {
  me.work(held.size());
  auto part = me.subset(line);
  bins<in_transit<T>> out(line.size());
  for (std::size_t e = 0; e < held.size(); ++e) out[place_of(e)].push_back(held[e]);
  held = joined(exchange_on_network(part, std::move(out), showing_in_transit(part)));
}

}  // namespace detail

/// Brings every element where it goes by way of several processors, for few elements: of q^m processors each
/// exchanges with the q of a line only. In the first m stages a processor lays out what it has by destination
/// and deals it over a line, a dimension after the other; in the last m, from the highest dimension down,
/// elements go to their destination's place in the line. Called by all processors of a crossbar; phases
/// "stage 1" to "stage 2m".
///
/// `elements`, `destination_of`: as `transportation`. `stages`: 2m.
/// Shows: "elements" with source and destination, wherever they are.
/// Result: the elements for this processor, by source, within it in the source's order.
/// Errors: those of `crossbar_digits`; invalid_argument for a destination that is not a rank; those of the
/// machine.
///
/// **Cost** one-port, strict, if no processor sends more than r elements or receives more than c: 2m(q - 1)
/// rounds, empty messages included, where each with elements pays a start-up; at most
/// m(q - 1)((r + c + (m - 1)(q - 1))/q + p) words, since a stage deals as many to each, but for one, of those
/// for any destinations that follow each other. For m = 1 it is `transportation`.
///
/// **Source** Shankar and Ranka 1997, section 4: where start-ups dominate, "transferring the data through more
/// intermediate stages". The stages are lockstep's.
///
/// **Example**
/// ```
/// lockstep::machine machine{lockstep::crossbar{16}};
/// auto run = machine.run([](lockstep::processor& me) {
///   std::vector<int> const to_the_next(16, (me.rank() + 1) % 16);
///   return lockstep::transportation_in_stages(me, std::span(to_the_next), std::identity{}, 4).size();
/// });
/// run.results()[2];       // 16
/// run.counts().startups;  // 12
/// ```
template <payload_element T, class Destination>
[[nodiscard]] std::vector<T> transportation_in_stages(
    processor& me, std::span<T const> elements, Destination const& destination_of, int stages,
    std::source_location where = std::source_location::current()) {
  library_call const call(me, where);
  crossbar_digits const places(me.topology(), stages, call.where());
  auto const destinations = detail::destinations_of(me, elements, destination_of);
  std::vector<detail::in_transit<T>> held;
  std::vector<std::uint32_t> numbers(static_cast<std::size_t>(me.size()));
  for (std::size_t i = 0; i < elements.size(); ++i) {
    auto const to = destinations[i];
    held.push_back({elements[i], to, me.rank(), numbers[static_cast<std::size_t>(to)]++});
  }
  int stage = 0;
  auto const base = static_cast<std::size_t>(places.base());
  for (int digit = 0; digit < places.digits(); ++digit) {
    me.phase("stage " + std::to_string(++stage));
    detail::sort_by_destination(me, held);
    auto const own = static_cast<std::size_t>(places.digit_of(me.rank(), digit));
    detail::exchange_in_line(me, places.line_of(me.rank(), digit), held,
                             [&](std::size_t e) { return (e + own) % base; });
  }
  for (int digit = places.digits(); digit-- > 0;) {
    me.phase("stage " + std::to_string(++stage));
    detail::exchange_in_line(me, places.line_of(me.rank(), digit), held, [&](std::size_t e) {
      return static_cast<std::size_t>(places.digit_of(held[e].destination, digit));
    });
  }
  detail::sort_by_destination(me, held);  // of one destination: by source
  std::vector<T> arrived;
  for (auto const& one : held) arrived.push_back(one.value);
  return arrived;
}

/// Makes the claims about `transportation_in_stages` of one-word elements, where no processor sends more than
/// r or receives more than c.
/// Errors: those of `crossbar_digits`.
[[nodiscard]] std::vector<claim> transportation_in_stages_claims(topology const& network,
                                                                 int stages, std::uint64_t r,
                                                                 std::uint64_t c);

}  // namespace lockstep
