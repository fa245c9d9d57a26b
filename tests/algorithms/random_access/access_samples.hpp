#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include <lockstep/algorithms/random_access/bucket_layout.hpp>
#include <lockstep/machine.hpp>
#include <lockstep/topologies/crossbar.hpp>

/// A text, by its hash: concatenation does not commute.
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

struct concatenation {
  [[nodiscard]] text_hash operator()(text_hash const& first, text_hash const& second) const {
    return concatenated(first, second);
  }
};

/// A processor's block of what lies on all of them.
template <class T>
std::span<T const> block_of(std::vector<T> const& all, lockstep::bucket_layout const& layout,
                            int rank) {
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
