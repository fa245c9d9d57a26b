#include <lockstep/algorithms/routing/randomized_routing.hpp>

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <lockstep/errors.hpp>
#include <lockstep/experiments/registry.hpp>
#include <lockstep/memory.hpp>

#include "harness/entries.hpp"
#include "harness/parameters.hpp"
#include "harness/sources.hpp"
#include "routing/expected_arrivals.hpp"
#include "routing/h_relation_claims.hpp"
#include "routing/h_relation_request.hpp"

namespace lockstep {

namespace {

/// What a processor found out.
struct delivery {
  bool as_expected = false;
  int attempts = 0;
  std::uint64_t redrawn = 0;
  std::uint64_t elements_through = 0;
};

/// Whether these are the elements expected, from at most p processors in between, from each of which
/// they come by source and in the source's order.
[[nodiscard]] bool are_expected(std::vector<labelled> arrived, std::span<labelled const> expected,
                                int p) {
  int parts = 1;
  for (std::size_t i = 1; i < arrived.size(); ++i)
    if (arrived[i] < arrived[i - 1]) ++parts;
  std::ranges::sort(arrived);
  return parts <= p && std::ranges::equal(arrived, expected);
}

/// Where none is given, more than the theorem's max(1 + 1/sqrt 2, alpha + sqrt(alpha/2)), which is for
/// many elements: of few, slots vary more than that.
[[nodiscard]] double c_from(experiment_request const& asked, h_relation_input const& input) {
  auto const given = real_number(asked, "c", 0);
  if (given != 0) return given;
  auto const n = static_cast<double>(std::max<std::uint64_t>(input.size.elements, 1));
  auto const p = static_cast<double>(input.size.processors);
  auto const alpha = static_cast<double>(input.limits.received) * p / n;
  auto const in_a_slot = std::max(1.0, alpha) * n / (p * p);
  auto const room = in_a_slot + 4 * std::sqrt(in_a_slot) + 8;
  return std::max({3.0, 1.5 * (alpha + std::sqrt(alpha / 2)), room * p * p / n});
}

/// How to draw, if there is any hope that it fits.
/// Errors: invalid_argument; out_of_memory, with the figures.
[[nodiscard]] random_draws draws_from(experiment_request const& asked,
                                      h_relation_input const& input, double c) {
  constexpr std::uint64_t bytes_of_a_place = 64;
  int const p = asked.network->size();
  random_draws const how{randomized_slot(input.size.elements, p, c),
                         static_cast<std::uint64_t>(whole_number(asked, "seed", 1, 0))};
  detail::require_room_in_slots(0, input.destinations.front().size(), p, how.slot);
  auto const each = available_memory() / static_cast<std::uint64_t>(p);
  if (how.slot > each / bytes_of_a_place)
    throw out_of_memory(fmt::format(
        "{} has {} processors, and slots of {} elements need {} MiB on each, and {} MiB are "
        "available: take a smaller c",
        asked.network->spec(), p, how.slot, how.slot * bytes_of_a_place >> 20U, each >> 20U));
  return how;
}

/// What the processors found out together; they all have to have made the same attempts.
[[nodiscard]] delivery of_all(std::vector<delivery> const& arrivals) {
  delivery all{true, arrivals.front().attempts};
  for (auto const& one : arrivals) {
    all.as_expected = all.as_expected && one.as_expected && one.attempts == all.attempts;
    all.redrawn += one.redrawn;
    all.elements_through = std::max(all.elements_through, one.elements_through);
  }
  return all;
}

[[nodiscard]] experiment_result run_randomized(experiment_request const& asked) {
  auto const made = h_relation_from(asked);
  int const p = asked.network->size();
  auto const c = c_from(asked, made.input);
  auto const how = draws_from(asked, made.input, c);
  auto const expected = expected_arrivals::by_source(made.input);
  auto run = run_or_refuse(
      strict_machine(asked),
      [&](processor& me) {
        auto const mine = labelled_elements(made.input, me.rank());
        auto routed = randomized_routing(me, std::span(mine), &labelled::home, how);
        return delivery{are_expected(std::move(routed.elements), expected.at(me.rank()), p),
                        routed.attempts, routed.redrawn, routed.elements_through};
      },
      asked.observers);
  auto const most = of_all(run.results());
  experiment_result result{.record = std::move(run), .correct = most.as_expected};
  result.claims = randomized_claims(made, c, how.slot, most.attempts, asked.options.packet);
  result.bounds = bounds_of(result.record, made.input);
  result.figures["c"] = c;
  result.figures["slot"] = static_cast<std::int64_t>(how.slot);
  result.figures["attempts"] = std::int64_t{most.attempts};
  result.figures["redrawn"] = static_cast<std::int64_t>(most.redrawn);
  result.figures["intermediate"] = static_cast<std::int64_t>(most.elements_through);
  result.parameters = parameters_used(asked, made);
  result.parameters["c"] = c;
  return result;
}

}  // namespace

experiment randomized_routing_entry() {
  auto parameters = h_relation_parameters();
  parameters.push_back({"c",
                        "slots have room for c n/p^2 elements (0: at least 3, 1.5 times what "
                        "the theorem asks for, and what few elements vary by)",
                        0.0});
  return {
      .name = "randomized-routing",
      .summary = "elements go anywhere, by way of random processors in slots of equal size",
      .topologies = "crossbar",
      .source = jaja_ryu_1994,
      .examples = {"crossbar:16", "crossbar:4", "crossbar:8", "crossbar:32"},
      .parameters = std::move(parameters),
      .run = run_randomized,
  };
}

}  // namespace lockstep
