#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include <lockstep/algorithms/routing/h_relation.hpp>
#include <lockstep/algorithms/routing/place_by_offset.hpp>
#include <lockstep/algorithms/textbook/h_relation.hpp>

#include "routing/expected_arrivals.hpp"
#include "routing/h_relation_claims.hpp"

namespace lockstep {

namespace {

constexpr choice_parameter format_of_bins{
    "blocks",
    "how bins travel: real (as large as they are), padded (to the bound), text or appendix (as the "
    "paper has it there), exact (to the largest there can be)",
    std::array{named_choice{"real", block_rule::real}, named_choice{"padded", block_rule::bound},
               named_choice{"text", block_rule::text},
               named_choice{"appendix", block_rule::appendix},
               named_choice{"exact", block_rule::exact}, named_choice{"bound", block_rule::bound}}};

/// Finds out, as step (5), whether the elements, put where the input says, fill all places.
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

/// The findings of a processor.
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

/// Runs the form that reads as the paper, in bins of their real size, which it does not measure.
[[nodiscard]] experiment_result run_textbook(h_relation_run const& what) {
  if (what.given[format_of_bins] != block_rule::real)
    throw invalid_argument(
        "h-relation: --textbook has bins of their real size; leave out --blocks");
  auto const expected = expected_arrivals::through_bins(what.input);
  auto run = what.run([&](processor& me) -> int {
    auto const arrived = textbook::h_relation(me, what.elements_of(me.rank()), &labelled::home);
    return std::ranges::equal(arrived, expected.at(me.rank())) ? 1 : 0;
  });
  bool const correct = std::ranges::find(run.results(), 0) == run.results().end();
  auto result = what.result(std::move(run), correct);
  result.claims =
      two_phase_claims(what, {.rule = block_rule::real}, {}, expected.phases_with_words());
  std::erase_if(result.claims, [](claim const& one) {
    return one.figure.starts_with("bin") || one.figure == "intermediate" ||
           one.formula.find("bin") != std::string::npos;
  });
  return result;
}

[[nodiscard]] experiment_result run_two_phase(arguments const& given) {
  auto const rule = given[format_of_bins];
  if (given[textbook_form] && rule != block_rule::real)
    throw invalid_argument(
        "h-relation: --textbook has bins of their real size; leave out --blocks");
  h_relation_run const what(given);
  if (given[textbook_form]) return run_textbook(what);
  auto const& input = what.input;
  block_format const blocks{rule, {input.size.sent, input.size.received}};
  auto const expected = expected_arrivals::through_bins(input);
  auto run = what.run([&](processor& me) {
    auto const mine = what.elements_of(me.rank());
    auto const routed = h_relation(me, std::span(mine), &labelled::home, blocks);
    bool const right =
        std::ranges::equal(routed.elements, expected.at(me.rank())) &&
        (input.offsets.empty() || fill_their_places(me, input, std::span(routed.elements)));
    return arrival{right, routed.largest_bin_out, routed.largest_bin_through,
                   routed.elements_through};
  });
  auto const most = largest_of(run.results());
  bool const correct = std::ranges::all_of(run.results(), &arrival::as_expected);
  auto result = what.result(std::move(run), correct);
  result.claims = two_phase_claims(what, blocks, most, expected.phases_with_words());
  result.figures["bin1"] = static_cast<std::int64_t>(most.out);
  result.figures["bin2"] = static_cast<std::int64_t>(most.through);
  result.figures["intermediate"] = static_cast<std::int64_t>(most.intermediate);
  return result;
}

}  // namespace

experiment h_relation_experiment() {
  return h_relation_experiment_of(
      {.name = "h-relation",
       .summary = "elements go anywhere, by way of all processors in nearly equal blocks",
       .source = bader_helman_jaja_1996,
       .run = run_two_phase},
      {format_of_bins, textbook_form});
}

}  // namespace lockstep
