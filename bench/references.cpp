// What to compare the engines with: the least that a switch, a walk through page tables, a barrier, a copy
// take.

#include <algorithm>
#include <barrier>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <new>
#include <numeric>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include <sys/mman.h>

#include <boost/context/fiber.hpp>

#include "measure.hpp"
#include "themes.hpp"

namespace bench {

namespace {

namespace context = boost::context;

// --- a bare switch there and back ---

/// Stacks of fibers that do nothing, as close together as they may lie, and not a power of two
/// apart, so that they spread over the caches: nobody can switch between more memory faster.
class stacks {
 public:
  explicit stacks(int count)
      : m_memory(
            std::make_unique_for_overwrite<std::byte[]>(static_cast<std::size_t>(count) * bytes)) {}

  /// The allocator that Boost.Context asks for stacks.
  struct allocator {
    std::byte* bottom;

    [[nodiscard]] context::stack_context allocate() const {
      context::stack_context made;
      made.size = bytes;
      made.sp = bottom + bytes;
      return made;
    }
    void deallocate(context::stack_context& /*stack*/) const noexcept {}
  };

  [[nodiscard]] allocator of(int fiber) const {
    return {m_memory.get() + static_cast<std::size_t>(fiber) * bytes};
  }

 private:
  static constexpr std::size_t bytes = 4416;
  std::unique_ptr<std::byte[]> m_memory;
};

/// Fibers that count how often it was their turn, and give it back.
class bare_fibers {
 public:
  explicit bare_fibers(int count) : m_stacks(count) {
    m_fibers.reserve(static_cast<std::size_t>(count));
    for (int fiber = 0; fiber < count; ++fiber)
      m_fibers.emplace_back(std::allocator_arg, m_stacks.of(fiber),
                            [this](context::fiber&& caller) { return take_turns(caller); });
    give_turns();
  }
  bare_fibers(bare_fibers const&) = delete;
  bare_fibers& operator=(bare_fibers const&) = delete;
  ~bare_fibers() {
    m_ending = true;
    give_turns();
  }

  void give_turns() {
    for (auto& fiber : m_fibers) fiber = std::move(fiber).resume();
  }
  [[nodiscard]] std::uint64_t turns() const { return m_turns; }

 private:
  context::fiber take_turns(context::fiber& caller) {
    while (!m_ending) {
      ++m_turns;
      caller = std::move(caller).resume();
    }
    return std::move(caller);
  }

  stacks m_stacks;
  std::vector<context::fiber> m_fibers;
  std::uint64_t m_turns = 0;
  bool m_ending = false;
};

void add_bare_switch(scope const& of, int processors) {
  int const rounds = of.rounds(8e6, 20, processors, 1);
  add(name_of("bare switch", "fcontext", processors, 0), of.repetitions(processors, 1),
      [=](benchmark::State& state) {
        bare_fibers fibers(processors);
        least all;
        for ([[maybe_unused]] auto _ : state)
          all.add(seconds_of([&] {
            for (int round = 0; round < rounds; ++round) fibers.give_turns();
          }));
        auto const turns = 1 + static_cast<std::uint64_t>(state.iterations() * rounds);
        if (fibers.turns() != turns * static_cast<std::uint64_t>(processors))
          return state.SkipWithError("turns were lost");
        state.counters[ns_per_processor_step] = all.seconds() * 1e9 / rounds / processors;
      });
}

// --- a walk through page tables ---

/// The ends of stacks, whose lines are written to one stack after another, in the order of the ranks.
class stack_ends {
 public:
  enum class lie : std::uint8_t { apart, densely };

  /// Apart, each has its own page, and lies as far from the next as stacks of 64 KiB and their guards;
  /// densely, they lie one after another in large pages.
  /// Errors: std::bad_alloc.
  stack_ends(std::size_t stacks, lie how)
      : m_stacks(stacks),
        m_stride(how == lie::apart ? apart_bytes : lines * line_bytes),
        m_bytes(stacks * m_stride),
        m_memory(::mmap(nullptr, m_bytes, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0)) {
    if (m_memory == MAP_FAILED) throw std::bad_alloc();
    static_cast<void>(
        ::madvise(m_memory, m_bytes, how == lie::apart ? MADV_NOHUGEPAGE : MADV_HUGEPAGE));
    write();
  }
  stack_ends(stack_ends const&) = delete;
  stack_ends& operator=(stack_ends const&) = delete;
  ~stack_ends() { ::munmap(m_memory, m_bytes); }

