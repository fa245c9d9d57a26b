#include <lockstep/algorithms/collectives/reduce.hpp>

#include <functional>

#include <lockstep/algorithms/collectives/all_reduce.hpp>

#include "collectives/collective.hpp"

namespace lockstep {

namespace {

[[nodiscard]] constexpr auto reduction_scheme(char const* help) {
  return choice_parameter{"scheme", help,
                          std::array{named_choice{"k-ary", collective_scheme::k_ary},
                                     named_choice{"transpose", collective_scheme::transpose},
                                     named_choice{"direct", collective_scheme::direct}}};
}

[[nodiscard]] collective_options options_of(collective_run const& what) {
  auto const asked = what.given[reduction_scheme("")];
  bool const tree = asked == collective_scheme::k_ary;
  return {asked, tree ? what.tree_arity() : 2, what.root, what.how};
}

/// Adds one processor's block after the other, modulo 2^64.
[[nodiscard]] std::vector<std::uint64_t> sums_of_all(collective_run const& what) {
  std::vector<std::uint64_t> sums(what.words);
  for (int rank = 0; rank < what.on.p; ++rank)
    for (std::size_t i = 0; i < what.words; ++i) sums[i] += what.word(rank, i);
  return sums;
}

[[nodiscard]] experiment_result with_arity(experiment_result result,
                                           collective_options const& options) {
  if (options.scheme == collective_scheme::k_ary) result.figures["k"] = std::int64_t{options.k};
  return result;
}

[[nodiscard]] experiment_result run_reduce(arguments const& given) {
  collective_run const what(given);
  auto const options = options_of(what);
  auto const held = 8 * static_cast<double>(what.words);  // summands, as they come
  what.require_words(held);
  auto const sums = sums_of_all(what);
  return with_arity(what.check(reduce_claims(what.on, what.words, options), what.one_to_all(),
                               [&](processor& me) {
                                 auto const block = what.block(me.rank());
                                 auto const got = reduce(me, std::plus<std::uint64_t>{},
                                                         std::span(block), options);
                                 return me.rank() == options.root ? got == sums : got.empty();
                               }),
                    options);
}

[[nodiscard]] experiment_result run_all_reduce(arguments const& given) {
  collective_run const what(given);
  auto const options = options_of(what);
  bool const direct = options.scheme == collective_scheme::direct;
  auto const held = static_cast<double>(what.words) * (direct ? 4 * what.on.p : 8);
  what.require_words(held);
  auto const sums = sums_of_all(what);
  auto required = what.one_to_all();
  if (required.moved > 0) required.moved += what.words;
  return with_arity(what.check(all_reduce_claims(what.on, what.words, options), required,
                               [&](processor& me) {
                                 auto const block = what.block(me.rank());
                                 return all_reduce(me, std::plus<std::uint64_t>{}, std::span(block),
                                                   options) == sums;
                               }),
                    options);
}

}  // namespace

experiment reduce_experiment() {
  return collective(
      {.name = "reduce",
       .summary = "a processor gets the sums of all processors' blocks, word by word",
       .source = cited(jaja_ryu_1994, "Theorem 3.2 and Lemma 5.2"),
       .run = run_reduce},
      "words of a processor's block",
      {reduction_scheme(
           "k-ary (a tree, k = tau/m + 1: a single word whole, a block in pieces), transpose (p "
           "pieces) or direct (whole blocks, all to the root)"),
       root_of("the processor that gets the sums")});
}

experiment all_reduce_experiment() {
  return collective(
      {.name = "all-reduce",
       .summary = "every processor gets the sums of all processors' blocks, word by word",
       .source = cited(jaja_ryu_1994, "Theorems 3.1 to 3.3 and Lemma 5.2"),
       .run = run_all_reduce},
      "words of a processor's block",
      {reduction_scheme(
          "k-ary (a tree, k = tau/m + 1: a single word whole, a block in pieces), transpose (p "
          "pieces) or direct (whole blocks, each to every processor)")});
}

}  // namespace lockstep
