#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <source_location>
#include <string>
#include <string_view>
#include <vector>

#include <lockstep/algorithms/prefix/ordered_tree.hpp>
#include <lockstep/options.hpp>
#include <lockstep/topology.hpp>

namespace lockstep {

/// How k prefixes go at once.
enum class pipelined_scheme : std::uint8_t {
  lagged,   ///< tree: the downward pass of a prefix follows the upward one by the node's depth
  inorder,  ///< hypercube: the same on the inorder tree, words relayed by siblings
  spanning_tree,  ///< hypercube: the same on a spanning tree of degree 3
  halving,        ///< hypercube, shuffle-exchange: prefixes are dealt out on the way up, and back
  fft,            ///< hypercube, all ports: prefix j crosses dimension i in step i + j
  relay,          ///< shuffle-exchange: two embedded trees, words relayed by siblings
  combined,       ///< shuffle-exchange: the same, a pair's words combined at the first child
  trimmed         ///< tree of seven processors, one port: no words that leaves do not need
};

inline constexpr std::array all_pipelined_schemes{
    pipelined_scheme::lagged,   pipelined_scheme::inorder, pipelined_scheme::spanning_tree,
    pipelined_scheme::halving,  pipelined_scheme::fft,     pipelined_scheme::relay,
    pipelined_scheme::combined, pipelined_scheme::trimmed};

/// "lagged", "inorder", "spanning-tree", ...
[[nodiscard]] std::string_view name_of(pipelined_scheme scheme);

/// The schedule of k prefixes at once, known to all processors: made once, before the run.
class prefix_schedule {
 public:
  /// `network`: of the machine or the subset that takes part; `with`: the machine's ports.
  /// Errors: invalid_argument for a scheme that does not fit (`unsupported_reason`).
  /// Cost: no step. spanning_tree: that of finding the tree.
  prefix_schedule(topology const& network, pipelined_scheme scheme, ports with = ports::one,
                  std::source_location where = std::source_location::current());

  /// Why a scheme cannot be had on this network with these ports, and an example with which it can;
  /// else empty.
  [[nodiscard]] static std::string unsupported_reason(topology const& network,
                                                      pipelined_scheme scheme, ports with);
  /// The former name of `unsupported_reason`.
  [[nodiscard]] static std::string why_not(topology const& network, pipelined_scheme scheme,
                                           ports with) {
    return unsupported_reason(network, scheme, with);
  }

  /// Errors: invalid_argument for another network than that for which the schedule was made.
  void require_made_for(topology const& network,
                        std::source_location where = std::source_location::current()) const;

  [[nodiscard]] pipelined_scheme scheme() const { return m_scheme; }
  [[nodiscard]] ports with() const { return m_with; }
  /// Of the scheme spanning_tree.
  [[nodiscard]] spanning_tree const& tree() const { return m_tree.value(); }

 private:
  pipelined_scheme m_scheme;
  ports m_with;
  std::string m_network;  ///< its specification
  std::optional<spanning_tree> m_tree;
};

/// A scheme, and the steps that k prefixes take by it.
struct timed_scheme {
  pipelined_scheme scheme = pipelined_scheme::lagged;
  double steps = 0;
};

/// The schemes that a network has with these ports, those of fewest steps first.
/// Errors: invalid_argument for a network without prefixes.
[[nodiscard]] std::vector<timed_scheme> fastest_schemes(
    topology const& network, std::uint64_t k, ports with,
    std::source_location where = std::source_location::current());

}  // namespace lockstep
