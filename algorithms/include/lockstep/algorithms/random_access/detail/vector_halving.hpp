#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <source_location>
#include <span>
#include <utility>
#include <vector>

#include <lockstep/algorithms/detail/show_values.hpp>
#include <lockstep/algorithms/random_access/detail/operand_order.hpp>
#include <lockstep/algorithms/random_access/detail/vector_sums.hpp>
#include <lockstep/detail/library_frame.hpp>
#include <lockstep/processor.hpp>
#include <lockstep/shown.hpp>

namespace lockstep::detail {

/// The elements of a vector from `first` to before `last`.
struct vector_part {
  std::size_t first = 0;
  std::size_t last = 0;

  [[nodiscard]] std::size_t size() const { return last - first; }
  template <class T>
  [[nodiscard]] std::span<T> of(std::span<T> vector) const {
    return vector.subspan(first, size());
  }
};

/// The members of a fold: places 2x + 1 below 2r give their vector to places 2x, where r processors
/// are too many for a power of two.
struct fold_members {
  explicit fold_members(int processors)
      : dimensions(static_cast<int>(std::bit_width(static_cast<unsigned>(processors))) - 1),
        given(processors - (1 << dimensions)) {}

  [[nodiscard]] bool is_in_a_pair(int place) const { return place < 2 * given; }
  [[nodiscard]] bool gives(int place) const { return is_in_a_pair(place) && place % 2 == 1; }
  [[nodiscard]] int member_of(int place) const {
    return is_in_a_pair(place) ? place / 2 : place - given;
  }
  [[nodiscard]] int place_of(int member) const {
    return member < given ? 2 * member : member + given;
  }

  int dimensions;
  int given;
};

/// The split algorithm among 2^d processors: in half 1 partners cut the part of the vector that
/// they share, and each keeps the sums of its half for the group of the dimensions so far; half 2
/// goes the same way back, and the parts grow together again.
///
/// Groups are runs of places, so that operands keep their order.
template <payload_element T, class Operator>
class vector_halving {
 public:
  /// `member`: this processor's number among the 2^d. `rank_of(member)`: the rank of another.
  template <class RankOf>
  vector_halving(operand_order const& order, Operator const& plus, int dimensions, int member,
                 RankOf const& rank_of)
      : m_order(order), m_plus(plus), m_member(member) {
    for (int d = 0; d < dimensions; ++d) m_partners.push_back(rank_of(member ^ (1 << d)));
  }

  /// Makes the sums of the vectors of all 2^d processors.
  [[nodiscard]] vector_sums<T> sums(processor& me, std::vector<T> mine, wanted_sums wanted,
                                    std::source_location where = std::source_location::current()) {
    library_frame const frame(me, where);
    m_current = std::move(mine);
    show_sums_of_group(me, 0, {0, m_current.size()});
    halve(me, wanted);
    if (wanted.prefixes) m_prefix.resize(m_current.size());
    for (auto d = m_cuts.size(); d-- > 0;) grow(me, d, wanted);
    return {std::move(m_current), std::move(m_prefix)};
  }

 private:
  struct cut {
    vector_part kept;
    vector_part given;
    std::vector<T> saved;  ///< the sums of the earlier partner's group on the kept part
  };

  [[nodiscard]] bool is_later(std::size_t d) const {
    return ((static_cast<unsigned>(m_member) >> d) & 1U) != 0;
  }

  void halve(processor& me, wanted_sums wanted,
             std::source_location where = std::source_location::current()) {
    library_frame const frame(me, where);
    vector_part part{0, m_current.size()};
    for (std::size_t d = 0; d < m_partners.size(); ++d) {
      auto const mid = part.first + (part.size() + 1) / 2;
      vector_part const lower{part.first, mid};
      vector_part const upper{mid, part.last};
      auto const& kept = is_later(d) ? upper : lower;
      auto const& given = is_later(d) ? lower : upper;
      m_cuts.push_back({kept, given, {}});
      add_partners(me, d, wanted);
      part = kept;
      show_sums_of_group(me, static_cast<int>(d) + 1, part);
    }
  }

  /// Step d of half 1: keeps the group's sums on one part, and what the earlier group has there.
  void add_partners(processor& me, std::size_t d, wanted_sums wanted,
                    std::source_location where = std::source_location::current()) {
    library_frame const frame(me, where);
    auto& [kept, given, saved] = m_cuts[d];
    auto const current = kept.of(std::span(m_current));
    std::vector<T> received(kept.size());
    me.exchange_into(m_partners[d], given.of(std::span<T const>(m_current)), std::span(received),
                     m_partners[d]);
    if (is_later(d)) {
      combine_into_later<T>(m_order, m_plus, received, current);
      saved = std::move(received);
    } else {
      if (wanted.prefixes) saved.assign(current.begin(), current.end());
      combine_into_earlier<T>(m_order, m_plus, current, received);
    }
  }

  /// Step d of half 2: both partners get the other's part, of the totals and of the prefixes.
  void grow(processor& me, std::size_t d, wanted_sums wanted,
            std::source_location where = std::source_location::current()) {
    library_frame const frame(me, where);
    auto const& [kept, given, saved] = m_cuts[d];
    std::vector<T> out;
    out.reserve(2 * kept.size());
    if (wanted.totals) append(out, kept.of(std::span<T const>(m_current)));
    if (wanted.prefixes) append_prefixes(out, d);
    std::vector<T> in(static_cast<std::size_t>(wanted.copies() - 1) * given.size());
    me.exchange_into(m_partners[d], std::span<T const>(out), std::span(in), m_partners[d]);
    auto rest = std::span<T const>(in);
    if (wanted.totals) {
      std::ranges::copy(rest.first(given.size()), given.of(std::span(m_current)).begin());
      rest = rest.subspan(given.size());
    }
    if (wanted.prefixes) std::ranges::copy(rest, given.of(std::span(m_prefix)).begin());
    if (wanted.totals) show_values(me, "totals", m_current);
    if (wanted.prefixes) show_values(me, "prefixes", m_prefix);
  }

