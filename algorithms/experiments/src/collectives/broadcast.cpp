#include <lockstep/algorithms/collectives/broadcast.hpp>

#include "collectives/collective.hpp"

namespace lockstep {

namespace {

constexpr choice_parameter broadcast_scheme{
    "scheme",
    "transpose (dealt out in p pieces, then gathered by all), direct (whole, p - 1 messages), "
    "k-ary (a tree, k = tau/m + 1: a single word whole, a block in pieces)",
    std::array{named_choice{"transpose", collective_scheme::transpose},
               named_choice{"direct", collective_scheme::direct},
               named_choice{"k-ary", collective_scheme::k_ary}}};

[[nodiscard]] experiment_result run_broadcast(arguments const& given) {
  collective_run const what(given);
  what.require_words(6 * static_cast<double>(what.words));  // blocks, pieces, messages
  bool const tree = given[broadcast_scheme] == collective_scheme::k_ary;
  collective_options const options{given[broadcast_scheme], tree ? what.tree_arity() : 2, what.root,
                                   what.how};
  auto result = what.check(broadcast_claims(what.on, what.words, options), what.one_to_all(),
                           [&](processor& me) {
                             std::vector<std::uint64_t> block(what.words);
                             if (me.rank() == what.root) block = what.block(what.root);
                             broadcast(me, std::span(block), options);
                             return block == what.block(what.root);
                           });
  if (tree) result.figures["k"] = std::int64_t{options.k};
  return result;
}

}  // namespace

experiment broadcast_experiment() {
  return collective({.name = "broadcast",
                     .summary = "a processor's block goes to all, by one of the papers' three ways",
                     .source = cited(jaja_ryu_1994, "Theorems 3.1 and 3.3"),
                     .run = run_broadcast},
                    "words of the block",
                    {broadcast_scheme, root_of("the processor that has the block")});
}

}  // namespace lockstep
