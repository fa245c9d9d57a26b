#include <cmath>
#include <string>
#include <vector>

#include <lockstep/algorithms/prefix/prefix.hpp>

#include "network_kind.hpp"

namespace lockstep {

namespace {

/// Every message is a value of that many words, and every step has one.
[[nodiscard]] std::vector<claim> claims_of(double steps, std::string const& steps_formula,
                                           double messages, std::string const& messages_formula,
                                           std::uint64_t words, std::string const& source) {
  auto const w = static_cast<double>(words);
  auto const equal = comparison::equal;
  std::string const counted = "lockstep, messages of the program counted";
  return {
      {"steps", steps_formula, steps, equal, source},
      {"startups", steps_formula, steps, equal, source},
      {"words", steps_formula + (words == 1 ? "" : " words"), steps * w, equal, source},
      {"messages", messages_formula, messages, equal, counted},
      {"volume", messages_formula + (words == 1 ? "" : " words"), messages * w, equal, counted},
  };
}

}  // namespace

void require_prefix_network(topology const& network) {
  if (is<binary_tree>(network) || is<hypercube>(network) || is<shuffle_exchange>(network)) return;
  throw invalid_argument("prefix: " + network.spec() +
                         " is no tree, hypercube or shuffle-exchange; tree:4, hypercube:4 or "
                         "shuffle-exchange:4 would do");
}

std::vector<claim> prefix_claims(topology const& network, std::uint64_t words, ports with) {
  require_prefix_network(network);
  double const p = network.size();
  if (auto const* const tree = dynamic_cast<binary_tree const*>(&network)) {
    bool const at_once = with == ports::all;  // both children
    auto claims =
        claims_of((at_once ? 2.0 : 4.0) * (tree->levels() - 1), at_once ? "2(d - 1)" : "4(d - 1)",
                  2 * (p - 1), "2(p - 1)", words, "lockstep, the program's own steps");
    claims.push_back(
        {"steps", "4 log p", 4 * std::log2(p), comparison::at_most, "Mayr and Plaxton 1989, 2.1"});
    return claims;
  }
  if (auto const* const cube = dynamic_cast<hypercube const*>(&network))
    return claims_of(cube->dimension(), "log p", p * cube->dimension(), "p log p", words,
                     "Mayr and Plaxton 1989, 2.2");
  double const d = dynamic_cast<shuffle_exchange const&>(network).dimension();
  std::string const source = "Mayr and Plaxton 1989, 2.3";
  if (d == 1) return claims_of(1, "1", p, "p", words, source);
  return claims_of(3 * d, "3 log p", d * (3 * p - 4), "(3p - 4) log p", words, source);
}

}  // namespace lockstep
