#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include <lockstep/algorithms/affine_cost.hpp>
#include <lockstep/algorithms/exchange/exchange_rivals.hpp>
#include <lockstep/cost_models.hpp>
#include <lockstep/errors.hpp>

#include "catch.hpp"
#include "complaint_of.hpp"

namespace {

using Catch::Matchers::WithinAbs;
using lockstep::claimed_costs;
using lockstep::exchange_rival_of;

/// The columns of Table 2: start-ups, words, hops, rearranged words, barriers.
using columns = std::vector<std::uint64_t>;

columns columns_of(std::string const& name, bool wraps, int d, std::uint64_t words = 1) {
  auto const costs = claimed_costs(exchange_rival_of(name, wraps), d, words);
  return {costs.startups, costs.words, costs.hops, costs.rearranged, costs.barriers};
}

std::string refusal_of(std::string const& name, bool wraps, int d, std::uint64_t words = 1) {
  return reference::complaint_of([&] { return columns_of(name, wraps, d, words); });
}

/// t_b by the dimension of the whole machine ("cube"), or of a side of it ("side").
lockstep::affine_cost line_of(std::string const& name, bool wraps, int d, bool cube = true,
                              lockstep::suh_shin_model const& model = lockstep::paragon()) {
  return lockstep::line_of(claimed_costs(exchange_rival_of(name, wraps), d, 1), model,
                           1 << (cube ? 2 * d : d));
}

double cross_over(bool wraps, int d, bool cube, lockstep::suh_shin_model const& model) {
  return lockstep::break_even_block_size(line_of("proposed", wraps, d, cube, model),
                                         line_of("[13]", wraps, d, cube, model))
      .value();
}

}  // namespace

TEST_CASE("Table 2, worked out by hand") {
  auto const [name, wraps, d, expected] = GENERATE(table<std::string, bool, int, columns>({
      {"[19]", true, 2, {4, 32, 6, 48, 3}},
      {"[19]", true, 3, {6, 192, 14, 320, 5}},
      {"[19]", true, 4, {10, 1280, 46, 2304, 9}},
      {"[13]", true, 3, {6, 192, 14, 192, 5}},
      // 9 x 256 + (16 - 20 + 3) x 128 = 2176; 13 x 4 - 15 = 37
      {"[13]", true, 4, {9, 2176, 37, 2176, 8}},
      {"proposed", true, 2, {4, 32, 6, 48, 3}},
      {"proposed", true, 3, {6, 192, 14, 192, 5}},
      {"proposed", true, 4, {10, 1280, 30, 768, 9}},
      {"[16]", false, 1, {2, 4, 2, 4, 1}},
      {"[16]", false, 3, {8, 256, 22, 448, 7}},
      {"[16]", false, 4, {16, 2048, 86, 3840, 15}},
      // 7 x 8 + (4 - 6 - 1) x 8 = 32; 9 x 2 - 10 = 8
      {"[13]", false, 2, {4, 32, 8, 32, 3}},
      // 7 x 64 + (9 - 9 - 1) x 32 = 416; 9 x 4 - 13 = 23
      {"[13]", false, 3, {7, 416, 23, 416, 6}},
      // 7 x 512 + (16 - 12 - 1) x 128 = 3968; 9 x 8 - 16 = 56
      {"[13]", false, 4, {10, 3968, 56, 3968, 9}},
      {"proposed", false, 1, {2, 4, 2, 8, 1}},
      {"proposed", false, 3, {8, 256, 38, 128, 7}},
      {"proposed", false, 4, {16, 2048, 198, 512, 15}},
  }));
  INFO(name << ", torus " << wraps << ", d " << d);
  CHECK(columns_of(name, wraps, d) == expected);
  CHECK(columns_of("proposed", false, 7)[2] == 15878);
  CHECK(columns_of("[16]", false, 7)[2] == 5462);
  CHECK(columns_of("[13]", false, 7)[2] == 551);
}

TEST_CASE("propagation over three is a whole number of hops for every d") {
  for (int d = 1; d <= 15; ++d) {
    std::uint64_t const nodes = std::uint64_t{1} << 2 * d;
    CHECK(3 * columns_of("[16]", false, d)[2] == nodes + 2);
    if (d >= 2) CHECK(3 * columns_of("[19]", true, d)[2] == nodes / 2 + 10);
  }
}

TEST_CASE("words and rearranged words grow with the block, nothing else does") {
  CHECK(columns_of("[13]", true, 3, 7) == columns{6, 7 * 192, 14, 7 * 192, 5});
  CHECK(columns_of("proposed", false, 3, 0) == columns{8, 0, 38, 0, 7});
}

