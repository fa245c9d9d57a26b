#pragma once

#include <cstdint>
#include <optional>
#include <source_location>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include <lockstep/algorithms/prefix/detail/show_sums.hpp>
#include <lockstep/algorithms/prefix/monoid.hpp>
#include <lockstep/claim.hpp>
#include <lockstep/detail/enumerator_check.hpp>
#include <lockstep/detail/library_frame.hpp>
#include <lockstep/errors.hpp>
#include <lockstep/library_call.hpp>
#include <lockstep/options.hpp>
#include <lockstep/processor.hpp>
#include <lockstep/topologies/binary_tree.hpp>
#include <lockstep/topologies/hypercube.hpp>
#include <lockstep/topologies/shuffle_exchange.hpp>

namespace lockstep {

/// Which of the values processor i combines: 0 .. i, 0 .. i-1, i .. p-1 or i+1 .. p-1, in this
/// order.
enum class prefix_kind : std::uint8_t { inclusive, exclusive, backward, backward_exclusive };

/// Whether it begins at processor 0.
[[nodiscard]] constexpr bool is_forward(prefix_kind kind) {
  return kind == prefix_kind::inclusive || kind == prefix_kind::exclusive;
}
/// Whether a value is part of its own prefix.
[[nodiscard]] constexpr bool is_inclusive(prefix_kind kind) {
  return kind == prefix_kind::inclusive || kind == prefix_kind::backward;
}

namespace detail {

/// A prefix from one end or the other: a value is before another if it is nearer to that end.
template <class Monoid>
class directed {
 public:
  using value_type = typename Monoid::value_type;

  directed(Monoid const& plus, prefix_kind kind) : m_plus(plus), m_kind(kind) {
    check_enumerator("prefix_kind", kind,
                     {"prefix_kind::inclusive", "prefix_kind::exclusive", "prefix_kind::backward",
                      "prefix_kind::backward_exclusive"});
  }

  [[nodiscard]] bool is_forward() const { return lockstep::is_forward(m_kind); }
  [[nodiscard]] bool is_inclusive() const { return lockstep::is_inclusive(m_kind); }
  /// Which of `size` processors this one plays, counted from the end at which the prefix begins;
  /// the rank of the one that plays this one, too. Keeps trees, hypercubes and shuffle-exchanges
  /// what they are.
  [[nodiscard]] int role(int rank, int size) const { return is_forward() ? rank : size - 1 - rank; }
  [[nodiscard]] value_type identity() const { return m_plus.identity; }
  /// Operands stay in processor order.
  [[nodiscard]] value_type operator()(value_type const& before, value_type const& after) const {
    return is_forward() ? m_plus(before, after) : m_plus(after, before);
  }

 private:
  Monoid const& m_plus;
  prefix_kind m_kind;
};

/// A node's links in a tree. For a prefix from the other end the children change places.
struct tree_links {
  static constexpr int none = -1;
  int first = none;  ///< child
  int second = none;
  int parent = none;

