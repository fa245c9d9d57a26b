#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include <lockstep/algorithms/prefix/detail/show_sums.hpp>
#include <lockstep/algorithms/prefix/prefix.hpp>

namespace lockstep::detail {

/// One phase of a lock-step program: sends these values one by one, and receives as many as `room`
/// has, in `steps` steps.
template <payload_element T>
void trade_words(processor& me, int to, std::span<T const> values, int from, std::span<T> room,
                 std::size_t steps) {
  for (std::size_t step = 0; step < steps; ++step) {
    if (step < values.size()) me.send(to, values[step]);
    if (step < room.size())
      room[step] = me.receive_value<T>(from);
    else
      me.idle();
  }
}

/// Halving and doubling. On the way up, dimension by dimension, two partners deal the prefixes that
/// they have out to each other, until each of them is with one processor of every subcube; on the
/// way down each is told the prefix before it. On a shuffle-exchange, where processor u plays
/// shuffle^i(u) in dimension i, all that was kept moves on in between.
template <class Monoid>
class halving_prefixes {
 public:
  using value = typename Monoid::value_type;

  halving_prefixes(processor& me, directed<Monoid> const& plus, std::span<value const> x)
      : m_me(me), m_plus(plus), m_x(x), m_sum(x.begin(), x.end()), m_before(x.size()) {
    if (auto const* const cube = dynamic_cast<hypercube const*>(&me.topology()))
      m_dimensions = cube->dimension();
    else
      m_network = &dynamic_cast<shuffle_exchange const&>(me.topology());
    if (m_network != nullptr) m_dimensions = m_network->dimension();
  }

  [[nodiscard]] std::vector<value> run() {
    std::vector<level> levels(static_cast<std::size_t>(m_dimensions));
    for (int i = 0; i < m_dimensions; ++i) {
      if (i > 0) move(m_sum, i, true);
      go_up(i, levels[static_cast<std::size_t>(i)]);
      show_up(i);
    }
    for (auto const j : those_of(m_dimensions - 1, m_dimensions)) m_before[j] = m_plus.identity();
    for (int i = m_dimensions; i-- > 0;) {
      go_down(i, levels[static_cast<std::size_t>(i)]);
      show_down(i);
      if (i > 0) move(m_before, i, false);
    }
    std::vector<value> y(m_x.size());
    for (std::size_t j = 0; j < y.size(); ++j)
      y[j] = m_plus.is_inclusive() ? m_plus(m_before[j], m_x[j]) : m_before[j];
    return y;
  }

 private:
  /// The sums that a processor keeps of dimension i, for the prefixes that it keeps there.
  struct level {
    std::vector<value> half;  ///< its own sums
    std::vector<value> part;  ///< and its partner's
  };

  /// Lists the prefixes that share their lowest `bits` bits with the processor that this one plays
  /// in a dimension.
  [[nodiscard]] std::vector<std::size_t> those_of(int dimension, int bits) const {
    std::vector<std::size_t> those;
    auto const stride = std::size_t{1} << static_cast<unsigned>(bits);
    for (auto j = static_cast<std::size_t>(role(dimension)) % stride; j < m_x.size(); j += stride)
      those.push_back(j);
    return those;
  }
  /// Those that it keeps in a dimension, and those that it deals out.
  [[nodiscard]] std::vector<std::size_t> kept(int i) const { return those_of(i, i + 1); }
  [[nodiscard]] std::vector<std::size_t> given(int i) const {
    auto others = those_of(i, i);
    auto const own_bit = is_upper(i) ? 1U : 0U;
    std::erase_if(others,
                  [&](std::size_t j) { return (j >> static_cast<unsigned>(i) & 1U) == own_bit; });
    return others;
  }

  /// The largest number of prefixes that share their lowest `bits` bits.
  [[nodiscard]] std::size_t steps_for(int bits) const {
    auto const share = std::size_t{1} << static_cast<unsigned>(bits);
    return (m_x.size() + share - 1) / share;
  }

