#include "workloads.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <utility>

#include <fmt/format.h>

namespace bench {

namespace {

using block = std::vector<word>;

/// `words` words: first, first + stride, first + 2 stride, ...
template <class Data>
Data sequence(word first, word stride, int words);

template <>
word sequence<word>(word first, word /*stride*/, int /*words*/) {
  return first;
}

template <>
block sequence<block>(word first, word stride, int words) {
  block made(static_cast<std::size_t>(words));
  for (auto& each : made) each = std::exchange(first, first + stride);
  return made;
}

/// Makes the data that the processor of that rank holds at first.
template <class Data>
Data contents_of(int rank, int words) {
  return sequence<Data>(static_cast<word>(rank) * 1024, 1, words);
}

void exchange(lockstep::processor& me, int to, word const& out, word& in, int from) {
  in = me.exchange(to, out, from);
}

void exchange(lockstep::processor& me, int to, block const& out, block& in, int from) {
  me.exchange_into(to, out, in, from);
}

void add(word& to, word what) { to += what; }

void add(block& to, block const& what) {
  for (std::size_t at = 0; at < to.size(); ++at) to[at] += what[at];
}

/// Runs a program that returns, on each processor, whether its result is right.
template <class Program>
outcome run_checked(lockstep::machine const& machine, Program const& program) {
  try {
    auto const run = machine.run(program);
    outcome did{run.counts().steps, run.counts().messages, {}, 0};
    auto const& right = run.results();
    auto const wrong = std::find(right.begin(), right.end(), false);
    if (wrong != right.end())
      did.error = fmt::format("processor {} has a wrong result", wrong - right.begin());
    return did;
  } catch (lockstep::error const& failure) {
    return {0, 0, failure.what(), 0};
  }
}

/// Does all rounds: round(number).
template <class Round>
void make_rounds(lockstep::processor& me, int rounds, round_clock& clock, Round&& round) {
  round(0);
  me.barrier();
  clock.begin();
  for (int number = 1; number < rounds; ++number) round(number);
  me.barrier();
  clock.end();
}

/// Adds to `did` the faults of its counts, if any.
outcome with_counts(outcome did, std::uint64_t steps, std::uint64_t messages) {
  if (did.error.empty() && (did.steps != steps || did.messages != messages))
    did.error = fmt::format("counted {} steps and {} messages, not {} and {}", did.steps,
                            did.messages, steps, messages);
  return did;
}

/// With one message a processor and step.
outcome with_full_steps(outcome did, int processors, int steps, round_clock const& clock) {
  did.seconds = clock.seconds();
  auto const expected = static_cast<std::uint64_t>(steps);
  return with_counts(std::move(did), expected, expected * static_cast<std::uint64_t>(processors));
}

int previous_on_ring(int rank, int distance, int processors) {
  return (rank - distance % processors + processors) % processors;
}

enum class transfer { copied, moved };

template <class Data, transfer How = transfer::copied>
outcome ring_shift_of(setting const& at, int rounds) {
  round_clock clock;
  lockstep::machine const ring{lockstep::torus{{at.processors}}, at.options};
  auto const program = [&](lockstep::processor& me) {
    int const next = (me.rank() + 1) % me.size();
    int const previous = previous_on_ring(me.rank(), 1, me.size());
    auto held = contents_of<Data>(me.rank(), at.words);
    auto arriving = How == transfer::moved ? Data() : sequence<Data>(0, 0, at.words);
    make_rounds(me, rounds, clock, [&](int) {
      if constexpr (How == transfer::moved) {
        me.send(next, std::move(held));
        held = me.receive<word>(previous);
      } else {
        exchange(me, next, held, arriving, previous);
        std::swap(held, arriving);
      }
    });
    int const origin = previous_on_ring(me.rank(), rounds, me.size());
    return held == contents_of<Data>(origin, at.words);
  };
  return with_full_steps(run_checked(ring, program), at.processors, rounds, clock);
}

// --- prefix sums ---

/// In round k processor r gives r + k + i as word i, and the prefixes of all rounds are added up,
/// so that one comparison checks all of them.
template <class Data>
Data sum_of_prefixes(int rank, int rounds, int words) {
  auto const r = static_cast<word>(rank);
  auto const k = static_cast<word>(rounds);
  return sequence<Data>(k * (r * (r + 1) / 2) + (r + 1) * (k * (k - 1) / 2), (r + 1) * k, words);
}

int dimensions_of(int processors) { return std::countr_zero(static_cast<unsigned>(processors)); }

template <class Data>
outcome hypercube_prefix_of(setting const& at, int rounds) {
  round_clock clock;
  int const dimensions = dimensions_of(at.processors);
  lockstep::machine const cube{lockstep::hypercube{dimensions}, at.options};
  auto const program = [&](lockstep::processor& me) {
    auto prefixes = sequence<Data>(0, 0, at.words);
    auto received = prefixes;
    make_rounds(me, rounds, clock, [&](int round) {
      auto total = sequence<Data>(static_cast<word>(me.rank() + round), 1, at.words);
      add(prefixes, total);
      for (int dimension = 0; dimension < dimensions; ++dimension) {
        int const partner = me.rank() ^ (1 << dimension);
        exchange(me, partner, total, received, partner);
        if (partner < me.rank()) add(prefixes, received);
        add(total, received);
      }
    });
    return prefixes == sum_of_prefixes<Data>(me.rank(), rounds, at.words);
  };
  return with_full_steps(run_checked(cube, program), at.processors, rounds * dimensions, clock);
}

// --- random permutations ---

/// r -> multiplier * r + shift, modulo a power of two. A bijection, for the multiplier is odd; and
/// since the shift is odd, multiplier * r + shift - r is odd, and nobody stays where he is.
struct permutation {
  word multiplier;
  word shift;

