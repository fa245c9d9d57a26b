#include <lockstep/algorithms/exchange/exchange_rivals.hpp>

#include <algorithm>
#include <array>
#include <limits>

#include <fmt/format.h>

#include <lockstep/errors.hpp>

namespace lockstep {

namespace {

constexpr int largest_d = 15;  // 2^30 processors

[[nodiscard]] std::uint64_t power_of_two(int exponent) { return std::uint64_t{1} << exponent; }

[[nodiscard]] std::uint64_t whole(int number) { return static_cast<std::uint64_t>(number); }

/// The costs of a row of Table 2, in the order of its columns.
struct row_of_table_2 {
  std::uint64_t startups;
  std::uint64_t words;
  std::uint64_t hops;
  std::uint64_t rearranged;
  std::uint64_t barriers;
  std::uint64_t rearrangements = 0;
};

[[nodiscard]] counts counts_of(row_of_table_2 const& row) {
  counts costs;
  costs.steps = costs.rounds = costs.startups = row.startups;
  costs.words = row.words;
  costs.hops = row.hops;
  costs.barriers = row.barriers;
  costs.rearrangements = row.rearrangements;
  costs.rearranged = row.rearranged;
  return costs;
}

[[nodiscard]] counts tseng_on_torus(int d) {
  auto const rearrangements = power_of_two(d - 1) + 1;
  return counts_of({.startups = power_of_two(d - 1) + 2,
                    .words = power_of_two(3 * d - 2) + power_of_two(2 * d),
                    // Whole for every d: odd powers of two are 2 modulo 3.
                    .hops = (power_of_two(2 * d - 1) + 10) / 3,
                    .rearranged = rearrangements * power_of_two(2 * d),
                    .barriers = power_of_two(d - 1) + 1,
                    .rearrangements = rearrangements});
}

[[nodiscard]] counts suh_yalamanchili_on_torus(int d) {
  // d^2 - 5d + 3 is negative for d < 5; the sum is not.
  auto const words = 9 * power_of_two(3 * d - 4) + whole(d * d + 3) * power_of_two(2 * d - 1) -
                     whole(5 * d) * power_of_two(2 * d - 1);
  return counts_of({.startups = whole(3 * d - 3),
                    .words = words,
                    .hops = 13 * power_of_two(d - 2) - whole(3 * d + 3),
                    .rearranged = words,
                    .barriers = whole(3 * d - 4)});
}

[[nodiscard]] counts proposed_on_torus(int d) {
  return counts_of({.startups = power_of_two(d - 1) + 2,
                    .words = power_of_two(3 * d - 2) + power_of_two(2 * d),
                    .hops = power_of_two(d + 1) - 2,
                    .rearranged = 3 * power_of_two(2 * d),
                    .barriers = power_of_two(d - 1) + 1,
                    .rearrangements = 3});
}

[[nodiscard]] counts sundar_on_mesh(int d) {
  auto const rearrangements = power_of_two(d) - 1;
  return counts_of({.startups = power_of_two(d),
                    .words = power_of_two(3 * d - 1),
                    // Whole for every d: even powers of two are 1 modulo 3.
                    .hops = (power_of_two(2 * d) + 2) / 3,
                    .rearranged = rearrangements * power_of_two(2 * d),
                    .barriers = power_of_two(d) - 1,
                    .rearrangements = rearrangements});
}

[[nodiscard]] counts suh_yalamanchili_on_mesh(int d) {
  // d^2 - 3d - 1 is negative for d < 4; the sum is not.
  auto const words = 7 * power_of_two(3 * d - 3) + whole(d * d) * power_of_two(2 * d - 1) -
                     whole(3 * d + 1) * power_of_two(2 * d - 1);
  return counts_of({.startups = whole(3 * d - 2),
                    .words = words,
                    .hops = 9 * power_of_two(d - 1) - whole(3 * d + 4),
                    .rearranged = words,
                    .barriers = whole(3 * d - 3)});
}

[[nodiscard]] counts proposed_on_mesh(int d) {
  return counts_of({.startups = power_of_two(d),
                    .words = power_of_two(3 * d - 1),
                    .hops = power_of_two(2 * d) + 6 - power_of_two(d + 2),
                    .rearranged = 2 * power_of_two(2 * d),
                    .barriers = power_of_two(d) - 1,
                    .rearrangements = 2});
}

[[nodiscard]] std::array<exchange_rival, 3> on_torus() {
  std::string const words_of_13 = "{9 2^(3d-4) + (d^2 - 5d + 3) 2^(2d-1)} m";
  return {{{"[19]",
            "Tseng, Gupta and Panda 1995",
            true,
            2,
            {"2^(d-1) + 2", "(2^(3d-2) + 2^(2d)) m", "(2^(2d-1) + 10)/3", "(2^(d-1) + 1) 2^(2d) m",
             "2^(d-1) + 1"},
            tseng_on_torus},
           {"[13]",
            "Suh and Yalamanchili 1998",
            true,
            3,
            {"3d - 3", words_of_13, "13 2^(d-2) - 3d - 3", words_of_13, "3d - 4"},
            suh_yalamanchili_on_torus},
           {"proposed",
            "Suh and Shin 2001",
            true,
            2,
            {"2^(d-1) + 2", "(2^(3d-2) + 2^(2d)) m", "2^(d+1) - 2", "3 2^(2d) m", "2^(d-1) + 1"},
            proposed_on_torus}}};
}

[[nodiscard]] std::array<exchange_rival, 3> on_mesh() {
  std::string const words_of_13 = "{7 2^(3d-3) + (d^2 - 3d - 1) 2^(2d-1)} m";
  return {{{"[16]",
            "Sundar, Jayasimha, Panda and Sadayappan 1994",
            false,
            1,
            {"2^d", "2^(3d-1) m", "(2^(2d) + 2)/3", "(2^d - 1) 2^(2d) m", "2^d - 1"},
            sundar_on_mesh},
           {"[13]",
            "Suh and Yalamanchili 1998",
            false,
            2,
            {"3d - 2", words_of_13, "9 2^(d-1) - 3d - 4", words_of_13, "3d - 3"},
            suh_yalamanchili_on_mesh},
           {"proposed",
            "Suh and Shin 2001",
            false,
            1,
            {"2^d", "2^(3d-1) m", "2^(2d) - 2^(d+2) + 6", "2 2^(2d) m", "2^d - 1"},
            proposed_on_mesh}}};
}

[[nodiscard]] std::array<exchange_rival, 6> table_2() {
  auto const tori = on_torus();
  auto const meshes = on_mesh();
  return {tori[0], tori[1], tori[2], meshes[0], meshes[1], meshes[2]};
}

}  // namespace

std::span<exchange_rival const> exchange_rivals() {
  static std::array const rows = table_2();
  return rows;
}

exchange_rival const& exchange_rival_of(std::string const& name, bool wraps,
                                        std::source_location where) {
  auto const rows = exchange_rivals();
  auto const found = std::ranges::find_if(
      rows, [&](exchange_rival const& row) { return row.name == name && row.wraps == wraps; });
  if (found == rows.end())
    throw invalid_argument(fmt::format("Table 2 has no algorithm \"{}\" on a {}", name,
                                       wraps ? "torus; it has [19], [13] and proposed"
                                             : "mesh; it has [16], [13] and proposed"),
                           where);
  return *found;
}

std::string unsupported_reason(exchange_rival const& of, int d) {
  if (of.least_d <= d && d <= largest_d) return {};
  return fmt::format(
      "the formulas of {} for a 2^d x 2^d {} do not hold for d = {}; use d = {} to {}", of.name,
      of.wraps ? "torus" : "mesh", d, of.least_d, largest_d);
}

counts claimed_costs(exchange_rival const& of, int d, std::uint64_t words,
                     std::source_location where) {
  if (auto const reason = unsupported_reason(of, d); !reason.empty())
    throw invalid_argument(reason, where);
  auto costs = of.of_one_word(d);
  auto const most = std::numeric_limits<std::uint64_t>::max() /
                    std::max({costs.words, costs.rearranged, std::uint64_t{1}});
  if (words > most)
    throw invalid_argument(fmt::format("{} words in a block are too many for 64-bit counts at "
                                       "d = {}; use at most {}",
                                       words, d, most),
                           where);
  costs.words *= words;
  costs.rearranged *= words;
  return costs;
}

}  // namespace lockstep
