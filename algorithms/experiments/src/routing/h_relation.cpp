#include <lockstep/algorithms/routing/h_relation.hpp>

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <lockstep/algorithms/routing/balance.hpp>
#include <lockstep/algorithms/routing/place_by_offset.hpp>
#include <lockstep/algorithms/textbook/h_relation.hpp>
#include <lockstep/detail/checked_counts.hpp>

#include "harness/experiment_list.hpp"
#include "harness/processor_notes.hpp"
#include "harness/solve.hpp"
#include "harness/sources.hpp"
#include "harness/stages.hpp"
#include "routing/h_relation_formulas.hpp"
#include "routing/h_relation_problem.hpp"

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

constexpr flag_parameter balanced_first{
    "balanced",
    "balance first, so that every processor has n/p elements to route: section 3.3 with JaJa and "
    "Ryu's balance in place of the redistribution that it cites"};

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
  bin2 <= largest that h2 elements can make, at most h1 from each processor{0}
  intermediate <= h1 + p(p-1)/2{0}
  from lockstep, elements that are put in bins counted
  operations = 2n
  work <= 2h1 + p(p-1)/2{0})";

/// Where p divides every n_ij, so that all is dealt out evenly.
constexpr char const* bins_dealt_out_evenly = R"(
  from lockstep, of Bader, Helman and JaJa 1996, equations (4) and (5)
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

constexpr char const* of_the_equations =
    "lockstep, of Bader, Helman and JaJa 1996, equations (4) and (5)";
constexpr char const* both_sections = "Bader, Helman and JaJa 1996, sections 3 and 3.3";

/// Claims words by the limits that the blocks were made for.
void claim_padded_words(claim_list& claims, h_relation_problem const& what,
                        block_format const& blocks) {
  auto const [h1, h2] = blocks.limits;
  auto const p = static_cast<std::uint64_t>(what.given.processors());
  auto const slots = blocks_of(blocks.rule, blocks.limits, what.given.processors());
  claims.with("b1", static_cast<double>(detail::in_whole_packets(slots.out, what.packet)))
      .with("b2", static_cast<double>(detail::in_whole_packets(slots.through, what.packet)))
      .from(of_the_equations)
      .equal("words", "(p-1)(b1 + b2)");
  bool const whole = p % 2 == 0 && h1 % p == 0 && h2 % p == 0;
  if (what.packet != 1) return;
  if (blocks.rule != block_rule::text && (blocks.rule != block_rule::bound || !whole)) return;
  auto of_blocks = what.claims();
  of_blocks.with("h1", static_cast<double>(h1)).with("h2", static_cast<double>(h2));
  if (whole)
    of_blocks.from("lockstep, of Bader, Helman and JaJa 1996, sections 3 and 3.3")
        .equal("words", words_of_two_phases);
  claims.add(of_blocks.from(both_sections).at_most("words", words_of_two_phases));
}

void claim_real_words(claim_list& claims, h_relation_problem const& what,
                      measured_bins const& bins) {
  auto const whole = [&](std::uint64_t words) {
    return static_cast<double>(detail::in_whole_packets(words, what.packet));
  };
  auto const own = what.own_limits();
  auto const p = what.given.processors();
  auto const [h1, h2] = what.input.limits;
  claims.with("bin1", whole(bins.out))
      .with("bin2", whole(bins.through))
      .from(of_the_equations)
      .at_most("words", "(p-1)(bin1 + bin2)" + own)
      .at_most("words", "(p-1)(floor(h1/p + (p-1)/2) + floor(h2/p + (p-1)/2))" + own,
               (p - 1) * (whole(largest_bin(h1, p)) + whole(largest_bin(h2, p))));
  if (what.packet == 1) claims.from(both_sections).at_most("words", words_of_two_phases + own);
}

