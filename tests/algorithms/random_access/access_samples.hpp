#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <lockstep/algorithms/random_access/access_patterns.hpp>
#include <lockstep/algorithms/random_access/bucket_layout.hpp>
#include <lockstep/errors.hpp>
#include <lockstep/machine.hpp>
#include <lockstep/topologies/crossbar.hpp>

#include "catch.hpp"
#include "experiments/refusal_of.hpp"

using lockstep::access_pattern;
using lockstep::bucket_layout;
using lockstep::no_pointer;
using lockstep::processor;

using pointers = std::vector<std::size_t>;

/// The patterns of any number of elements.
inline constexpr std::array patterns{access_pattern::random,  access_pattern::monotonic,
                                     access_pattern::one_hot, access_pattern::few_hot,
                                     access_pattern::local,   access_pattern::permutation,
                                     access_pattern::singles};

/// A text, by its hash: concatenation does not commute. Or a sum of letters, whose power tells how many.
struct text_hash {
  std::uint64_t hash = 0;
  std::uint64_t power = 1;

  friend bool operator==(text_hash const&, text_hash const&) = default;
};

inline text_hash letter(std::size_t number) {
  return {static_cast<std::uint64_t>(number) + 1, 1'000'003};
}

inline text_hash concatenated(text_hash const& first, text_hash const& second) {
  return {first.hash * second.power + second.hash, first.power * second.power};
}

inline text_hash added(text_hash const& first, text_hash const& second) {
  return {first.hash + second.hash, first.power + second.power};
}

struct concatenation {
  [[nodiscard]] text_hash operator()(text_hash const& first, text_hash const& second) const {
    return concatenated(first, second);
  }
};

/// The letters from `first` on.
inline std::vector<text_hash> letters(std::size_t first, std::size_t count) {
  std::vector<text_hash> made;
  for (std::size_t i = 0; i < count; ++i) made.push_back(letter(first + i));
  return made;
}

/// The letters of a processor's elements.
inline std::vector<text_hash> letters_of(bucket_layout const& layout, int rank) {
  return letters(layout.first_of(rank), layout.size_of(rank));
}

/// A processor's block of what lies on all of them.
template <class T>
std::span<T const> block_of(std::vector<T> const& all, bucket_layout const& layout, int rank) {
  return std::span(all).subspan(layout.first_of(rank), layout.size_of(rank));
}

/// The blocks of all processors, one after the other.
template <class T>
std::vector<T> joined_blocks(std::vector<std::vector<T>> const& blocks) {
  std::vector<T> all;
  for (auto const& block : blocks) all.insert(all.end(), block.begin(), block.end());
  return all;
}

inline lockstep::machine strict_crossbar_of(int p,
                                            lockstep::engine engine = lockstep::engine::fibers) {
  return lockstep::machine(lockstep::crossbar{p}, {.strict = true, .engine = engine, .workers = 1});
}

/// Runs `program(engine)` on both engines, which have to come to the same counts and results.
/// Result: the run on threads.
template <class Program>
auto alike_on_both_engines(Program const& program) {
  auto const on_fibers = program(lockstep::engine::fibers);
  auto const on_threads = program(lockstep::engine::threads);
  CHECK(on_fibers.counts() == on_threads.counts());
  CHECK((on_fibers.results() == on_threads.results()));
  return on_threads;
}

/// The refusal of arguments by `program(me)` on p processors; "not refused" if it ran through.
template <class Program>
std::string refused_on(int p, Program const& program) {
  return refusal_of<lockstep::invalid_argument>(strict_crossbar_of(p), program);
}

/// Calls `visit(layout)` with layouts on up to 17 processors, of none, few and several elements each.
template <class Visit>
void for_each_layout(Visit const& visit) {
  for (int p = 1; p <= 17; ++p)
    for (int const n : {0, 1, p - 1, p, 2 * p + 1, 5 * p - 2}) {
      INFO("p = " << p << ", n = " << n);
      visit(bucket_layout(static_cast<std::size_t>(n), p));
    }
}

/// Pointers with one of them from anywhere to anywhere, n^2 of them.
template <class Visit>
void for_each_single_pointer(std::size_t n, Visit const& visit) {
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t a = 0; a < n; ++a) {
      INFO(i << " to " << a);
      pointers to(n, no_pointer);
      to[i] = a;
      visit(to);
    }
}

/// ceil(log2 p).
inline std::uint64_t logarithm_of(int p) {
  return static_cast<std::uint64_t>(std::bit_width(static_cast<unsigned>(p - 1)));
}

/// The most different processors that a processor sends to, or receives from.
inline std::uint64_t most_partners(std::vector<std::pair<int, int>> pairs, int p) {
  std::ranges::sort(pairs);
  pairs.erase(std::unique(pairs.begin(), pairs.end()), pairs.end());
  std::vector<std::uint64_t> out(static_cast<std::size_t>(p));
  auto in = out;
  for (auto const& [from, to] : pairs) {
    if (from == to) continue;
    ++out[static_cast<std::size_t>(from)];
    ++in[static_cast<std::size_t>(to)];
  }
  return std::max(std::ranges::max(out), std::ranges::max(in));
}

/// The phases of that name; all their figures added up, and in `steps` how many there are.
inline lockstep::phase_record phases_named(lockstep::run_record const& run,
                                           std::string const& name) {
  lockstep::phase_record sum;
  for (auto const& phase : run.phases()) {
    if (phase.name != name) continue;
    sum.startups += phase.startups;
    sum.words += phase.words;
    sum.port_words += phase.port_words;
    ++sum.steps;
  }
  return sum;
}

/// The words of the busiest port, of all phases from that one on.
inline std::uint64_t port_words_from(lockstep::run_record const& run, std::size_t first_phase) {
  std::uint64_t sum = 0;
  for (auto i = first_phase; i < run.phases().size(); ++i) sum += run.phases()[i].port_words;
  return sum;
}

/// The phases of a run: name, start-ups and words of each.
using parts = std::vector<std::pair<std::string, std::pair<std::uint64_t, std::uint64_t>>>;
inline parts parts_of(lockstep::run_record const& run) {
  parts all;
  for (auto const& phase : run.phases()) all.push_back({phase.name, {phase.startups, phase.words}});
  return all;
}
