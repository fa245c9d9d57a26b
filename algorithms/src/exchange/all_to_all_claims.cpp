#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include <lockstep/algorithms/exchange/all_to_all.hpp>
#include <lockstep/algorithms/exchange/exchange_search.hpp>

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
  auto const equal = comparison::equal;
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
  auto const equal = comparison::equal;
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

/// The same for n dimensions: A, the product of the sizes, N1, the largest, their sum, and the
/// sum of N_p, the largest in use in ring phase p = 1 .. n.
struct parameters_of_table_2 {
  double n;
  double A;   // NOLINT(readability-identifier-naming)
  double N1;  // NOLINT(readability-identifier-naming)
  double m;
  double sum;
  double sum_in_use;
  double sum_of_squares_in_use;  ///< of N_p - 2
};

[[nodiscard]] parameters_of_table_2 parameters_of(exchange_schedule const& schedule,
                                                  std::uint64_t words) {
  parameters_of_table_2 of{};
  of.n = schedule.dimensions();
  of.A = schedule.processors();
  of.m = static_cast<double>(words);
  for (int a = 0; a < schedule.dimensions(); ++a) {
    of.sum += schedule.size(a);
    of.N1 = std::max(of.N1, static_cast<double>(schedule.size(a)));
  }
  for (auto const& phase : schedule.phases()) {
    if (!phase.in_rings) continue;
    double const in_use = (phase.steps + 1) * schedule.stride();
    of.sum_in_use += in_use;
    of.sum_of_squares_in_use += (in_use - 2) * (in_use - 2);
  }
  return of;
}

/// What the paper claims of rings that are as long as the largest dimension in every phase.
void claim_for_longest_rings(std::vector<claim>& claims, parameters_of_table_2 const& of,
                             std::vector<claim> papers) {
  if (of.sum_in_use < of.n * of.N1)
    for (auto& claimed : papers)
      claimed.erratum =
          "the largest dimension is not in use in every ring phase; in one group of all dimensions "
          "only the first (n + 1)/2, rounded up, are";
  claims.insert(claims.end(), papers.begin(), papers.end());
}

/// One order of the data array serves two exchange steps with contiguous pieces.
void claim_rearrangements(std::vector<claim>& claims, parameters_of_table_2 const& of, claim papers,
                          std::string const& formula, double measured) {
  papers.erratum = "no order of the data array makes the pieces of three steps contiguous";
  std::string const ours = "lockstep";
  claims.push_back(papers);
  claims.push_back({"rearrangements", formula, measured, comparison::equal, ours});
  claims.push_back(
      {"rearranged", "(" + formula + ")Am", measured * of.A * of.m, comparison::equal, ours});
}

/// Table 1, "n-dimensional torus"; explained in section 3.2.3.
[[nodiscard]] std::vector<claim> torus_claims(parameters_of_table_2 const& of) {
  auto const [n, A, N1, m, sum, in_use, squares] = of;
  std::string const source = "Suh and Shin 2001, 3.2.3";
  std::string const summed = "lockstep, phase by phase";
  auto const equal = comparison::equal;
  double const steps = in_use / 4 + n;
  std::vector<claim> claims{
      {"steps", "sum N_p/4 + n", steps, equal, summed},
      {"startups", "sum N_p/4 + n", steps, equal, summed},
      {"words", "A(sum N_p + 4n)m/8", A * (in_use + 4 * n) * m / 8, equal, summed},
      {"volume", "A^2 (sum N_i/8 + n/2)m", A * A * (sum / 8 + n / 2) * m, equal, summed},
      {"messages", "A(sum N_i/4 + n)", A * (sum / 4 + n), equal, summed},
      {"hops", "sum N_p - n", in_use - n, equal, summed},
      {"barriers", "sum N_p/4 + n - 1", steps - 1, equal, summed},
      {"contention", "1", 1, equal, source},
      {"serialised_steps", "sum N_p/4 + n", steps, equal, summed},
      {"queued", "0", 0, equal, source},
  };
  claim_for_longest_rings(claims, of,
                          {
                              {"steps", "n(N1/4 + 1)", n * (N1 / 4 + 1), equal, source},
                              {"startups", "n(N1/4 + 1)", n * (N1 / 4 + 1), equal, source},
                              {"words", "n(N1 + 4)Am/8", n * (N1 + 4) * A * m / 8, equal, source},
                              {"hops", "n(N1 - 1)", n * (N1 - 1), equal, source},
                              {"barriers", "n N1/4 + n - 1", n * N1 / 4 + n - 1, equal, source},
                          });
  claim_rearrangements(claims, of, {"rearrangements", "n + 1", n + 1, equal, source}, "2n - 1",
                       2 * n - 1);
  return claims;
}

/// Table 1, "n-dimensional mesh"; explained in section 4.2.
[[nodiscard]] std::vector<claim> mesh_claims(parameters_of_table_2 const& of) {
  auto const [n, A, N1, m, sum, in_use, squares] = of;
  std::string const source = "Suh and Shin 2001, 4.2";
  std::string const summed = "lockstep, phase by phase";
  auto const equal = comparison::equal;
  double const steps = in_use / 2;
  double const longest = n * ((N1 - 2) * (N1 - 2) + 2) / 2;
  std::vector<claim> claims{
      {"steps", "sum N_p/2", steps, equal, summed},
      {"startups", "sum N_p/2", steps, equal, summed},
      {"words", "A sum N_p m/4", A * in_use * m / 4, equal, summed},
      {"volume", "A^2 sum N_i m/4", A * A * sum * m / 4, equal, summed},
      {"messages", "A sum N_i/2", A * sum / 2, equal, summed},
      {"hops", "sum (N_p - 2)^2/2 + n", squares / 2 + n, equal, summed},
      {"barriers", "sum N_p/2 - 1", steps - 1, equal, summed},
      {"contention", "1", 1, equal, source},
      {"serialised_steps", "sum N_p/2", steps, equal, summed},
      {"queued", "0", 0, equal, source},
  };
  claim_for_longest_rings(claims, of,
                          {
                              {"steps", "n N1/2", n * N1 / 2, equal, source},
                              {"startups", "n N1/2", n * N1 / 2, equal, source},
                              {"words", "n N1 Am/4", n * N1 * A * m / 4, equal, source},
                              {"hops", "n((N1 - 2)^2 + 2)/2", longest, equal, source},
                              {"barriers", "n N1/2 - 1", n * N1 / 2 - 1, equal, source},
                          });
  claim_rearrangements(claims, of, {"rearrangements", "n", n, equal, source}, "n - 1 + ceil(n/2)",
                       n - 1 + std::ceil(n / 2));
  return claims;
}

