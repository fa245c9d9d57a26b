#include <algorithm>
#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include <lockstep/algorithms/routing/h_relation.hpp>
#include <lockstep/algorithms/routing/place_by_offset.hpp>
#include <lockstep/algorithms/textbook/h_relation.hpp>
#include <lockstep/detail/checked_counts.hpp>

#include "harness/stages.hpp"
#include "routing/h_relation_run.hpp"

namespace lockstep {

namespace {

constexpr choice_parameter format_of_bins{
    "blocks",
    "how bins travel: real (as large as they are), padded (to the bound), text or appendix (as "
    "printed there), exact (to the largest there can be)",
    std::array{named_choice{"real", block_rule::real}, named_choice{"padded", block_rule::bound},
               named_choice{"text", block_rule::text},
               named_choice{"appendix", block_rule::appendix},
               named_choice{"exact", block_rule::exact}, named_choice{"bound", block_rule::bound}}};

/// Sizes that the deterministic algorithm measures.
struct measured_bins {
  std::uint64_t out = 0;           ///< largest bin of Step 2
  std::uint64_t through = 0;       ///< largest bin of Step 4
  std::uint64_t intermediate = 0;  ///< most elements in between
};

/// Sizes of bins: floor(x/p + (p-1)/2) is a bound for every input.
constexpr char const* sizes_of_bins = R"(
  from Bader, Helman and JaJa 1996, equation (4)
  bin1 <= h1/p + (p-1)/2{0}
  from lockstep, of Bader, Helman and JaJa 1996, equations (1) to (5)
  bin1 <= largest that h1 elements can make{0}
  from Bader, Helman and JaJa 1996, equation (5)
  bin2 <= h2/p + (p-1)/2{0}
  from lockstep, of Bader, Helman and JaJa 1996, equations (1) to (5)
  bin2 <= largest that h2 elements can make, at most h1 from each processor{0}
  intermediate <= h1 + p(p-1)/2{0})";

/// Where p divides every n_ij, so that all is dealt out evenly.
constexpr char const* bins_dealt_out_evenly = R"(
  bin1 = h1/p, for p divides every n_ij{0}
  bin2 = h2/p, for p divides every n_ij{0})";
constexpr char const* words_dealt_out_evenly =
    "words = (1-1/p)(h1 + h2), for p divides every n_ij{0}";

/// Of the inputs that meet the bounds of both phases.
constexpr char const* tight_bins = R"(
  bin1 = n/p^2 + (p-1)/2{0}
  bin2 = h2/p + (p-1)/2{0}
  intermediate = h1 + p(p-1)/2{0})";
constexpr char const* tight_words = "words = 2(p-1)(n/p^2 + (p-1)/2){0}";

/// The paper's T_comm without its start-ups.
constexpr char const* papers_words = "(p-1)(h1/p + p/2 + h2/p + p/2)";
constexpr char const* both_sections = "Bader, Helman and JaJa 1996, sections 3 and 3.3";

/// Claims words by the limits that the blocks were made for.
void claim_padded_words(claim_list& claims, h_relation_run const& what,
                        block_format const& blocks) {
  auto const [h1, h2] = blocks.limits;
  auto const p = static_cast<std::uint64_t>(what.given.processors());
  auto const slots = blocks_of(blocks.rule, blocks.limits, what.given.processors());
  claims.with("b1", static_cast<double>(detail::in_whole_packets(slots.out, what.packet)))
      .with("b2", static_cast<double>(detail::in_whole_packets(slots.through, what.packet)))
      .equal("words", "(p-1)(b1 + b2)");
  bool const whole = p % 2 == 0 && h1 % p == 0 && h2 % p == 0;
  if (what.packet != 1) return;
  if (blocks.rule != block_rule::text && (blocks.rule != block_rule::bound || !whole)) return;
  auto of_blocks = what.claims();
  claims.add(of_blocks.with("h1", static_cast<double>(h1))
                 .with("h2", static_cast<double>(h2))
                 .from(both_sections)
                 .compare("words", whole ? comparison::equal : comparison::at_most, papers_words));
}

void claim_real_words(claim_list& claims, h_relation_run const& what, measured_bins const& bins) {
  auto const whole = [&](std::uint64_t words) {
    return static_cast<double>(detail::in_whole_packets(words, what.packet));
  };
  auto const own = what.own_limits();
  auto const p = what.given.processors();
  auto const [h1, h2] = what.input.limits;
  claims.with("bin1", whole(bins.out))
      .with("bin2", whole(bins.through))
      .at_most("words", "(p-1)(bin1 + bin2)" + own)
      .from("Bader, Helman and JaJa 1996, equations (4) and (5)")
      .at_most("words", "(p-1)(floor(h1/p + (p-1)/2) + floor(h2/p + (p-1)/2))" + own,
               (p - 1) * (whole(largest_bin(h1, p)) + whole(largest_bin(h2, p))));
  if (what.packet == 1) claims.from(both_sections).at_most("words", papers_words + own);
}

/// Claims what the deterministic algorithm costs. `phases_with_words`: as the loop counts them,
/// with real sizes.
[[nodiscard]] std::vector<claim> two_phase_claims(h_relation_run const& what,
                                                  block_format const& blocks,
                                                  measured_bins const& measured,
                                                  int phases_with_words) {
  bool const real = blocks.rule == block_rule::real;
  int const p = what.given.processors();
  auto const [h1, h2] = what.input.limits;
  auto claims = what.claims();
  claims
      .with("largest that h1 elements can make", static_cast<double>(exact_largest_bin(h1, h1, p)))
      .with("largest that h2 elements can make, at most h1 from each processor",
            static_cast<double>(exact_largest_bin(h2, h1, p)))
      .with("phases in which something travels", phases_with_words)
      .from("Bader, Helman and JaJa 1996, Appendix B")
      .equal("rounds", "2(p-1)")
      .from("Bader, Helman and JaJa 1996, section 3")
      .equal("startups", real && phases_with_words < 2 ? "phases in which something travels"
                         : p > 1                       ? "2"
                                                       : "0");
  if (real)
    claim_real_words(claims, what, measured);
  else
    claim_padded_words(claims, what, blocks);
  what.claim_in(claims, sizes_of_bins);
  bool const by_words = real && what.packet == 1;
  auto const is_even = [p](std::uint64_t n) { return n % static_cast<std::uint64_t>(p) == 0; };
  if (std::ranges::all_of(elements_between(what.input), is_even)) {
    what.claim_in(claims, bins_dealt_out_evenly);
    if (by_words) what.claim_in(claims, words_dealt_out_evenly);
  }
  if (what.pattern == h_pattern::tight) {
    what.claim_in(claims, tight_bins);
    if (by_words) what.claim_in(claims, tight_words);
  }
  return claims;
}

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

/// The elements that come to each processor, in order, and the number of phases in which any
/// travel.
struct expected_arrivals {
  std::vector<std::vector<labelled>> at;
  int phases_with_words = 0;
};

/// Orders the arrivals by the processor through which it goes: the m-th from i for j through
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
  h_relation_run const what(given, {.element = 77, .bin = 155});
  auto const expected = arrivals_through_bins(what);
  expect_steps(2 * static_cast<std::uint64_t>(given.processors() - 1));
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
