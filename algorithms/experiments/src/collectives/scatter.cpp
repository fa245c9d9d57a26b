#include <lockstep/algorithms/collectives/scatter.hpp>

#include <fmt/format.h>

#include <lockstep/algorithms/collectives/all_gather.hpp>

#include "collectives/collective.hpp"

namespace lockstep {

namespace {

/// How the blocks go: as it is asked for, or found to be the cheapest.
enum class way : std::uint8_t { cheapest, direct, k_ary, two_phase };

constexpr named_choice cheapest_way{"cheapest", way::cheapest};
constexpr named_choice direct_way{"direct", way::direct};
constexpr named_choice k_ary_way{"k-ary", way::k_ary};
constexpr named_choice two_phase_way{"two-phase", way::two_phase};

constexpr choice_parameter scatter_scheme{
    "scheme", "cheapest, direct (p - 1 messages of the root) or k-ary (a tree, k = tau/m + 1)",
    std::array{cheapest_way, direct_way, k_ary_way}};
constexpr choice_parameter all_gather_scheme{
    "scheme",
    "cheapest, direct (one phase), k-ary (k = tau/m + 1 times as many words after each "
    "phase) or, for one word each, two-phase (a packet is filled, then goes on)",
    std::array{cheapest_way, direct_way, k_ary_way, two_phase_way}};

[[nodiscard]] scatter_options scatter_options_of(collective_run const& what) {
  // A tree has all words twice in a processor, and as much again in the others of each phase.
  what.require_blocks(12);
  scatter_options options{.root = what.root};
  auto const asked = what.given[scatter_scheme];
  if (asked == way::cheapest)
    options = cheapest_scatter(what.on, what.p * what.words, what.root);
  else if (asked == way::k_ary)
    options.k = what.tree_arity();
  options.how = what.how;
  return options;
}

[[nodiscard]] all_gather_options all_gather_options_of(collective_run const& what) {
  all_gather_options options;
  auto const asked = what.given[all_gather_scheme];
  if (asked == way::two_phase && what.words != 1)
    throw invalid_argument(fmt::format(
        "two-phase is for one word each, not {}; take --words 1, or --scheme k-ary", what.words));
  if (asked == way::cheapest) options = cheapest_all_gather(what.on, what.p * what.words);
  if (asked == way::k_ary) options.k = what.tree_arity();
  if (asked == way::two_phase) options = in_two_phases(what.on.p, what.on.packet);
  options.how = what.how;
  return options;
}

/// Tells the way that is taken.
[[nodiscard]] std::map<std::string, parameter_value> figures_of_way(int k, int first_k = 0) {
  auto const taken = first_k != 0 ? two_phase_way : k == one_phase ? direct_way : k_ary_way;
  std::map<std::string, parameter_value> figures{{"scheme", std::string(taken.name)}};
  if (taken.value == way::k_ary) figures["k"] = std::int64_t{k};
  return figures;
}

[[nodiscard]] collective_plan plan_scatter(collective_run const& what) {
  auto const options = scatter_options_of(what);
  auto const n = what.p * what.words;
  auto const others = n - what.words;
  return {scatter_claims(what.on, n, options), what.needed(others, others, others),
          figures_of_way(options.k), [=](processor& me) {
            std::vector<std::uint64_t> all;
            if (me.rank() == options.root) all = what.all_blocks();
            me.phase("scatter");
            return scatter<std::uint64_t>(me, all, n, options) == what.block(me.rank());
          }};
}

[[nodiscard]] collective_plan plan_gather(collective_run const& what) {
  auto const options = scatter_options_of(what);
  auto const n = what.p * what.words;
  auto const others = n - what.words;
  return {scatter_claims(what.on, n, options), what.needed(others, others, others),
          figures_of_way(options.k), [=](processor& me) {
            auto const mine = what.block(me.rank());
            me.phase("gather");
            auto const all = gather<std::uint64_t>(me, mine, n, options);
            return me.rank() == options.root ? all == what.all_blocks() : all.empty();
          }};
}

[[nodiscard]] collective_plan plan_all_gather(collective_run const& what) {
  auto const options = all_gather_options_of(what);
  auto const n = what.p * what.words;
  auto const others = n - what.words;
  what.require_blocks(4 * what.p);  // all words, twice, and messages
  return {all_gather_claims(what.on, n, options), what.needed(others, what.words, what.p * others),
          figures_of_way(options.k, options.first_k), [=, all = what.all_blocks()](processor& me) {
            auto const mine = what.block(me.rank());
            me.phase("all-gather");
            return all_gather<std::uint64_t>(me, mine, n, options) == all;
          }};
}

}  // namespace

experiment scatter_experiment() {
  return collective({.name = "scatter",
                     .summary = "a processor deals out a block of words to each",
                     .source = cited(jaja_ryu_1994, "Corollary 3.1")},
                    "words of each processor",
                    {scatter_scheme, root_of("the processor that deals out")}, plan_scatter);
}

experiment gather_experiment() {
  return collective({.name = "gather",
                     .summary = "a processor gets a block of words from each",
                     .source = cited(jaja_ryu_1994, "Theorem 3.3")},
                    "words of each processor",
                    {scatter_scheme, root_of("the processor that gets all")}, plan_gather);
}

experiment all_gather_experiment() {
  return collective({.name = "all-gather",
                     .summary = "every processor gets a block of words from each",
                     .source = cited(jaja_ryu_1994, "Lemma 3.2")},
                    "words of each processor", {all_gather_scheme}, plan_all_gather);
}

}  // namespace lockstep
