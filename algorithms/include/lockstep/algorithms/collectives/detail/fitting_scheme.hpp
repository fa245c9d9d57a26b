#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include <lockstep/algorithms/collectives/collective_operation.hpp>
#include <lockstep/algorithms/collectives/collective_scheme.hpp>
#include <lockstep/algorithms/collectives/detail/known_schemes.hpp>
#include <lockstep/algorithms/collectives/detail/rank_axes.hpp>
#include <lockstep/processor.hpp>
#include <lockstep/topology.hpp>

namespace lockstep::detail {

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

/// Checks the options of a collective.
/// Errors: invalid_argument for k < 2 in the scheme k_ary, invalid_rank for a root that is not a
/// rank.
void require_collective(char const* operation, collective_options const& options, int processors);

/// Checks the options of a call of broadcast, reduce or all_reduce, and finds its scheme.
/// Errors: those of `require_collective` and of `scheme_for`; invalid_argument for one-sided access by a
/// scheme that is not of a crossbar.
[[nodiscard]] fitted_scheme checked_scheme_for(processor const& me, collective_operation operation,
                                               collective_options const& options,
                                               std::size_t elements, bool reorders);

/// Does the same, inlined as far as the last scheme of the network is found again: a function of its own
/// would take more stack, which is another one for each processor.
[[nodiscard]] inline fitted_scheme checked_scheme(processor const& me,
                                                  collective_operation operation,
                                                  collective_options const& options,
                                                  std::size_t elements, bool reorders) {
  bool const is_usual = options.scheme == collective_scheme::automatic &&
                        options.how == access::messages && !options.startup_words &&
                        static_cast<unsigned>(options.root) < static_cast<unsigned>(me.size());
  if (auto const* const usual = memo_of_processor::read(me); is_usual && usual != nullptr)
      [[likely]]
    if (auto const scheme = usual->network.schemes.usual(
            operation, collective_scheme::automatic, elements, reorders, usual->neighbours_only))
        [[likely]]
      return {*scheme, &usual->network.axes};
  return checked_scheme_for(me, operation, options, elements, reorders);
}

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
