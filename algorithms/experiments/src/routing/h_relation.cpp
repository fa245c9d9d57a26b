#include <algorithm>
#include <array>
#include <vector>

#include <lockstep/algorithms/routing/h_relation.hpp>
#include <lockstep/algorithms/routing/place_by_offset.hpp>
#include <lockstep/algorithms/textbook/h_relation.hpp>

#include "routing/two_phase_claims.hpp"

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

/// What comes to each processor, in order, and in how many phases anything travels.
struct expected_arrivals {
  std::vector<std::vector<labelled>> at;
  int phases_with_words = 0;
};

/// Orders what comes by the processor through which it goes: the m-th from i for j through
/// (i + j + m) mod p.
[[nodiscard]] expected_arrivals arrivals_through_bins(h_relation_run const& what) {
  int const p = what.given.processors();
  expected_arrivals expected{what.arrivals()};
  bool travels_first = false;
  bool travels_second = false;
  for (auto& arrived : expected.at) {
    detail::bins<labelled> bins(expected.at.size());
    int last_source = -1;
    int through = 0;
    for (auto const& element : arrived) {
      bool const is_first = element.source != last_source;
      last_source = element.source;
      through = (is_first ? element.source + element.home : through + 1) % p;
      travels_first = travels_first || through != element.source;
      travels_second = travels_second || through != element.home;
      bins[static_cast<std::size_t>(through)].push_back(element);
    }
    arrived = detail::joined(bins);
  }
  expected.phases_with_words = (travels_first ? 1 : 0) + (travels_second ? 1 : 0);
  return expected;
}

/// Runs the form that reads as the paper, in bins of their real size, which it does not measure.
[[nodiscard]] experiment_result run_textbook(h_relation_run const& what,
                                             expected_arrivals const& expected) {
  auto result = what.check([&](processor& me, std::vector<labelled> const& mine) {
    return std::ranges::equal(textbook::h_relation(me, mine, &labelled::home),
                              expected.at[static_cast<std::size_t>(me.rank())]);
  });
  result.claims =
      two_phase_claims(what, {.rule = block_rule::real}, {}, expected.phases_with_words);
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
  auto const expected = arrivals_through_bins(what);
  if (given[textbook_form]) return run_textbook(what, expected);
  auto const& input = what.input;
  block_format const blocks{rule, {input.size.sent, input.size.received}};
  std::vector<measured_bins> measured(expected.at.size());
  auto result = what.check([&](processor& me, std::vector<labelled> const& mine) {
    auto const rank = static_cast<std::size_t>(me.rank());
    auto const routed = h_relation(me, std::span(mine), &labelled::home, blocks);
    measured[rank] = {routed.largest_bin_out, routed.largest_bin_through, routed.elements_through};
    return routed.elements == expected.at[rank] &&
           (input.offsets.empty() || fill_their_places(me, input, std::span(routed.elements)));
  });
  measured_bins const most{
      std::ranges::max(measured, {}, &measured_bins::out).out,
      std::ranges::max(measured, {}, &measured_bins::through).through,
      std::ranges::max(measured, {}, &measured_bins::intermediate).intermediate};
  result.claims = two_phase_claims(what, blocks, most, expected.phases_with_words);
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
