#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <iterator>
#include <vector>

#include "harness/bdm_parameters.hpp"
#include "harness/solve.hpp"

namespace lockstep {

/// The problems that collectives solve.
enum class collective_kind : std::uint8_t {
  transpose,
  broadcast,
  reduce,
  all_reduce,
  scatter,
  gather,
  all_gather,
  reduce_scatter,
  scan,
  exclusive_scan
};

/// The problem of a collective: every processor, or the root, has generated words, and every one,
/// or the root, is to have what the kind says.
struct collective_problem {
  using word_list = std::vector<std::uint64_t>;
  static constexpr std::plus<std::uint64_t> add_words{};  // modulo 2^64

  collective_kind kind;
  arguments given;
  std::size_t words;  ///< of a processor's block
  int root = 0;
  std::size_t summands = 1;  ///< blocks of each processor, one after the other, of kind reduce

  [[nodiscard]] word_list part_of(processor const& me) const {
    bool const is_root = me.rank() == root;
    if (kind == collective_kind::broadcast) return is_root ? block(root) : word_list(words);
    if (kind == collective_kind::scatter) return is_root ? all_blocks() : word_list();
    if (kind == collective_kind::reduce_scatter) return block_of(me.rank(), processors() * words);
    if (kind == collective_kind::reduce) return block_of(me.rank(), words * summands);
    return block(me.rank());
  }
  [[nodiscard]] std::uint64_t pieces_to_check() const { return static_cast<std::uint64_t>(p()); }
  [[nodiscard]] bool is_solved_by(std::vector<word_list> const& results) const {
    bool const at_root = kind == collective_kind::reduce || kind == collective_kind::gather;
    auto const of_all = result_of_all();
    word_list so_far(words);  // the sums of lower ranks
    for (int rank = 0; rank < p(); ++rank) {
      auto const& got = results[static_cast<std::size_t>(rank)];
      bool const is_right = kind == collective_kind::transpose ? got == rows_of(rank)
                            : kind == collective_kind::scatter ? got == block(rank)
                            : kind == collective_kind::reduce_scatter
                                ? got == part_of_sums(of_all, rank)
                            : is_scan()               ? got == next_sums(so_far, rank)
                            : at_root && rank != root ? got.empty()
                                                      : got == of_all;
      if (!is_right) return false;
      note_done(1);
    }
    return true;
  }
  /// Says what every program needs if there are words, and others are to have them.
  [[nodiscard]] traffic_requirement least_traffic(std::vector<word_list> const& /*results*/) const {
    if (p() == 1 || words == 0) return {};
    std::uint64_t const n = words;
    auto const all = processors() * n;
    auto const others = all - n;
    traffic_requirement needed{.taken_in = n, .sent = n, .moved = others};
    if (kind == collective_kind::transpose)
      needed = {.taken_in = (n + processors() - 1) / processors() * (processors() - 1),
                .sent = n - n / processors(),
                .moved = others};
    if (kind == collective_kind::all_reduce) needed.moved = all;
    if (kind == collective_kind::scatter) needed = {.taken_in = n, .sent = others, .moved = others};
    if (kind == collective_kind::gather) needed = {.taken_in = others, .sent = n, .moved = others};
    if (kind == collective_kind::all_gather)
      needed = {.taken_in = others, .sent = n, .moved = processors() * others};
    if (kind == collective_kind::reduce_scatter)
      needed = {.taken_in = n, .sent = others, .moved = processors() * others};
    needed.distance = least_distance();
    needed.joined = processors();
    return needed;
  }
  /// Adds nothing: the size is asked for.
  void add_size_to(experiment_result& /*result*/) const {}

 private:
  [[nodiscard]] int p() const { return given.processors(); }
  [[nodiscard]] std::uint64_t processors() const { return static_cast<std::uint64_t>(p()); }
  /// Finds how far words have to go: from the root, or to it, or from the first of a scan, or between
  /// any two where each has to have something of each. Beyond 1,024 processors it is content with 1,
  /// since a graph keeps a table for each processor that is asked for.
  [[nodiscard]] int least_distance() const {
    using enum collective_kind;
    constexpr int most = 1024;
    if (p() > most) return 1;
    auto const& network = given.network();
    if (kind == transpose) return words < processors() ? 1 : network.diameter();
    if (kind == all_reduce || kind == all_gather || kind == reduce_scatter)
      return network.diameter();
    int const from = is_scan() ? 0 : root;
    bool const goes_in = kind == reduce || kind == gather;
    int farthest = 0;
    for (int rank = 0; rank < p(); ++rank)
      if (rank != from)
        farthest =
            std::max(farthest, goes_in ? network.hops(rank, from) : network.hops(from, rank));
    return farthest;
  }
  /// Generates word `index` that processor `owner` begins with, or ends with.
  [[nodiscard]] std::uint64_t word(int owner, std::size_t index) const {
    return generated_summand(given, owner, index);
  }
  [[nodiscard]] word_list block_of(int owner, std::size_t length) const {
    word_list made(length);
    for (std::size_t i = 0; i < length; ++i) made[i] = word(owner, i);
    return made;
  }
  [[nodiscard]] word_list block(int owner) const { return block_of(owner, words); }
  [[nodiscard]] bool is_scan() const {
    return kind == collective_kind::scan || kind == collective_kind::exclusive_scan;
  }
  /// Adds a processor's block to the sums of lower ranks. Result: what its scan is.
  [[nodiscard]] word_list next_sums(word_list& so_far, int rank) const {
    auto const before = so_far;
    std::ranges::transform(so_far, block(rank), so_far.begin(), add_words);
    return kind == collective_kind::scan ? so_far : before;
  }
  [[nodiscard]] word_list part_of_sums(word_list const& sums, int rank) const {
    auto const first = sums.begin() + static_cast<std::ptrdiff_t>(words) * rank;
    return {first, first + static_cast<std::ptrdiff_t>(words)};
  }
  /// Generates the words of all processors, one block after the other.
  [[nodiscard]] word_list all_blocks() const {
    word_list blocks;
    blocks.reserve(processors() * words);
    for (int rank = 0; rank < p(); ++rank)
      std::ranges::copy(block(rank), std::back_inserter(blocks));
    return blocks;
  }
  /// Makes the words that the root, or every processor, is to have, where these are the same.
  [[nodiscard]] word_list result_of_all() const {
    using enum collective_kind;
    if (kind == broadcast) return block(root);
    if (kind == gather || kind == all_gather) return all_blocks();
    word_list sums(kind == reduce_scatter ? processors() * words : words);
    if (kind == reduce) return sums_of_summands();
    if (kind == all_reduce || kind == reduce_scatter)
      for (int rank = 0; rank < p(); ++rank)
        std::ranges::transform(sums, block_of(rank, sums.size()), sums.begin(), add_words);
    return sums;
  }
  /// Adds up all blocks of all processors.
  [[nodiscard]] word_list sums_of_summands() const {
    word_list sums(words);
    for (int rank = 0; rank < p(); ++rank) {
      auto const blocks = block_of(rank, words * summands);
      for (std::size_t i = 0; i < blocks.size(); ++i) sums[i % words] += blocks[i];
    }
    return sums;
  }
  /// Makes rows floor(jn/p) to floor((j+1)n/p), one after another, where processor c makes column c.
  [[nodiscard]] word_list rows_of(int rank) const {
    auto const j = static_cast<std::size_t>(rank);
    word_list rows;
    for (auto row = j * words / processors(); row < (j + 1) * words / processors(); ++row)
      for (int column = 0; column < p(); ++column) rows.push_back(word(column, row));
    return rows;
  }
};

}  // namespace lockstep
