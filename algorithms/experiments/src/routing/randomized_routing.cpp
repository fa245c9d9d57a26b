#include <lockstep/algorithms/routing/randomized_routing.hpp>

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "routing/expected_arrivals.hpp"
#include "routing/h_relation_claims.hpp"

namespace lockstep {

namespace {

/// The findings of a processor.
struct delivery {
  bool as_expected = false;
  int attempts = 0;
  std::uint64_t redrawn = 0;
  std::uint64_t elements_through = 0;
};

/// Whether these are the elements expected, from at most p processors in between, from each of
/// which they come by source and in the source's order.
[[nodiscard]] bool are_expected(std::vector<labelled> arrived, std::span<labelled const> expected,
                                int p) {
  int parts = 1;
  for (std::size_t i = 1; i < arrived.size(); ++i)
    if (arrived[i] < arrived[i - 1]) ++parts;
  std::ranges::sort(arrived);
  return parts <= p && std::ranges::equal(arrived, expected);
}

constexpr real_parameter slot_factor{
    "c",
    "slots have room for c n/p^2 elements (0: at least 3, 1.5 times what the theorem asks for, and "
    "what few elements vary by)"};

/// Takes, where no c is given, more than the theorem's max(1 + 1/sqrt 2, alpha + sqrt(alpha/2)),
/// which is for many elements: of few, slots vary more than that.
[[nodiscard]] double c_of(h_relation_run const& what) {
  if (auto const asked = what.given[slot_factor]; asked != 0) return asked;
  auto const n = static_cast<double>(std::max<std::uint64_t>(what.input.size.elements, 1));
  auto const p = static_cast<double>(what.input.size.processors);
  auto const alpha = static_cast<double>(what.input.limits.received) * p / n;
  auto const in_a_slot = std::max(1.0, alpha) * n / (p * p);
  auto const most = in_a_slot + 4 * std::sqrt(in_a_slot) + 8;
  return std::max({3.0, 1.5 * (alpha + std::sqrt(alpha / 2)), most * p * p / n});
}

/// Says how to draw, if there is any hope that it fits.
/// Errors: invalid_argument; out_of_memory, with the figures.
[[nodiscard]] random_draws draws_of(h_relation_run const& what, double c) {
  constexpr double bytes_of_a_place = 64;
  int const p = what.given.processors();
  random_draws const how{randomized_slot(what.input.size.elements, p, c), what.given.seed()};
  detail::require_room_in_slots(0, what.input.destinations.front().size(), p, how.slot);
  require_memory(what.given, {.bytes_each = bytes_of_a_place * static_cast<double>(how.slot),
                              .held = fmt::format("slots of {} elements", how.slot),
                              .remedy = "a smaller c"});
  return how;
}

/// Puts together what the processors found out; they all have to have made the same attempts.
[[nodiscard]] delivery of_all(std::vector<delivery> const& arrivals) {
  delivery all{true, arrivals.front().attempts};
  for (auto const& one : arrivals) {
    all.as_expected = all.as_expected && one.as_expected && one.attempts == all.attempts;
    all.redrawn += one.redrawn;
    all.elements_through = std::max(all.elements_through, one.elements_through);
  }
  return all;
}

[[nodiscard]] experiment_result run_randomized(arguments const& given) {
  h_relation_run const what(given);
  auto const c = c_of(what);
  auto const how = draws_of(what, c);
  auto const expected = expected_arrivals::by_source(what.input);
  auto run = what.run([&](processor& me) {
    auto const mine = what.elements_of(me.rank());
    auto routed = randomized_routing(me, std::span(mine), &labelled::home, how);
    return delivery{are_expected(std::move(routed.elements), expected.at(me.rank()), me.size()),
                    routed.attempts, routed.redrawn, routed.elements_through};
  });
  auto const most = of_all(run.results());
  auto result = what.result(std::move(run), most.as_expected);
  result.claims = randomized_claims(what, c, how.slot, most.attempts);
  result.figures["c"] = c;
  result.figures["slot"] = static_cast<std::int64_t>(how.slot);
  result.figures["attempts"] = std::int64_t{most.attempts};
  result.figures["redrawn"] = static_cast<std::int64_t>(most.redrawn);
  result.figures["intermediate"] = static_cast<std::int64_t>(most.elements_through);
  result.parameters["c"] = c;
  return result;
}

}  // namespace

experiment randomized_routing_experiment() {
  return h_relation_experiment_of(
      {.name = "randomized-routing",
       .summary = "elements go anywhere, by way of random processors in slots of equal size",
       .source = jaja_ryu_1994,
       .run = run_randomized},
      {slot_factor});
}

}  // namespace lockstep
