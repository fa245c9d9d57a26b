#include <lockstep/algorithms/collectives/collective_claims.hpp>
#include <lockstep/algorithms/collectives/total_exchange.hpp>
#include <lockstep/algorithms/exchange/all_to_all.hpp>
#include <lockstep/algorithms/exchange/all_to_all_cyclic.hpp>
#include <lockstep/algorithms/exchange/all_to_all_in_fewest_orders.hpp>

#include <array>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <variant>

#include <lockstep/algorithms/exchange/exchange_orders.hpp>
#include <lockstep/algorithms/exchange/exchange_search.hpp>
#include <lockstep/algorithms/textbook/all_to_all.hpp>

#include "exchange/choice_text.hpp"
#include "exchange/complete_exchange.hpp"
#include "exchange/grid_shape.hpp"
#include "exchange/transpose_matrix.hpp"
#include "harness/experiment_list.hpp"
#include "harness/sources.hpp"

namespace lockstep {

namespace {

constexpr integer_parameter block_words{
    "words", "words in a block (with an input file: (n/p)^2)", 1, 1, words_in_a_block.most, true};
/// The scheme that is asked for, if any, and whether with the fewest rearrangements.
struct asked_scheme {
  std::optional<exchange_scheme> scheme{};
  bool in_fewest_orders = false;
  std::optional<collective_scheme> of_network{};  ///< none of Suh and Shin's
  bool is_cyclic = false;                         ///< after [16], which they cite
};

constexpr choice_parameter scheme_choice{
    "scheme",
    "auto, and on a torus or mesh virtual (nodes), stride-2, paper (its sizes only) or "
    "fewest-rearrangements (the same, with orders of the data array that reach across phases); on "
    "a 2^d x 2^d mesh cyclic (a schedule of ours, after section 1 on [16]); on any network that it "
    "fits direct, bruck, bucket, tree",
    std::array{named_choice{"auto", asked_scheme{}},
               named_choice{"virtual", asked_scheme{exchange_scheme::virtual_nodes}},
               named_choice{"stride-2", asked_scheme{exchange_scheme::stride_2}},
               named_choice{"paper", asked_scheme{exchange_scheme::paper}},
               named_choice{"fewest-rearrangements", asked_scheme{exchange_scheme::paper, true}},
               named_choice{"cyclic", asked_scheme{.is_cyclic = true}},
               named_choice{"direct", asked_scheme{.of_network = collective_scheme::direct}},
               named_choice{"bruck", asked_scheme{.of_network = collective_scheme::bruck}},
               named_choice{"bucket", asked_scheme{.of_network = collective_scheme::bucket}},
               named_choice{"tree", asked_scheme{.of_network = collective_scheme::tree}}}};
constexpr text_parameter dimension_groups{"groups",
                                          "sizes of dimensions that go together: 4x4,8x8"};

/// The exchange that is asked for, or the cheapest.
struct chosen_exchange {
  exchange_schedule schedule;
  std::optional<exchange_found> search{};  ///< where it was free to choose
};

[[nodiscard]] chosen_exchange exchange_from(arguments const& given) {
  exchange_choice choice;
  auto const shape = shape_of(given.network());
  if (auto const text = given[dimension_groups]; shape && !text.empty())
    choice.groups = groups_in(text, shape->sizes);
  auto const asked = given[scheme_choice].scheme;
  choice.scheme = asked.value_or(choice.scheme);
  if (auto const reason = exchange_schedule::unsupported_reason(given.network(), choice);
      !reason.empty())
    throw invalid_argument("all-to-all: " + reason);
  if (asked || !choice.groups.empty()) return {exchange_schedule(given.network(), choice)};
  auto found = cheapest_exchange(given.network());
  return {exchange_schedule(given.network(), found.choice), found};
}

/// Says which exchange it was, and what a free choice has saved.
[[nodiscard]] experiment_result with_choice(experiment_result result, arguments const& given,
                                            chosen_exchange const& taken) {
  auto const& choice = taken.schedule.choice();
  result.figures["scheme"] = std::string(name_of(choice.scheme));
  result.figures["logical_steps"] = std::int64_t{taken.schedule.logical_steps()};
  if (!choice.groups.empty())
    result.figures["groups"] = text_of(choice.groups, shape_of(given.network())->sizes);
  if (auto const& search = taken.search)
    result.figures["steps_saved"] = static_cast<std::int64_t>(search->in_paper_order.steps) -
                                    static_cast<std::int64_t>(search->traffic.steps);
  return result;
}

/// Finds the scheme of the collective that is asked for: none where it is Suh and Shin's.
[[nodiscard]] std::optional<collective_scheme> scheme_of_network(arguments const& given) {
  auto const asked = given[scheme_choice];
  if (asked.of_network || shape_of(given.network()) || asked.scheme || asked.is_cyclic)
    return asked.of_network;
  return collective_scheme::automatic;
}

/// Runs the collective of that name, on any network.
[[nodiscard]] experiment_result run_on_any_network(arguments const& given,
                                                   collective_scheme asked) {
  if (given.request().input || !given[dimension_groups].empty() || given[textbook_form])
    throw invalid_argument(
        "all-to-all: files, --groups and --textbook are for Suh and Shin's exchange on a torus or "
        "mesh; leave them out, or take one");
  auto const words = given[block_words];
  require_memory(given, memory_for_blocks(given, words, sizeof(std::uint64_t), 5));
  auto const with = given.request().options.ports;
  auto const scheme = detail::scheme_for({.operation = collective_operation::all_to_all,
                                          .scheme = asked,
                                          .elements = words,
                                          .packet = given.request().options.packet,
                                          .all_ports = with == ports::all},
                                         given.network());
  auto result = solve_exchange(
      given, strictness::always, 5,
      collective_claims(collective_operation::all_to_all, given.network(), words,
                        {.scheme = scheme}, given.request().options.packet, with),
      [&](processor& me, exchanged_blocks blocks) {
        return all_to_all(me, std::move(blocks), collective_options{.scheme = scheme});
      });
  result.figures["scheme"] = std::string(name_of(scheme));
  return result;
}

/// Runs the form that reads as the paper, on the paper's sizes: it has the counts of the scheme
/// "paper", but for rearrangements, since it does not re-lay lists of blocks.
[[nodiscard]] experiment_result run_textbook(arguments const& given) {
  if (given.request().input || given[scheme_choice].scheme || !given[dimension_groups].empty())
    throw invalid_argument(
        "all-to-all: --textbook is for generated blocks, by the paper's phases; leave out "
        "--scheme, --groups and the input file");
  if (auto const reason = textbook::unsupported_reason(given.network()); !reason.empty())
    throw invalid_argument("all-to-all: " + reason);
  exchange_schedule const same(given.network(), {.scheme = exchange_scheme::paper});
  auto claims = all_to_all_claims(same, given[block_words]);
  std::erase_if(claims, [](claim const& one) { return one.figure.starts_with("rearrange"); });
  auto result = solve_exchange(given, strictness::always, 4, std::move(claims),
                               [](processor& me, exchanged_blocks const& blocks) {
                                 return textbook::all_to_all(me, blocks);
                               });
  result.figures["scheme"] = std::string(name_of(exchange_scheme::paper));
  return result;
}

/// Runs it with the fewest rearrangements.
[[nodiscard]] experiment_result run_in_fewest_orders(arguments const& given) {
  if (given.request().input || !given[dimension_groups].empty())
    throw invalid_argument(
        "all-to-all: --scheme fewest-rearrangements is for generated blocks and one group of "
        "dimensions; leave out --groups and the input file");
  require_memory(given, memory_for_blocks(given, given[block_words], sizeof(std::uint64_t), 6));
  auto const taken = exchange_from(given);
  auto const certificate = fewest_rearrangements(taken.schedule);
  auto result =
      solve_exchange(given, strictness::always, 6,
                     all_to_all_in_fewest_orders_claims(taken.schedule, given[block_words]),
                     [&](processor& me, exchanged_blocks const& blocks) {
                       return all_to_all_in_fewest_orders(me, blocks, taken.schedule);
                     });
  result.figures["scheme"] = std::string("fewest-rearrangements");
  result.figures["logical_steps"] = std::int64_t{taken.schedule.logical_steps()};
  result.figures["rearrangements_needed"] = text_of(certificate, taken.schedule);
  return result;
}

/// Runs the cyclic exchange.
[[nodiscard]] experiment_result run_cyclic(arguments const& given) {
  if (given.request().input || !given[dimension_groups].empty() || given[textbook_form])
    throw invalid_argument(
        "all-to-all: --scheme cyclic is for generated blocks; leave out --groups, --textbook and "
        "the input file");
  if (auto const reason = unsupported_reason_cyclic(given.network()); !reason.empty())
    throw invalid_argument("all-to-all: " + reason);
  auto result = solve_exchange(given, strictness::always, 3,
                               all_to_all_cyclic_claims(given.network(), given[block_words]),
                               [](processor& me, exchanged_blocks blocks) {
                                 return all_to_all_cyclic(me, std::move(blocks));
                               });
  result.figures["scheme"] = std::string("cyclic");
  return result;
}

/// Transposes the matrix in the input file, and writes it to the output file if there is one.
[[nodiscard]] experiment_result run_transposition(arguments const& given) {
  auto const input = matrix_to_transpose(given);
  auto const taken = exchange_from(given);
  auto result = std::visit(
      [&]<class Number>(square_matrix<Number> const& numbers) {
        transpose_problem<Number> const of{given, numbers};
        return solve(given, {.strict = strictness::always},
                     in_packets(all_to_all_claims(taken.schedule, of.words_in_a_block()), given),
                     of, [&](processor& me, std::span<Number const> rows) {
                       return transpose_rows(me, rows, numbers.size, taken.schedule);
                     });
      },
      input);
  return with_choice(std::move(result), given, taken);
}

[[nodiscard]] experiment_result run_all_to_all(arguments const& given) {
  if (given.request().output && !given.request().input)
    throw invalid_argument(
        "all-to-all: there is nothing to write to the output file; give an input file with a "
        "matrix to transpose, too");
  if (auto const scheme = scheme_of_network(given)) return run_on_any_network(given, *scheme);
  if (given[scheme_choice].is_cyclic) return run_cyclic(given);
  if (given[textbook_form]) return run_textbook(given);
  if (given[scheme_choice].in_fewest_orders) return run_in_fewest_orders(given);
  if (given.request().input) return run_transposition(given);
  require_memory(given, memory_for_blocks(given, given[block_words], sizeof(std::uint64_t), 2));
  auto const taken = exchange_from(given);
  auto result = solve_exchange(given, strictness::always, 2,
                               all_to_all_claims(taken.schedule, given[block_words]),
                               [&](processor& me, exchanged_blocks blocks) {
                                 return all_to_all(me, std::move(blocks), taken.schedule);
                               });
  return with_choice(std::move(result), given, taken);
}

}  // namespace

experiment all_to_all_experiment() {
  return {
      .name = "all-to-all",
      .summary =
          "complete exchange: every processor has a block for every other; with an input "
          "file, transposes its n x n matrix",
      .topologies = "any network",
      .source = suh_shin_2001,
      .examples = {"torus:12x12", "torus:4x4", "torus:8x8", "torus:5x7", "torus:4x4x4",
                   "torus:8x8x4", "mesh:4x4", "mesh:6x10", "mesh:8x8", "mesh:4x4x4", "hypercube:4",
                   "crossbar:8", "crossbar:11", "tree:3", "shuffle-exchange:3"},
      .parameters = {block_words, scheme_choice, dimension_groups, textbook_form},
      .takes_files = true,
      .run = run_all_to_all,
  };
}

}  // namespace lockstep
