#pragma once

#include <algorithm>
#include <cstddef>
#include <optional>
#include <source_location>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include <lockstep/algorithms/detail/size_checks.hpp>
#include <lockstep/algorithms/prefix/monoid.hpp>
#include <lockstep/algorithms/prefix/prefix.hpp>
#include <lockstep/library_call.hpp>

namespace lockstep {

/// A processor's part of values that are dealt out in rank order.
struct value_block {
  std::size_t first = 0;  ///< index of its first value
  std::size_t count = 0;

  friend bool operator==(value_block const&, value_block const&) = default;
};

/// The block of processor `rank` where n values are dealt out to p processors, n and p being
/// `values` and `processors`: floor(n/p) values, one more on each of the first n mod p processors.
/// Errors: invalid_argument for p < 1.
[[nodiscard]] constexpr value_block even_block(
    std::size_t values, int processors, int rank,
    std::source_location where = std::source_location::current()) {
  detail::require_processors("even_block", processors, where);
  auto const p = static_cast<std::size_t>(processors);
  auto const i = static_cast<std::size_t>(rank);
  auto const with_one_more = values % p;
  return {i * (values / p) + std::min(i, with_one_more), values / p + (i < with_one_more ? 1 : 0)};
}

/// The processor whose even block has value `index` of that many. Precondition: index < values.
/// Errors: invalid_argument for p < 1, or no values.
[[nodiscard]] constexpr int rank_of_even_block(
    std::size_t values, int processors, std::size_t index,
    std::source_location where = std::source_location::current()) {
  detail::require_processors("rank_of_even_block", processors, where);
  detail::require_some("rank_of_even_block", values, "values", where);
  auto const p = static_cast<std::size_t>(processors);
  auto const size = values / p;
  auto const with_one_more = values % p;
  auto const in_larger = with_one_more * (size + 1);
  return static_cast<int>(index < in_larger ? index / (size + 1)
                                            : with_one_more + (index - in_larger) / size);
}

namespace detail {

/// A block's values, counted from the end at which the prefix begins.
template <class T>
class block_in_order {
 public:
  block_in_order(std::span<T const> block, bool is_forward)
      : m_block(block), m_is_forward(is_forward) {}

  [[nodiscard]] std::size_t size() const { return m_block.size(); }
  [[nodiscard]] std::size_t place_of(std::size_t i) const {
    return m_is_forward ? i : m_block.size() - 1 - i;
  }
  [[nodiscard]] T const& operator[](std::size_t i) const { return m_block[place_of(i)]; }

 private:
  std::span<T const> m_block;
  bool m_is_forward;
};

/// The sum of all blocks before this one: the one prefix on the machine.
template <class Monoid, class T>
[[nodiscard]] typename Monoid::value_type sum_before(processor& me, Monoid const& plus,
                                                     directed<Monoid> const& in_order,
                                                     block_in_order<T> const& block) {
  auto sum = in_order.identity();
  for (std::size_t i = 0; i < block.size(); ++i) sum = in_order(sum, block[i]);
  return prefix(me, plus, sum,
                in_order.is_forward() ? prefix_kind::exclusive : prefix_kind::backward_exclusive);
}

/// `as_result` turns a sum into the result.
template <class Monoid, class T, class AsResult>
[[nodiscard]] auto block_prefix_of(processor& me, Monoid const& plus, std::span<T const> values,
                                   prefix_kind kind, AsResult const& as_result) {
  directed<Monoid> const in_order(plus, kind);
  block_in_order<T> const block(values, in_order.is_forward());
  show_values(me, "values", values);
  auto sum = sum_before(me, plus, in_order, block);
  using result = std::invoke_result_t<AsResult const&, typename Monoid::value_type const&>;
  std::vector<result> prefixes(values.begin(), values.end());
  for (std::size_t i = 0; i < block.size(); ++i) {
    auto next = in_order(sum, block[i]);
    prefixes[block.place_of(i)] = as_result(in_order.is_inclusive() ? next : sum);
    sum = std::move(next);
  }
  show_values(me, "prefixes of the values", prefixes);
  return prefixes;
}

}  // namespace detail

/// Prefix of n values in blocks, one in each processor: every value of the blocks, in rank
/// order, gets the sum of all values up to it, or what `kind` says. Called by all processors of a
/// binary tree, a hypercube (or a subcube, `me.subset`), or a shuffle-exchange. Each adds up its
/// block, one prefix of the p sums tells it what lies before, and it finishes its block by itself.
///
/// `plus`: operator and identity; `block`: this processor's values, any number of them, none
/// included (`even_block` deals them out evenly).
/// Shows: what `prefix` shows, and "values" and "prefixes of the values".
/// Result: the prefixes of this processor's values; the identity if nothing has to be combined.
/// Errors: those of `prefix`.
///
/// **Cost** That of one `prefix`, whatever n. Local: 2n/p additions.
///
/// **Source** The prefix: Mayr and Plaxton 1989, section 2. The blocks: lockstep.
///
/// **Example**
/// ```
/// std::vector<long> const numbers(1'000'000, 3);
/// lockstep::machine cube{lockstep::hypercube{10}};
/// auto run = cube.run([&](lockstep::processor& me) {
///   auto const [first, count] = lockstep::even_block(numbers.size(), me.size(), me.rank());
///   return lockstep::block_prefix(me, lockstep::monoid{0L, std::plus<long>{}},
///                                 std::span(numbers).subspan(first, count));
/// });
/// run.results()[1023].back();  // 3000000
/// run.counts().steps;          // 10
/// ```
template <payload_element T, associative_operator<T> Operator>
[[nodiscard]] std::vector<T> block_prefix(
    processor& me, monoid<T, Operator> const& plus, std::span<std::type_identity_t<T> const> block,
    prefix_kind kind = prefix_kind::inclusive,
    std::source_location where = std::source_location::current()) {
  library_call const call(me, where);
  return detail::block_prefix_of(me, plus, block, kind, [](T const& sum) { return sum; });
}

/// The same for an operator that has no identity, whose domain is extended by one.
/// Result: nothing if nothing has to be combined.
template <payload_element T, associative_operator<T> Operator>
  requires(!detail::is_monoid<Operator>)
[[nodiscard]] std::vector<std::optional<T>> block_prefix(
    processor& me, Operator const& plus, std::span<T const> block,
    prefix_kind kind = prefix_kind::inclusive,
    std::source_location where = std::source_location::current()) {
  library_call const call(me, where);
  return detail::block_prefix_of(me, with_identity<T>(plus), block, kind,
                                 [](extended<T> const& sum) { return sum.as_optional(); });
}

}  // namespace lockstep
