// The programs, written once for all rivals. A `Processor` is what a rival has for one: rank(), size(),
// barrier(), and exchange(to, out, in, from), which sends words to one processor and receives as many from
// another. Where an exchange already waits for all, exchange_is_barrier is true.
#pragma once

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <numeric>
#include <span>
#include <utility>
#include <vector>

#include "measurement.hpp"

namespace peers {

/// Does a round that is not timed, then the others. Result: the seconds that they took, on processor 0.
template <class Processor, class Round>
double seconds_of_rounds(Processor& me, int rounds, Round const& round) {
  using clock = std::chrono::steady_clock;
  clock::time_point begin;
  round(0);
  me.barrier();
  if (me.rank() == 0) begin = clock::now();
  for (int number = 1; number <= rounds; ++number) round(number);
  me.barrier();
  if (me.rank() != 0) return 0;
  return std::chrono::duration<double>(clock::now() - begin).count();
}

/// Makes `words` words: first, first + stride, first + 2 stride, ...
[[nodiscard]] inline std::vector<word> sequence(word first, word stride, int words) {
  std::vector<word> made(static_cast<std::size_t>(words));
  for (auto& each : made) each = std::exchange(first, first + stride);
  return made;
}

/// Gives the rank that lies `distance` before another one on the ring.
[[nodiscard]] inline int rank_before(int rank, int distance, int processors) {
  return (rank - distance % processors + processors) % processors;
}

// --- ring: each processor sends on what it holds, with a barrier after each step ---

[[nodiscard]] inline std::vector<word> held_at_first(int rank, int words) {
  return sequence(static_cast<word>(rank) * 1024, 1, words);
}

template <class Processor>
outcome run_ring(Processor& me, request const& asked) {
  int const next = (me.rank() + 1) % me.size();
  int const previous = rank_before(me.rank(), 1, me.size());
  auto held = held_at_first(me.rank(), asked.words);
  auto arriving = held;
  auto const seconds = seconds_of_rounds(me, asked.rounds, [&](int) {
    me.exchange(next, held, arriving, previous);
    if constexpr (!Processor::exchange_is_barrier) me.barrier();
    std::swap(held, arriving);
  });
  int const origin = rank_before(me.rank(), asked.rounds + 1, me.size());
  return {held == held_at_first(origin, asked.words), seconds};
}

// --- prefix: the sums of all ranks below, on a hypercube ---

inline void add(std::vector<word>& to, std::vector<word> const& what) {
  for (std::size_t at = 0; at < to.size(); ++at) to[at] += what[at];
}

/// In round k processor r gives r + k + i as word i, and the prefixes of all rounds are added up, so
/// that one comparison checks all of them.
[[nodiscard]] inline std::vector<word> sum_of_prefixes(int rank, int rounds, int words) {
  auto const r = static_cast<word>(rank);
  auto const k = static_cast<word>(rounds);
  return sequence(k * (r * (r + 1) / 2) + (r + 1) * (k * (k - 1) / 2), (r + 1) * k, words);
}

template <class Processor>
outcome run_prefix(Processor& me, request const& asked) {
  auto prefixes = sequence(0, 0, asked.words);
  auto received = prefixes;
  auto total = prefixes;
  auto const seconds = seconds_of_rounds(me, asked.rounds, [&](int round) {
    std::iota(total.begin(), total.end(), static_cast<word>(me.rank() + round));
    add(prefixes, total);
    for (int bit = 1; bit < me.size(); bit *= 2) {
      int const partner = me.rank() ^ bit;
      me.exchange(partner, total, received, partner);
      if (partner < me.rank()) add(prefixes, received);
      add(total, received);
    }
  });
  return {prefixes == sum_of_prefixes(me.rank(), asked.rounds + 1, asked.words), seconds};
}

// --- barrier: nothing else; the ring tells at the end that all have made as many ---

template <class Processor>
outcome run_barriers(Processor& me, request const& asked) {
  word made = 0;
  auto const seconds = seconds_of_rounds(me, asked.rounds, [&](int) {
    me.barrier();
    ++made;
  });
  word received = 0;
  me.exchange((me.rank() + 1) % me.size(), std::span<word const>(&made, 1),
              std::span<word>(&received, 1), rank_before(me.rank(), 1, me.size()));
  return {received == static_cast<word>(asked.rounds) + 1, seconds};
}

// --- complete exchange: a block of one word from all to all ---

/// Suh and Shin 2001, section 3.1, on a square torus whose side is a multiple of 4, with lists of blocks
/// that tell their source and destination.
template <class Processor>
class torus_exchange {
 public:
  explicit torus_exchange(Processor& me)
      : m_me(me),
        m_side(static_cast<int>(std::lround(std::sqrt(me.size())))),
        m_row(me.rank() / m_side),
        m_column(me.rank() % m_side),
        m_held(static_cast<std::size_t>(me.size())),
        m_arriving(m_held.size()) {}