  /// Shows the sums of the group of that many dimensions, on a part of the vector: the ranks of the
  /// group, and the values.
  void show_sums_of_group(processor& me, int dimensions, vector_part const& part,
                          std::source_location where = std::source_location::current()) const {
    if (!me.is_shown()) return;
    fold_members const members(m_order.processors);
    int const first = m_member >> dimensions << dimensions;
    int const last_place = members.place_of(first + (1 << dimensions) - 1);
    int const one = m_order.mirrored(members.place_of(first));
    int const other = m_order.mirrored(last_place + (members.is_in_a_pair(last_place) ? 1 : 0));
    me.show("sum", rank_interval{std::min(one, other), std::max(one, other)}, where);
    show_values(me, "values of the sum", part.of(std::span<T const>(m_current)), where);
  }

  static void append(std::vector<T>& out, std::span<T const> part) {
    out.insert(out.end(), part.begin(), part.end());
  }

  /// Appends the partner's prefixes on the kept part, and makes the own ones of it: the later
  /// group has the earlier one before it.
  void append_prefixes(std::vector<T>& out, std::size_t d) {
    auto const& [kept, given, saved] = m_cuts[d];
    auto const own = kept.of(std::span(m_prefix));
    std::vector<T> later(saved);
    bool const has_before = (static_cast<unsigned>(m_member) >> (d + 1)) != 0;
    if (has_before) combine_into_later<T>(m_order, m_plus, own, later);
    append(out, is_later(d) ? std::span<T const>(own) : std::span<T const>(later));
    if (is_later(d)) std::ranges::copy(later, own.begin());
  }

  operand_order m_order;
  Operator const& m_plus;
  int m_member;
  std::vector<int> m_partners;  ///< of each dimension
  std::vector<cut> m_cuts;
  std::vector<T> m_current;  ///< the sums of the group so far, on the part that is kept
  std::vector<T> m_prefix;
};

/// Sums by the split algorithm, for any number of processors.
template <payload_element T, class Operator>
class folded_sums {
 public:
  folded_sums(processor const& me, operand_order const& order, Operator const& plus)
      : m_order(order), m_plus(plus), m_members(me.size()), m_place(order.mirrored(me.rank())) {}

  [[nodiscard]] vector_sums<T> sums(processor& me, std::vector<T> const& mine, wanted_sums wanted) {
    me.show("sum", rank_interval{me.rank(), me.rank()});
    auto const folded = fold(me, mine);
    if (m_members.gives(m_place)) return take_back(me, mine.size(), wanted);
    auto made = vector_halving<T, Operator>(
                    m_order, m_plus, m_members.dimensions, m_members.member_of(m_place),
                    [this](int member) { return m_order.mirrored(m_members.place_of(member)); })
                    .sums(me, folded, wanted);
    give_back(me, mine, made, wanted);
    return made;
  }

 private:
  [[nodiscard]] bool has_partner() const { return m_members.is_in_a_pair(m_place); }
  [[nodiscard]] int partner() const { return m_order.mirrored(m_place ^ 1); }

  [[nodiscard]] std::vector<T> fold(processor& me, std::vector<T> const& mine) const {
    std::vector<T> folded(mine);
    if (m_members.given == 0) return folded;
    in_one_step(me, has_partner(), [&] {
      if (m_members.gives(m_place)) return me.send(partner(), std::span<T const>(mine));
      std::vector<T> received(mine.size());
      me.receive_into(partner(), std::span(received));
      combine_into_earlier<T>(m_order, m_plus, folded, received);
    });
    return folded;
  }

  /// Sends on the totals, and as prefixes those of the pair with the own vector.
  void give_back(processor& me, std::vector<T> const& mine, vector_sums<T> const& made,
                 wanted_sums wanted) const {
    if (m_members.given == 0) return;
    in_one_step(me, has_partner(), [&] {
      std::vector<T> out;
      if (wanted.totals) out = made.totals;
      if (wanted.prefixes) {
        std::vector<T> prefixes(mine);
        if (m_place > 0) combine_into_later<T>(m_order, m_plus, made.prefixes, prefixes);
        out.insert(out.end(), prefixes.begin(), prefixes.end());
      }
      me.send(partner(), std::move(out));
    });
  }

  [[nodiscard]] vector_sums<T> take_back(processor& me, std::size_t words,
                                         wanted_sums wanted) const {
    auto const in = me.receive<T>(partner(), static_cast<std::size_t>(wanted.copies() - 1) * words);
    auto const middle = in.begin() + static_cast<std::ptrdiff_t>(wanted.totals ? words : 0);
    if (wanted.totals) show_values(me, "totals", std::span(in).first(words));
    if (wanted.prefixes) show_values(me, "prefixes", std::span(in).last(words));
    return {{in.begin(), middle}, {middle, in.end()}};
  }

  operand_order m_order;
  Operator const& m_plus;
  fold_members m_members;
  int m_place;
};

}  // namespace lockstep::detail
