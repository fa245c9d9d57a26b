#pragma once

#include <cstdint>
#include <source_location>
#include <span>
#include <string>

#include <lockstep/counts.hpp>

namespace lockstep {

/// The costs of a complete exchange, as formulas in d and m.
struct exchange_formulas {
  std::string startups;
  std::string words;
  std::string hops;
  std::string rearranged;  ///< words
  std::string barriers;
};

/// A complete exchange on a 2^d x 2^d torus or mesh, by its formulas alone: a row of the paper's
/// Table 2. The proposed one is `all_to_all`; of its rivals the paper has nothing else.
///
/// **Source** Suh and Shin 2001, Table 2; `source` names where the algorithm itself is from.
struct exchange_rival {
  std::string name;    ///< as the paper cites it: "[13]", or "proposed"
  std::string source;  ///< authors and year
  bool wraps = false;  ///< on a torus; else on a mesh
  int least_d = 1;     ///< the formulas hold from this d on
  exchange_formulas formulas;
  counts (*of_one_word)(int d);  ///< the formulas' values for blocks of one word
};

/// The rows of Table 2, in its order: torus [19], [13], proposed; mesh [16], [13], proposed.
[[nodiscard]] std::span<exchange_rival const> exchange_rivals();

/// Finds the row of that name. Errors: invalid_argument if the table has none.
[[nodiscard]] exchange_rival const& exchange_rival_of(
    std::string const& name, bool wraps,
    std::source_location where = std::source_location::current());

/// Tells why the formulas do not hold for this d, with the d for which they do; empty if they hold.
/// [13] holds on the torus for d >= 3 only (at d = 2 it claims 3 start-ups, but 16 blocks cannot be
/// spread in fewer than log2 16 = 4), on the mesh for d >= 2 only.
[[nodiscard]] std::string unsupported_reason(exchange_rival const& of, int d);
/// The former name of `unsupported_reason`.
[[nodiscard]] inline std::string why_not(exchange_rival const& of, int d) {
  return unsupported_reason(of, d);
}

/// Evaluates the claimed costs of the exchange with blocks of `words` words: startups, words, hops,
/// rearranged, barriers, and steps and rounds, which are the start-ups; rearrangements, but for
/// [13], whose number of them the table does not give: 0. The other figures are 0. Any cost model
/// prices it: `model.time(costs, 1 << 2 * d)`.
/// Errors: invalid_argument outside the limits of validity (`unsupported_reason`), and where the
/// words do not fit into 64 bits.
[[nodiscard]] counts claimed_costs(exchange_rival const& of, int d, std::uint64_t words,
                                   std::source_location where = std::source_location::current());

}  // namespace lockstep
