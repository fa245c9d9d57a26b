#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <source_location>
#include <span>
#include <string>
#include <vector>

#include <lockstep/algorithms/collectives/all_gather.hpp>
#include <lockstep/algorithms/collectives/collective_claims.hpp>
#include <lockstep/algorithms/collectives/scatter.hpp>
#include <lockstep/algorithms/collectives/schedule_counts.hpp>
#include <lockstep/algorithms/detail/show_values.hpp>
#include <lockstep/algorithms/routing/balance_plan.hpp>
#include <lockstep/algorithms/routing/detail/balance_part.hpp>
#include <lockstep/claim.hpp>
#include <lockstep/detail/library_frame.hpp>
#include <lockstep/library_call.hpp>
#include <lockstep/processor.hpp>
#include <lockstep/shown.hpp>

namespace lockstep {

/// How elements get to where they belong, once all sizes are known.
enum class balance_way : std::uint8_t {
  cheapest,  ///< the cheaper of `direct` and, from a single source, a tree
  direct     ///< straight, in three phases
};

/// The machine as `balance` has to know it. All processors pass the same.
struct balance_options {
  std::uint64_t packet = 1;  ///< m: elements that fill a packet of the machine
  std::uint64_t tau = 16;    ///< latency in the time of a word, by which ways are chosen
  balance_way way = balance_way::cheapest;
};

/// The cheaper of Lemma 3.2's two ways to bring one word of each processor to all: one phase, or
/// `in_two_phases`; the former if both cost the same. Errors: invalid_argument for p < 1 or m = 0.
[[nodiscard]] all_gather_options cheaper_of_two_ways(
    int p, balance_options const& on, std::source_location where = std::source_location::current());

/// The way that a plan's elements take, and what it was compared with. Times are those of the
/// schedules, sizes not included.
struct balance_choice {
  int k = 0;               ///< parts into which each phase of the tree cuts; 0: straight
  int source = 0;          ///< the tree's root
  double direct_time = 0;  ///< of the three phases
  double tree_time = 0;    ///< of that tree; 0 where none was considered