/// Claims what the deterministic algorithm costs. `phases_with_words`: as the loop counts them,
/// with real sizes.
[[nodiscard]] std::vector<claim> two_phase_claims(h_relation_problem const& what,
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
      .from("lockstep, of Bader, Helman and JaJa 1996, Appendix B")
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
  claims.from("Bader, Helman and JaJa 1996, equation (5)")
      .at_most("bin2", "h2/p + (p-1)/2" + what.own_limits())
      .where("p divides h2");
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

/// Counts the phases in which any element travels.
[[nodiscard]] int phases_with_words(h_relation_problem const& what) {
  int const p = what.given.processors();
  bool travels_first = false;
  bool travels_second = false;
  for (auto const& arrived : what.arrivals()) {
    auto const through = intermediates_of(arrived, p);
    for (std::size_t i = 0; i < arrived.size(); ++i) {
      travels_first = travels_first || through[i] != arrived[i].source;
      travels_second = travels_second || through[i] != arrived[i].home;
    }
  }
  return (travels_first ? 1 : 0) + (travels_second ? 1 : 0);
}

/// Puts the elements, as step (5), where the input says, if it does.
[[nodiscard]] std::vector<labelled> placed(processor const& me, h_relation_problem const& what,
                                           std::vector<labelled> arrived) {
  if (what.input.offsets.empty()) return arrived;
  return place_by_offset(
      me, std::span<labelled const>(arrived),
      [&](labelled const& element) { return what.offset_of(element); }, arrived.size());
}

/// Runs the form that reads as the paper, in bins of their real size, which it does not measure.
[[nodiscard]] experiment_result run_textbook(h_relation_problem const& what) {
  auto result =
      solve(what.given, what.needs, what, [&](processor& me, std::vector<labelled> const& mine) {
        return placed(me, what, textbook::h_relation(me, mine, &labelled::home));
      });
  result.claims = two_phase_claims(what, {.rule = block_rule::real}, {}, phases_with_words(what));
  std::erase_if(result.claims, [](claim const& one) {
    return one.figure.starts_with("bin") || one.figure == "intermediate" ||
           one.formula.find("bin") != std::string::npos;
  });
  return result;
}

constexpr balance_options straight{.way = balance_way::direct};

[[nodiscard]] schedule_counts counts_of_balance(h_relation_problem const& what) {
  std::vector<std::uint64_t> loads;
  for (auto const& of_one : what.input.destinations) loads.push_back(of_one.size());
  auto options = straight;
  options.packet = what.packet;
  return balance_counts(plan_balance(loads, what.packet), options);
}

/// Claims what balancing and then routing costs: the former by its plan, the latter by the bounds of the
/// blocks, for processors with at most s = ceil(n/p) elements.
[[nodiscard]] std::vector<claim> balanced_claims(h_relation_problem const& what,
                                                 block_format const& blocks) {
  auto const p = what.given.processors();
  auto const before = counts_of_balance(what);
  auto const whole = [&](std::uint64_t words) {
    return static_cast<double>(detail::in_whole_packets(words, what.packet));
  };
  auto claims = what.claims();
  claims.with("s", static_cast<double>(blocks.limits.sent))
      .with("balancing", static_cast<double>(before.words))
      .with("rounds of balancing", static_cast<double>(before.rounds))
      .from(
          "lockstep, of JaJa and Ryu 1994, Theorem 4.1, and Bader, Helman and JaJa 1996, section 3")
      .equal("rounds", "rounds of balancing + 2(p-1)")
      .at_most("startups", "start-ups of balancing + 2", static_cast<double>(before.startups) + 2);
  if (blocks.rule == block_rule::real) {
    claims.at_most("words",
                   "balancing + (p-1)(floor(s/p + (p-1)/2) + floor(h2/p + (p-1)/2)), s = ceil(n/p)",
                   static_cast<double>(before.words) +
                       (p - 1) * (whole(largest_bin(blocks.limits.sent, p)) +
                                  whole(largest_bin(blocks.limits.received, p))));
  } else {
    auto const slots = blocks_of(blocks.rule, blocks.limits, p);
    claims.with("b1", whole(slots.out))
        .with("b2", whole(slots.through))
        .equal("words", "balancing + (p-1)(b1 + b2)");
  }
  if (what.packet == 1)
    claims.from("lockstep, after Bader, Helman and JaJa 1996, section 3.3")
        .compare("words", comparison::order, words_after_balance);
  return claims;
}

/// Counts the words of the phases that route, and of all others.
void add_words_of_parts(experiment_result& result) {
  std::int64_t routing = 0;
  for (auto const& phase : result.record.phases())
    if (phase.name.starts_with("route ")) routing += static_cast<std::int64_t>(phase.words);
  result.figures["words_of_balancing"] =
      static_cast<std::int64_t>(result.record.counts().words) - routing;
  result.figures["words_of_routing"] = routing;
}

/// Balances first: Step 1 then has ceil(n/p) elements of a processor at most.
[[nodiscard]] experiment_result run_balanced(arguments const& given) {
  auto const order =
      given.request().options.packet == 1 ? arrival_order::in_parts : arrival_order::any;
  h_relation_problem const what(given, order, {.element = 100, .bin = 155});
  auto const p = static_cast<std::uint64_t>(given.processors());
  block_format const blocks{given[format_of_bins],
                            {(what.input.size.elements + p - 1) / p, what.input.limits.received}};
  auto options = straight;
  options.packet = what.packet;
  auto result = solve(given, what.needs, balanced_claims(what, blocks), what,
                      [&](processor& me, std::vector<labelled> const& mine) {
                        auto const share = balance(me, std::span(mine), options);
                        return h_relation(me, std::span(share), &labelled::home, blocks).elements;
                      });
  add_words_of_parts(result);
  return result;
}

[[nodiscard]] experiment_result run_two_phase(arguments const& given) {
  auto const rule = given[format_of_bins];
  if (given[textbook_form] && rule != block_rule::real)
    throw invalid_argument(
        "h-relation: --textbook has bins of their real size; leave out --blocks");
  if (given[textbook_form] && given[balanced_first])
    throw invalid_argument("h-relation: --textbook routes only; leave out --balanced");
  if (given[balanced_first]) return run_balanced(given);
  h_relation_problem const what(given, arrival_order::by_bin, {.element = 65, .bin = 155});
  expect_steps(2 * static_cast<std::uint64_t>(given.processors() - 1));
  if (given[textbook_form]) return run_textbook(what);
  block_format const blocks{rule, {what.input.size.sent, what.input.size.received}};
  processor_notes<measured_bins> noted(given);
  auto result =
      solve(given, what.needs, what, [&](processor& me, std::vector<labelled> const& mine) {
        auto routed = h_relation(me, std::span(mine), &labelled::home, blocks);
        noted.of(me) = {routed.largest_bin_out, routed.largest_bin_through,
                        routed.elements_through};
        return placed(me, what, std::move(routed.elements));
      });
  auto const measured = noted.all();
  measured_bins const most{
      std::ranges::max(measured, {}, &measured_bins::out).out,
      std::ranges::max(measured, {}, &measured_bins::through).through,
      std::ranges::max(measured, {}, &measured_bins::intermediate).intermediate};
  result.claims = two_phase_claims(what, blocks, most, phases_with_words(what));
  result.figures["bin1"] = static_cast<std::int64_t>(most.out);
  result.figures["bin2"] = static_cast<std::int64_t>(most.through);
  result.figures["intermediate"] = static_cast<std::int64_t>(most.intermediate);
  return result;
}

}  // namespace

experiment h_relation_experiment() {
  return h_relation_experiment_of(
      "h-relation", "elements go anywhere, by way of all processors in nearly equal blocks",
      bader_helman_jaja_1996, run_two_phase, {format_of_bins, balanced_first, textbook_form});
}

}  // namespace lockstep
