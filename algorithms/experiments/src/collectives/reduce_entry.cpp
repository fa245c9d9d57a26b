#include <lockstep/algorithms/collectives/reduce.hpp>

#include <array>
#include <functional>

#include <fmt/format.h>

#include <lockstep/algorithms/collectives/all_reduce.hpp>

#include "collectives/asked_collective.hpp"
#include "harness/entries.hpp"
#include "harness/parameters.hpp"
#include "harness/sources.hpp"

namespace lockstep {

namespace {

/// As they are asked for; the first where nothing is.
constexpr std::array reduction_schemes{collective_scheme::k_ary, collective_scheme::transpose,
                                       collective_scheme::direct};

[[nodiscard]] collective_options options_from(experiment_request const& asked,
                                              asked_collective const& what) {
  auto const scheme = choice(asked, "scheme", reduction_schemes);
  bool const tree = scheme == collective_scheme::k_ary;
  return {scheme, tree ? tree_arity_for(what.on) : 2, what.root, what.how};
}

/// Modulo 2^64, one processor's block after the other.
[[nodiscard]] std::vector<std::uint64_t> sums_of_all(asked_collective const& what) {
  std::vector<std::uint64_t> sums(what.words);
  for (int rank = 0; rank < what.on.p; ++rank)
    for (std::size_t i = 0; i < what.words; ++i) sums[i] += what.made(rank, i);
  return sums;
}

/// `program(me, block, options, sums)`: whether this processor has what it should.
template <class Program>
[[nodiscard]] experiment_result run_sums(experiment_request const& asked,
                                         asked_collective const& what,
                                         collective_options const& options,
                                         std::vector<claim> const& claims,
                                         traffic_requirement const& needed,
                                         Program const& program) {
  auto const sums = sums_of_all(what);
  auto result = run_collective(asked, what, claims, needed, [&](processor& me) {
    auto const block = what.generated_block(me.rank(), what.words);
    return program(me, std::span(block), options, sums);
  });
  if (options.scheme == collective_scheme::k_ary) result.figures["k"] = std::int64_t{options.k};
  return result;
}

[[nodiscard]] experiment_result run_reduce(experiment_request const& asked) {
  auto const what = collective_from(asked);
  auto const options = options_from(asked, what);
  require_memory_for(asked, what, 8 * static_cast<double>(what.words));  // summands, as they come
  return run_sums(asked, what, options, reduce_claims(what.on, what.words, options),
                  one_to_all(what.on, what.words),
                  [](processor& me, auto const block, auto const& with, auto const& sums) {
                    auto const got = reduce(me, std::plus<std::uint64_t>{}, block, with);
                    return me.rank() == with.root ? got == sums : got.empty();
                  });
}

[[nodiscard]] experiment_result run_all_reduce(experiment_request const& asked) {
  auto const what = collective_from(asked);
  auto const options = options_from(asked, what);
  bool const direct = options.scheme == collective_scheme::direct;
  auto const words = static_cast<double>(what.words);
  require_memory_for(asked, what, direct ? 4 * words * what.on.p : 8 * words);
  return run_sums(asked, what, options, all_reduce_claims(what.on, what.words, options),
                  all_to_all_sums(what.on, what.words),
                  [](processor& me, auto const block, auto const& with, auto const& sums) {
                    return all_reduce(me, std::plus<std::uint64_t>{}, block, with) == sums;
                  });
}

[[nodiscard]] experiment reduction(std::string name, std::string summary, std::string const& direct,
                                   std::string const& theorem,
                                   experiment_result (*run)(experiment_request const&)) {
  return {
      .name = std::move(name),
      .summary = std::move(summary),
      .topologies = "crossbar",
      .source = fmt::format("{}, {}", jaja_ryu_1994, theorem),
      .examples = {"crossbar:8", "crossbar:4", "crossbar:16", "crossbar:32"},
      .parameters = collective_parameters(
          "words of a processor's block",
          "k-ary (a tree, k = tau/m + 1: a single word whole, a block in pieces), transpose (p "
          "pieces) or direct (" +
              direct + ")",
          "k-ary"),
      .run = run,
  };
}

}  // namespace

experiment reduce_entry() {
  auto made =
      reduction("reduce", "a processor gets the sums of all processors' blocks, word by word",
                "whole blocks, all to the root", "Theorem 3.2 and Lemma 5.2", run_reduce);
  made.parameters.push_back(root_parameter("the processor that gets the sums"));
  return made;
}

experiment all_reduce_entry() {
  return reduction("all-reduce", "everybody gets the sums of all processors' blocks, word by word",
                   "whole blocks, each to everybody", "Theorems 3.1 to 3.3 and Lemma 5.2",
                   run_all_reduce);
}

}  // namespace lockstep