  /// Which processor of the hypercube this one plays in a dimension.
  [[nodiscard]] int role(int dimension) const {
    int rank = m_me.rank();
    for (int i = 0; m_network != nullptr && i < dimension; ++i)
      rank = m_network->shuffle(rank).value_or(rank);
    return rank;
  }
  [[nodiscard]] bool is_upper(int i) const { return (role(i) >> i & 1) != 0; }
  [[nodiscard]] int partner(int i) const {
    return m_network == nullptr ? m_me.rank() ^ (1 << i) : m_network->exchange(m_me.rank());
  }

  [[nodiscard]] static std::vector<value> at(std::vector<std::size_t> const& places,
                                             std::vector<value> const& among) {
    std::vector<value> values;
    values.reserve(places.size());
    for (auto const j : places) values.push_back(among[j]);
    return values;
  }
  static void put(std::vector<value> const& values, std::vector<std::size_t> const& places,
                  std::vector<value>& among) {
    for (std::size_t i = 0; i < places.size(); ++i) among[places[i]] = values[i];
  }

  void go_up(int i, level& here) {
    auto const keeps = kept(i);
    auto const out = at(given(i), m_sum);
    here.half = at(keeps, m_sum);
    here.part.resize(keeps.size());
    trade_words<value>(m_me, partner(i), out, partner(i), here.part, steps_for(i + 1));
    bool const is_after = is_upper(i) == m_plus.is_forward();
    for (std::size_t which = 0; which < keeps.size(); ++which) {
      auto const& own = here.half[which];
      auto const& other = here.part[which];
      m_sum[keeps[which]] = is_after ? m_plus(other, own) : m_plus(own, other);
    }
  }

  void go_down(int i, level const& here) {
    auto const keeps = kept(i);
    bool const is_after = is_upper(i) == m_plus.is_forward();
    auto give = at(keeps, m_before);
    for (std::size_t which = 0; which < keeps.size(); ++which)
      if (is_after)
        m_before[keeps[which]] = m_plus(give[which], here.part[which]);
      else
        give[which] = m_plus(give[which], here.half[which]);
    auto const asked_for = given(i);
    std::vector<value> came(asked_for.size());
    trade_words<value>(m_me, partner(i), give, partner(i), came, steps_for(i + 1));
    put(came, asked_for, m_before);
  }

  /// Shows the sums that it keeps in a dimension, and the prefixes before the subcubes below it.
  void show_up(int i) {
    if (!m_me.is_shown()) return;
    auto const subcube = place_range::subcube(m_plus.role(role(i), m_me.size()), i + 1);
    show_sums(m_me, m_plus, "sums", kept(i).size(), [&](auto) { return subcube; });
    show_values(m_me, "values of sums", at(kept(i), m_sum));
  }
  void show_down(int i) {
    if (!m_me.is_shown()) return;
    auto const subcube = place_range::subcube(m_plus.role(role(i), m_me.size()), i);
    auto const those = those_of(i, i);
    show_sums(m_me, m_plus, "sums before", those.size(), [&](auto) {
      return place_range{0, subcube.first};
    });
    show_values(m_me, "values of sums before", at(those, m_before));
  }

  /// Shuffle-exchange: the rest of dimension i moves from the processor that plays a part in
  /// dimension i - 1 to that which plays it in dimension i, or back. Ranks 0 and p - 1 always play
  /// their own, and wait.
  void move(std::vector<value>& among, int i, bool upwards) {
    if (m_network == nullptr) return;
    auto const unshuffled = m_network->unshuffle(m_me.rank());
    if (!unshuffled) return m_me.idle(steps_for(i));
    int const shuffled = *m_network->shuffle(m_me.rank());
    auto const leaves = those_of(upwards ? i - 1 : i, i);
    auto const arrives = those_of(upwards ? i : i - 1, i);
    std::vector<value> came(arrives.size());
    trade_words<value>(m_me, upwards ? *unshuffled : shuffled, at(leaves, among),
                       upwards ? shuffled : *unshuffled, came, steps_for(i));
    put(came, arrives, among);
  }

  processor& m_me;
  directed<Monoid> const& m_plus;
  std::span<value const> m_x;
  std::vector<value> m_sum;
  std::vector<value> m_before;
  shuffle_exchange const* m_network = nullptr;  ///< nullptr: a hypercube
  int m_dimensions = 0;
};

}  // namespace lockstep::detail
