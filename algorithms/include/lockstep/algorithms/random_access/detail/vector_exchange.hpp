#pragma once

#include <algorithm>
#include <cstddef>
#include <span>
#include <vector>

#include <lockstep/algorithms/collectives/pieces.hpp>
#include <lockstep/algorithms/detail/show_values.hpp>
#include <lockstep/algorithms/random_access/detail/operand_order.hpp>
#include <lockstep/algorithms/random_access/detail/vector_sums.hpp>
#include <lockstep/processor.hpp>
#include <lockstep/shown.hpp>

namespace lockstep::detail {

/// Sums in two complete exchanges: piece j of every vector goes to place j, which makes the sums of
/// it for all processors, and sends them back.
template <payload_element T, class Operator>
class exchanged_sums {
 public:
  exchanged_sums(processor const& me, operand_order const& order, Operator const& plus,
                 std::size_t words)
      : m_order(order),
        m_plus(plus),
        m_pieces(words, me.size()),
        m_place(order.mirrored(me.rank())) {}

  [[nodiscard]] vector_sums<T> sums(processor& me, std::vector<T> const& mine, wanted_sums wanted) {
    show_values(me, "vector", mine);
    gather_pieces(me, mine);
    auto const totals = scan_pieces();
    me.show("sum", rank_interval{0, me.size() - 1});
    show_values(me, "values of the sum", totals);
    return spread(me, totals, wanted);
  }

 private:
  [[nodiscard]] std::size_t size() const { return m_pieces.size(m_place); }

  /// The piece of the place's vector among those that were gathered.
  [[nodiscard]] std::span<T> gathered(int place) {
    return std::span(m_gathered).subspan(static_cast<std::size_t>(place) * size(), size());
  }

  template <class Range>
  [[nodiscard]] auto piece(Range& vector, int place) const {
    return std::span(vector).subspan(m_pieces.before(place), m_pieces.size(place));
  }

  /// Visits, for each round, the place that it sends to and the place that it receives from.
  template <class Visit>
  void in_rounds(Visit const& visit) const {
    int const p = m_pieces.count();
    for (int d = 1; d < p; ++d) visit((m_place + d) % p, (m_place + p - d) % p);
  }

  void gather_pieces(processor& me, std::vector<T> const& mine) {
    m_gathered.resize(static_cast<std::size_t>(m_pieces.count()) * size());
    std::ranges::copy(piece(mine, m_place), gathered(m_place).begin());
    in_rounds([&](int to, int from) {
      me.exchange_into(m_order.mirrored(to), piece(mine, to), gathered(from),
                       m_order.mirrored(from));
    });
  }

  /// Turns what was gathered into prefixes. Result: the totals.
  [[nodiscard]] std::vector<T> scan_pieces() {
    auto const first = gathered(0);
    std::vector<T> sums(first.begin(), first.end());
    for (int place = 1; place < m_pieces.count(); ++place) {
      auto const summands = gathered(place);
      for (std::size_t i = 0; i < sums.size(); ++i) {
        auto const next = m_order.combined<T>(m_plus, sums[i], summands[i]);
        summands[i] = sums[i];
        sums[i] = next;
      }
    }
    return sums;
  }

  [[nodiscard]] vector_sums<T> spread(processor& me, std::vector<T> const& totals,
                                      wanted_sums wanted) {
    vector_sums<T> made;
    if (wanted.totals) made.totals.resize(m_pieces.elements());
    if (wanted.prefixes) made.prefixes.resize(m_pieces.elements());
    store(made, m_place, outgoing(totals, m_place, wanted), wanted);
    in_rounds([&](int to, int from) {
      std::vector<T> in(static_cast<std::size_t>(wanted.copies() - 1) * m_pieces.size(from));
      me.exchange_into(m_order.mirrored(to), outgoing(totals, to, wanted), std::span(in),
                       m_order.mirrored(from));
      store(made, from, in, wanted);
      show_values(me, "totals", made.totals);
      show_values(me, "prefixes", made.prefixes);
    });
    return made;
  }

  [[nodiscard]] std::vector<T> outgoing(std::vector<T> const& totals, int place,
                                        wanted_sums wanted) {
    std::vector<T> out;
    if (wanted.totals) out = totals;
    auto const prefixes = gathered(place);
    if (wanted.prefixes) out.insert(out.end(), prefixes.begin(), prefixes.end());
    return out;
  }

  void store(vector_sums<T>& made, int place, std::span<T const> in, wanted_sums wanted) const {
    auto const words = m_pieces.size(place);
    if (wanted.totals) std::ranges::copy(in.first(words), piece(made.totals, place).begin());
    if (wanted.prefixes) std::ranges::copy(in.last(words), piece(made.prefixes, place).begin());
  }

  operand_order m_order;
  Operator const& m_plus;
  pieces m_pieces;
  int m_place;
  std::vector<T> m_gathered;  ///< this processor's piece of all vectors, by place
};

}  // namespace lockstep::detail
