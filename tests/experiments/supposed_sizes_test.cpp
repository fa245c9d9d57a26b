#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <lockstep/algorithms/routing/randomized_routing.hpp>
#include <lockstep/claim_list.hpp>
#include <lockstep/experiments/registry.hpp>
#include <lockstep/topologies/parse.hpp>

#include "catch.hpp"
#include "routing/supposed_sizes.hpp"
#include "sorting/supposed_sizes.hpp"

// Hypotheses that several claims and tables have: their texts say when they are met.

namespace {

[[nodiscard]] bool is_met(char const* text, int p, std::uint64_t n) {
  return lockstep::claim_list({{{"p", p}, {"n", static_cast<double>(n)}}})
      .hypothesis_of(text)
      .is_met();
}

}  // namespace

TEST_CASE("the text on random processors is met where its function says so") {
  std::size_t met = 0;
  for (int const p : {1, 2, 3, 7, 16, 64, 1000})
    for (std::uint64_t n = 0; n < (std::uint64_t{1} << 40U); n = n < 200 ? n + 1 : n + n / 7) {
      INFO("p = " << p << ", n = " << n);
      bool const has_room = lockstep::has_room_with_high_probability(p, n);
      CHECK(is_met(lockstep::detail::room_with_high_probability, p, n) == has_room);
      met += has_room ? 1 : 0;
    }
  CHECK(met > 100);
}

TEST_CASE("the room in slots is that of Theorem 3.4") {
  auto const is_enough = [](char const* text, double c, double alpha) {
    return lockstep::claim_list({{{"c", c}, {"alpha", alpha}}}).hypothesis_of(text).is_met();
  };
  for (double const alpha : {1.0, 1.3, 2.0, 9.0})
    for (double c = 0.5; c < 12; c += 0.11) {
      INFO("c = " << c << ", alpha = " << alpha);
      CHECK(is_enough(lockstep::detail::room_in_slots_of_step_1, c, alpha) ==
            (c > 1 + std::sqrt(0.5)));
      CHECK(is_enough(lockstep::detail::room_in_slots_of_step_3, c, alpha) ==
            (c > alpha + std::sqrt(alpha) / 2));
    }
}

TEST_CASE("rotate sort supposes powers of two and of four") {
  for (int p = 1; p <= 70; ++p)
    for (std::size_t n = 0; n <= 300; ++n) {
      auto const processors = static_cast<std::size_t>(p);
      bool const is_power_of_four = p == 1 || p == 4 || p == 16 || p == 64;
      bool const has_sizes =
          is_power_of_four && n % processors == 0 && std::has_single_bit(n / processors);
      INFO("p = " << p << ", n = " << n);
      CHECK(lockstep::detail::sizes_of_rotate_sort(n, p).is_met() == has_sizes);
    }
}

TEST_CASE("sorts say the same hypotheses of their time and of their comparisons") {
  for (auto const& [name, texts] :
       {std::pair{"sample-sort", std::vector{lockstep::detail::room_with_high_probability}},
        {"column-sort", {lockstep::detail::length_of_columns}},
        {"median-sort", {lockstep::detail::elements_of_columns}},
        {"rotate-sort", {lockstep::detail::elements_for_one_shear}}}) {
    INFO(name);
    auto const* const known = lockstep::find_experiment(name);
    REQUIRE(known != nullptr);
    lockstep::experiment_request asked{.network = lockstep::parse("crossbar:4")};
    for (auto const& taken : known->parameters) asked.parameters[taken.name] = taken.fallback;
    asked.parameters["n"] = std::int64_t{4096};
    asked.parameters["seed"] = std::int64_t{1};
    auto const result = known->run(asked);
    for (auto const* const figure : {"time", "work"})
      for (auto const* const text : texts) {
        INFO(figure << ": " << text);
        CHECK(std::ranges::any_of(result.claims, [&](lockstep::claim const& one) {
          return one.figure == figure && one.source.starts_with("JaJa and Ryu 1994") &&
                 std::ranges::count(one.where, std::string(text), &lockstep::hypothesis::text) == 1;
        }));
      }
  }
}
