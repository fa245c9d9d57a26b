#include <cmath>
#include <string>
#include <vector>

#include <lockstep/algorithms/prefix/prefix.hpp>
#include <lockstep/claim_list.hpp>

#include "network_kind.hpp"

namespace lockstep {

namespace {

/// Claims steps that each have a message, and every message a value of that many words.
[[nodiscard]] claim_list claims_of(formula_letters const& letters, std::string const& source,
                                   std::string const& steps, std::string const& messages,
                                   std::uint64_t words) {
  claim_list claims(letters);
  std::string const each = words == 1 ? "" : " words";
  auto const w = static_cast<double>(words);
  claims.from(source)
      .equal("steps, startups", steps)
      .equal("words", steps + each, claims.value(steps) * w)
      .from("lockstep, messages of the program counted")
      .equal("messages", messages)
      .equal("volume", messages + each, claims.value(messages) * w);
  return claims;
}

}  // namespace

detail::place_range detail::subtree_of(binary_tree const& tree, int place) {
  int const on_each_side = (1 << (tree.levels() - 1 - tree.depth(place))) - 1;
  return {place - on_each_side, place + on_each_side + 1};
}

void require_prefix_network(topology const& network, std::source_location where) {
  if (is<binary_tree>(network) || is<hypercube>(network) || is<shuffle_exchange>(network)) return;
  throw invalid_argument(
      "prefix: " + network.spec() +
          " is not a tree, hypercube or shuffle-exchange; take tree:4, hypercube:4 "
          "or shuffle-exchange:4, for example",
      where);
}

std::vector<claim> prefix_claims(topology const& network, std::uint64_t words, ports with) {
  require_prefix_network(network);
  double const p = network.size();
  if (auto const* const tree = dynamic_cast<binary_tree const*>(&network))
    return claims_of({{{"p", p}, {"d", tree->levels()}}}, "lockstep, the program's own steps",
                     with == ports::all ? "2(d - 1)" : "4(d - 1)",  // both children at once
                     "2(p - 1)", words)
        .from("Mayr and Plaxton 1989, 2.1")
        .at_most("steps", "4 log p");
  if (is<hypercube>(network))
    return claims_of({{{"p", p}}}, "Mayr and Plaxton 1989, 2.2", "log p", "p log p", words);
  std::string const source = "Mayr and Plaxton 1989, 2.3";
  if (network.size() == 2)
    return claims_of({{{"p", p}}}, "lockstep, the program's own steps", "1", "p", words)
        .from(source)
        .at_most("steps", "3 log p");
  return claims_of({{{"p", p}}}, source, "3 log p", "(3p - 4) log p", words);
}

}  // namespace lockstep