/// Stride 2 on even sizes: one dimension after the other, N_k/2 - 1 steps round its rings and one
/// to the neighbour.
[[nodiscard]] std::vector<claim> stride_2_claims(parameters_of_table_2 const& of) {
  auto const [n, A, N1, m, sum, in_use, squares] = of;
  std::string const ours = "lockstep, dimension by dimension";
  auto const equal = comparison::equal;
  double const rearrangements = n - 1 + std::ceil(n / 2);
  return {
      {"steps", "sum N_i/2", sum / 2, equal, ours},
      {"startups", "sum N_i/2", sum / 2, equal, ours},
      {"words", "A sum N_i m/4", A * sum * m / 4, equal, ours},
      {"volume", "A^2 sum N_i m/4", A * A * sum * m / 4, equal, ours},
      {"messages", "A sum N_i/2", A * sum / 2, equal, ours},
      {"hops", "sum (N_i - 1)", sum - n, equal, ours},
      {"barriers", "sum N_i/2 - 1", sum / 2 - 1, equal, ours},
      {"rearrangements", "n - 1 + ceil(n/2)", rearrangements, equal, ours},
      {"rearranged", "(n - 1 + ceil(n/2))Am", rearrangements * A * m, equal, ours},
      {"contention", "1", 1, equal, ours},
      {"serialised_steps", "sum N_i/2", sum / 2, equal, ours},
      {"queued", "0", 0, equal, ours},
  };
}

/// With virtual nodes there is a closed form for the steps in two dimensions only; all else is added
/// up from who sends how many blocks.
[[nodiscard]] std::vector<claim> claims_with_virtual_nodes(exchange_schedule const& schedule,
                                                           std::uint64_t words) {
  auto const traffic = traffic_of(schedule);
  auto const steps = static_cast<double>(traffic.steps);
  auto const critical = static_cast<double>(traffic.blocks * words);
  double const contention = traffic.steps > 0 ? 1 : 0;
  std::string const summed = "lockstep, its own schedule";
  auto const equal = comparison::equal;
  return {
      {"steps", "turns with a message", steps, equal, summed},
      {"startups", "turns with a message", steps, equal, summed},
      {"words", "sum of the largest messages", critical, equal, summed},
      {"barriers", steps > 0 ? "steps - 1" : "0", std::max(0.0, steps - 1), equal, summed},
      {"contention", traffic.steps > 0 ? "1" : "0", contention, equal, summed},
      {"serialised_steps", "turns with a message", steps, equal, summed},
      {"queued", "0", 0, equal, summed},
  };
}

/// In two dimensions no smaller than a submesh: partners along a dimension that is filled up need
/// two turns.
void claim_steps_in_two_dimensions(std::vector<claim>& claims, exchange_schedule const& schedule) {
  std::vector<int> const sizes{schedule.size(0), schedule.size(1)};
  int const stride = schedule.stride();
  if (std::ranges::min(sizes) < stride) return;
  auto const is_odd = [](int size) { return size % 2 != 0; };
  int const longest = (std::ranges::max(sizes) + stride - 1) / stride;
  int steps = 2 * (longest - 1) + 2 + static_cast<int>(std::ranges::count_if(sizes, is_odd));
  std::string formula = "2 ceil(C/2) + odd sizes";
  if (stride == 4) {  // partners at distance 2, too; some size is no multiple of 4
    steps += 4;
    formula = "2 ceil(C/4) + 4 + odd sizes";
  }
  claims.push_back({"steps", formula, static_cast<double>(steps), comparison::equal,
                    "lockstep, phase by phase"});
}

}  // namespace

std::vector<claim> all_to_all_claims(exchange_schedule const& schedule, std::uint64_t words) {
  bool const by_dimensions = schedule.choice().scheme == exchange_scheme::stride_2;
  if (schedule.has_virtual_nodes()) {
    auto claims = claims_with_virtual_nodes(schedule, words);
    if (schedule.dimensions() == 2 && !by_dimensions)
      claim_steps_in_two_dimensions(claims, schedule);
    return claims;
  }
  auto const of = parameters_of(schedule, words);
  if (by_dimensions) return stride_2_claims(of);
  if (schedule.dimensions() > 2) return schedule.wraps() ? torus_claims(of) : mesh_claims(of);
  auto const [least, largest] = std::minmax({schedule.size(0), schedule.size(1)});
  parameters_of_table_1 const two{static_cast<double>(least), static_cast<double>(largest),
                                  static_cast<double>(words)};
  return schedule.wraps() ? torus_claims(two) : mesh_claims(two);
}

std::vector<claim> all_to_all_claims(topology const& network, std::uint64_t words) {
  return all_to_all_claims(exchange_schedule(network), words);
}

}  // namespace lockstep
