#include <algorithm>
#include <string>
#include <vector>

#include <fmt/format.h>

#include <lockstep/algorithms/exchange/all_to_all.hpp>

#include "exchange/grid_shape.hpp"

namespace lockstep {

namespace {

/// The formulas' parameters, in the paper's letters: R <= C, the sizes of the network, and m, words
/// in a block.
struct parameters_of_table_1 {
  double R;  // NOLINT(readability-identifier-naming)
  double C;  // NOLINT(readability-identifier-naming)
  double m;
};

/// Table 1, "R x C 2D torus"; explained in section 3.1.4.
[[nodiscard]] std::vector<claim> torus_claims(parameters_of_table_1 const& of) {
  auto const [R, C, m] = of;
  std::string const source = "Suh and Shin 2001, 3.1.4";
  std::string const correctness = "Suh and Shin 2001, 3.1.5";
  std::string const summed = "lockstep, summed over the steps of 3.1.2";
  auto const equal = relation::equal;
  return {
      {"steps", "C/2 + 2", C / 2 + 2, equal, source},
      {"startups", "C/2 + 2", C / 2 + 2, equal, source},
      {"words", "RC(C + 4)m/4", R * C * (C + 4) * m / 4, equal, source},
      {"volume", "R^2 C^2 ((R + C)/8 + 1)m", R * R * C * C * ((R + C) / 8 + 1) * m, equal, summed},
      {"messages", "RC((R + C)/4 + 2)", R * C * ((R + C) / 4 + 2), equal, summed},
      {"hops", "2(C - 1)", 2 * (C - 1), equal, source},
      {"barriers", "C/2 + 1", C / 2 + 1, equal, source},
      {"rearrangements", "3", 3, equal, source},
      {"rearranged", "3RCm", 3 * R * C * m, equal, source},
      {"contention", "1", 1, equal, correctness},
      {"serialised_steps", "C/2 + 2", C / 2 + 2, equal, correctness},
      {"queued", "0", 0, equal, correctness},
  };
}

/// Table 1, "R x C 2D mesh"; explained in section 4.1.
[[nodiscard]] std::vector<claim> mesh_claims(parameters_of_table_1 const& of) {
  auto const [R, C, m] = of;
  std::string const source = "Suh and Shin 2001, 4.1";
  std::string const summed = "lockstep, summed over the steps of 4.1";
  auto const equal = relation::equal;
  return {
      {"steps", "C", C, equal, source},
      {"startups", "C", C, equal, source},
      {"words", "RC^2 m/2", R * C * C * m / 2, equal, source},
      {"volume", "R^2 C^2 (R + C)m/4", R * R * C * C * (R + C) * m / 4, equal, summed},
      {"messages", "RC(R + C)/2", R * C * (R + C) / 2, equal, summed},
      {"hops", "(C - 2)^2 + 2", (C - 2) * (C - 2) + 2, equal, source},
      {"barriers", "C - 1", C - 1, equal, source},
      {"rearrangements", "2", 2, equal, source},
      {"rearranged", "2RCm", 2 * R * C * m, equal, source},
      {"contention", "1", 1, equal, source},
      {"serialised_steps", "C", C, equal, source},
      {"queued", "0", 0, equal, source},
  };
}

}  // namespace

std::vector<claim> all_to_all_claims(topology const& network, std::uint64_t words) {
  auto const shape = shape_of(network);
  if (!shape || shape->sizes.size() != 2)
    throw invalid_argument(
        fmt::format("the complete exchange claims nothing on {}; it does on a torus or mesh of two "
                    "dimensions, such as torus:12x12",
                    network.spec()));
  auto const [least, largest] = std::ranges::minmax(shape->sizes);
  parameters_of_table_1 const of{static_cast<double>(least), static_cast<double>(largest),
                                 static_cast<double>(words)};
  return shape->wraps ? torus_claims(of) : mesh_claims(of);
}

}  // namespace lockstep
