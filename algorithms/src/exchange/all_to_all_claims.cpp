#include <algorithm>
#include <string>
#include <vector>

#include <lockstep/algorithms/exchange/all_to_all.hpp>
#include <lockstep/algorithms/exchange/exchange_search.hpp>
#include <lockstep/claim_list.hpp>

#include "exchange/grid_shape.hpp"

namespace lockstep {

namespace {

/// Says what the paper's letters stand for: R <= C, the sizes of a network of two dimensions; N_i,
/// those of any; A, their product; N_p, the largest that is in use in ring phase p; m, words in a
/// block.
[[nodiscard]] formula_letters letters_of(exchange_schedule const& schedule, std::uint64_t words) {
  formula_letters letters;
  auto& sizes = letters.lists["N_i"];
  for (int a = 0; a < schedule.dimensions(); ++a) sizes.push_back(schedule.size(a));
  std::vector<double> in_use;
  for (auto const& phase : schedule.phases())
    if (phase.in_rings) in_use.push_back((phase.steps + 1) * schedule.stride());
  letters.numbers = {{"R", std::ranges::min(sizes)},  {"C", std::ranges::max(sizes)},
                     {"N1", std::ranges::max(sizes)}, {"n", static_cast<double>(sizes.size())},
                     {"A", schedule.processors()},    {"m", static_cast<double>(words)}};
  if (in_use.size() == sizes.size()) letters.lists["N_p"] = in_use;
  return letters;
}

/// Table 1, "R x C 2D torus"; explained in section 3.1.4.
constexpr char const* torus_in_two_dimensions = R"(
  from Suh and Shin 2001, 3.1.4
  steps, startups = C/2 + 2
  words = RC(C + 4)m/4
  from lockstep, summed over the steps of 3.1.2
  volume = R^2 C^2 ((R + C)/8 + 1)m
  messages = RC((R + C)/4 + 2)
  from Suh and Shin 2001, 3.1.4
  hops = 2(C - 1)
  barriers = C/2 + 1
  rearrangements = 3
  rearranged = 3RCm
  from Suh and Shin 2001, 3.1.5
  contention = 1
  from lockstep
  serialised_steps = C/2 + 2
  queued = 0)";

/// Table 1, "R x C 2D mesh"; explained in section 4.1.
constexpr char const* mesh_in_two_dimensions = R"(
  from Suh and Shin 2001, 4.1
  steps, startups = C
  words = RC^2 m/2
  from lockstep, summed over the steps of 4.1
  volume = R^2 C^2 (R + C)m/4
  messages = RC(R + C)/2
  from Suh and Shin 2001, 4.1
  hops = (C - 2)^2 + 2
  barriers = C - 1
  rearrangements = 2
  rearranged = 2RCm
  from Suh and Shin 2001, 2
  contention = 1
  from lockstep
  serialised_steps = C
  queued = 0)";

/// A row of Table 1 for n dimensions: what holds; what the paper claims, of rings that are as long as
/// the largest dimension in every phase; and the rearrangements.
struct row_for_n_dimensions {
  char const* holds;
  char const* papers;
  char const* papers_rearrangements;
  char const* rearrangements;
};

/// Table 1, "n-dimensional torus"; explained in section 3.2.3.
constexpr row_for_n_dimensions torus_row{R"(
  from lockstep, phase by phase
  steps, startups = sum N_p/4 + n
  words = A(sum N_p + 4n)m/8
  volume = A^2 (sum N_i/8 + n/2)m
  messages = A(sum N_i/4 + n)
  hops = sum N_p - n
  barriers = sum N_p/4 + n - 1
  from Suh and Shin 2001, 3.2.2
  contention = 1
  from lockstep, phase by phase
  serialised_steps = sum N_p/4 + n
  queued = 0)",
                                         R"(
  from Suh and Shin 2001, 3.2.3
  steps, startups = n(N1/4 + 1)
  words = n(N1 + 4)Am/8
  hops = n(N1 - 1)
  barriers = n N1/4 + n - 1)",
                                         R"(
  rearrangements = n + 1
  rearranged = (n + 1)Am)",
                                         R"(
  from lockstep
  rearrangements = 2n - 1
  rearranged = (2n - 1)Am)"};