  void write() {
    for (std::size_t stack = 0; stack < m_stacks; ++stack)
      for (std::size_t line = 0; line < lines; ++line) at(stack, line) = at(stack, line) + 1;
  }
  /// Whether each line was written to that often.
  [[nodiscard]] bool was_written(std::uint64_t times) const {
    for (std::size_t stack = 0; stack < m_stacks; ++stack)
      for (std::size_t line = 0; line < lines; ++line)
        if (at(stack, line) != times) return false;
    return true;
  }

 private:
  static constexpr std::size_t lines = 8;
  static constexpr std::size_t line_bytes = 64;
  static constexpr std::size_t apart_bytes = std::size_t{68} * 1024;
  static constexpr std::size_t colours = 32;  // a stack begins at another line than the next

  [[nodiscard]] std::uint64_t volatile& at(std::size_t stack, std::size_t line) const {
    auto const colour = m_stride == apart_bytes ? stack / 16 % colours * line_bytes : 0;
    return *reinterpret_cast<std::uint64_t volatile*>(
        static_cast<std::byte*>(m_memory) + stack * m_stride + colour + line * line_bytes);
  }

  std::size_t m_stacks;
  std::size_t m_stride;
  std::size_t m_bytes;
  void* m_memory;
};

void add_stack_ends(scope const& of, int processors, stack_ends::lie how) {
  int const rounds = of.rounds(8e6, 4, processors, 1);
  add(name_of("stack ends", how == stack_ends::lie::apart ? "apart" : "densely", processors, 0),
      of.repetitions(processors, 1), [=](benchmark::State& state) {
        stack_ends ends(static_cast<std::size_t>(processors), how);
        least all;
        for ([[maybe_unused]] auto _ : state)
          all.add(seconds_of([&] {
            for (int round = 0; round < rounds; ++round) ends.write();
          }));
        if (!ends.was_written(1 + static_cast<std::uint64_t>(state.iterations() * rounds)))
          return state.SkipWithError("lines were not written");
        state.counters[ns_per_processor_step] = all.seconds() * 1e9 / rounds / processors;
      });
}

// --- a thread a processor, and std::barrier ---

/// The ring shift as one writes it without any library: each writes into its neighbour's slot,
/// waits for all, and reads its own. Slots take turns, so that one barrier a step is enough.
class barrier_ring {
 public:
  barrier_ring(int processors, int words)
      : m_processors(static_cast<std::size_t>(processors)),
        m_words(static_cast<std::size_t>(words)),
        m_stride(std::max<std::size_t>(m_words, 8)),  // no two slots in one cache line
        m_everybody(processors) {
    for (auto& slots : m_slots) slots.resize(m_processors * m_stride);
  }

  outcome run(int rounds) {
    std::vector<char> right(m_processors);
    round_clock clock;
    {
      std::vector<std::jthread> threads;
      for (std::size_t rank = 0; rank < m_processors; ++rank)
        threads.emplace_back([&, rank] { right[rank] = shift(rank, rounds, clock) ? 1 : 0; });
    }
    auto const steps = static_cast<std::uint64_t>(rounds);
    bool const all = std::find(right.begin(), right.end(), 0) == right.end();
    return {steps, steps * m_processors, all ? "" : "a thread has a wrong result", clock.seconds()};
  }

 private:
  bool shift(std::size_t rank, int rounds, round_clock& clock) {
    std::vector<word> held(m_words, rank);
    auto const next = (rank + 1) % m_processors;
    auto const bytes = m_words * sizeof(word);
    for (int round = 0; round < rounds; ++round) {
      auto& slots = m_slots[static_cast<std::size_t>(round) % 2];
      std::memcpy(&slots[next * m_stride], held.data(), bytes);
      m_everybody.arrive_and_wait();
      std::memcpy(held.data(), &slots[rank * m_stride], bytes);
      if (round == 0) clock.begin();
    }
    m_everybody.arrive_and_wait();
    clock.end();
    auto const distance = static_cast<std::size_t>(rounds) % m_processors;
    auto const origin = (rank + m_processors - distance) % m_processors;
    return held == std::vector<word>(m_words, origin);
  }

