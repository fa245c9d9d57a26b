#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include <lockstep/algorithms/collectives/all_gather.hpp>
#include <lockstep/algorithms/collectives/collective_claims.hpp>
#include <lockstep/algorithms/collectives/schedule_counts.hpp>
#include <lockstep/algorithms/detail/show_values.hpp>
#include <lockstep/algorithms/routing/balance_plan.hpp>
#include <lockstep/algorithms/routing/detail/balance_part.hpp>
#include <lockstep/claim.hpp>
#include <lockstep/processor.hpp>
#include <lockstep/shown.hpp>

namespace lockstep {

/// What `balance` has to know of the machine. All processors say the same.
struct balance_options {
  std::uint64_t packet = 1;  ///< m: elements that fill a packet of the machine
  std::uint64_t tau = 16;    ///< latency in the time of a word, which chooses how sizes get known
};

/// The cheaper of Lemma 3.2's two ways to bring one word of each processor to all: one phase, or
/// `in_two_phases`; the former if both cost the same. Errors: invalid_argument for p < 1 or m = 0.
[[nodiscard]] all_gather_options cheaper_of_two_ways(int p, balance_options const& on);

/// Balances the load: n elements, any number of them on each processor, come to floor(n/p) on each,
/// and one more on the first n mod p. Called by all processors of a crossbar; phases "sizes",
/// "phase 1", "phase 2" and "phase 3".
///
/// Everybody learns all sizes, and makes the same `balance_plan`. Elements change their processor
/// only as far as the plan says: what a processor reads from itself is not sent. The order is NOT
/// kept: of a processor's n_j elements the last n_j mod m come after all others, so what is sorted
/// before need not be sorted afterwards. With packets of one element there are none of these.
///
/// `mine`: this processor's elements.
/// Shows: "share", the sources of the elements in its places, and "values".
/// Result: its share, first its part of the line of all elements but those rests, in the order of
/// ranks, then its part of the line of rests.
/// Errors: invalid_argument for packets of 0 elements; those of the machine.
///
/// **Cost** on a crossbar, one-port, with packets of m words, elements of a word and at most M of
/// them on a processor: a time of at most 5 tau + M + n/p + p + 2m^2 if pm divides n. If not, at
/// most m(h + 3) more, where the elements of one processor have at most h readers. Strict.
///
/// **Source** JaJa and Ryu 1994, section 4, Theorem 4.1, which assumes powers of two. Where pm does
/// not divide n its bound fails; what is done there is lockstep.
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
                                     balance_options const& options = {}) {
  me.phase("sizes");
  auto const part = [&] {
    auto const loads =
        all_gather(me, std::uint64_t{mine.size()}, cheaper_of_two_ways(me.size(), options));
    return detail::part_of(plan_balance(loads, options.packet), me.rank());
  }();
  std::vector<T> balanced(part.share);
  for (auto const& move : part.kept)
    std::ranges::copy(mine.subspan(move.source, move.elements),
                      std::span(balanced).subspan(move.target).begin());
  auto const show_after = [&](std::size_t phases) {
    if (me.is_shown()) me.show("share", detail::labels_after(part, me.rank(), phases));
    detail::show_values(me, "values", phases == 0 ? mine : std::span<T const>(balanced));
  };
  show_after(0);
  constexpr std::array names{"phase 1", "phase 2", "phase 3"};
  for (std::size_t i = 0; i < names.size(); ++i) {
    me.phase(names[i]);
    detail::move_in_turns(me, part.phases[i], mine, std::span(balanced));
    show_after(i + 1);
  }
  return balanced;
}

/// Counts what the three phases of a plan cost with packets of m words; elements count as one word.
/// Errors: invalid_argument for packets of 0 words.
[[nodiscard]] schedule_counts balance_counts(balance_plan const& plan, std::uint64_t packet);

/// What the paper and we say that the plan costs, sizes included. Letters: n, p, m, tau; M, the
/// largest load; h, the most readers of a source.
/// Errors: invalid_argument for packets of 0 words, or a machine of another size than the plan's.
[[nodiscard]] std::vector<claim> balance_claims(bdm_machine const& on, balance_plan const& plan);

}  // namespace lockstep