  void run() {
    std::size_t destination = 0;
    for (int row = 0; row < m_side; ++row)
      for (int column = 0; column < m_side; ++column)
        m_held[destination++] = block_of(m_me.rank(), row, column);
    for (int phase = 1; phase <= 2; ++phase)
      for (int step = 1; step <= m_side / 4 - 1; ++step) transmit_in_ring(phase);
    for (int step = 1; step <= 2; ++step) transmit_to_partner(goes_along_row(step), 2);
    for (bool const along_row : {true, false}) transmit_to_partner(along_row, 1);
  }

  /// Tells whether there is one block of each source, for this processor.
  [[nodiscard]] bool is_right() {
    std::ranges::sort(m_held);
    for (int source = 0; source < m_me.size(); ++source)
      if (m_held[static_cast<std::size_t>(source)] != block_of(source, m_row, m_column))
        return false;
    return true;
  }

 private:
  [[nodiscard]] static word block_of(int source, int row, int column) {
    return static_cast<word>(source) << 32U | static_cast<word>(row) << 16U |
           static_cast<word>(column);
  }

  /// 3.1.2, conditions (1) to (8): whether the ring of that phase lies in this processor's row.
  [[nodiscard]] bool goes_along_row(int phase) const {
    return ((m_row + m_column) % 2 == 0) == (phase == 1);
  }

  void transmit_in_ring(int phase) {
    int const offset = (m_row + m_column) % 4 < 2 ? 4 : -4;
    bool const along_row = goes_along_row(phase);
    transmit(along_row, 4, rank_at(along_row, offset), rank_at(along_row, -offset));
  }

  void transmit_to_partner(bool along_row, int distance) {
    int const here = along_row ? m_column : m_row;
    int const partner = rank_at(along_row, here / distance % 2 == 0 ? distance : -distance);
    transmit(along_row, distance, partner, partner);
  }

