#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include <lockstep/algorithms/collectives/collective_operation.hpp>
#include <lockstep/algorithms/collectives/collective_scheme.hpp>
#include <lockstep/algorithms/collectives/detail/rank_axes.hpp>
#include <lockstep/processor.hpp>
#include <lockstep/topology.hpp>

namespace lockstep::detail {

/// A call of a collective: what there is to choose a scheme by.
struct asked_collective {
  collective_operation operation;
  collective_scheme scheme = collective_scheme::automatic;
  std::size_t elements = 1;  ///< of the vector, or of a processor's block
  bool reorders = true;      ///< whether operands may be combined in another order
  std::optional<std::uint64_t> startup_words{};
  bool neighbours_only = false;  ///< messages go to adjacent processors only
  std::uint64_t packet = 1;      ///< words in a packet of the machine
  bool all_ports = false;        ///< a processor uses all of its links in a step (`ports::all`)
  int root = 0;                  ///< with all ports the tree's rounds depend on it
};

/// A scheme that fits a network, and the network's axes, which were at hand as it was found.
struct fitted_scheme {
  collective_scheme scheme;
  rank_axes const* axes;

  constexpr operator collective_scheme() const {  // NOLINT(google-explicit-constructor)
    return scheme;
  }
};

/// Tells whether a scheme is one of JaJa and Ryu, for a crossbar: transpose, direct, k_ary.
[[nodiscard]] constexpr bool is_of_crossbar(collective_scheme scheme) {
  using enum collective_scheme;
  return scheme == transpose || scheme == direct || scheme == k_ary;
}

/// Tells whether a network is that of a subset where only neighbours may talk and nothing better is
/// known: collectives go along its links there, unless a scheme is named.
[[nodiscard]] bool is_part_with_links(topology const& network);

/// Tells whether the links of a processor's network carry messages in the same step: on a machine with
/// `ports::all`, unless it is a part whose messages cross links that lead elsewhere.
[[nodiscard]] bool has_all_ports(processor const& me);

/// Finds the scheme by which an operation goes: the one that is asked for, or the cheapest.
/// Errors: invalid_argument where that does not fit the network, with those that do.
[[nodiscard]] collective_scheme scheme_for(asked_collective const& asked, topology const& network);
/// Adds the switching, the ports and the packets of the machine on which a processor calls it.
[[nodiscard]] asked_collective asked_by(processor const& me, asked_collective const& asked);
/// The same on the network of a processor, as its machine switches messages, in its packets.
[[nodiscard]] fitted_scheme scheme_for(asked_collective const& asked, processor const& me);

/// Errors: invalid_argument for k < 2 in the scheme k_ary, invalid_rank for a root that is not a
/// rank.
void require_collective(char const* operation, collective_options const& options, int processors);

/// Checks the options of a call of broadcast, reduce or all_reduce, and finds its scheme. One call, so that
/// a processor keeps little on its stack.
/// Errors: those of `require_collective` and of `scheme_for`; invalid_argument for one-sided access by a
/// scheme that is not of a crossbar.
[[nodiscard]] fitted_scheme checked_scheme(processor const& me, collective_operation operation,
                                           collective_options const& options, std::size_t elements,
                                           bool reorders);

/// Refuses one-sided access, which only the schemes of a crossbar have.
/// Errors: invalid_argument.
void require_messages(collective_operation operation, access how);

/// Lists the lines of the ring stages of a scheme (`ring`, `bucket`, `two_way`, `recursive_doubling`,
/// `halving_doubling`) through a processor, the slowest axis first.
[[nodiscard]] std::vector<rank_line> ring_lines(collective_scheme scheme, topology const& network,
                                                int rank);
/// Lists the axes of these lines.
[[nodiscard]] std::vector<rank_axis> ring_axes(collective_scheme scheme, topology const& network);

}  // namespace lockstep::detail
