#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <random>
#include <source_location>
#include <span>
#include <utility>
#include <vector>

#include <lockstep/algorithms/collectives/detail/rounds.hpp>
#include <lockstep/algorithms/routing/detail/bins.hpp>
#include <lockstep/algorithms/routing/detail/padded_blocks.hpp>
#include <lockstep/algorithms/routing/detail/shown_bins.hpp>
#include <lockstep/detail/library_frame.hpp>
#include <lockstep/library_call.hpp>
#include <lockstep/processor.hpp>

namespace lockstep {

/// The slots of randomized routing, for n elements on p processors: ceil(c n/p^2) elements.
/// Errors: invalid_argument for p < 1, and a c that is not positive, or makes slots above 10^15.
[[nodiscard]] std::uint64_t randomized_slot(
    std::uint64_t elements_in_all, int processors, double c,
    std::source_location where = std::source_location::current());

/// Tells whether the theorems on random processors are for n elements on p: p^2 < n/(6 ln n). They
/// say what happens with high probability.
/// Errors: invalid_argument for p < 1.
/// **Source** JaJa and Ryu 1994, Theorems 3.4 and 5.2.
[[nodiscard]] bool has_room_with_high_probability(
    int processors, std::uint64_t elements_in_all,
    std::source_location where = std::source_location::current());

/// How to draw; the same on all processors.
struct random_draws {
  std::uint64_t slot = 0;  ///< elements for which a slot has room, by `randomized_slot`
  std::uint64_t seed = 1;
  int attempts = 20;  ///< most of them: each sends everything
  bool real_sizes =
      false;  ///< whether a word says how many elements follow, in the place of whole slots
};

/// The elements that have come to a processor, and what it took to bring them.
template <payload_element T>
struct randomly_routed {
  std::vector<T> elements;
  int attempts = 1;                    ///< of all processors together
  std::uint64_t redrawn = 0;           ///< times that this one drew again before it sent anything
  std::uint64_t elements_through = 0;  ///< that it held in between
};

namespace detail {

/// Errors: invalid_argument for more elements of a processor than p slots have room for.
void require_room_in_slots(int rank, std::size_t elements, int processors, std::uint64_t slot);

/// Errors: invalid_argument, always: slots overflow however often is drawn.
[[noreturn]] void throw_slots_overflow(int draws, char const* step, std::uint64_t slot);

/// The random numbers of a processor in an attempt.
[[nodiscard]] std::mt19937_64 randomness_of(std::uint64_t seed, int rank, int attempt);

/// A number below `bound`, each as likely as the others but for 1 in 2^32.
[[nodiscard]] std::size_t drawn_below(std::size_t bound, std::mt19937_64& random);

/// Step 1, once: each element to a random slot.
template <payload_element T>
[[nodiscard]] bins<place_for<T>> distributed(processor const& me, std::span<T const> elements,
                                             std::mt19937_64& random) {
  growing_bins<T> slots(me.size(), elements.size());
  for (auto const& element : elements)
    slots.append(drawn_below(static_cast<std::size_t>(me.size()), random), element);
  return std::move(slots).finish();
}

/// Step 1: again until every slot has room.
/// Errors: invalid_argument.
template <payload_element T>
[[nodiscard]] bins<place_for<T>> distributed_until_they_fit(processor const& me,
                                                            std::span<T const> elements,
                                                            random_draws const& how, int attempt,
                                                            std::uint64_t& redrawn) {
  constexpr int most_draws = 1'000;
  require_room_in_slots(me.rank(), elements.size(), me.size(), how.slot);
  auto random = randomness_of(how.seed, me.rank(), attempt);
  for (int draws = 0; draws < most_draws; ++draws) {
    auto drawn = distributed(me, elements, random);
    if (largest_of(drawn) <= how.slot) return drawn;
    ++redrawn;
  }
  throw_slots_overflow(most_draws, "Step 1", how.slot);
}

/// A block that says that there was no room.
template <payload_element T>
[[nodiscard]] std::vector<marked_slot<T>> refusing_block(std::uint64_t slots) {
  std::vector<marked_slot<T>> block(slots);
  block.front().holds = slot_holds::refusal;
  return block;
}

/// The outcome of Step 4.
template <payload_element T>
struct last_arrivals {
  bins<T> by_intermediate;
  bool refused = false;  ///< by some processor; every processor hears from all
};

/// Step 4: slot i, whole, to processor i; or refusals, if the own slots overflow.
template <payload_element T, class Show>
[[nodiscard]] last_arrivals<T> send_or_refuse(
    processor& me, bins<T> out, std::uint64_t slot, Show const& show,
    std::source_location where = std::source_location::current()) {
  library_frame const frame(me, where);
  last_arrivals<T> last{bins<T>(out.size()), largest_of(out) > slot};
  bool const refuse = last.refused;
  auto const own = static_cast<std::size_t>(me.rank());
  last.by_intermediate[own] = std::move(out[own]);
  if (me.is_shown()) show(out, last.by_intermediate);
  me.pipelined([&] {
    for (int shift = 1; shift < me.size(); ++shift) {
      int const to = shifted(me, shift);
      int const from = shifted(me, -shift);
      auto const& bin = out[static_cast<std::size_t>(to)];
      me.send(to, refuse ? refusing_block<T>(slot) : marked_block<T>(std::span(bin), slot));
      auto const block = me.receive<marked_slot<T>>(from, slot);
      if (slot > 0 && block.front().holds == slot_holds::refusal) last.refused = true;
      last.by_intermediate[static_cast<std::size_t>(from)] = bin_in<T>(block);
      if (!me.is_shown()) [[likely]]
        continue;
      if (!refuse) out[static_cast<std::size_t>(to)].clear();
      show(out, last.by_intermediate);
    }
  });
  return last;
}

/// Bin i, behind the number of its elements, to processor i; or refusals.
template <payload_element T, class Show>
[[nodiscard]] last_arrivals<T> exchange_real_sizes(
    processor& me, bins<T> out, bool refuse, Show const& show,
    std::source_location where = std::source_location::current()) {
  library_frame const frame(me, where);
  last_arrivals<T> last{bins<T>(out.size()), refuse};
  auto const own = static_cast<std::size_t>(me.rank());
  last.by_intermediate[own] = std::move(out[own]);
  if (me.is_shown()) show(out, last.by_intermediate);
  me.pipelined([&] {
    for (int shift = 1; shift < me.size(); ++shift) {
      int const from = shifted(me, -shift);
      auto& bin = out[static_cast<std::size_t>(shifted(me, shift))];
      me.send(shifted(me, shift), refuse ? numbered_refusal<T>()
                                         : numbered_block(std::span<T const>(bin), bin.size() + 1));
      auto const block = me.receive<numbered_slot<T>>(from);
      if (is_refusal(block))
        last.refused = true;
      else
        last.by_intermediate[static_cast<std::size_t>(from)] = bin_in<T>(block);
      if (!me.is_shown()) [[likely]]
        continue;
      if (!refuse) bin.clear();
      show(out, last.by_intermediate);
    }
  });
  return last;
}

/// `randomized_routing`; `show(out, in)` as in `exchange_bins`.
template <payload_element T, class Destination, class Show>
[[nodiscard]] randomly_routed<T> routed_at_random(
    processor& me, std::span<T const> elements, Destination const& destination_of,
    random_draws const& how, Show const& show,
    std::source_location where = std::source_location::current()) {
  library_frame const frame(me, where);
  randomly_routed<T> routed;
  for (; routed.attempts <= how.attempts; ++routed.attempts) {
    auto const redrawn_before = routed.redrawn;
    auto drawn = distributed_until_they_fit(me, elements, how, routed.attempts, routed.redrawn);
    me.work(elements.size() * (1 + routed.redrawn - redrawn_before));
    me.phase("transpose 1");
    auto const through =
        how.real_sizes ? exchange_real_sizes(me, std::move(drawn), false, show).by_intermediate
                       : exchange_bins(me, std::move(drawn), block_rule::text, how.slot, show);
    auto sorted = bins_by_destination(me, through, destination_of);
    routed.elements_through = elements_of(sorted);
    me.work(routed.elements_through);
    me.phase("transpose 2");
    bool const overflows = largest_of(sorted) > how.slot;
    auto const last = how.real_sizes ? exchange_real_sizes(me, std::move(sorted), overflows, show)
                                     : send_or_refuse(me, std::move(sorted), how.slot, show);
    if (last.refused) continue;
    routed.elements = joined(last.by_intermediate);
    return routed;
  }
  throw_slots_overflow(how.attempts, "Step 3", how.slot);
}

}  // namespace detail

/// Routes an h-relation by way of random processors: each element goes to a random one, which sends
/// it on. Slots travel whole, and say of each place whether there is an element; with `real_sizes`
/// only the elements do, behind a word with their number. Where a processor's random slots overflow
/// it draws again before it sends anything; where those that it sends on overflow it refuses, in
/// its slots, to all, and all begin again. Called by all processors of a crossbar; phases
/// "transpose 1" and "transpose 2" of each attempt.
///
/// `elements`: any number. `destination_of(element)`: the rank that it goes to, a member or a
/// function. `how`: room, seed and attempts. The same seed draws the same on every engine.
/// Shows: "elements" with source and destination, wherever they are.
/// Result: the elements for this processor, by the processor through which they came, within it by
/// source, within it in the source's order; and what it took.
/// Errors: invalid_argument for a destination that is not a rank, for more elements than p slots
/// have room for, and where slots overflow in 1,000 draws (Step 1) or all attempts (Step 3); those
/// of the machine.
///
/// **Cost** on a crossbar, one-port, with packets of m words, for each attempt: 2(p - 1) rounds,
/// 2 start-ups, 2(p - 1) m ceil(slot/m) words, or at most 2(p - 1) m ceil((slot + 1)/m) with real
/// sizes; strict. Local work (`processor::work`): an operation of each element that is put in a slot, at its
/// source each time that this draws, and where it comes through: 2n together for one attempt. With c > max(1 + 1/sqrt 2, alpha + sqrt(alpha/2)), where no processor gets more
/// than alpha n/p elements, and p^2 < n/(6 ln n), one attempt does with high probability.
///
/// **Source** JaJa and Ryu 1994, section 3.3, Theorem 3.4, which leaves overflow open.
///
/// **Example**
/// ```
/// struct person { int home; int age; };
/// lockstep::machine machine{lockstep::crossbar{4}};
/// auto run = machine.run([&](lockstep::processor& me) {
///   std::vector<person> people;
///   for (int i = 0; i < 64; ++i) people.push_back({i % 4, i});
///   auto const slot = lockstep::randomized_slot(256, 4, 3);
///   return lockstep::randomized_routing(me, std::span<person const>(people), &person::home,
/// {slot})
///       .elements.size();
/// });
/// run.results()[0];    // 64
/// run.counts().words;  // 288
/// ```
template <payload_element T, class Destination>
[[nodiscard]] randomly_routed<T> randomized_routing(
    processor& me, std::span<T const> elements, Destination const& destination_of,
    random_draws const& how, std::source_location where = std::source_location::current()) {
  library_call const call(me, where);
  for (std::size_t i = 0; i < elements.size(); ++i)
    static_cast<void>(detail::checked_destination(me, elements, i, destination_of));
  if (!me.is_shown()) [[likely]]
    return detail::routed_at_random(me, elements, destination_of, how, detail::show_nothing{});
  auto const traced = detail::traced_elements(me, elements);
  auto const destination = detail::destination_of_traced(destination_of);
  auto const routed =
      detail::routed_at_random(me, std::span(traced), destination, how,
                               detail::showing_elements<detail::traced<T>>(me, destination));
  return {detail::untraced(routed.elements), routed.attempts, routed.redrawn,
          routed.elements_through};
}

}  // namespace lockstep
