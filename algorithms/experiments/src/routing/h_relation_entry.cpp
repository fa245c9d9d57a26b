#include <algorithm>
#include <array>
#include <string>
#include <utility>
#include <vector>

#include <lockstep/algorithms/routing/h_relation.hpp>
#include <lockstep/algorithms/routing/place_by_offset.hpp>
#include <lockstep/errors.hpp>
#include <lockstep/experiments/registry.hpp>

#include "harness/entries.hpp"
#include "harness/parameters.hpp"
#include "harness/sources.hpp"
#include "routing/expected_arrivals.hpp"
#include "routing/h_relation_claims.hpp"
#include "routing/h_relation_request.hpp"

namespace lockstep {

namespace {

/// By their names, and "padded" for "bound".
[[nodiscard]] block_rule blocks_from(experiment_request const& asked) {
  constexpr std::array rules{block_rule::real,     block_rule::bound, block_rule::text,
                             block_rule::appendix, block_rule::exact, block_rule::bound};
  std::vector<std::string> const names{"real", "padded", "text", "appendix", "exact", "bound"};
  return rules[choice(asked, "blocks", names)];
}

/// Step (5): whether the elements, put where the input says, fill all places.
[[nodiscard]] bool fill_their_places(processor const& me, h_relation_input const& input,
                                     std::span<labelled const> arrived) {
  auto const position_of = [&](labelled const& element) {
    return input.offsets[static_cast<std::size_t>(element.source)][element.number];
  };
  auto const placed = place_by_offset(me, arrived, position_of, arrived.size());
  for (std::size_t position = 0; position < placed.size(); ++position)
    if (position_of(placed[position]) != position) return false;
  return true;
}

/// What a processor found out.
struct arrival {
  bool as_expected = false;
  std::uint64_t largest_bin_out = 0;
  std::uint64_t largest_bin_through = 0;
  std::uint64_t elements_through = 0;
};

[[nodiscard]] measured_bins largest_of(std::vector<arrival> const& arrivals) {
  measured_bins most;
  for (auto const& one : arrivals) {
    most.out = std::max(most.out, one.largest_bin_out);
    most.through = std::max(most.through, one.largest_bin_through);
    most.intermediate = std::max(most.intermediate, one.elements_through);
  }
  return most;
}

[[nodiscard]] experiment_result run_two_phase(experiment_request const& asked) {
  auto const made = h_relation_from(asked);
  block_format const blocks{blocks_from(asked), {made.input.size.sent, made.input.size.received}};
  auto const expected = expected_arrivals::through_bins(made.input);
  auto run = run_or_refuse(
      strict_machine(asked),
      [&](processor& me) {
        auto const mine = labelled_elements(made.input, me.rank());
        auto const routed = h_relation(me, std::span(mine), &labelled::home, blocks);
        bool const right = std::ranges::equal(routed.elements, expected.at(me.rank())) &&
                           (made.input.offsets.empty() ||
                            fill_their_places(me, made.input, std::span(routed.elements)));
        return arrival{right, routed.largest_bin_out, routed.largest_bin_through,
                       routed.elements_through};
      },
      asked.observers);
  auto const most = largest_of(run.results());
  bool const correct = std::ranges::all_of(run.results(), &arrival::as_expected);
  experiment_result result{.record = std::move(run), .correct = correct};
  result.claims =
      two_phase_claims(made, blocks, most, expected.phases_with_words(), asked.options.packet);
  result.bounds = bounds_of(result.record, made.input);
  result.figures["bin1"] = static_cast<std::int64_t>(most.out);
  result.figures["bin2"] = static_cast<std::int64_t>(most.through);
  result.figures["intermediate"] = static_cast<std::int64_t>(most.intermediate);
  result.parameters = parameters_used(asked, made);
  return result;
}

}  // namespace

experiment h_relation_entry() {
  auto parameters = h_relation_parameters();
  parameters.push_back(
      {"blocks",
       "how bins travel: real (as large as they are), padded (to the bound), text or "
       "appendix (as the paper has it there), exact (to the largest there can be)",
       std::string("real")});
  return {
      .name = "h-relation",
      .summary = "elements go anywhere, by way of all processors in nearly equal blocks",
      .topologies = "crossbar",
      .source = bader_helman_jaja_1996,
      .examples = {"crossbar:16", "crossbar:4", "crossbar:8", "crossbar:32"},
      .parameters = std::move(parameters),
      .run = run_two_phase,
  };
}

}  // namespace lockstep
