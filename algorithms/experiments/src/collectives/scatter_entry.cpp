#include <lockstep/algorithms/collectives/scatter.hpp>

#include <array>
#include <string>

#include <fmt/format.h>

#include <lockstep/algorithms/collectives/all_gather.hpp>
#include <lockstep/errors.hpp>

#include "collectives/asked_collective.hpp"
#include "harness/entries.hpp"
#include "harness/parameters.hpp"
#include "harness/sources.hpp"

namespace lockstep {

namespace {

/// Which way was asked for, or found to be the cheapest.
enum class way : std::uint8_t { cheapest, direct, k_ary, two_phase };

[[nodiscard]] std::string name_of(way which) {
  constexpr std::array names{"cheapest", "direct", "k-ary", "two-phase"};
  return names.at(static_cast<std::size_t>(which));
}

[[nodiscard]] std::size_t words_of_all(asked_collective const& what) {
  return what.words * static_cast<std::size_t>(what.on.p);
}

[[nodiscard]] scatter_options scatter_from(experiment_request const& asked,
                                           asked_collective const& what) {
  scatter_options options{.root = what.root};
  switch (choice(asked, "scheme", std::array{way::cheapest, way::direct, way::k_ary})) {
    case way::cheapest:
      options = cheapest_scatter(what.on, words_of_all(what), what.root);
      break;
    case way::k_ary:
      options.k = tree_arity_for(what.on);
      break;
    default:
      break;
  }
  options.how = what.how;
  return options;
}

[[nodiscard]] all_gather_options all_gather_from(experiment_request const& asked,
                                                 asked_collective const& what) {
  all_gather_options options;
  switch (
      choice(asked, "scheme", std::array{way::cheapest, way::direct, way::k_ary, way::two_phase})) {
    case way::cheapest:
      options = cheapest_all_gather(what.on, words_of_all(what));
      break;
    case way::direct:
      break;
    case way::k_ary:
      options.k = tree_arity_for(what.on);
      break;
    case way::two_phase:
      if (what.words != 1)
        throw invalid_argument(
            fmt::format("two-phase is for one word each, not {}; take --words 1, or --scheme k-ary",
                        what.words));
      options = in_two_phases(what.on.p, what.on.packet);
      break;
  }
  options.how = what.how;
  return options;
}

[[nodiscard]] experiment_result with_way(experiment_result result, int k, int first_k) {
  auto const which = first_k != 0 ? way::two_phase : k == one_phase ? way::direct : way::k_ary;
  result.figures["scheme"] = name_of(which);
  if (which == way::k_ary) result.figures["k"] = std::int64_t{k};
  return result;
}

[[nodiscard]] bool are_all(asked_collective const& what, std::vector<std::uint64_t> const& words) {
  if (words.size() != words_of_all(what)) return false;
  std::size_t next = 0;
  for (int owner = 0; owner < what.on.p; ++owner)
    for (std::size_t i = 0; i < what.words; ++i)
      if (words[next++] != what.made(owner, i)) return false;
  return true;
}

/// A processor has something for each, or of each.
[[nodiscard]] traffic_requirement one_and_each(asked_collective const& what) {
  auto needed = one_to_all(what.on, what.words);
  needed.taken_in = needed.sent = needed.moved;
  return needed;
}

/// Everybody needs something of each.
[[nodiscard]] traffic_requirement each_and_each(asked_collective const& what) {
  auto needed = one_and_each(what);
  if (needed.moved > 0) needed.sent = what.words;
  needed.moved *= static_cast<std::uint64_t>(what.on.p);
  return needed;
}

[[nodiscard]] experiment_result run_scatter(experiment_request const& asked) {
  auto const what = collective_from(asked);
  auto const n = words_of_all(what);
  // A tree holds all words twice in a processor and as much again in the others of each phase.
  require_memory_for(asked, what, 12 * static_cast<double>(what.words));
  auto const options = scatter_from(asked, what);
  auto result = run_collective(asked, what, scatter_claims(what.on, n, options), one_and_each(what),
                               [&](processor& me) {
                                 std::vector<std::uint64_t> all;
                                 if (me.rank() == what.root)
                                   for (int to = 0; to < me.size(); ++to)
                                     for (std::size_t i = 0; i < what.words; ++i)
                                       all.push_back(what.made(to, i));
                                 me.phase("scatter");
                                 return scatter<std::uint64_t>(me, all, n, options) ==
                                        what.generated_block(me.rank(), what.words);
                               });
  return with_way(std::move(result), options.k, 0);
}

[[nodiscard]] experiment_result run_gather(experiment_request const& asked) {
  auto const what = collective_from(asked);
  auto const n = words_of_all(what);
  require_memory_for(asked, what, 12 * static_cast<double>(what.words));  // as for scatter
  auto const options = scatter_from(asked, what);
  auto result = run_collective(asked, what, scatter_claims(what.on, n, options), one_and_each(what),
                               [&](processor& me) {
                                 auto const mine = what.generated_block(me.rank(), what.words);
                                 me.phase("gather");
                                 auto const all = gather<std::uint64_t>(me, mine, n, options);
                                 return me.rank() == what.root ? are_all(what, all) : all.empty();
                               });
  return with_way(std::move(result), options.k, 0);
}

[[nodiscard]] experiment_result run_all_gather(experiment_request const& asked) {
  auto const what = collective_from(asked);
  auto const n = words_of_all(what);
  require_memory_for(asked, what, 4 * static_cast<double>(n));  // all words, twice, and messages
  auto const options = all_gather_from(asked, what);
  auto result = run_collective(
      asked, what, all_gather_claims(what.on, n, options), each_and_each(what), [&](processor& me) {
        auto const mine = what.generated_block(me.rank(), what.words);
        me.phase("all-gather");
        return are_all(what, all_gather<std::uint64_t>(me, mine, n, options));
      });
  return with_way(std::move(result), options.k, options.first_k);
}

[[nodiscard]] experiment personalized(std::string name, std::string summary,
                                      std::string const& lemma, std::string schemes,
                                      experiment_result (*run)(experiment_request const&)) {
  return {
      .name = std::move(name),
      .summary = std::move(summary),
      .topologies = "crossbar",
      .source = fmt::format("{}, {}", jaja_ryu_1994, lemma),
      .examples = {"crossbar:8", "crossbar:4", "crossbar:16", "crossbar:32"},
      .parameters =
          collective_parameters("words of each processor", std::move(schemes), "cheapest"),
      .run = run,
  };
}

constexpr char const* two_schemes =
    "cheapest, direct (p - 1 messages of the root) or k-ary (a tree, k = tau/m + 1)";

}  // namespace

experiment scatter_entry() {
  auto made = personalized("scatter", "a processor deals out a block of words to each",
                           "Corollary 3.1", two_schemes, run_scatter);
  made.parameters.push_back(root_parameter("the processor that deals out"));
  return made;
}

experiment gather_entry() {
  auto made = personalized("gather", "a processor gets a block of words from each", "Theorem 3.3",
                           two_schemes, run_gather);
  made.parameters.push_back(root_parameter("the processor that gets all"));
  return made;
}

experiment all_gather_entry() {
  return personalized(
      "all-gather", "everybody gets a block of words from each", "Lemma 3.2",
      "cheapest, direct (one phase), k-ary (k = tau/m + 1 times as many words after each "
      "phase) or, for one word each, two-phase (a packet is filled, then goes on)",
      run_all_gather);
}

}  // namespace lockstep
