#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <lockstep/algorithms/exchange/all_to_all.hpp>
#include <lockstep/algorithms/exchange/exchange_search.hpp>
#include <lockstep/experiments/registry.hpp>

#include "exchange/choice_text.hpp"
#include "exchange/generated_blocks.hpp"
#include "exchange/grid_shape.hpp"
#include "exchange/transpose_matrix.hpp"
#include "harness/entries.hpp"
#include "harness/parameters.hpp"
#include "harness/sources.hpp"

namespace lockstep {

namespace {

/// The exchange that is asked for, or the cheapest.
struct asked_exchange {
  exchange_schedule schedule;
  std::optional<exchange_found> search{};  ///< where it was free to choose
};

[[nodiscard]] exchange_choice choice_from(experiment_request const& asked) {
  exchange_choice chosen;
  auto const shape = shape_of(*asked.network);
  if (auto const groups = text_parameter(asked, "groups", ""); shape && !groups.empty())
    chosen.groups = groups_in(groups, shape->sizes);
  using enum exchange_scheme;
  constexpr std::array schemes{virtual_nodes, stride_2, paper};
  std::vector<std::string> names{"auto"};
  for (auto const each : schemes) names.emplace_back(name_of(each));
  if (auto const index = choice(asked, "scheme", names); index > 0)
    chosen.scheme = schemes[index - 1];
  return chosen;
}

[[nodiscard]] asked_exchange exchange_from(experiment_request const& asked) {
  auto const scheme = text_parameter(asked, "scheme", "auto");
  auto const choice = choice_from(asked);
  if (auto const reason = exchange_schedule::unsupported_reason(*asked.network, choice);
      !reason.empty())
    throw invalid_argument("all-to-all: " + reason);
  if (scheme != "auto" || !choice.groups.empty())
    return {exchange_schedule(*asked.network, choice)};
  auto found = cheapest_exchange(*asked.network);
  return {exchange_schedule(*asked.network, found.choice), found};
}

/// Which exchange it was, and what a free choice has saved.
[[nodiscard]] std::map<std::string, parameter_value> figures_of(experiment_request const& asked,
                                                                asked_exchange const& taken) {
  auto const& choice = taken.schedule.choice();
  std::map<std::string, parameter_value> figures{
      {"scheme", std::string(name_of(choice.scheme))},
      {"logical_steps", std::int64_t{taken.schedule.logical_steps()}}};
  if (!choice.groups.empty())
    figures["groups"] = text_of(choice.groups, shape_of(*asked.network)->sizes);
  if (auto const& search = taken.search)
    figures["steps_saved"] = static_cast<std::int64_t>(search->in_paper_order.steps) -
                             static_cast<std::int64_t>(search->traffic.steps);
  return figures;
}

/// Without buffers, and without two messages on a link: this is what the algorithm claims.
[[nodiscard]] machine strict_machine(experiment_request const& asked) {
  auto options = asked.options;
  options.strict = true;
  return machine(asked.network, options);
}

[[nodiscard]] experiment_result finish(experiment_request const& asked, asked_exchange const& taken,
                                       experiment_result result, std::uint64_t words) {
  result.figures = figures_of(asked, taken);
  return with_claims(std::move(result), asked, all_to_all_claims(taken.schedule, words), words);
}

[[nodiscard]] experiment_result transpose_file(experiment_request const& asked) {
  auto const input = detail::matrix_to_transpose(asked);
  auto const taken = exchange_from(asked);
  auto done = transpose_matrix(asked, strict_machine(asked), taken.schedule, input);
  return finish(asked, taken, std::move(done.result), done.words);
}

[[nodiscard]] experiment_result exchange_what_is_made(experiment_request const& asked) {
  require_memory_for_made_blocks(asked, 2);
  auto const taken = exchange_from(asked);
  auto const exchange = [&](processor& me, std::vector<std::uint64_t> blocks) {
    return all_to_all(me, std::move(blocks), taken.schedule);
  };
  return finish(asked, taken, exchange_made_blocks(asked, strict_machine(asked), exchange),
                words_from(asked));
}

[[nodiscard]] experiment_result run_all_to_all(experiment_request const& asked) {
  if (asked.input) return transpose_file(asked);
  if (asked.output)
    throw invalid_argument(
        "all-to-all: there is nothing to write to the output file; give an input file with a "
        "matrix to transpose, too");
  return exchange_what_is_made(asked);
}

}  // namespace

experiment all_to_all_entry() {
  return {
      .name = "all-to-all",
      .summary =
          "complete exchange: every processor has a block for every other; with an input "
          "file, transposes its n x n matrix",
      .topologies = "torus, mesh",
      .source = suh_shin_2001,
      .examples = {"torus:12x12", "torus:4x4", "torus:8x8", "torus:5x7", "torus:4x4x4",
                   "torus:8x8x4", "mesh:4x4", "mesh:6x10", "mesh:8x8", "mesh:4x4x4"},
      .parameters = {{"words", "words in a block (with an input file: (n/p)^2)", std::int64_t{1},
                      true},
                     {"scheme", "auto, virtual (nodes), stride-2 or paper (its sizes only)",
                      "auto"},
                     {"groups", "sizes of dimensions that go together: 4x4,8x8", ""}},
      .takes_files = true,
      .run = run_all_to_all,
  };
}

}  // namespace lockstep
