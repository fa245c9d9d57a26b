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

[[nodiscard]] collective_plan plan_broadcast(collective_run const& what) {
  what.require_blocks(6);  // block, pieces, messages
  auto const options = what.options(broadcast_scheme);
  return {broadcast_claims(what.on, what.words, options),
          what.needed(what.words, what.words, (what.p - 1) * what.words), figures_of(options),
          [=, block = what.block(what.root)](processor& me) {
            auto mine =
                me.rank() == options.root ? block : std::vector<std::uint64_t>(block.size());
            broadcast(me, std::span(mine), options);
            return mine == block;
          }};
}

}  // namespace

experiment broadcast_experiment() {
  return collective({.name = "broadcast",
                     .summary = "a processor's block goes to all, by one of the papers' three ways",
                     .source = cited(jaja_ryu_1994, "Theorems 3.1 and 3.3")},
                    "words of the block",
                    {broadcast_scheme, root_of("the processor that has the block")},
                    plan_broadcast);
}

}  // namespace lockstep