/// Table 1, "n-dimensional mesh"; explained in section 4.2.
constexpr row_for_n_dimensions mesh_row{R"(
  from lockstep, phase by phase
  steps, startups = sum N_p/2
  words = A sum N_p m/4
  volume = A^2 sum N_i m/4
  messages = A sum N_i/2
  hops = sum (N_p - 2)^2/2 + n
  barriers = sum N_p/2 - 1
  from Suh and Shin 2001, 2
  contention = 1
  from lockstep, phase by phase
  serialised_steps = sum N_p/2
  queued = 0)",
                                        R"(
  from Suh and Shin 2001, 4.2
  steps, startups = n N1/2
  words = n N1 Am/4
  hops = n((N1 - 2)^2 + 2)/2
  barriers = n N1/2 - 1)",
                                        R"(
  rearrangements = n
  rearranged = nAm)",
                                        R"(
  from lockstep
  rearrangements = n - 1 + ceil(n/2)
  rearranged = (n - 1 + ceil(n/2))Am)"};

/// Stride 2 on even sizes: one dimension after the other, N_k/2 - 1 steps round its rings and one
/// to the neighbour.
constexpr char const* stride_2_claims = R"(
  from lockstep, dimension by dimension
  steps, startups = sum N_i/2
  words = A sum N_i m/4
  volume = A^2 sum N_i m/4
  messages = A sum N_i/2
  hops = sum (N_i - 1)
  barriers = sum N_i/2 - 1
  rearrangements = n - 1 + ceil(n/2)
  rearranged = (n - 1 + ceil(n/2))Am
  contention = 1
  serialised_steps = sum N_i/2
  queued = 0)";

[[nodiscard]] std::vector<claim> claims_in_n_dimensions(claim_list claims,
                                                        row_for_n_dimensions const& row,
                                                        hypothesis const& in_order) {
  bool const are_shorter = claims.value("sum N_p") < claims.value("n N1");
  std::vector<claim> all =
      claims.table(row.holds)
          .table(row.papers)
          .erratum(are_shorter
                       ? "the largest dimension is not in use in every ring phase; in one group "
                         "of all dimensions only the first (n + 1)/2, rounded up, are"
                       : "")
          .table(row.papers_rearrangements)
          .erratum(
              "our program orders the data array anew for every second exchange step; orders that "
              "also serve a send of the phase before or after can do with fewer")
          .table(row.rearrangements);
  for (auto& one : all)
    if (one.source.starts_with("Suh and Shin")) one.where.push_back(in_order);
  return all;
}

/// With virtual nodes there is a closed form for the steps in two dimensions only; all else is
/// added up over the blocks that each node sends.
[[nodiscard]] claim_list claims_with_virtual_nodes(exchange_schedule const& schedule,
                                                   std::uint64_t words) {
  auto const traffic = traffic_of(schedule);
  auto const steps = static_cast<double>(traffic.steps);
  bool const any = traffic.steps > 0;
  claim_list claims;
  claims.from("lockstep, its own schedule")
      .with("steps", steps)
      .equal("steps, startups", "turns with a message", steps)
      .equal("words", "sum of the largest messages", static_cast<double>(traffic.blocks * words))
      .equal("barriers", any ? "steps - 1" : "0")
      .equal("contention", any ? "1" : "0")
      .equal("serialised_steps", "turns with a message", steps)
      .equal("queued", "0");
  return claims;
}

/// Adds the steps in two dimensions no smaller than a submesh: partners along a dimension that is
/// filled up need two turns, and where some size is not a multiple of 4 so do those at distance 2.
void claim_steps_in_two_dimensions(claim_list& claims, exchange_schedule const& schedule) {
  std::vector<int> const sizes{schedule.size(0), schedule.size(1)};
  if (std::ranges::min(sizes) < schedule.stride()) return;
  auto const is_odd = [](int size) { return size % 2 != 0; };
  claims.from("lockstep, phase by phase")
      .with("C", std::ranges::max(sizes))
      .with("odd sizes", static_cast<double>(std::ranges::count_if(sizes, is_odd)))
      .equal("steps",
             schedule.stride() == 4 ? "2 ceil(C/4) + 4 + odd sizes" : "2 ceil(C/2) + odd sizes");
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
  claim_list claims(letters_of(schedule, words));
  if (by_dimensions) return claims.table(stride_2_claims);
  if (schedule.dimensions() > 2)
    return claims_in_n_dimensions(claims, schedule.wraps() ? torus_row : mesh_row,
                                  sizes_in_order(schedule));
  return claims.table(schedule.wraps() ? torus_in_two_dimensions : mesh_in_two_dimensions);
}

std::vector<claim> all_to_all_claims(topology const& network, std::uint64_t words) {
  return all_to_all_claims(exchange_schedule(network), words);
}

}  // namespace lockstep
