#include <lockstep/algorithms/collectives/broadcast.hpp>

#include <fmt/format.h>

#include "collectives/asked_collective.hpp"
#include "harness/entries.hpp"
#include "harness/parameters.hpp"
#include "harness/sources.hpp"

namespace lockstep {

namespace {

[[nodiscard]] experiment_result run_broadcast(experiment_request const& asked) {
  auto const what = collective_from(asked);
  auto const scheme = choice(asked, "scheme", all_collective_schemes);
  bool const tree = scheme == collective_scheme::k_ary;
  collective_options const options{scheme, tree ? tree_arity_for(what.on) : 2, what.root, what.how};
  require_memory_for(asked, what, 5 * static_cast<double>(what.words));  // block, pieces, messages
  auto result = run_collective(asked, what, broadcast_claims(what.on, what.words, options),
                               one_to_all(what.on, what.words), [&](processor& me) {
                                 std::vector<std::uint64_t> block(what.words);
                                 if (me.rank() == what.root)
                                   block = what.generated_block(what.root, what.words);
                                 broadcast(me, std::span(block), options);
                                 for (std::size_t i = 0; i < block.size(); ++i)
                                   if (block[i] != what.made(what.root, i)) return false;
                                 return true;
                               });
  if (tree) result.figures["k"] = std::int64_t{options.k};
  return result;
}

}  // namespace

experiment broadcast_entry() {
  auto parameters = collective_parameters(
      "words of the block",
      "transpose (dealt out in p pieces, then gathered by all), direct (whole, p - 1 messages), "
      "k-ary (a tree, k = tau/m + 1: a single word whole, a block in pieces)",
      "transpose");
  parameters.push_back(root_parameter("the processor that has the block"));
  return {
      .name = "broadcast",
      .summary = "a processor's block goes to all, by one of the papers' three ways",
      .topologies = "crossbar",
      .source = fmt::format("{}, Theorems 3.1 and 3.3", jaja_ryu_1994),
      .examples = {"crossbar:8", "crossbar:4", "crossbar:16", "crossbar:32"},
      .parameters = std::move(parameters),
      .run = run_broadcast,
  };
}

}  // namespace lockstep
