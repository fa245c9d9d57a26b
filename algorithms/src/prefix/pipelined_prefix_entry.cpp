#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <lockstep/algorithms/prefix/pipelined_prefix.hpp>
#include <lockstep/algorithms/registry.hpp>

#include "entries.hpp"
#include "parameters.hpp"
#include "prefix/made_numbers.hpp"

namespace lockstep {

namespace {

using number = std::int64_t;

/// Of those that the network has, the one that takes the fewest steps.
[[nodiscard]] pipelined_scheme best_scheme(topology const& network, ports with) {
  for (auto const scheme :
       {pipelined_scheme::lagged, pipelined_scheme::fft, pipelined_scheme::halving})
    if (why_not_pipelined(network, scheme, with).empty()) return scheme;
  require_prefix_network(network);
  return pipelined_scheme::halving;
}

[[nodiscard]] std::string_view name_of(pipelined_scheme scheme) {
  switch (scheme) {
    case pipelined_scheme::lagged:
      return "lagged";
    case pipelined_scheme::fft:
      return "fft";
    case pipelined_scheme::halving:
      break;
  }
  return "halving";
}

[[nodiscard]] pipelined_scheme scheme_asked_for(request const& asked) {
  auto const name = text_parameter(asked, "scheme", "auto");
  if (name == "auto") return best_scheme(*asked.network, asked.options.ports);
  for (auto const scheme :
       {pipelined_scheme::lagged, pipelined_scheme::fft, pipelined_scheme::halving})
    if (name == name_of(scheme)) return scheme;
  throw invalid_argument(fmt::format("scheme: '{}' is none of auto, lagged, halving, fft", name));
}

/// Whether processor `rank` has, of each prefix, what one gets by adding one after another.
[[nodiscard]] bool are_sums(std::vector<std::vector<number>> const& prefixes,
                            std::vector<number> const& numbers, std::size_t k) {
  std::vector<number> sums(k);
  for (std::size_t rank = 0; rank < prefixes.size(); ++rank)
    for (std::size_t j = 0; j < k; ++j) {
      sums[j] += numbers[rank * k + j];
      if (prefixes[rank][j] != sums[j]) return false;
    }
  return true;
}

[[nodiscard]] outcome run_pipelined_prefix(request const& asked) {
  constexpr std::int64_t most = 1'000'000;
  auto const k = static_cast<std::size_t>(whole_number(asked, "k", 8, 1, most));
  auto const scheme = scheme_asked_for(asked);
  auto const with = asked.options.ports;
  if (auto const reason = why_not_pipelined(*asked.network, scheme, with); !reason.empty())
    throw invalid_argument("pipelined-prefix: " + reason);
  auto const numbers = made_numbers(asked, static_cast<std::size_t>(asked.network->size()) * k);
  machine const on(asked.network, asked.options);
  auto run = on.run(
      [&](processor& me) {
        auto const mine = std::span(numbers).subspan(static_cast<std::size_t>(me.rank()) * k, k);
        return pipelined_prefix(me, monoid{number{0}, std::plus<number>{}}, mine, scheme,
                                prefix_kind::inclusive, with);
      },
      asked.observers);
  bool const correct = are_sums(run.results(), numbers, k);
  outcome result{.record = std::move(run), .correct = correct};
  result.claims = pipelined_prefix_claims(*asked.network, scheme, k, with);
  result.figures["scheme"] = std::string(name_of(scheme));
  result.parameters = asked.parameters;
  return result;
}

}  // namespace

algorithm pipelined_prefix_entry() {
  return {
      .name = "pipelined-prefix",
      .summary = "k prefixes at once, and whether they take the paper's 2k + 4 log p steps",
      .topologies = "tree, hypercube, shuffle-exchange",
      .source =
          "Mayr and Plaxton, Pipelined Parallel Prefix Computations, and Sorting on a Pipelined "
          "Hypercube, 1989",
      .example = "tree:5",
      .parameters = {{"k", "number of prefixes", std::int64_t{8}},
                     {"scheme", "auto, lagged (tree), halving or fft (all ports)",
                      std::string("auto")}},
      .run = run_pipelined_prefix,
  };
}

}  // namespace lockstep