  [[nodiscard]] bool is_tree() const { return k != 0; }
};

/// Chooses the cheaper way for a plan: straight, or, where all elements come from one processor, by
/// the k-ary tree of Corollary 3.1 whose k < p is the best for shares of ceil(n/p) elements. A tie
/// goes straight.
/// Errors: invalid_argument for packets of 0 words, and where a count passes 64 bits.
/// **Source** JaJa and Ryu 1994, section 4 and Corollary 3.1; the choice, and its k, are lockstep.
[[nodiscard]] balance_choice choose_balance_way(
    balance_plan const& plan, balance_options const& on,
    std::source_location where = std::source_location::current());

/// Writes "straight (84), not a tree (92)": the way that is taken first, with the times.
[[nodiscard]] std::string text_of(balance_choice const& choice);

namespace detail {

/// The shares of one source, along the tree.
template <payload_element T>
[[nodiscard]] std::vector<T> scatter_shares(
    processor& me, std::span<T const> mine, balance_plan const& plan, balance_choice const& choice,
    std::source_location where = std::source_location::current()) {
  library_frame const frame(me, where);
  pieces const shares(plan.loads[static_cast<std::size_t>(choice.source)], me.size(),
                      piece_sizes::larger_first);
  auto held = scatter_pieces(me, mine, shares, {.k = choice.k, .root = choice.source});
  show_values(me, "values", std::span<T const>(held));
  return held;
}

/// The three phases of a plan.
template <payload_element T>
[[nodiscard]] std::vector<T> balance_straight(
    processor& me, std::span<T const> mine, balance_part const& part,
    std::source_location where = std::source_location::current()) {
  library_frame const frame(me, where);
  std::vector<T> balanced(part.share);
  for (auto const& move : part.kept)
    std::ranges::copy(mine.subspan(move.source, move.elements),
                      std::span(balanced).subspan(move.target).begin());
  auto const show_after = [&](std::size_t phases) {
    if (me.is_shown()) me.show("share", labels_after(part, me.rank(), phases));
    show_values(me, "values", phases == 0 ? mine : std::span<T const>(balanced));
  };
  show_after(0);
  constexpr std::array names{"phase 1", "phase 2", "phase 3"};
  for (std::size_t i = 0; i < names.size(); ++i) {
    me.phase(names[i]);
    move_in_turns(me, part.phases[i], mine, std::span(balanced));
    show_after(i + 1);
  }
  return balanced;
}

}  // namespace detail

/// Balances the load: n elements, any number of them on each processor, come to floor(n/p) on each,
/// and one more on the first n mod p. Called by all processors of a crossbar; phases "sizes",
/// "phase 1", "phase 2" and "phase 3", or "sizes" and "tree".
///
/// Each processor learns all sizes, makes the same `balance_plan`, and comes to the same
/// `choose_balance_way`. Straight, elements change their processor only as far as the plan says:
/// what a processor reads from itself is not sent. The order is NOT kept then: of a processor's n_j
/// elements the last n_j mod m come after all others, so elements sorted before need not be sorted
/// afterwards. With packets of one element there are none of these. By a tree the order is kept.
///
/// `mine`: this processor's elements.
/// Shows: "share", the sources of the elements in its places, and "values"; along a tree, "pieces".
/// Result: its share, straight first its part of the line of all elements but those rests, in the
/// order of ranks, then its part of the line of rests; by a tree its part of the line of all
/// elements.
/// Errors: invalid_argument for packets of 0 elements; those of the machine.
///
/// **Cost** on a crossbar, one-port, with packets of m words, elements of a word and at most M of
/// them on a processor: a time of at most 5 tau + M + n/p + p + 2m^2 if pm divides n. Also, in all
/// cases that were searched (p at most 1,024), if p does and all elements come from one processor.
/// Otherwise at most m(h + 3) more, where the elements of
/// one processor have at most h readers. Strict.
///
/// **Source** JaJa and Ryu 1994, section 4, Theorem 4.1, which assumes powers of two, and Corollary
/// 3.1. The case where pm does not divide n is lockstep's.
///
/// **Example**
/// ```
/// lockstep::machine machine{lockstep::crossbar{4}};
/// auto run = machine.run([](lockstep::processor& me) {
///   std::vector<int> const mine(me.rank() == 2 ? 16 : 0, me.rank());
///   return lockstep::balance(me, std::span<int const>(mine)).size();
/// });
/// run.results()[3];      // 4
/// run.counts().startups; // 3
/// ```
template <payload_element T>
[[nodiscard]] std::vector<T> balance(processor& me, std::span<T const> mine,
                                     balance_options const& options = {},
                                     std::source_location where = std::source_location::current()) {
  library_call const call(me, where);
  me.phase("sizes");
  auto const loads = all_gather(me, std::uint64_t{mine.size()},
                                cheaper_of_two_ways(me.size(), options, call.where()));
  auto const plan = plan_balance(loads, options.packet, call.where());
  me.work(operations_of(plan));
  if (auto const choice = choose_balance_way(plan, options, call.where()); choice.is_tree()) {
    me.phase("tree");
    return detail::scatter_shares(me, mine, plan, choice);
  }
  return detail::balance_straight(me, mine, detail::part_of(plan, me.rank()));
}

/// Counts what the three phases of a plan cost with packets of m words; elements count as one word.
/// Errors: invalid_argument for packets of 0 words, and where a count passes 64 bits.
[[nodiscard]] schedule_counts balance_counts(
    balance_plan const& plan, std::uint64_t packet,
    std::source_location where = std::source_location::current());

/// Counts all that `balance` costs, sizes and the chosen way included; elements count as one word.
/// Errors: invalid_argument for packets of 0 words, and where a count passes 64 bits.
[[nodiscard]] schedule_counts balance_counts(
    balance_plan const& plan, balance_options const& on,
    std::source_location where = std::source_location::current());

/// Makes the claims, the paper's and ours, about the plan's cost, sizes included. Letters: n, p, m,
/// tau; M, the largest load; h, the most readers of a source.
/// Errors: invalid_argument for packets of 0 words, or a machine of another size than the plan's.
[[nodiscard]] std::vector<claim> balance_claims(bdm_machine const& on, balance_plan const& plan,
                                                balance_way way = balance_way::cheapest);

}  // namespace lockstep
