#pragma once

#include <algorithm>
#include <cmath>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <ios>
#include <optional>
#include <ostream>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include <lockstep/algorithms/prefix/block_prefix.hpp>
#include <lockstep/algorithms/textbook/counting_sort.hpp>
#include <lockstep/lower_bounds.hpp>

#include "files/csv_table.hpp"
#include "files/write_result.hpp"
#include "harness/harness.hpp"
#include "harness/noted_sort.hpp"
#include "harness/stages.hpp"
#include "routing/pairwise_bounds.hpp"
#include "sorting/key_file.hpp"
#include "sorting/keys_that_move.hpp"
#include "sorting/sort_input.hpp"

namespace lockstep {

/// A key, and which of the input it is: a sort that is stable leaves equal ones in this order.
template <class Key>
struct numbered_key {
  Key key;
  std::uint32_t number;

  friend bool operator==(numbered_key const&, numbered_key const&) = default;
  friend bool operator<(numbered_key const& a, numbered_key const& b) { return a.key < b.key; }
};

/// The keys of each processor in the end.
template <class Key>
using key_blocks = std::vector<std::vector<numbered_key<Key>>>;

template <class Key>
[[nodiscard]] std::vector<numbered_key<Key>> numbered(std::span<Key const> keys,
                                                      std::size_t first_number = 0) {
  std::vector<numbered_key<Key>> all;
  all.reserve(keys.size());
  for (auto const key : keys)
    all.push_back({key, static_cast<std::uint32_t>(first_number + all.size())});
  return all;
}

/// How a sort runs, and what it promises of its result.
struct sort_promises {
  keys_taken taken = keys_taken::whole_numbers;
  std::uint64_t packet = 0;  ///< words; 0: as it is asked for
  bool stable = true;        ///< whether equal keys stay in the order of the input
  bool even_blocks = true;   ///< whether processor i ends with even_block i; else with any number
  bool one_port = true;      ///< whether its rounds are steps of a machine with one port only
};

/// Whether it is the same key, bit for bit: 0 and -0 are equal, and have other bits.
template <class Key>
[[nodiscard]] bool is_same_key(Key one, Key other) {
  if constexpr (std::floating_point<Key>)
    return one == other && std::signbit(one) == std::signbit(other);
  else
    return one == other;
}

/// Finds out whether the blocks, one after the other, are what std::stable_sort makes of the keys;
/// of a sort that is not stable, whether they are the keys, each once, in order.
template <class Key>
[[nodiscard]] bool is_sorted_as_promised(std::span<Key const> keys, key_blocks<Key> const& blocks,
                                         sort_promises const& promises) {
  auto expected = numbered(keys);
  noted_stable_sort(expected, &numbered_key<Key>::key);
  std::vector<bool> seen(keys.size());
  int const p = static_cast<int>(blocks.size());
  std::size_t first = 0;
  for (int rank = 0; rank < p; ++rank) {
    auto const& block = blocks[static_cast<std::size_t>(rank)];
    if (block.size() > expected.size() - first) return false;
    if (promises.even_blocks && block.size() != even_block(keys.size(), p, rank).count)
      return false;
    auto const wanted = std::span(expected).subspan(first, block.size());
    first += block.size();
    note_done(block.size());
    if (promises.stable) {
      auto const is_same = [](numbered_key<Key> const& a, numbered_key<Key> const& b) {
        return a.number == b.number && is_same_key(a.key, b.key);
      };
      if (!std::ranges::equal(block, wanted, is_same)) return false;
      continue;
    }
    for (std::size_t i = 0; i < block.size(); ++i) {
      auto const& [key, number] = block[i];
      if (key != wanted[i].key || number >= keys.size() || !is_same_key(keys[number], key) ||
          seen[number])
        return false;
      seen[number] = true;
    }
  }
  return first == expected.size();
}

/// Counts the keys that go from processor i to j, where a stable sort puts them, row by row.
template <class Key>
[[nodiscard]] std::vector<std::uint64_t> keys_between(std::size_t n,
                                                      key_blocks<Key> const& blocks) {
  auto const p = blocks.size();
  std::vector<std::uint64_t> between(p * p);
  for (std::size_t to = 0; to < p; ++to)
    for (auto const& one : blocks[to])
      ++between[textbook::place_in_even_blocks(one.number, n, p).processor * p + to];
  return between;
}

/// Says what every sort needs that leaves as many keys on each processor: where equal ones need not
/// stay in order, a processor takes in the keys of its sorted block that it does not have.
template <class Key>
[[nodiscard]] traffic_requirement traffic_of_sort(arguments const& given, std::span<Key const> keys,
                                                  key_blocks<Key> const& sorted, bool stable) {
  if (stable) {
    if (given.processors() > max_processors_for_pairwise_bounds) return {};
    return relation_between(given.network(), keys_between<Key>(keys.size(), sorted));
  }
  begin_stage("checking the least traffic", keys.size());
  std::vector<std::vector<Key>> wanted;
  for (auto const& block : sorted) {
    auto& those = wanted.emplace_back(block.size());
    std::ranges::transform(block, those.begin(), &numbered_key<Key>::key);
  }
  return keys_that_move(keys, wanted);
}

/// Writes the names of a table's columns, and its rows in the order of the sorted keys.
template <class Key>
void write_rows(std::ostream& out, csv_table const& table, key_blocks<Key> const& blocks) {
  auto const write = [&](std::string_view text) {
    out.write(text.data(), static_cast<std::streamsize>(text.size()));
  };
  write(table.names());
  for (auto const& block : blocks)
    for (auto const& one : block) {
      write(table.row(one.number));
      note_done(1);
    }
}

/// Writes sorted keys.
template <class Key>
void write_sorted_keys(std::ostream& out, std::optional<key_type> format,
                       key_blocks<Key> const& blocks) {
  for (auto const& block : blocks) {
    std::vector<Key> sorted(block.size());
    std::ranges::transform(block, sorted.begin(), &numbered_key<Key>::key);
    write_keys<Key>(out, sorted, format);
  }
}

/// Sorts the keys, each processor holding its even block, by `sort(me, numbered keys)`, in
/// lock step: this is what the sorts claim. Checks the result, and writes the output file: keys, or
/// the rows that they are in.
/// Errors: those of run_program; bad_input for a file that cannot be written.
template <class Key, class Sort>
[[nodiscard]] experiment_result sort_keys(arguments const& given, keys_in_rows<Key> const& input,
                                          sort_promises const& promises, Sort const& sort) {
  auto const keys = input.keys;
  asked_output out(given);
  machine_needs const needs{
      .strict = strictness::always, .packet = promises.packet, .one_port = promises.one_port};
  auto const run = run_program(given, needs, [&](processor& me) {
    auto const [first, count] = even_block(keys.size(), me.size(), me.rank());
    return sort(me, numbered(keys.subspan(first, count), first));
  });
  begin_check(pieces_of_sort(keys.size()) + keys.size());
  auto result = result_of(given, run, is_sorted_as_promised(keys, run.results(), promises));
  out.take(result, keys.size(), [&](std::ostream& file) {
    if (input.table != nullptr) return write_rows<Key>(file, *input.table, run.results());
    write_sorted_keys<Key>(file, types_from(given, promises.taken).of_files, run.results());
  });
  if (result.correct)
    result.bounds = lower_bounds(run, traffic_of_sort(given, keys, run.results(), promises.stable));
  result.parameters["n"] = static_cast<std::int64_t>(keys.size());
  return result;
}

}  // namespace lockstep
