#pragma once

#include <ranges>
#include <source_location>
#include <span>
#include <type_traits>
#include <vector>

#include <lockstep/algorithms/collectives/collective_scheme.hpp>
#include <lockstep/algorithms/collectives/detail/network_prefixes.hpp>
#include <lockstep/algorithms/collectives/detail/truth_values.hpp>
#include <lockstep/algorithms/prefix/monoid.hpp>
#include <lockstep/library_call.hpp>
#include <lockstep/processor.hpp>

namespace lockstep {

/// Processor i gets the sums of the blocks of processors 0 to i, element by element, for any
/// associative operator. Called by all processors of a machine or subset. Operands are combined in
/// rank order. (`prefix` is Mayr and Plaxton's, for trees, hypercubes and shuffle-exchanges.)
///
/// `block`: n elements, as many in each processor; `options`: the scheme and `startup_words`.
/// Result: n sums.
/// Errors: invalid_argument for a scheme that does not fit the network; size_mismatch if blocks are
/// not of one size; those of the machine.
///
/// **Cost** one-port, strict, contention 1, n_i the sizes of the dimensions: `recursive_doubling`, on
/// a hypercube or crossbar, ceil(log2 p) rounds, n ceil(log2 p) words; `binomial`
/// 2 (sum ceil(log2 n_i)) rounds, 2 (n sum ceil(log2 n_i)) words; `tree`, on any network: as `gather`,
/// then `scatter`, by that; `direct`, on a crossbar with all ports, 1 round of n words, in which everybody
/// adds up the blocks of all lower ranks.
///
/// **Source** the doubling of Hillis and Steele, Data Parallel Algorithms, 1986, on a crossbar; the
/// trees of Ladner and Fischer, Parallel Prefix Computation, 1980.
///
/// **Example**
/// ```
/// lockstep::machine machine{lockstep::mesh{{2, 3}}};
/// auto run = machine.run([](lockstep::processor& me) {
///   return lockstep::scan(me, std::plus<int>{}, me.rank());
/// });
/// run.results()[5];     // 15
/// run.counts().rounds;  // 6
/// ```
template <payload_element T, associative_operator<T> Operator>
[[nodiscard]] std::vector<T> scan(processor& me, Operator const& plus, std::span<T const> block,
                                  collective_options const& options = {},
                                  std::source_location where = std::source_location::current()) {
  library_call const call(me, where);
  std::vector<T> sums(block.begin(), block.end());
  std::vector<T> before(block.size());
  detail::prefixes_on_network(me, options, plus, block, std::span(before));
  if (me.rank() != 0) detail::combine(plus, std::span<T const>(before), std::span(sums), true);
  return sums;
}

/// The same for a vector, array and the like.
template <payload_range Block, associative_operator<std::ranges::range_value_t<Block>> Operator>
[[nodiscard]] auto scan(processor& me, Operator const& plus, Block const& block,
                        collective_options const& options = {},
                        std::source_location where = std::source_location::current()) {
  library_call const call(me, where);
  return scan(me, plus, std::span<std::ranges::range_value_t<Block> const>(block), options);
}

/// The same for one element each.
template <payload_element T, associative_operator<T> Operator>
  requires(!payload_range<T const&>)
[[nodiscard]] T scan(processor& me, Operator const& plus, T const& mine,
                     collective_options const& options = {},
                     std::source_location where = std::source_location::current()) {
  library_call const call(me, where);
  if constexpr (detail::is_truth_value<T>) {
    return scan(me, detail::truth_operator(plus), detail::truth{mine}, options).value;
  } else {
    T before{};
    detail::prefixes_on_network(me, options, plus, std::span<T const, 1>(&mine, 1),
                                std::span<T, 1>(&before, 1));
    return me.rank() == 0 ? mine : static_cast<T>(plus(before, mine));
  }
}

/// `scan` without the own block: processor i gets the sums of the blocks of processors 0 to i - 1, and
/// processor 0 `first`, in each element.
/// Errors, **Cost**: those of `scan`.
template <payload_element T, associative_operator<T> Operator>
[[nodiscard]] std::vector<T> exclusive_scan(
    processor& me, Operator const& plus, std::span<T const> block,
    collective_options const& options = {}, std::type_identity_t<T> const& first = {},
    std::source_location where = std::source_location::current()) {
  library_call const call(me, where);
  std::vector<T> before(block.size());
  detail::prefixes_on_network(me, options, plus, block, std::span(before));
  if (me.rank() == 0) before.assign(block.size(), first);
  return before;
}

/// The same for a vector, array and the like.
template <payload_range Block, associative_operator<std::ranges::range_value_t<Block>> Operator>
[[nodiscard]] auto exclusive_scan(processor& me, Operator const& plus, Block const& block,
                                  collective_options const& options = {},
                                  std::ranges::range_value_t<Block> const& first = {},
                                  std::source_location where = std::source_location::current()) {
  library_call const call(me, where);
  return exclusive_scan(me, plus, std::span<std::ranges::range_value_t<Block> const>(block),
                        options, first);
}

/// The same for one element each.
template <payload_element T, associative_operator<T> Operator>
  requires(!payload_range<T const&>)
[[nodiscard]] T exclusive_scan(processor& me, Operator const& plus, T const& mine,
                               collective_options const& options = {},
                               std::type_identity_t<T> const& first = {},
                               std::source_location where = std::source_location::current()) {
  library_call const call(me, where);
  if constexpr (detail::is_truth_value<T>) {
    return exclusive_scan(me, detail::truth_operator(plus), detail::truth{mine}, options,
                          detail::truth{first})
        .value;
  } else {
    T before{};
    detail::prefixes_on_network(me, options, plus, std::span<T const, 1>(&mine, 1),
                                std::span<T, 1>(&before, 1));
    return me.rank() == 0 ? first : before;
  }
}

}  // namespace lockstep