TEST_CASE("steps and rearrangements are told, too, where the table gives them") {
  auto const tseng = claimed_costs(exchange_rival_of("[19]", true), 4, 1);
  CHECK(tseng.steps == 10);
  CHECK(tseng.rearrangements == 9);
  CHECK(claimed_costs(exchange_rival_of("[16]", false), 4, 1).rearrangements == 15);
  CHECK(claimed_costs(exchange_rival_of("proposed", true), 4, 1).rearrangements == 3);
  CHECK(claimed_costs(exchange_rival_of("proposed", false), 4, 1).rearrangements == 2);
  CHECK(claimed_costs(exchange_rival_of("[13]", true), 4, 1).rearrangements == 0);
}

TEST_CASE("outside their limits the formulas are refused with the limits") {
  CHECK(refusal_of("[13]", true, 2) ==
        "the formulas of [13] for a 2^d x 2^d torus do not hold for d = 2; use d = 3 to 15");
  CHECK(refusal_of("[13]", false, 1) ==
        "the formulas of [13] for a 2^d x 2^d mesh do not hold for d = 1; use d = 2 to 15");
  CHECK_THAT(refusal_of("[19]", true, 1), has_text("use d = 2 to 15"));
  CHECK_THAT(refusal_of("proposed", true, 1), has_text("use d = 2 to 15"));
  CHECK_THAT(refusal_of("[16]", false, 0), has_text("use d = 1 to 15"));
  CHECK_THAT(refusal_of("[13]", true, 16), has_text("use d = 3 to 15"));
  CHECK_THAT(refusal_of("[16]", true, 4), has_text("no algorithm \"[16]\" on a torus"));
  CHECK_THAT(refusal_of("[19]", false, 4), has_text("it has [16], [13] and proposed"));
  auto const many = std::numeric_limits<std::uint64_t>::max();
  CHECK_THAT(refusal_of("[13]", true, 3, many / 192 + 1), has_text("64-bit"));
  CHECK(columns_of("[13]", true, 3, many / 192)[1] == many / 192 * 192);
}

TEST_CASE("prices of Table 2 on the Paragon") {
  auto const [name, wraps, d, fixed, slope] =
      GENERATE(table<std::string, bool, int, double, double>({
          {"proposed", true, 4, 8805.6, 24.832},
          {"[13]", true, 4, 7835.74, 54.4},
          {"proposed", true, 5, 20850.24, 144.384},
          {"[13]", true, 5, 13518.72, 499.2},
          {"proposed", true, 6, 48719.52, 937.984},
          {"[13]", true, 6, 20714.74, 4147.2},
          {"proposed", true, 7, 112270.08, 6635.52},
          {"[13]", true, 7, 29424.84, 32972.8},
          {"proposed", false, 4, 14628.96, 29.696},
          {"[13]", false, 4, 8806.12, 99.2},
          {"proposed", false, 7, 219594.56, 11993.088},
          {"[13]", false, 7, 31154.02, 51404.8},
      }));
  auto const line = line_of(name, wraps, d);
  INFO(name << ", torus " << wraps << ", d " << d);
  CHECK_THAT(line.fixed_us, WithinAbs(fixed, 1e-6));
  CHECK_THAT(line.us_per_byte, WithinAbs(slope, 1e-6));
}

TEST_CASE("cross-over points against [13], in both readings of the barrier's d") {
  struct row {
    bool wraps;
    lockstep::suh_shin_model model;
    std::vector<double> cube;  // 16x16, 32x32, 64x64, 128x128
    std::vector<double> side;
  };
  auto const slow = lockstep::paragon_slow_startup();
  std::vector<row> const rows{
      {true, lockstep::paragon(), {32.801, 20.663, 8.726, 3.146}, {15.756, 10.009, 4.251, 1.538}},
      {false, lockstep::paragon(), {83.777, 37.287, 14.029, 4.781}, {40.269, 18.077, 6.841, 2.342}},
      {true, slow, {37.705, 23.115, 9.585, 3.410}, {20.659, 12.461, 5.109, 1.802}},
      {false, slow, {96.294, 41.708, 15.408, 5.182}, {52.786, 22.498, 8.220, 2.743}}};
  for (auto const& [wraps, model, cube, side] : rows)
    for (std::size_t i = 0; i < 4; ++i) {
      INFO(model.label << ", torus " << wraps << ", d " << i + 4);
      int const d = static_cast<int>(i) + 4;
      CHECK_THAT(cross_over(wraps, d, true, model), WithinAbs(cube[i], 0.0006));
      CHECK_THAT(cross_over(wraps, d, false, model), WithinAbs(side[i], 0.0006));
    }
}

TEST_CASE("against [19] the proposed exchange is always faster, against [16] from 1 byte") {
  for (bool const cube : {true, false})
    for (int d = 4; d <= 7; ++d) {
      CHECK(lockstep::break_even_block_size(line_of("proposed", true, d, cube),
                                            line_of("[19]", true, d, cube)) == 0);
      auto const from = lockstep::break_even_block_size(line_of("proposed", false, d, cube),
                                                        line_of("[16]", false, d, cube));
      REQUIRE(from);
      CHECK(*from > 0);
      CHECK(*from < 0.06);
    }
}
