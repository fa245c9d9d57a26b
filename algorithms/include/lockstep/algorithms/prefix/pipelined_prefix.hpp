#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <lockstep/algorithms/claim.hpp>
#include <lockstep/algorithms/prefix/prefix.hpp>
#include <lockstep/options.hpp>

namespace lockstep {

/// How k prefixes go at once.
enum class pipelined_scheme : std::uint8_t {
  lagged,  ///< tree: the downward pass of a prefix follows the upward one as the node's depth allows
  halving,  ///< hypercube, shuffle-exchange: prefixes are dealt out on the way up, and back
  fft       ///< hypercube, all ports: prefix j crosses dimension i in step i + j
};

namespace detail {

/// Section 2.1, k times: the upward pass of prefix i and the downward pass of prefix i - lag.
template <class Monoid>
[[nodiscard]] std::vector<typename Monoid::value_type> lagged_prefixes(
    processor& me, binary_tree const& tree, directed<Monoid> const& plus,
    std::span<typename Monoid::value_type const> x, int lag) {
  using value = typename Monoid::value_type;
  tree_links const to(tree, me.rank(), plus.is_forward());
  auto const behind = static_cast<std::size_t>(lag);

  std::vector<value> x_first(x.size());
  std::vector<value> y(x.size());
  for (std::size_t i = 0; i < x.size() + behind; ++i) {
    if (i < x.size()) {
      me.pass(0);
      x_first[i] = value_from(me, to.first, plus);
      auto const x_second = value_from(me, to.second, plus);
      if (to.parent != to.none) me.send(to.parent, plus(plus(x_first[i], x[i]), x_second));
    }
    if (i >= behind) {
      auto const j = i - behind;
      me.pass(1);
      auto const y_first = value_from(me, to.parent, plus);
      auto const before = plus(y_first, x_first[j]);
      auto const y_second = plus(before, x[j]);
      if (to.first != to.none) me.send(to.first, y_first);
      if (to.second != to.none) me.send(to.second, y_second);
      y[j] = plus.is_inclusive() ? y_second : before;
    }
  }
  return y;
}

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
/// way down each is told what comes before it. On a shuffle-exchange, where processor u plays
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
    }
    for (auto const j : those_of(m_dimensions - 1, m_dimensions)) m_before[j] = m_plus.identity();
    for (int i = m_dimensions; i-- > 0;) {
      go_down(i, levels[static_cast<std::size_t>(i)]);
      if (i > 0) move(m_before, i, false);
    }
    std::vector<value> y(m_x.size());
    for (std::size_t j = 0; j < y.size(); ++j)
      y[j] = m_plus.is_inclusive() ? m_plus(m_before[j], m_x[j]) : m_before[j];
    return y;
  }

 private:
  /// What a processor keeps of dimension i, for the prefixes that it keeps there.
  struct level {
    std::vector<value> half;  ///< its own sums
    std::vector<value> part;  ///< and its partner's
  };

  /// Of the prefixes those that agree in so many bits with the processor that this one plays in a
  /// dimension.
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
    std::erase_if(others, [&](std::size_t j) {
      return (j >> static_cast<unsigned>(i) & 1U) == (is_upper(i) ? 1U : 0U);
    });
    return others;
  }

  /// At most so many prefixes agree in so many bits.
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

  /// Shuffle-exchange: what is left in dimension i moves from the processor that plays a part in
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

/// All ports: prefix j crosses dimension i in step i + j.
template <class Monoid>
[[nodiscard]] std::vector<typename Monoid::value_type> fft_prefixes(
    processor& me, hypercube const& cube, directed<Monoid> const& plus,
    std::span<typename Monoid::value_type const> x) {
  using value = typename Monoid::value_type;
  std::vector<value> sum(x.begin(), x.end());
  std::vector<value> prefix(x.size(), plus.identity());
  if (plus.is_inclusive()) prefix = sum;
  auto const k = static_cast<int>(x.size());
  auto const d = cube.dimension();
  for (int step = 0; k > 0 && step < k + d - 1; ++step) {
    int const first = std::max(0, step - k + 1);
    int const last = std::min(d - 1, step);
    for (int i = first; i <= last; ++i)
      me.send(me.rank() ^ (1 << i), sum[static_cast<std::size_t>(step - i)]);
    for (int i = first; i <= last; ++i) {
      auto const j = static_cast<std::size_t>(step - i);
      auto const received = me.receive_value<value>(me.rank() ^ (1 << i));
      combine(plus, (me.rank() >> i & 1) != 0, received, prefix[j], sum[j]);
    }
  }
  return prefix;
}

}  // namespace detail

/// Why a scheme cannot be had on this network with these ports, and what would do; else empty.
[[nodiscard]] std::string why_not_pipelined(topology const& network, pipelined_scheme scheme,
                                            ports with);

/// k prefixes at once: processor i gets, of each of them, x_0 + ... + x_i, or what `kind` says.
/// Called by all processors of a binary tree, a hypercube or a shuffle-exchange.
///
/// `x`: this processor's values, one for each prefix; `with`: the machine's ports, on which the
/// order of a tree's program depends.
/// Result: this processor's prefixes, in the same order.
/// Errors: invalid_argument for a scheme that the network or the ports do not fit; those of the
/// machine.
///
/// **Cost** neighbour switching, every message is one value; H = sum over i = 1 .. d of k/2^i,
/// rounded up. lagged: 3k + 4d - 8 steps on one port (d >= 3, k >= 2; 2k + 2 for d = 2; 4(d - 1) for
/// k = 1), 2k + 4d - 6 with a port for each pass, k + 2d - 3 with all ports; 2(p - 1)k messages.
/// halving: 2H <= 2k + 2d steps on a hypercube, strict; 4H - 2k/2^d, rounded up, <= 4k + 4d on a
/// shuffle-exchange, strict. fft: k + d - 1 steps, kdp messages.
///
/// **Source** lagged: Mayr and Plaxton 1989, section 2.1, whose program pipelines nothing as printed;
/// halving, fft: lockstep.
template <payload_element T, associative_operator<T> Operator>
[[nodiscard]] std::vector<T> pipelined_prefix(processor& me, monoid<T, Operator> const& plus,
                                              std::span<T const> x, pipelined_scheme scheme,
                                              prefix_kind kind = prefix_kind::inclusive,
                                              ports with = ports::one) {
  if (auto const reason = why_not_pipelined(me.topology(), scheme, with); !reason.empty())
    throw invalid_argument("pipelined prefix: " + reason);
  detail::directed const in_order(plus, kind);
  if (scheme == pipelined_scheme::lagged) {
    auto const& tree = dynamic_cast<binary_tree const&>(me.topology());
    int const lag = tree.depth(me.rank()) * (with == ports::one ? 1 : 2);
    return detail::lagged_prefixes(me, tree, in_order, x, lag);
  }
  if (scheme == pipelined_scheme::fft)
    return detail::fft_prefixes(me, dynamic_cast<hypercube const&>(me.topology()), in_order, x);
  return detail::halving_prefixes(me, in_order, x).run();
}

/// What the paper and we say that k prefixes cost.
/// Errors: invalid_argument where `why_not_pipelined` has a reason.
[[nodiscard]] std::vector<claim> pipelined_prefix_claims(topology const& network,
                                                         pipelined_scheme scheme, std::uint64_t k,
                                                         ports with);

}  // namespace lockstep