  [[nodiscard]] word of(word rank) const { return multiplier * rank + shift; }
  [[nodiscard]] word source_of(word rank) const { return inverse() * (rank - shift); }
  /// Of the multiplier, modulo 2^64: Newton's iteration doubles the bits that are right, 3 at
  /// first.
  [[nodiscard]] word inverse() const {
    word found = multiplier;
    for (int bits = 3; bits < 64; bits *= 2) found *= 2 - multiplier * found;
    return found;
  }
};

/// Used again and again, in turn.
using permutations = std::array<permutation, 64>;

permutations seeded_permutations() {
  word state = 20010112;  // seed
  auto const next_odd = [&state] {
    state = state * 6364136223846793005U + 1442695040888963407U;
    auto const mixed = (state ^ (state >> 29U)) * 0xBF58476D1CE4E5B9U;
    return (mixed ^ (mixed >> 32U)) | 1U;
  };
  permutations made{};
  for (auto& each : made) {
    each.multiplier = next_odd();
    each.shift = next_odd();
  }
  return made;
}

template <class Data, transfer How = transfer::copied>
outcome random_permutation_of(setting const& at, int rounds) {
  round_clock clock;
  lockstep::machine const any_to_any{lockstep::crossbar{at.processors}, at.options};
  auto const in_turn = seeded_permutations();
  auto const mask = static_cast<word>(at.processors - 1);
  auto sources = in_turn;
  for (auto& each : sources) each.multiplier = each.inverse();
  auto const program = [&](lockstep::processor& me) {
    auto const rank = static_cast<word>(me.rank());
    auto held = contents_of<Data>(me.rank(), at.words);
    auto arriving = sequence<Data>(0, 0, at.words);
    make_rounds(me, rounds, clock, [&](int round) {
      auto const turn = static_cast<std::size_t>(round) % in_turn.size();
      auto const& back = sources[turn];
      auto const to = static_cast<int>(in_turn[turn].of(rank) & mask);
      auto const from = static_cast<int>((back.multiplier * (rank - back.shift)) & mask);
      if constexpr (How == transfer::moved) {
        me.send(to, std::move(held));
        held = me.receive<word>(from);
      } else {
        exchange(me, to, held, arriving, from);
        std::swap(held, arriving);
      }
    });
    word origin = rank;
    for (int round = rounds; round-- > 0;)
      origin = in_turn[static_cast<std::size_t>(round) % in_turn.size()].source_of(origin);
    return held == contents_of<Data>(static_cast<int>(origin & mask), at.words);
  };
  return with_full_steps(run_checked(any_to_any, program), at.processors, rounds, clock);
}

/// Some processors of a larger machine, evenly apart.
struct even_ranks {
  int first;
  int apart;
  [[nodiscard]] int rank(int place) const { return first + place * apart; }
};

/// Sums of the left subtree and of the subtree as a whole, on the way up; on the way down the sum
/// of all before the subtree. Returns the prefix of this processor, which has that place in `tree`.
word tree_prefix(lockstep::processor& me, lockstep::binary_tree const& tree, int place,
                 even_ranks const& at, word own) {
  auto const left = tree.left_child(place);
  auto const right = tree.right_child(place);
  word const in_left = left ? me.receive_value<word>(at.rank(*left)) : 0;
  word const in_right = right ? me.receive_value<word>(at.rank(*right)) : 0;
  word before = 0;
  if (auto const parent = tree.parent(place)) {
    me.send(at.rank(*parent), in_left + own + in_right);
    before = me.receive_value<word>(at.rank(*parent));
  }
  if (left) me.send(at.rank(*left), before);
  if (right) me.send(at.rank(*right), before + in_left + own);
  return before + in_left + own;
}

outcome prefix_among(even_ranks const& active, setting const& at, int rounds) {
  lockstep::binary_tree const tree{active_levels_in_tree};
  lockstep::machine const machine{lockstep::binary_tree{dimensions_of(at.processors)}, at.options};
  round_clock clock;
  auto const program = [&](lockstep::processor& me) {
    int const place = (me.rank() - active.first) / active.apart;
    if (me.rank() < active.first || active.rank(place) != me.rank()) return true;
    bool const root = !tree.parent(place);
    word prefixes = 0;
    for (int round = 0; round < rounds; ++round) {
      prefixes += tree_prefix(me, tree, place, active, static_cast<word>(place + round));
      if (root) clock.begin();  // no barrier: the others are to do nothing
    }
    if (root) clock.end();
    return prefixes == sum_of_prefixes<word>(place, rounds, 1);
  };
  auto did = run_checked(machine, program);
  did.seconds = clock.seconds();
  constexpr std::uint64_t messages = 2 * (active_in_tree - 1);
  auto const steps = did.steps;  // it is the messages that are known beforehand
  return with_counts(std::move(did), steps, messages * static_cast<std::uint64_t>(rounds));
}

}  // namespace

outcome ring_shift(setting const& at, int rounds) {
  return at.words == 1 ? ring_shift_of<word>(at, rounds) : ring_shift_of<block>(at, rounds);
}

outcome hypercube_prefix(setting const& at, int rounds) {
  return at.words == 1 ? hypercube_prefix_of<word>(at, rounds)
                       : hypercube_prefix_of<block>(at, rounds);
}

outcome random_permutation(setting const& at, int rounds) {
  return at.words == 1 ? random_permutation_of<word>(at, rounds)
                       : random_permutation_of<block>(at, rounds);
}

outcome random_permutation_of_moved_vectors(setting const& at, int rounds) {
  return random_permutation_of<block, transfer::moved>(at, rounds);
}

outcome ring_shift_of_moved_vectors(setting const& at, int rounds) {
  return ring_shift_of<block, transfer::moved>(at, rounds);
}

outcome prefix_in_subtree(setting const& at, int rounds) {
  // The last one: all others have begun and ended before.
  return prefix_among({at.processors - 1 - active_in_tree, 1}, at, rounds);
}

outcome prefix_at_the_top(setting const& at, int rounds) {
  int const apart = at.processors / (active_in_tree + 1);
  return prefix_among({apart - 1, apart}, at, rounds);
}

outcome nothing(setting const& at, int /*rounds*/) {
  lockstep::machine const machine{lockstep::crossbar{at.processors}, at.options};
  return with_counts(run_checked(machine, [](lockstep::processor&) { return true; }), 0, 0);
}

std::vector<workload> main_workloads(int words) {
  auto const one = [](int) { return 1; };
  std::vector<workload> all{{"ring", one, ring_shift},
                            {"prefix", dimensions_of, hypercube_prefix},
                            {"permutation", one, random_permutation}};
  if (words > 1)
    all.push_back({"permutation, moved vectors", one, random_permutation_of_moved_vectors});
  return all;
}

}  // namespace bench
