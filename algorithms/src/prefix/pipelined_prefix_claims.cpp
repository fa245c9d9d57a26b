#include <algorithm>
#include <bit>
#include <cmath>
#include <string>
#include <utility>

#include <fmt/format.h>

#include <lockstep/algorithms/detail/errors_at.hpp>
#include <lockstep/algorithms/prefix/pipelined_prefix.hpp>
#include <lockstep/algorithms/prefix/pipelined_segments.hpp>
#include <lockstep/claim_list.hpp>

#include "network_kind.hpp"

namespace lockstep {

namespace {

/// log2 of the number of processors, rounded up.
[[nodiscard]] int dimension_of(topology const& network) {
  return static_cast<int>(std::bit_width(static_cast<unsigned>(network.size() - 1)));
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

/// Says why lagged prefixes take more steps on one port. For d >= 4 node 5 takes in x_4, x_6 and
/// what lies before 4, which can be had from nowhere else. Seven processors have no node like it.
[[nodiscard]] std::string why_more_lagged_steps(double k, int d) {
  if (d < 4)
    return "on one port this program's inner nodes take in three words for each prefix; `--scheme "
           "trimmed` takes 2k + 4 steps, and a port for each pass keeps the bound, too";
  std::string const inner =
      "on one port an inner node of the tree takes in three words for each prefix, ";
  if (double const p = std::exp2(d) - 1; 3 * k <= 2 * k + 4 * std::log2(p))  // the paper's bound
    return inner +
           "this program 3k + 4d - 8 steps, and any program 3k at the least; a port for each pass "
           "keeps the bound";
  return inner +
         "so that no program takes fewer than 3k steps; the bound needs a port for each pass";
}

/// Whether 3k + d - 3 steps, which any program takes on one port, are more than the paper's bound.
[[nodiscard]] bool outgrows_bound(double k, int d) {
  return 3 * k + d - 3 > 2 * k + 4 * std::log2(std::exp2(d) - 1);
}

/// Says why no program takes 2k + 4 log p steps on a tree of one port; nothing where one may.
[[nodiscard]] std::string evidence_on_tree(double k, int d, ports with) {
  if (with != ports::one || d < 4 || !outgrows_bound(k, d)) return {};
  return "three words must enter processor 5 for each prefix, so that for d >= 4 any program takes "
         "3k + d - 3 steps, which outgrow the bound as k grows; a port for each pass keeps it";
}

/// Says why no program of segmented prefixes takes 2k + 4 log p steps on a tree of one port, wherever
/// intervals begin; nothing where one may.
[[nodiscard]] std::string evidence_of_one_interval(double k, int d, ports with) {
  if (with != ports::one || d < 4 || !outgrows_bound(k, d)) return {};
  return "where no interval begins after processor 0, three words must enter processor 5 for each "
         "prefix, so that for d >= 4 any program takes 3k + d - 3 steps, which outgrow the bound "
         "as k "
         "grows; a port for each pass keeps it";
}

/// Says the same of segmented broadcasts. A leaf begins an interval or needs the value before it, so that
/// processor 5 of fifteen can do with two words; a processor with an inner child on its left needs three.
[[nodiscard]] std::string evidence_of_two_intervals(double k, int d, ports with) {
  if (with != ports::one || d < 5 || !outgrows_bound(k, d)) return {};
  return "where intervals begin at the last processors of both subtrees of the right child of the "
         "root's left child, three words must enter it for each broadcast, so that for d >= 5 any "
         "program takes 3k + d - 3 steps, which outgrow the bound as k grows; a port for each pass "
         "keeps it";
}

/// Says why no program on the links of the inorder tree takes 2k + 4 log p steps; nothing where one
/// may.
[[nodiscard]] std::string evidence_on_inorder_tree(double k, int d, ports with) {
  int const words = d >= 4 ? 5 : d == 3 ? 4 : 0;
  if (with != ports::one || words * k <= 2 * k + 4 * d) return {};
  return fmt::format(
      "{} words must enter an inner left child over the links of this embedding for each prefix, "
      "so "
      "that any program on them takes {}k steps; on the hypercube halving keeps the bound",
      words, words);
}

/// Says why a scheme takes more steps: what a node takes in on one port, for each prefix.
[[nodiscard]] std::string grows_with_k(std::string const& node_and_words) {
  return "on one port " + node_and_words + ": the difference grows with k; halving keeps the bound";
}

/// The costs of a scheme.
struct scheme_costs {
  std::string steps;
  std::string messages;  ///< of one value each, so that this is the volume, too
  /// Why the paper's bound does not hold where these are more steps. The paper's times are
  /// "accurate to within an additive constant"; these differences grow with k.
  std::string why_more{};
};

/// On the shuffle-exchange the rest after dimension i - 1 moves on to the next one's
/// processors, and back, but for what ranks 0 and p - 1 keep.
[[nodiscard]] scheme_costs halving_costs(topology const& network) {
  if (is<hypercube>(network)) return {"2 (sum of ceil(k/2^i), i = 1 .. d)", "2k(p - 1)"};
  return {"2 (sum of ceil(k/2^i), i = 1 .. d, and again, i = 1 .. d - 1)",
          "2k(p - 1) + 2 (sum of kp/2^i - ceil(k/2^i) - floor(k/2^i), i = 1 .. d - 1)"};
}

[[nodiscard]] scheme_costs costs_of(topology const& network, pipelined_scheme scheme, double k,
                                    ports with) {
  using enum pipelined_scheme;
  int const d = dimension_of(network);
  if (k == 0) return {"0", "0"};
  std::string const child = d == 2 ? "child takes in three words for each prefix"
                                   : "child takes in five words for each prefix";
  switch (scheme) {
    case lagged:
      return {lagged_steps(k, d, with), "2(p - 1)k", why_more_lagged_steps(k, d)};
    case inorder:
      return {inorder_steps(k, d, with), "(3p - 5)k",
              grows_with_k((d == 2 ? "the left " : "an inner left ") + child +
                           ", two of them for its sibling")};
    case spanning_tree:
      return {spanning_tree_steps(k, d, with), "2(p - 1)k",
              grows_with_k("a processor with three neighbours in the tree takes in three words for "
                           "each prefix")};
    case fft:
      return {d == 0 ? "0" : "k + d - 1", "kdp"};
    case relay:
      return {relay_steps(k, d, with), d == 1 ? "k" : "(6(p - 2) + p/2 - 1)k",
              grows_with_k((d == 2 ? "a first " : "an inner first ") + child +
                           " in each half, two of them for its sibling")};
    case combined:
      return {combined_steps(k, d, with), d == 1 ? "k" : "(4(p - 2) + p/2 - 1)k",
              grows_with_k("an inner first child takes in three words for each prefix in each "
                           "half")};
    case trimmed:
      return {"2k + 4", "8k"};
    case halving:
      break;
  }
  return halving_costs(network);
}

[[nodiscard]] claim_list claims_on(topology const& network, double k) {
  return claim_list({{{"k", k}, {"p", network.size()}, {"d", dimension_of(network)}}});
}

/// The paper's bound on k prefixes, or on one of two sorts of them, on a network.
struct bound_of_paper {
  std::string place;  ///< where it says so, of one port
  std::string why_more;
  std::string evidence;
  std::string place_on_all_ports{};  ///< where it says so of the pipelined hypercube, if it does
};

/// Names the section with a network's program.
[[nodiscard]] std::string section_of(topology const& network) {
  return is<binary_tree>(network) ? "2.1" : is<hypercube>(network) ? "2.2" : "2.3";
}

/// Says why lagged prefixes of intervals take more steps on one port, wherever these begin.
[[nodiscard]] std::string why_more_in_intervals(topology const& network,
                                                scheme_costs const& costs) {
  if (!is<binary_tree>(network) || dimension_of(network) < 4) return costs.why_more;
  return "on one port an inner node of the tree takes in three words for each prefix: the "
         "difference "
         "grows with k; a port for each pass keeps the bound";
}

/// Adds the bound that sections 2 and 3 have for one port. Of Prefix' on a hypercube section 4 has the same with all.
void add_bound_of_paper(claim_list& claims, topology const& network, ports with,
                        scheme_costs const& costs, bound_of_paper const& of) {
  std::string const bound = is<shuffle_exchange>(network) ? "6k + 10 log p" : "2k + 4 log p";
  bool const is_of_section_4 = with != ports::one && !of.place_on_all_ports.empty();
  claims.from("Mayr and Plaxton 1989, " + (is_of_section_4 ? of.place_on_all_ports : of.place))
      .at_most("steps", bound)
      .erratum(claims.value(costs.steps) > claims.value(bound) ? of.why_more : "")
      .evidence(of.evidence);
  if (with != ports::one && !is_of_section_4) claims.where("one port", false);
}

/// Claims what a scheme takes, whatever is combined.
[[nodiscard]] claim_list own_steps(topology const& network, pipelined_scheme scheme, double k,
                                   ports with) {
  if (auto const reason = prefix_schedule::unsupported_reason(network, scheme, with);
      !reason.empty())
    throw invalid_argument("pipelined prefixes claim nothing: " + reason);
  return claims_on(network, k)
      .from("lockstep, the program's own steps")
      .equal("steps", costs_of(network, scheme, k, with).steps);
}

[[nodiscard]] claim_list with_messages(claim_list claims, topology const& network,
                                       scheme_costs const& costs) {
  return claims.from("lockstep, messages of the program counted")
      .equal("messages", network.size() == 1 ? "0" : costs.messages);
}

}  // namespace

std::vector<timed_scheme> fastest_schemes(topology const& network, std::uint64_t k, ports with,
                                          std::source_location where) {
  return detail::errors_at(where, [&] {
    std::vector<timed_scheme> schemes;
    auto const count = static_cast<double>(k);
    auto const claims = claims_on(network, count);
    for (auto const scheme : all_pipelined_schemes)
      if (prefix_schedule::unsupported_reason(network, scheme, with).empty())
        schemes.push_back({scheme, claims.value(costs_of(network, scheme, count, with).steps)});
    if (schemes.empty())
      throw invalid_argument("pipelined prefix: " + prefix_schedule::unsupported_reason(
                                                        network, pipelined_scheme::halving, with));
    std::ranges::stable_sort(schemes, {}, &timed_scheme::steps);
    return schemes;
  });
}

std::vector<claim> pipelined_prefix_claims(topology const& network, pipelined_scheme scheme,
                                           std::uint64_t k, ports with) {
  auto const count = static_cast<double>(k);
  int const d = dimension_of(network);
  auto claims = own_steps(network, scheme, count, with);
  auto const costs = costs_of(network, scheme, count, with);
  if (network.size() > 1)
    add_bound_of_paper(
        claims, network, with, costs,
        {.place = section_of(network),
         .why_more = costs.why_more,
         .evidence = is<binary_tree>(network) ? evidence_on_tree(count, d, with) : "",
         .place_on_all_ports = is<hypercube>(network) ? "4, Merge steps 5 and 6" : ""});
  if (network.size() > 1 && scheme == pipelined_scheme::inorder)
    add_bound_of_paper(claims, network, with, costs,
                       {.place = "2.2, of the inorder tree's embedding",
                        .why_more = costs.why_more,
                        .evidence = evidence_on_inorder_tree(count, d, with)});
  return with_messages(std::move(claims), network, costs);
}

std::vector<claim> pipelined_segmented_prefix_claims(topology const& network,
                                                     pipelined_scheme scheme, std::uint64_t k,
                                                     ports with) {
  auto const count = static_cast<double>(k);
  auto claims = own_steps(network, scheme, count, with);
  auto const costs = costs_of(network, scheme, count, with);
  if (network.size() > 1)
    add_bound_of_paper(
        claims, network, with, costs,
        {.place = "1 and " + section_of(network),
         .why_more = why_more_in_intervals(network, costs),
         .evidence = is<binary_tree>(network)
                         ? evidence_of_one_interval(count, dimension_of(network), with)
                         : ""});
  return with_messages(std::move(claims), network, costs);
}

std::vector<claim> pipelined_data_distribution_claims(topology const& network,
                                                      pipelined_scheme scheme, std::uint64_t k,
                                                      ports with) {
  auto const count = static_cast<double>(k);
  auto claims = own_steps(network, scheme, count, with);
  auto const costs = costs_of(network, scheme, count, with);
  if (network.size() > 1)
    add_bound_of_paper(
        claims, network, with, costs,
        {.place = "3",
         .why_more = why_more_in_intervals(network, costs),
         .evidence = is<binary_tree>(network)
                         ? evidence_of_two_intervals(count, dimension_of(network), with)
                         : ""});
  return with_messages(std::move(claims), network, costs);
}

}  // namespace lockstep
