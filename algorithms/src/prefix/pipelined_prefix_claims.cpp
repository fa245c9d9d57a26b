#include <algorithm>
#include <cmath>
#include <string>

#include <lockstep/algorithms/prefix/pipelined_prefix.hpp>

#include "network_kind.hpp"

namespace lockstep {

namespace {

/// log2 of the number of processors, rounded up.
[[nodiscard]] int dimension_of(topology const& network) {
  int d = 0;
  while ((std::int64_t{1} << d) < network.size()) ++d;
  return d;
}

/// Sum of k/2^i, rounded up, over i = 1 .. d.
[[nodiscard]] double halves(double k, int d) {
  double sum = 0;
  for (int i = 1; i <= d; ++i) sum += std::ceil(std::ldexp(k, -i));
  return sum;
}

/// A figure, and as what formula.
struct exact_figure {
  double value;
  std::string formula;
};

[[nodiscard]] exact_figure lagged_steps(double k, int d, ports with) {
  if (d <= 1) return {0, "0"};
  if (with == ports::per_pass) return {2 * k + 4 * d - 6, "2k + 4d - 6"};
  if (with == ports::all) return {k + 2 * d - 3, "k + 2d - 3"};
  if (k == 1) return {4.0 * (d - 1), "4(d - 1)"};
  if (d == 2) return {2 * k + 2, "2k + 2"};
  return {3 * k + 4 * d - 8, "3k + 4d - 8"};
}

[[nodiscard]] exact_figure inorder_steps(double k, int d, ports with) {
  if (d == 0) return {0, "0"};
  if (d == 1) return {k, "k"};
  if (with != ports::all)
    return d == 2 ? exact_figure{3 * k + 2, "3k + 2"}
                  : exact_figure{5 * k + 4 * d - 9, "5k + 4d - 9"};
  if (d == 2 || k <= 2) return {2 * k + 4 * d - 6, "2k + 4d - 6"};
  return {2 * k + 4 * d - 5, "2k + 4d - 5"};
}

/// The tree that is found has depth d up to d = 4, and 2d - 5 from there on.
[[nodiscard]] exact_figure spanning_tree_steps(double k, int d, ports with) {
  if (d == 0) return {0, "0"};
  if (with == ports::all)
    return d <= 4 ? exact_figure{k + 2 * d - 1, "k + 2d - 1"}
                  : exact_figure{k + 4 * d - 11, "k + 4d - 11"};
  if (d == 1) return {k + 1, "k + 1"};
  if (d == 2) return {2 * k + 3, "2k + 3"};
  if (d <= 4 && k == 1) return {3.0 * d, "3d"};
  if (d <= 4) return {3 * k + 3 * d - 4, "3k + 3d - 4"};
  if (d <= 6) return {3 * k + 6 * d - 18, "3k + 6d - 18"};
  return {3 * k + 6 * d - 16, "3k + 6d - 16"};
}

[[nodiscard]] exact_figure relay_steps(double k, int d, ports with) {
  if (d == 1) return {k, "k"};
  if (with != ports::all) {
    if (d >= 3) return {12 * k + 10 * d - 24, "12k + 10d - 24"};
    return k == 2 ? exact_figure{14, "14"} : exact_figure{7 * k + 2, "7k + 2"};
  }
  if (d == 2) return {5 * k + 4, "5k + 4"};
  if (k <= 2) return {5 * k + 10 * d - 17, "5k + 10d - 17"};
  return {5 * k + 10 * d - 15, "5k + 10d - 15"};
}

[[nodiscard]] exact_figure combined_steps(double k, int d, ports with) {
  if (d == 1) return {k, "k"};
  if (with != ports::all) {
    if (d >= 3) return {8 * k + 10 * d - 20, "8k + 10d - 20"};
    return k == 1 ? exact_figure{9, "9"} : exact_figure{5 * k + 2, "5k + 2"};
  }
  if (d == 2) return {3 * k + 6, "3k + 6"};
  return {3 * k + 10 * d - 15, "3k + 10d - 15"};
}

[[nodiscard]] exact_figure halving_steps(topology const& network, double k, int d) {
  if (is<hypercube>(network)) return {2 * halves(k, d), "2 (sum of ceil(k/2^i), i = 1 .. d)"};
  return {2 * halves(k, d) + 2 * (d == 1 ? 0 : halves(k, d - 1)),
          "2 (sum of ceil(k/2^i), i = 1 .. d, and again, i = 1 .. d - 1)"};
}

[[nodiscard]] exact_figure steps_of(topology const& network, pipelined_scheme scheme, double k,
                                    ports with) {
  int const d = dimension_of(network);
  if (k == 0) return {0, "0"};
  switch (scheme) {
    case pipelined_scheme::lagged:
      return lagged_steps(k, d, with);
    case pipelined_scheme::inorder:
      return inorder_steps(k, d, with);
    case pipelined_scheme::spanning_tree:
      return spanning_tree_steps(k, d, with);
    case pipelined_scheme::fft:
      return d == 0 ? exact_figure{0, "0"} : exact_figure{k + d - 1, "k + d - 1"};
    case pipelined_scheme::relay:
      return relay_steps(k, d, with);
    case pipelined_scheme::combined:
      return combined_steps(k, d, with);
    case pipelined_scheme::halving:
      break;
  }
  return halving_steps(network, k, d);
}

/// As on a hypercube; what is left after dimension i - 1 moves on to the next one's processors, and
/// back, but for what ranks 0 and p - 1 keep.
[[nodiscard]] exact_figure halving_messages_of_shuffles(double k, int d) {
  double const p = std::ldexp(1, d);
  double moves = 0;
  for (int i = 1; i < d; ++i) {
    double const share = std::ldexp(k, -i);
    moves += share * p - std::ceil(share) - std::floor(share);
  }
  return {2 * k * (p - 1) + 2 * moves,
          "2k(p - 1) + 2 (sum of kp/2^i - ceil(k/2^i) - floor(k/2^i), i = 1 .. d - 1)"};
}

/// All messages are one value, so that this is the volume, too.
[[nodiscard]] exact_figure messages_of(topology const& network, pipelined_scheme scheme, double k) {
  double const p = network.size();
  double const d = dimension_of(network);
  if (p == 1 || k == 0) return {0, "0"};
  switch (scheme) {
    case pipelined_scheme::lagged:
    case pipelined_scheme::spanning_tree:
      return {2 * (p - 1) * k, "2(p - 1)k"};
    case pipelined_scheme::inorder:
      return {(3 * p - 5) * k, "(3p - 5)k"};
    case pipelined_scheme::fft:
      return {k * d * p, "kdp"};
    case pipelined_scheme::relay:
      if (d == 1) return {k, "k"};
      return {(6 * (p - 2) + p / 2 - 1) * k, "(6(p - 2) + p/2 - 1)k"};
    case pipelined_scheme::combined:
      if (d == 1) return {k, "k"};
      return {(4 * (p - 2) + p / 2 - 1) * k, "(4(p - 2) + p/2 - 1)k"};
    case pipelined_scheme::halving:
      break;
  }
  if (is<hypercube>(network)) return {2 * k * (p - 1), "2k(p - 1)"};
  return halving_messages_of_shuffles(k, dimension_of(network));
}

/// Why lagged prefixes take more steps on one port. For d >= 4 node 5 takes in x_4, x_6 and what lies
/// before 4, which can be had from nowhere else; on seven processors there is no such node.
[[nodiscard]] std::string why_more_lagged_steps(double k, int d, double bound) {
  if (d < 4)
    return "on one port this program's inner nodes take in three words for each prefix; a port for "
           "each pass keeps the bound";
  if (3 * k <= bound)
    return "on one port an inner node of the tree takes in three words for each prefix, this "
           "program 3k + 4d - 8 steps, and any program 3k at the least; a port for each pass keeps "
           "the bound";
  return "on one port an inner node of the tree takes in three words for each prefix, so that no "
         "program takes fewer than 3k steps; the bound needs a port for each pass";
}

/// Why the paper's bound does not hold for a scheme that takes more steps. The paper's times are
/// "accurate to within an additive constant"; these differences grow with k.
[[nodiscard]] std::string why_more_steps(pipelined_scheme scheme, double k, int d, double bound) {
  std::string const grows = ": the difference grows with k; halving keeps the bound";
  switch (scheme) {
    case pipelined_scheme::lagged:
      return why_more_lagged_steps(k, d, bound);
    case pipelined_scheme::inorder:
      return (d == 2
                  ? "on one port the left child takes in three words for each prefix, two of them "
                    "for its sibling"
                  : "on one port an inner left child takes in five words for each prefix, two of "
                    "them for its sibling") +
             grows;
    case pipelined_scheme::spanning_tree:
      return "on one port a processor with three neighbours in the tree takes in three words for "
             "each prefix" +
             grows;
    case pipelined_scheme::relay:
      return (d == 2
                  ? "on one port a first child takes in three words for each prefix in each half, "
                    "two of them for its sibling"
                  : "on one port an inner first child takes in five words for each prefix in each "
                    "half, two of them for its sibling") +
             grows;
    case pipelined_scheme::combined:
      return "on one port an inner first child takes in three words for each prefix in each half" +
             grows;
    case pipelined_scheme::halving:
    case pipelined_scheme::fft:
      break;
  }
  return {};
}

/// "2k + 4 log p" on tree and hypercube, "6k + 10 log p" on the shuffle-exchange.
[[nodiscard]] claim papers_bound(topology const& network, pipelined_scheme scheme, double k,
                                 double steps) {
  double const log_p = std::log2(network.size());
  bool const shuffles = is<shuffle_exchange>(network);
  claim bound{"steps", shuffles ? "6k + 10 log p" : "2k + 4 log p",
              shuffles ? 6 * k + 10 * log_p : 2 * k + 4 * log_p, comparison::at_most,
              is<binary_tree>(network) ? "Mayr and Plaxton 1989, 2.1"
              : shuffles               ? "Mayr and Plaxton 1989, 2.3"
                                       : "Mayr and Plaxton 1989, 2.2"};
  if (steps > bound.value())
    bound.erratum = why_more_steps(scheme, k, dimension_of(network), bound.value());
  return bound;
}

}  // namespace

std::vector<timed_scheme> fastest_schemes(topology const& network, std::uint64_t k, ports with) {
  std::vector<timed_scheme> schemes;
  for (auto const scheme : all_pipelined_schemes)
    if (prefix_schedule::unsupported_reason(network, scheme, with).empty())
      schemes.push_back({scheme, steps_of(network, scheme, static_cast<double>(k), with).value});
  if (schemes.empty())
    throw invalid_argument("pipelined prefix: " + prefix_schedule::unsupported_reason(
                                                      network, pipelined_scheme::halving, with));
  std::ranges::stable_sort(schemes, {}, &timed_scheme::steps);
  return schemes;
}

std::vector<claim> pipelined_prefix_claims(topology const& network, pipelined_scheme scheme,
                                           std::uint64_t k, ports with) {
  if (auto const reason = prefix_schedule::unsupported_reason(network, scheme, with);
      !reason.empty())
    throw invalid_argument("pipelined prefixes claim nothing: " + reason);
  auto const count = static_cast<double>(k);
  auto const [steps, formula] = steps_of(network, scheme, count, with);
  std::vector<claim> claims{
      {"steps", formula, steps, comparison::equal, "lockstep, the program's own steps"}};
  if (network.size() > 1) claims.push_back(papers_bound(network, scheme, count, steps));
  auto const [messages, messages_formula] = messages_of(network, scheme, count);
  claims.push_back({"messages", messages_formula, messages, comparison::equal,
                    "lockstep, messages of the program counted"});
  return claims;
}

}  // namespace lockstep
