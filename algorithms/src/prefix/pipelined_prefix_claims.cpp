#include <algorithm>
#include <string>

#include <lockstep/algorithms/prefix/pipelined_prefix.hpp>
#include <lockstep/claim_list.hpp>

#include "network_kind.hpp"

namespace lockstep {

namespace {

/// log2 of the number of processors, rounded up.
[[nodiscard]] int dimension_of(topology const& network) {
  int d = 0;
  while ((std::int64_t{1} << d) < network.size()) ++d;
  return d;
}

[[nodiscard]] std::string lagged_steps(double k, int d, ports with) {
  if (d <= 1) return "0";
  if (with == ports::per_pass) return "2k + 4d - 6";
  if (with == ports::all) return "k + 2d - 3";
  if (k == 1) return "4(d - 1)";
  return d == 2 ? "2k + 2" : "3k + 4d - 8";
}

[[nodiscard]] std::string inorder_steps(double k, int d, ports with) {
  if (d <= 1) return d == 0 ? "0" : "k";
  if (with != ports::all) return d == 2 ? "3k + 2" : "5k + 4d - 9";
  return d == 2 || k <= 2 ? "2k + 4d - 6" : "2k + 4d - 5";
}

/// The tree that is found has depth d up to d = 4, and 2d - 5 from there on.
[[nodiscard]] std::string spanning_tree_steps(double k, int d, ports with) {
  if (d == 0) return "0";
  if (with == ports::all) return d <= 4 ? "k + 2d - 1" : "k + 4d - 11";
  if (d <= 2) return d == 1 ? "k + 1" : "2k + 3";
  if (d <= 4) return k == 1 ? "3d" : "3k + 3d - 4";
  return d <= 6 ? "3k + 6d - 18" : "3k + 6d - 16";
}

[[nodiscard]] std::string relay_steps(double k, int d, ports with) {
  if (d == 1) return "k";
  if (with != ports::all) {
    if (d >= 3) return "12k + 10d - 24";
    return k == 2 ? "14" : "7k + 2";
  }
  if (d == 2) return "5k + 4";
  return k <= 2 ? "5k + 10d - 17" : "5k + 10d - 15";
}

[[nodiscard]] std::string combined_steps(double k, int d, ports with) {
  if (d == 1) return "k";
  if (with != ports::all) {
    if (d >= 3) return "8k + 10d - 20";
    return k == 1 ? "9" : "5k + 2";
  }
  return d == 2 ? "3k + 6" : "3k + 10d - 15";
}

[[nodiscard]] std::string halving_steps(topology const& network) {
  if (is<hypercube>(network)) return "2 (sum of ceil(k/2^i), i = 1 .. d)";
  return "2 (sum of ceil(k/2^i), i = 1 .. d, and again, i = 1 .. d - 1)";
}

[[nodiscard]] std::string steps_of(topology const& network, pipelined_scheme scheme, double k,
                                   ports with) {
  int const d = dimension_of(network);
  if (k == 0) return "0";
  switch (scheme) {
    case pipelined_scheme::lagged:
      return lagged_steps(k, d, with);
    case pipelined_scheme::inorder:
      return inorder_steps(k, d, with);
    case pipelined_scheme::spanning_tree:
      return spanning_tree_steps(k, d, with);
    case pipelined_scheme::fft:
      return d == 0 ? "0" : "k + d - 1";
    case pipelined_scheme::relay:
      return relay_steps(k, d, with);
    case pipelined_scheme::combined:
      return combined_steps(k, d, with);
    case pipelined_scheme::halving:
      break;
  }
  return halving_steps(network);
}

/// All messages are one value, so that this is the volume, too. On the shuffle-exchange what is
/// left after dimension i - 1 moves on to the next one's processors, and back, but for what ranks 0
/// and p - 1 keep.
[[nodiscard]] std::string messages_of(topology const& network, pipelined_scheme scheme, double k) {
  int const d = dimension_of(network);
  if (network.size() == 1 || k == 0) return "0";
  switch (scheme) {
    case pipelined_scheme::lagged:
    case pipelined_scheme::spanning_tree:
      return "2(p - 1)k";
    case pipelined_scheme::inorder:
      return "(3p - 5)k";
    case pipelined_scheme::fft:
      return "kdp";
    case pipelined_scheme::relay:
      return d == 1 ? "k" : "(6(p - 2) + p/2 - 1)k";
    case pipelined_scheme::combined:
      return d == 1 ? "k" : "(4(p - 2) + p/2 - 1)k";
    case pipelined_scheme::halving:
      break;
  }
  if (is<hypercube>(network)) return "2k(p - 1)";
  return "2k(p - 1) + 2 (sum of kp/2^i - ceil(k/2^i) - floor(k/2^i), i = 1 .. d - 1)";
}

[[nodiscard]] claim_list claims_on(topology const& network, double k) {
  return claim_list({{{"k", k},
                      {"p", static_cast<double>(network.size())},
                      {"d", static_cast<double>(dimension_of(network))}}});
}

/// Why lagged prefixes take more steps on one port. For d >= 4 node 5 takes in x_4, x_6 and what
/// lies before 4, which can be had from nowhere else; on seven processors there is no such node.
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

/// Claims "2k + 4 log p" on tree and hypercube, "6k + 10 log p" on the shuffle-exchange.
void claim_papers_bound(claim_list& claims, topology const& network, pipelined_scheme scheme,
                        double k, double steps) {
  std::string const formula = is<shuffle_exchange>(network) ? "6k + 10 log p" : "2k + 4 log p";
  auto const bound = claims.value(formula);
  claims
      .from(is<binary_tree>(network)        ? "Mayr and Plaxton 1989, 2.1"
            : is<shuffle_exchange>(network) ? "Mayr and Plaxton 1989, 2.3"
                                            : "Mayr and Plaxton 1989, 2.2")
      .at_most("steps", formula)
      .erratum(steps > bound ? why_more_steps(scheme, k, dimension_of(network), bound) : "");
}

}  // namespace

std::vector<timed_scheme> fastest_schemes(topology const& network, std::uint64_t k, ports with) {
  std::vector<timed_scheme> schemes;
  auto const count = static_cast<double>(k);
  auto const claims = claims_on(network, count);
  for (auto const scheme : all_pipelined_schemes)
    if (prefix_schedule::unsupported_reason(network, scheme, with).empty())
      schemes.push_back({scheme, claims.value(steps_of(network, scheme, count, with))});
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
  auto const formula = steps_of(network, scheme, count, with);
  auto claims = claims_on(network, count);
  claims.from("lockstep, the program's own steps").equal("steps", formula);
  if (network.size() > 1) claim_papers_bound(claims, network, scheme, count, claims.value(formula));
  return claims.from("lockstep, messages of the program counted")
      .equal("messages", messages_of(network, scheme, count));
}

}  // namespace lockstep