  std::size_t m_processors;
  std::size_t m_words;
  std::size_t m_stride;
  std::barrier<> m_everybody;
  std::vector<word> m_slots[2];
};

void add_barrier(scope const& of, int processors, int words) {
  int const rounds = of.rounds(4e4, 16, processors, 1);
  add(name_of("ring", "std::barrier", processors, words), of.repetitions(processors, words),
      [=](benchmark::State& state) {
        report_rounds(state, {processors, words, {}}, rounds,
                      [&](int count) { return barrier_ring(processors, words).run(count); });
      });
}

// --- memcpy ---

/// Two places for the words of all processors. Half a page apart modulo a page, since some
/// processors copy slowly between places that are close to each other modulo a page.
class two_places {
 public:
  two_places(std::size_t blocks, std::size_t words)
      : m_blocks(blocks), m_words(words), m_memory(2 * blocks * words + page + page / 2) {
    m_from = m_memory.data();
    m_to = m_from + (blocks * words / page + 1) * page + page / 2;
    for (std::size_t at = 0; at < blocks * words; ++at) m_from[at] = at / words;
  }

  /// Copies block b to the other place of block next[b], one call of memcpy a block, that many
  /// times. Each thread copies its share of the blocks, and waits for the others after each time.
  void copy(std::vector<std::size_t> const& next, int times, std::size_t threads) {
    std::barrier everybody(static_cast<std::ptrdiff_t>(threads));
    auto const copy_share = [&](std::size_t thread) {
      auto* from = m_from;
      auto* to = m_to;
      for (int time = 0; time < times; ++time) {
        for (auto block = m_blocks * thread / threads; block < m_blocks * (thread + 1) / threads;
             ++block)
          std::memcpy(to + next[block] * m_words, from + block * m_words, m_words * sizeof(word));
        std::swap(from, to);
        benchmark::ClobberMemory();
        if (threads > 1) everybody.arrive_and_wait();
      }
    };
    {
      std::vector<std::jthread> others;
      for (std::size_t thread = 1; thread < threads; ++thread)
        others.emplace_back(copy_share, thread);
      copy_share(0);
    }
    if (times % 2 != 0) std::swap(m_from, m_to);
  }

  /// Whether each block holds what began in block origins[b].
  [[nodiscard]] bool holds(std::vector<std::size_t> const& origins) const {
    for (std::size_t at = 0; at < m_blocks * m_words; ++at)
      if (m_from[at] != origins[at / m_words]) return false;
    return true;
  }