  tree_links(binary_tree const& tree, int rank, bool is_forward)
      : first(tree.left_child(rank).value_or(none)),
        second(tree.right_child(rank).value_or(none)),
        parent(tree.parent(rank).value_or(none)) {
    if (!is_forward) std::swap(first, second);
  }
};

/// Receives a neighbour's value; returns the identity if that neighbour does not exist.
template <class Monoid>
[[nodiscard]] typename Monoid::value_type value_from(
    processor& me, int neighbour, directed<Monoid> const& plus,
    std::source_location where = std::source_location::current()) {
  library_frame const frame(me, where);
  if (neighbour == tree_links::none) return plus.identity();
  return me.receive_value<typename Monoid::value_type>(neighbour);
}

/// Finds the places of a node's subtree.
[[nodiscard]] place_range subtree_of(binary_tree const& tree, int place);

/// Section 2.1.
template <class Monoid>
[[nodiscard]] typename Monoid::value_type prefix_on_tree(
    processor& me, binary_tree const& tree, directed<Monoid> const& plus,
    typename Monoid::value_type const& x,
    std::source_location where = std::source_location::current()) {
  library_frame const frame(me, where);
  tree_links const to(tree, me.rank(), plus.is_forward());
  int const place = plus.role(me.rank(), me.size());
  show_sum(me, plus, "sum", {place, place + 1}, x);
  auto const x_first = value_from(me, to.first, plus);
  auto const x_second = value_from(me, to.second, plus);
  auto const sum = [&] { return plus(plus(x_first, x), x_second); };
  if (me.is_shown()) show_sum(me, plus, "sum", subtree_of(tree, place), sum());
  if (to.parent != to.none) me.send(to.parent, sum());
  auto const y_first = value_from(me, to.parent, plus);
  auto const before = plus(y_first, x_first);
  auto const y_second = plus(before, x);
  auto const y = plus.is_inclusive() ? y_second : before;
  show_sum(me, plus, "prefix", place_range{}.up_to(place, plus.is_inclusive()), y);
  if (to.first != to.none) me.send(to.first, y_first);
  if (to.second != to.none) me.send(to.second, y_second);
  return y;
}

/// One exchange: y is the sum of the subcube so far, x that of its part up to this processor.
template <class Monoid>
void combine(directed<Monoid> const& plus, bool is_upper_half,
             typename Monoid::value_type const& received, typename Monoid::value_type& x,
             typename Monoid::value_type& y) {
  if (is_upper_half == plus.is_forward()) {
    x = plus(received, x);
    y = plus(received, y);
  } else {
    y = plus(y, received);
  }
}

/// Shows the sum of a subcube, and the prefix in it of the processor at that place.
template <class Monoid>
void show_in_subcube(processor& me, directed<Monoid> const& plus, int place, int dimensions,
                     typename Monoid::value_type const& x, typename Monoid::value_type const& y) {
  if (!me.is_shown()) [[likely]]
    return;
  auto const subcube = place_range::subcube(place, dimensions);
  show_sum(me, plus, "sum", subcube, y);
  show_sum(me, plus, "prefix", subcube.up_to(place, plus.is_inclusive()), x);
}

/// Section 2.2.
template <class Monoid>
[[nodiscard]] typename Monoid::value_type prefix_on_hypercube(
    processor& me, hypercube const& cube, directed<Monoid> const& plus,
    typename Monoid::value_type y, std::source_location where = std::source_location::current()) {
  library_frame const frame(me, where);
  auto x = plus.is_inclusive() ? y : plus.identity();
  int const place = plus.role(me.rank(), me.size());
  show_in_subcube(me, plus, place, 0, x, y);
  for (int i = 0; i < cube.dimension(); ++i) {
    auto const received = me.exchange(me.rank() ^ (1 << i), y);
    combine(plus, (me.rank() >> i & 1) != 0, received, x, y);
    show_in_subcube(me, plus, place, i + 1, x, y);
  }
  return x;
}

/// Section 2.3: after j rounds a processor plays that whose rank is its own, shuffled j times.
/// Ranks 0 and p - 1 are their own shuffle, and wait while the others pass on what they have.
template <class Monoid>
[[nodiscard]] typename Monoid::value_type prefix_on_shuffle_exchange(
    processor& me, shuffle_exchange const& network, directed<Monoid> const& plus,
    typename Monoid::value_type y, std::source_location where = std::source_location::current()) {
  library_frame const frame(me, where);
  using value = typename Monoid::value_type;
  auto x = plus.is_inclusive() ? y : plus.identity();
  auto const next = network.unshuffle(me.rank());
  auto const previous = network.shuffle(me.rank());
  int place = plus.role(me.rank(), me.size());
  show_in_subcube(me, plus, place, 0, x, y);
  for (int i = 0; i < network.dimension(); ++i) {
    auto const received = me.exchange(network.exchange(me.rank()), y);
    combine(plus, (me.rank() & 1) != 0, received, x, y);
    show_in_subcube(me, plus, place, i + 1, x, y);
    if (!next) {
      me.idle(2);
      continue;
    }
    me.send(*next, x);
    x = me.receive_value<value>(*previous);
    me.send(*next, y);
    y = me.receive_value<value>(*previous);
    if (me.is_shown()) place = network.shuffle(place).value_or(place);
    show_in_subcube(me, plus, place, i + 1, x, y);
  }
  return x;
}

}  // namespace detail

/// Where `prefix` runs. Errors: invalid_argument, naming an example.
void require_prefix_network(topology const& network,
                            std::source_location where = std::source_location::current());

/// Prefix: processor i gets x_0 + ... + x_i, or what `kind` says, for any associative operator.
/// Operands are combined in rank order. Called by all processors of a binary tree, a hypercube (or
/// a subcube, `me.subset`), or a shuffle-exchange.
///
/// `plus`: operator and identity; `x`: this processor's value.
/// Shows: "sum" and "prefix", the ranks that they cover so far, and the values of both.
/// Result: this processor's prefix; the identity if nothing has to be combined.
/// Errors: invalid_argument on another topology, which comes out of the run as processor_failed;
/// those of the machine.
///
/// **Cost** one-port, neighbour switching, all processors in the same step at first; every message
/// is one value, of words_of<T> words. Tree of d levels: 4(d - 1) steps, 2(p - 1) messages.
/// Hypercube: log p steps, p log p messages, strict. Shuffle-exchange: 3 log p steps (1 for p = 2),
/// (3p - 4) log p messages, strict. With all ports the tree takes 2(d - 1) steps, the others as many.
///
/// **Source** Mayr and Plaxton 1989, sections 1 and 2.
///
/// **Example**
/// ```
/// lockstep::machine cube{lockstep::hypercube{10}};
/// auto run = cube.run([](lockstep::processor& me) {
///   return lockstep::prefix(me, lockstep::monoid{0, std::plus<int>{}}, me.rank());
/// });
/// run.results()[1023];  // 523776
/// run.counts().steps;   // 10
/// ```
template <payload_element T, associative_operator<T> Operator>
[[nodiscard]] T prefix(processor& me, monoid<T, Operator> const& plus,
                       std::type_identity_t<T> const& x, prefix_kind kind = prefix_kind::inclusive,
                       std::source_location where = std::source_location::current()) {
  library_call const call(me, where);
  detail::directed const in_order(plus, kind);
  auto const& network = me.topology();
  if (auto const* const tree = dynamic_cast<binary_tree const*>(&network))
    return detail::prefix_on_tree(me, *tree, in_order, x);
  if (auto const* const cube = dynamic_cast<hypercube const*>(&network))
    return detail::prefix_on_hypercube(me, *cube, in_order, x);
  require_prefix_network(network, call.where());
  return detail::prefix_on_shuffle_exchange(me, dynamic_cast<shuffle_exchange const&>(network),
                                            in_order, x);
}

/// The same for an operator that has no identity, whose domain is extended by one.
/// Result: nothing if nothing has to be combined.
template <payload_element T, associative_operator<T> Operator>
  requires(!detail::is_monoid<Operator>)
[[nodiscard]] std::optional<T> prefix(
    processor& me, Operator const& plus, T const& x, prefix_kind kind = prefix_kind::inclusive,
    std::source_location where = std::source_location::current()) {
  library_call const call(me, where);
  return prefix(me, with_identity<T>(plus), extended<T>(x), kind).as_optional();
}

/// Segmented prefix: an inclusive prefix of each interval. An interval begins at each processor
/// whose `begins` is true, and at processor 0.
///
/// It is the prefix of the operator that definition 1.1 makes of `plus`; errors and cost are its
/// own.
/// **Source** Mayr and Plaxton 1989, section 1.
template <payload_element T, associative_operator<T> Operator>
[[nodiscard]] T segmented_prefix(processor& me, monoid<T, Operator> const& plus, bool begins,
                                 std::type_identity_t<T> const& x,
                                 std::source_location where = std::source_location::current()) {
  library_call const call(me, where);
  return prefix(me, by_segments(plus), segmented<T>{begins, x}).value;
}

/// Data distribution (Ullman): every processor gets the value of the first one of its interval. The
/// first interval begins at processor 0 whatever it says.
/// Errors, cost: those of `prefix`, with Copy's domain extended by an identity.
/// **Source** Mayr and Plaxton 1989, section 3.
template <payload_element T>
[[nodiscard]] T data_distribution(processor& me, bool begins, T const& x,
                                  std::source_location where = std::source_location::current()) {
  library_call const call(me, where);
  auto const copy = with_identity<T>(copy_operator<T>{});
  bool const is_first = begins || me.rank() == 0;
  auto const mine = is_first ? extended<T>(x) : extended<T>();
  return segmented_prefix(me, copy, is_first, mine).value;
}

/// Broadcast: every processor gets processor 0's value, by the prefix of Copy.
/// Errors, cost: those of `prefix`.
/// **Source** Mayr and Plaxton 1989, section 3.
template <payload_element T>
[[nodiscard]] T prefix_broadcast(processor& me, T const& x,
                                 std::source_location where = std::source_location::current()) {
  library_call const call(me, where);
  return *prefix(me, copy_operator<T>{}, x);
}

/// Makes the claims, the paper's and ours, about a prefix of values of that many words on this
/// network.
/// Errors: invalid_argument for a topology on which there is none.
[[nodiscard]] std::vector<claim> prefix_claims(topology const& network, std::uint64_t words,
                                               ports with = ports::one);

}  // namespace lockstep
