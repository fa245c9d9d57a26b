#include <string>
#include <vector>

#include <lockstep/algorithms/prefix/prefix.hpp>
#include <lockstep/claim_list.hpp>

#include "network_kind.hpp"

namespace lockstep {

namespace {

/// What a prefix costs: every step has a message, and every message a value.
struct prefix_costs {
  std::string source;
  std::string steps;
  std::string messages;
};

[[nodiscard]] prefix_costs costs_on(topology const& network, ports with) {
  if (is<binary_tree>(network))
    return {"lockstep, the program's own steps",
            with == ports::all ? "2(d - 1)" : "4(d - 1)",  // both children at once
            "2(p - 1)"};
  if (is<hypercube>(network)) return {"Mayr and Plaxton 1989, 2.2", "log p", "p log p"};
  if (network.size() == 2) return {"Mayr and Plaxton 1989, 2.3", "1", "p"};
  return {"Mayr and Plaxton 1989, 2.3", "3 log p", "(3p - 4) log p"};
}

}  // namespace

void require_prefix_network(topology const& network) {
  if (is<binary_tree>(network) || is<hypercube>(network) || is<shuffle_exchange>(network)) return;
  throw invalid_argument("prefix: " + network.spec() +
                         " is not a tree, hypercube or shuffle-exchange; take tree:4, hypercube:4 "
                         "or shuffle-exchange:4, for example");
}

std::vector<claim> prefix_claims(topology const& network, std::uint64_t words, ports with) {
  require_prefix_network(network);
  auto const [source, steps, messages] = costs_on(network, with);
  auto const* const tree = dynamic_cast<binary_tree const*>(&network);
  claim_list claims({{{"p", network.size()},
                      {"d", tree == nullptr ? 0 : tree->levels()},
                      {"words", static_cast<double>(words)}}});
  std::string const each = words == 1 ? "" : " words";
  claims.from(source)
      .equal("steps, startups", steps)
      .equal("words", steps + each)
      .from("lockstep, messages of the program counted")
      .equal("messages", messages)
      .equal("volume", messages + each);
  if (tree != nullptr) claims.from("Mayr and Plaxton 1989, 2.1").at_most("steps", "4 log p");
  return claims;
}

}  // namespace lockstep
