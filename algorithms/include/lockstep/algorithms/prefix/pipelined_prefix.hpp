#pragma once

#include <concepts>
#include <cstdint>
#include <source_location>
#include <span>
#include <type_traits>
#include <vector>

#include <lockstep/algorithms/prefix/detail/fft_prefixes.hpp>
#include <lockstep/algorithms/prefix/detail/halving_prefixes.hpp>
#include <lockstep/algorithms/prefix/detail/inorder_prefixes.hpp>
#include <lockstep/algorithms/prefix/detail/lagged_prefixes.hpp>
#include <lockstep/algorithms/prefix/detail/shuffle_prefixes.hpp>
#include <lockstep/algorithms/prefix/detail/trimmed_prefixes.hpp>
#include <lockstep/algorithms/prefix/prefix.hpp>
#include <lockstep/algorithms/prefix/prefix_schedule.hpp>
#include <lockstep/claim.hpp>
#include <lockstep/library_call.hpp>
#include <lockstep/options.hpp>

namespace lockstep {

namespace detail {

/// The prefixes by the scheme of a schedule.
template <class Monoid>
[[nodiscard]] std::vector<typename Monoid::value_type> prefixes_by_scheme(
    processor& me, directed<Monoid> const& in_order, std::span<typename Monoid::value_type const> x,
    prefix_schedule const& schedule) {
  auto const with = schedule.with();
  auto const cube = [&]() -> auto& { return dynamic_cast<hypercube const&>(me.topology()); };
  auto const shuffles = [&]() -> auto& {
    return dynamic_cast<shuffle_exchange const&>(me.topology());
  };
  int const role = in_order.role(me.rank(), me.size());
  auto const lagged = [&](ordered_node const& node) {
    int const lag = node.depth() * (with == ports::one ? 1 : 2);
    return lagged_prefixes(me, node, in_order, x, lag).run();
  };
  switch (schedule.scheme()) {
    case pipelined_scheme::lagged:
      return lagged(node_of(dynamic_cast<binary_tree const&>(me.topology()), role));
    case pipelined_scheme::spanning_tree:
      return lagged(schedule.tree().node(role));
    case pipelined_scheme::inorder:
      return inorder_prefixes(me, cube(), in_order, x, with);
    case pipelined_scheme::fft:
      return fft_prefixes(me, cube(), in_order, x);
    case pipelined_scheme::relay:
      return shuffle_prefixes<relayed_prefixes, Monoid>(me, shuffles(), in_order, x, with).run();
    case pipelined_scheme::combined:
      return shuffle_prefixes<combined_prefixes, Monoid>(me, shuffles(), in_order, x, with).run();
    case pipelined_scheme::trimmed:
      return trimmed_prefixes(me, in_order, x).run();
    case pipelined_scheme::halving:
      break;
  }
  return halving_prefixes(me, in_order, x).run();
}

}  // namespace detail

/// k prefixes at once: processor i gets, of each of them, x_0 + ... + x_i, or what `kind` says.
/// Called by all processors of a binary tree, a hypercube (or a subcube) or a shuffle-exchange.
///
/// `x`: this processor's values, one for each prefix; as many on every processor; not bool (take
/// unsigned char). `schedule`: made for the network, and for the machine's ports: with another's
/// the prefixes are right, and take more steps.
/// Shows: the ranks that "sums" and "prefixes" cover so far, one of each for a prefix.
/// Result: this processor's prefixes, in the same order.
/// Errors: invalid_argument for a schedule of another network, which comes out of the run as
/// processor_failed; those of the machine.
///
/// **Cost** neighbour switching, all processors in the same step at first; every message is one
/// value, of words_of<T> words. relay and combined have three phases, which they name, k = 0
/// excepted. d = log2 of the number of processors (tree: of levels); d >= 3 and k >= 3 unless said
/// otherwise, `pipelined_prefix_claims` has the rest; H(k, d) = k/2 + k/4 + ... + k/2^d, each
/// rounded up.
///
/// | scheme, network                 | steps on one port     | steps, all    | messages              |
/// |---------------------------------|-----------------------|---------------|-----------------------|
/// | lagged, tree                    | 3k + 4d - 8           | k + 2d - 3    | 2(p - 1)k             |
/// | inorder, hypercube              | 5k + 4d - 9           | 2k + 4d - 5   | (3p - 5)k             |
/// | spanning_tree, hypercube, d > 6 | 3k + 6d - 16          | k + 4d - 11   | 2(p - 1)k             |
/// | halving, hypercube              | 2H(k, d) <= 2k + 2d   | the same      | 2(p - 1)k             |
/// | fft, hypercube                  |                       | k + d - 1     | kdp                   |
/// | relay, shuffle-exchange         | 12k + 10d - 24        | 5k + 10d - 15 | (6(p - 2) + p/2 - 1)k |
/// | combined, shuffle-exchange      | 8k + 10d - 20         | 3k + 10d - 15 | (4(p - 2) + p/2 - 1)k |
/// | halving, shuffle-exchange       | 2H(k, d) + 2H(k, d-1) | the same      |                       |
///
/// lagged with ports per pass: 2k + 4d - 6 steps. trimmed, on the tree of seven processors: 2k + 4
/// steps and 8k messages on one port; every program takes 2k + 3. halving, fft and trimmed are
/// strict.
///
/// **Source** lagged: Mayr and Plaxton 1989, section 2.1, whose program is of one prefix;
/// inorder, relay: sections 2.2 and 2.3, which give no program; the others: lockstep.
///
/// **Example**
/// ```
/// lockstep::machine cube{lockstep::hypercube{4}};
/// lockstep::prefix_schedule const schedule(cube.topology(), lockstep::pipelined_scheme::halving);
/// auto run = cube.run([&](lockstep::processor& me) {
///   std::vector<int> const mine(8, me.rank());
///   return lockstep::pipelined_prefix(me, lockstep::monoid{0, std::plus<int>{}}, mine, schedule);
/// });
/// run.results()[15][7];  // 120
/// run.counts().steps;    // 16
/// ```
template <payload_element T, associative_operator<T> Operator>
  requires(!std::same_as<T, bool>)
[[nodiscard]] std::vector<T> pipelined_prefix(
    processor& me, monoid<T, Operator> const& plus, std::span<std::type_identity_t<T> const> x,
    prefix_schedule const& schedule, prefix_kind kind = prefix_kind::inclusive,
    std::source_location where = std::source_location::current()) {
  library_call const call(me, where);
  schedule.require_made_for(me.topology(), call.where());
  detail::directed const in_order(plus, kind);
  int const place = in_order.role(me.rank(), me.size());
  detail::show_values(me, "values", x);
  auto prefixes = detail::prefixes_by_scheme(me, in_order, x, schedule);
  detail::show_sums(me, in_order, "prefixes", x.size(), [&](std::size_t /*j*/) {
    return detail::place_range{}.up_to(place, in_order.is_inclusive());
  });
  detail::show_values(me, "values of prefixes", prefixes);
  return prefixes;
}

/// Makes the claims, the paper's and ours, about the cost of k prefixes.
/// Errors: invalid_argument where `prefix_schedule::unsupported_reason` has a reason.
[[nodiscard]] std::vector<claim> pipelined_prefix_claims(topology const& network,
                                                         pipelined_scheme scheme, std::uint64_t k,
                                                         ports with);

}  // namespace lockstep