  /// Sends on all blocks whose destination lies outside this processor's submesh of that side. As
  /// many come as leave.
  void transmit(bool along_row, int side, int to, int from) {
    auto const coordinate = static_cast<word>(0x1'0000 - side) << (along_row ? 0U : 16U);
    auto const own = block_of(0, m_row, m_column);
    auto const first = std::partition(m_held.begin(), m_held.end(), [&](word block) {
      return ((block ^ own) & coordinate) == 0;
    });
    std::span<word> const leaving(first, m_held.end());
    auto const arriving = std::span(m_arriving).first(leaving.size());
    m_me.exchange(to, leaving, arriving, from);
    std::ranges::copy(arriving, leaving.begin());
  }

  [[nodiscard]] int rank_at(bool along_row, int offset) const {
    int const row = along_row ? m_row : (m_row + offset + m_side) % m_side;
    int const column = along_row ? (m_column + offset + m_side) % m_side : m_column;
    return row * m_side + column;
  }

  Processor& m_me;
  int m_side;
  int m_row;
  int m_column;
  std::vector<word> m_held;
  std::vector<word> m_arriving;
};

template <class Processor>
outcome run_exchange(Processor& me, request const& asked) {
  torus_exchange<Processor> exchange(me);
  auto const seconds = seconds_of_rounds(me, asked.rounds, [&](int) { exchange.run(); });
  return {exchange.is_right(), seconds};
}

/// The same by what the rival has for it.
template <class Processor>
outcome run_all_to_all(Processor& me, request const& asked) {
  std::vector<word> blocks(static_cast<std::size_t>(me.size()));
  auto arrived = blocks;
  auto const block_of = [](std::size_t source, std::size_t destination) {
    return static_cast<word>(source) << 32U | static_cast<word>(destination);
  };
  auto const rank = static_cast<std::size_t>(me.rank());
  auto const seconds = seconds_of_rounds(me, asked.rounds, [&](int) {
    for (std::size_t to = 0; to < blocks.size(); ++to) blocks[to] = block_of(rank, to);
    me.all_to_all(blocks, arrived);
  });
  bool is_right = true;
  for (std::size_t from = 0; from < arrived.size(); ++from)
    is_right = is_right && arrived[from] == block_of(from, rank);
  return {is_right, seconds};
}

// --- radix sort: passes of 10 bits over keys of 32 bits ---

inline constexpr unsigned digit_bits = 10;
inline constexpr std::size_t radix = std::size_t{1} << digit_bits;

/// Makes keys that look random, the same for a rank in each run.
[[nodiscard]] inline std::vector<std::uint32_t> keys_of(int rank, int count) {
  std::vector<std::uint32_t> keys(static_cast<std::size_t>(count));
  auto state = static_cast<word>(rank) + 1;
  for (auto& key : keys) {
    state += 0x9E37'79B9'7F4A'7C15U;
    auto mixed = (state ^ (state >> 30U)) * 0xBF58'476D'1CE4'E5B9U;
    mixed = (mixed ^ (mixed >> 27U)) * 0x94D0'49BB'1331'11EBU;
    key = static_cast<std::uint32_t>(mixed >> 32U);
  }
  return keys;
}

/// Checks order here and against the processor before, and reports how the sum of the keys changed.
template <class Processor>
outcome sorted_outcome(Processor& me, std::vector<std::uint32_t> const& given,
                       std::vector<std::uint32_t> const& sorted, double seconds) {
  bool is_right = sorted.size() == given.size() && std::ranges::is_sorted(sorted);
  word const last = sorted.empty() ? 0 : sorted.back();
  word before = 0;
  me.exchange((me.rank() + 1) % me.size(), std::span<word const>(&last, 1),
              std::span<word>(&before, 1), rank_before(me.rank(), 1, me.size()));
  if (me.rank() > 0 && !sorted.empty()) is_right = is_right && before <= sorted.front();
  auto const sum_of = [](std::vector<std::uint32_t> const& keys) {
    return std::accumulate(keys.begin(), keys.end(), word{0});
  };
  return {is_right, seconds, sum_of(sorted) - sum_of(given)};
}

template <class Processor>
outcome run_radix_sort(Processor& me, request const& asked) {
  auto const given = keys_of(me.rank(), asked.words);
  auto sorted = given;
  auto const seconds =
      seconds_of_rounds(me, asked.rounds, [&](int) { sorted = me.radix_sorted(given); });
  return sorted_outcome(me, given, sorted, seconds);
}

// --- deadlock: a program that can never end, to see what the rival says ---

/// With messages each processor receives before it sends; with barriers alone one
/// processor leaves it out.
template <class Processor>
outcome run_deadlock(Processor& me, request const& /*asked*/) {
  word received = 0;
  if constexpr (requires { me.receive(0, std::span<word>(&received, 1)); })
    me.receive(rank_before(me.rank(), 1, me.size()), std::span<word>(&received, 1));
  else if (me.rank() != 0)
    me.barrier();
  return {};
}

/// The program of a processor.
template <class Processor>
using program = outcome (*)(Processor& me, request const& asked);

/// Finds the program of a workload, by itself: in one function with others it would take more of each
/// processor's stack. Result: null, and a line that says so, for one that the rival has not.
template <class Processor>
[[nodiscard]] program<Processor> program_for(request const& asked) {
  if (asked.workload == "ring") return run_ring<Processor>;
  if (asked.workload == "prefix") return run_prefix<Processor>;
  if (asked.workload == "barrier") return run_barriers<Processor>;
  if (asked.workload == "exchange") return run_exchange<Processor>;
  if (asked.workload == "deadlock") return run_deadlock<Processor>;
  if constexpr (requires(Processor me, std::vector<word> blocks) { me.all_to_all(blocks, blocks); })
    if (asked.workload == "all-to-all") return run_all_to_all<Processor>;
  if constexpr (requires(Processor me, std::vector<std::uint32_t> keys) { me.radix_sorted(keys); })
    if (asked.workload == "radix") return run_radix_sort<Processor>;
  std::fprintf(stderr, "there is nothing for %s here\n", asked.workload.c_str());
  return nullptr;
}

}  // namespace peers
