#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <lockstep/algorithms/exchange/all_to_all.hpp>
#include <lockstep/algorithms/registry.hpp>

#include "entries.hpp"
#include "exchange/made_blocks.hpp"
#include "exchange/transpose_matrix.hpp"

namespace lockstep {

namespace {

void check_network(topology const& network) {
  if (auto const reason = exchange_pattern::why_not(network); !reason.empty())
    throw invalid_argument("all-to-all: " + reason);
}

/// Without buffers, and without two messages on a link: this is what the algorithm claims.
[[nodiscard]] machine strict_machine(request const& asked) {
  auto options = asked.options;
  options.strict = true;
  return machine(asked.network, options);
}

[[nodiscard]] outcome finish(request const& asked, outcome result, std::uint64_t words) {
  return with_claims(std::move(result), asked, all_to_all_claims(*asked.network, words), words);
}

[[nodiscard]] outcome transpose_file(request const& asked) {
  auto const exchange = [](processor& me, auto blocks) {
    return all_to_all(me, std::move(blocks));
  };
  auto done = transpose_matrix(asked, strict_machine(asked), exchange);
  return finish(asked, std::move(done.result), done.words);
}

[[nodiscard]] outcome run_all_to_all(request const& asked) {
  check_network(*asked.network);
  if (asked.input) return transpose_file(asked);
  if (asked.output)
    throw invalid_argument(
        "all-to-all: there is nothing to write to the output file; give an input file with a "
        "matrix to transpose, too");
  auto const exchange = [](processor& me, std::vector<std::uint64_t> blocks) {
    return all_to_all(me, std::move(blocks));
  };
  return finish(asked, exchange_made_blocks(asked, strict_machine(asked), 2, exchange),
                words_asked_for(asked));
}

}  // namespace

algorithm all_to_all_entry() {
  return {
      .name = "all-to-all",
      .summary =
          "complete exchange: every processor has a block for every other; with an input "
          "file, transposes its n x n matrix",
      .topologies = "torus (multiples of 4), mesh (even), of 2 to 8 dimensions",
      .source =
          "Suh and Shin, All-to-All Personalized Communication in Multidimensional Torus and "
          "Mesh Networks, 2001",
      .example = "torus:12x12",
      .parameters = {{"words", "words in a block (with an input file: (n/p)^2)", std::int64_t{1}}},
      .takes_files = true,
      .run = run_all_to_all,
  };
}

}  // namespace lockstep
