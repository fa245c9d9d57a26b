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

[[nodiscard]] collective_plan plan_reduce(collective_run const& what) {
  auto const options = what.options(reduction_scheme(""));
  what.require_blocks(8);  // summands, as they come
  return {reduce_claims(what.on, what.words, options),
          what.needed(what.words, what.words, (what.p - 1) * what.words), figures_of(options),
          [=, sums = what.sums()](processor& me) {
            auto const block = what.block(me.rank());
            auto const got = reduce(me, std::plus<std::uint64_t>{}, std::span(block), options);
            return me.rank() == options.root ? got == sums : got.empty();
          }};
}

[[nodiscard]] collective_plan plan_all_reduce(collective_run const& what) {
  auto const options = what.options(reduction_scheme(""));
  what.require_blocks(options.scheme == collective_scheme::direct ? 4 * what.p : 8);
  return {all_reduce_claims(what.on, what.words, options),
          what.needed(what.words, what.words, what.p * what.words), figures_of(options),
          [=, sums = what.sums()](processor& me) {
            auto const block = what.block(me.rank());
            return all_reduce(me, std::plus<std::uint64_t>{}, std::span(block), options) == sums;
          }};
}

}  // namespace

experiment reduce_experiment() {
  return collective(
      {.name = "reduce",
       .summary = "a processor gets the sums of all processors' blocks, word by word",
       .source = cited(jaja_ryu_1994, "Theorem 3.2 and Lemma 5.2")},
      "words of a processor's block",
      {reduction_scheme(
           "k-ary (a tree, k = tau/m + 1: a single word whole, a block in pieces), transpose (p "
           "pieces) or direct (whole blocks, all to the root)"),
       root_of("the processor that gets the sums")},
      plan_reduce);
}

experiment all_reduce_experiment() {
  return collective(
      {.name = "all-reduce",
       .summary = "every processor gets the sums of all processors' blocks, word by word",
       .source = cited(jaja_ryu_1994, "Theorems 3.1 to 3.3 and Lemma 5.2")},
      "words of a processor's block",
      {reduction_scheme(
          "k-ary (a tree, k = tau/m + 1: a single word whole, a block in pieces), transpose (p "
          "pieces) or direct (whole blocks, each to every processor)")},
      plan_all_reduce);
}

}  // namespace lockstep