 private:
  static constexpr std::size_t page = 4096 / sizeof(word);
  std::size_t m_blocks;
  std::size_t m_words;
  std::vector<word> m_memory;
  word* m_from;
  word* m_to;
};

/// Where the blocks go: to the next, or anywhere, each to another.
std::vector<std::size_t> places(std::string const& what, std::size_t blocks) {
  std::vector<std::size_t> next(blocks);
  std::iota(next.begin(), next.end(), std::size_t{0});
  if (what == "ring")
    std::rotate(next.begin(), next.begin() + 1, next.end());
  else
    std::shuffle(next.begin(), next.end(), std::mt19937_64(20'011));
  return next;
}

std::vector<std::size_t> origins_after(std::int64_t copies, std::vector<std::size_t> const& next) {
  std::vector<std::size_t> origins(next.size());
  std::iota(origins.begin(), origins.end(), std::size_t{0});
  std::vector<std::size_t> moved(next.size());
  for (std::int64_t copy = 0; copy < copies; ++copy) {
    for (std::size_t block = 0; block < next.size(); ++block) moved[next[block]] = origins[block];
    std::swap(origins, moved);
  }
  return origins;
}

void add_memcpy(scope const& of, std::string const& what, int processors, int words,
                std::size_t threads) {
  int const rounds = of.rounds(words > 1 ? 1e6 : 2e7, 4, processors, 1);
  add(name_of(what, threads == 1 ? "memcpy" : "memcpy by two", processors, words),
      of.repetitions(processors, words), [=](benchmark::State& state) {
        auto const next = places(what, static_cast<std::size_t>(processors));
        two_places blocks(next.size(), static_cast<std::size_t>(words));
        least all;
        for ([[maybe_unused]] auto _ : state)
          all.add(seconds_of([&] { blocks.copy(next, rounds, threads); }));
        if (!blocks.holds(origins_after(state.iterations() * rounds, next)))
          return state.SkipWithError("wrong words");
        auto const seconds = all.seconds() / rounds;
        state.counters[ns_per_processor_step] = seconds * 1e9 / processors;
        state.counters[words_per_second] = 1.0 * processors * words / seconds;
      });
}

/// The prefix on a hypercube by memcpy and the additions of its program: all copy, then all add.
class copied_prefix {
 public:
  copied_prefix(std::size_t blocks, std::size_t words)
      : m_blocks(blocks),
        m_words(words),
        m_totals(blocks * words),
        m_received(blocks * words),
        m_prefixes(blocks * words) {}

  void round() {
    for (std::size_t at = 0; at < m_totals.size(); ++at) m_prefixes[at] += m_totals[at] = at;
    for (std::size_t bit = 1; bit < m_blocks; bit *= 2) {
      for (std::size_t block = 0; block < m_blocks; ++block)
        std::memcpy(&m_received[block * m_words], &m_totals[(block ^ bit) * m_words],
                    m_words * sizeof(word));
      for (std::size_t block = 0; block < m_blocks; ++block) {
        if ((block & bit) != 0) add(m_prefixes, block);
        add(m_totals, block);
      }
    }
  }

  [[nodiscard]] bool right_after(std::size_t rounds) const {
    for (std::size_t at = 0; at < m_prefixes.size(); ++at) {
      auto const block = at / m_words;
      auto const sum = m_words * (block * (block + 1) / 2) + (block + 1) * (at % m_words);
      if (m_prefixes[at] != rounds * sum) return false;
    }
    return true;
  }

 private:
  void add(std::vector<word>& to, std::size_t block) {
    for (std::size_t at = block * m_words; at < (block + 1) * m_words; ++at)
      to[at] += m_received[at];
  }

  std::size_t m_blocks;
  std::size_t m_words;
  std::vector<word> m_totals;
  std::vector<word> m_received;
  std::vector<word> m_prefixes;
};

void add_copied_prefix(scope const& of, int processors, int words) {
  int const dimensions = std::countr_zero(static_cast<unsigned>(processors));
  int const rounds = of.rounds(words > 1 ? 1e6 : 2e7, 2, processors, dimensions);
  add(name_of("prefix", "memcpy", processors, words), of.repetitions(processors, words),
      [=](benchmark::State& state) {
        copied_prefix cube(static_cast<std::size_t>(processors), static_cast<std::size_t>(words));
        least all;
        for ([[maybe_unused]] auto _ : state)
          all.add(seconds_of([&] {
            for (int round = 0; round < rounds; ++round) cube.round();
          }));
        if (!cube.right_after(static_cast<std::size_t>(state.iterations() * rounds)))
          return state.SkipWithError("wrong sums");
        auto const seconds = all.seconds() / rounds / dimensions;
        state.counters[ns_per_processor_step] = seconds * 1e9 / processors;
        state.counters[words_per_second] = 1.0 * processors * words / seconds;
      });
}

}  // namespace

void add_references(scope const& of) {
  for (int const processors : of.processors_for(1)) {
    add_bare_switch(of, processors);
    add_stack_ends(of, processors, stack_ends::lie::apart);
    add_stack_ends(of, processors, stack_ends::lie::densely);
  }
  for (int const words : {1, 1024}) {
    for (auto const* const what : {"ring", "permutation"})
      for (int const processors : of.processors_for(words))
        for (std::size_t const threads : {1, 2}) add_memcpy(of, what, processors, words, threads);
    for (int const processors : of.processors_for(words)) add_copied_prefix(of, processors, words);
    for (int const processors : {64, 1024})
      if (!of.quick || processors == 64) add_barrier(of, processors, words);
  }
}

}  // namespace bench
