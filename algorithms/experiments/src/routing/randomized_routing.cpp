#include <lockstep/algorithms/routing/randomized_routing.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "even_blocks.hpp"
#include "harness/experiment_list.hpp"
#include "harness/processor_notes.hpp"
#include "harness/solve.hpp"
#include "harness/sources.hpp"
#include "harness/stages.hpp"
#include "routing/h_relation_problem.hpp"
#include "routing/supposed_sizes.hpp"

namespace lockstep {

namespace {

/// The findings of a processor.
struct delivery {
  int attempts = 0;
  std::uint64_t redrawn = 0;
  std::uint64_t elements_through = 0;
};

constexpr real_parameter slot_factor{
    "c",
    "slots have room for c n/p^2 elements (0: at least 3, more than the theorem asks for, and what "
    "few elements vary by)"};

enum class block_sizes : std::uint8_t { cheapest, padded, real };
constexpr choice_parameter sizes_of_blocks{"blocks",
                                           "auto (the cheaper, by the elements that a block has on "
                                           "average), padded (whole slots) or real (a word "
                                           "with their number, and the elements)",
                                           std::array{named_choice{"auto", block_sizes::cheapest},
                                                      named_choice{"padded", block_sizes::padded},
                                                      named_choice{"real", block_sizes::real}}};

/// Chooses what blocks are: those of Step 4 have at most alpha n/p^2 elements on average, and a
/// word more for their number, which has to be fewer packets than a slot.
[[nodiscard]] bool takes_real_sizes(h_relation_problem const& what, std::uint64_t slot) {
  auto const asked = what.given[sizes_of_blocks];
  if (asked != block_sizes::cheapest) return asked == block_sizes::real;
  auto const& input = what.input;
  auto const p = static_cast<std::uint64_t>(input.size.processors);
  auto const most =
      std::max<std::uint64_t>(input.limits.received, (input.size.elements + p - 1) / p);
  auto const packets = [&](std::uint64_t words) { return (words + what.packet - 1) / what.packet; };
  return packets((most + p - 1) / p + 1) < packets(slot);
}

/// Computes the largest share of a processor, in n/p.
[[nodiscard]] double alpha_of(h_relation_problem const& what) {
  auto const n = static_cast<double>(std::max<std::uint64_t>(what.input.size.elements, 1));
  auto const p = static_cast<double>(what.input.size.processors);
  return std::max(1.0, static_cast<double>(what.input.limits.received) * p / n);
}

/// Takes, where no c is given, more than max(1 + 1/sqrt 2, alpha + sqrt(alpha/2)), which a union over
/// all slots asks for (docs/errata/jaja-ryu.md, number 5) and is more than the theorem does. That is
/// for many elements: of few, slots vary more than that.
[[nodiscard]] double c_of(h_relation_problem const& what) {
  if (auto const asked = what.given[slot_factor]; asked != 0) return asked;
  auto const n = static_cast<double>(std::max<std::uint64_t>(what.input.size.elements, 1));
  auto const p = static_cast<double>(what.input.size.processors);
  auto const alpha = alpha_of(what);
  auto const in_a_slot = alpha * n / (p * p);
  auto const most = in_a_slot + 4 * std::sqrt(in_a_slot) + 8;
  return std::max({3.0, 1.5 * (alpha + std::sqrt(alpha / 2)), most * p * p / n});
}

/// Says how to draw, if there is any hope that it fits.
/// Errors: invalid_argument; out_of_memory, with the figures.
[[nodiscard]] random_draws draws_of(h_relation_problem const& what, double c) {
  constexpr double bytes_of_a_place = 64;
  int const p = what.given.processors();
  random_draws how{randomized_slot(what.input.size.elements, p, c), what.given.seed()};
  how.real_sizes = takes_real_sizes(what, how.slot);
  detail::require_room_in_slots(0, what.input.destinations.front().size(), p, how.slot);
  require_memory(what.given, {.bytes_each = bytes_of_a_place * static_cast<double>(how.slot),
                              .held = fmt::format("slots of {} elements", how.slot),
                              .remedy = "a smaller c"});
  return how;
}

/// Claims the elements that are put in slots, by processors that draw once.
void claim_operations(claim_list& claims, h_relation_problem const& what) {
  auto const& size = what.input.size;
  claims.from("lockstep, the moves counted")
      .equal("operations", "2n")
      .from("JaJa and Ryu 1994, Theorem 3.4, with high probability")
      .compare("work", comparison::order, "n/p")
      .where(detail::even_blocks(size.elements, size.processors))
      .where(detail::room_with_high_probability);
}

/// Claims what randomized routing costs in a number of attempts, in which processors drew `redrawn` times
/// more.
[[nodiscard]] std::vector<claim> randomized_claims(h_relation_problem const& what, double c,
                                                   random_draws const& how, int attempts,
                                                   std::uint64_t redrawn) {
  auto const slot = how.slot;
  bool const travels = what.input.size.processors > 1 && (slot > 0 || how.real_sizes);
  auto const each = attempts == 1 ? "" : fmt::format(" in each of {} attempts", attempts);
  auto claims = what.claims();
  claims.from("lockstep, the schedule counted")
      .with("c", c)
      .with("slot", static_cast<double>(slot))
      .with("m", static_cast<double>(what.packet))
      .equal("rounds", "2(p-1)" + each)
      .equal("startups", travels ? "2" + each : "0");
  if (how.real_sizes)
    claims.at_most("words", "2(p-1) m ceil((slot + 1)/m)" + each);
  else
    claims.equal("words", "2(p-1) m ceil(slot/m)" + each);
  if (attempts == 1 && redrawn == 0) claim_operations(claims, what);
  claims.from("JaJa and Ryu 1994, Theorem 3.4, with high probability")
      .with("alpha", alpha_of(what))
      .at_most("words", "2 c n/p")
      .where(detail::room_with_high_probability)
      .where(detail::room_in_slots_of_step_1)
      .where(detail::room_in_slots_of_step_3);
  if (attempts > 1)
    return claims.erratum(
        "overflow in Step 3, which the theorem has with low probability, costs an attempt");
  if (how.real_sizes)
    return claims.erratum(
        "real sizes go with a word that tells them, which the theorem leaves out");
  if (what.packet != 1 || claims.value("p slot") > claims.value("c n/p"))
    return claims.erratum(
        "slots are rounded up to whole elements and packets, which the theorem leaves out");
  return claims;
}

[[nodiscard]] experiment_result run_randomized(arguments const& given) {
  h_relation_problem const what(given, arrival_order::in_parts, {.element = 72, .bin = 128});
  auto const c = c_of(what);
  auto const how = draws_of(what, c);
  processor_notes<delivery> noted(given);
  expect_steps(2 * static_cast<std::uint64_t>(given.processors() - 1));
  auto result =
      solve(given, what.needs, what, [&](processor& me, std::vector<labelled> const& mine) {
        auto routed = randomized_routing(me, std::span(mine), &labelled::home, how);
        noted.of(me) = {routed.attempts, routed.redrawn, routed.elements_through};
        return std::move(routed.elements);
      });
  auto const found = noted.all();
  int const attempts = found.front().attempts;
  std::uint64_t redrawn = 0;
  std::uint64_t most_through = 0;
  for (auto const& one : found) {
    result.correct = result.correct && one.attempts == attempts;
    redrawn += one.redrawn;
    most_through = std::max(most_through, one.elements_through);
  }
  result.claims = randomized_claims(what, c, how, attempts, redrawn);
  result.figures["c"] = c;
  result.figures["alpha"] = alpha_of(what);
  result.figures["slot"] = static_cast<std::int64_t>(how.slot);
  result.figures["blocks"] = std::string(how.real_sizes ? "real" : "padded");
  result.figures["attempts"] = std::int64_t{attempts};
  result.figures["redrawn"] = static_cast<std::int64_t>(redrawn);
  result.figures["intermediate"] = static_cast<std::int64_t>(most_through);
  result.parameters["c"] = c;
  return result;
}

}  // namespace

experiment randomized_routing_experiment() {
  return h_relation_experiment_of(
      "randomized-routing",
      "elements go anywhere, by way of random processors in slots of equal size", jaja_ryu_1994,
      run_randomized, {slot_factor, sizes_of_blocks});
}

}  // namespace lockstep
