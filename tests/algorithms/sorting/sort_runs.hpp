#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <random>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <lockstep/algorithms/prefix/block_prefix.hpp>
#include <lockstep/claim.hpp>
#include <lockstep/machine.hpp>
#include <lockstep/topologies/crossbar.hpp>

#include "catch.hpp"

/// The elements that tests of sorts and merges take, a run of a sort, and the one order that it is
/// compared with.
namespace sorts {

/// An element that is sorted by its key, and whose number tells it from equal ones. It counts as that
/// many words.
template <class Key, int Words>
struct numbered {
  Key key{};
  int number = 0;

  friend bool operator==(numbered const&, numbered const&) = default;
};

using record = numbered<int, 1>;
using records = std::vector<record>;
using wide_record = numbered<int, 2>;
using wide_records = std::vector<wide_record>;

/// The order of keys alone.
struct key_is_less {
  template <class Record>
  bool operator()(Record const& a, Record const& b) const {
    return a.key < b.key;
  }
};

/// Numbers the keys, from `first` on.
template <class Record, class Key>
[[nodiscard]] std::vector<Record> with_numbers(std::vector<Key> const& keys, int first = 0) {
  std::vector<Record> all;
  for (auto const& key : keys) all.push_back({key, first + static_cast<int>(all.size())});
  return all;
}

/// Orders of keys that sorts are tried on.
enum class key_order { random, few_keys, all_equal, ascending, descending };

inline constexpr key_order all_orders[] = {key_order::random, key_order::few_keys,
                                           key_order::all_equal, key_order::ascending,
                                           key_order::descending};

[[nodiscard]] inline std::vector<int> keys_below(unsigned most, std::size_t n,
                                                 std::uint64_t seed = 1) {
  std::mt19937_64 random(seed);
  std::vector<int> keys(n);
  for (auto& key : keys) key = static_cast<int>(random() % most);
  return keys;
}

[[nodiscard]] inline std::vector<int> keys_in(key_order order, std::size_t n,
                                              std::uint64_t seed = 1) {
  unsigned const most = order == key_order::few_keys    ? 3
                        : order == key_order::all_equal ? 1
                                                        : 1U << 31U;
  auto keys = keys_below(most, n, seed);
  if (order == key_order::ascending) std::ranges::sort(keys);
  if (order == key_order::descending) std::ranges::sort(keys, std::greater<>{});
  return keys;
}

[[nodiscard]] inline records records_in(key_order order, std::size_t n, std::uint64_t seed = 1) {
  return with_numbers<record>(keys_in(order, n, seed));
}

[[nodiscard]] inline records records_below(unsigned most, std::size_t n, std::uint64_t seed = 1) {
  return with_numbers<record>(keys_below(most, n, seed));
}

/// The lowest bits of a word, as keys.
[[nodiscard]] inline std::vector<int> bits_of(unsigned word, std::size_t count) {
  std::vector<int> bits;
  for (std::size_t i = 0; i < count; ++i) bits.push_back(static_cast<int>(word >> i & 1U));
  return bits;
}

/// The order that every sort and merge is compared with.
template <class T, class Less = key_is_less>
[[nodiscard]] std::vector<T> stably_sorted(std::vector<T> all, Less const& less = {}) {
  std::ranges::stable_sort(all, less);
  return all;
}

/// Whether these are all of the records, in the order of their keys, whichever of equal ones is first.
[[nodiscard]] inline bool are_sorted(records sorted, records all) {
  if (!std::ranges::is_sorted(sorted, key_is_less{})) return false;
  std::ranges::sort(sorted, {}, &record::number);
  std::ranges::sort(all, {}, &record::number);
  return sorted == all;
}

template <class T>
[[nodiscard]] std::vector<T> joined(std::vector<std::vector<T>> const& lists) {
  std::vector<T> all;
  for (auto const& list : lists) all.insert(all.end(), list.begin(), list.end());
  return all;
}

/// The i-th set of k of a list, as far as it goes.
template <class T>
[[nodiscard]] std::vector<T> set_of(std::vector<T> const& list, std::size_t i, std::size_t k) {
  auto const first = std::min(i * k, list.size());
  auto const set = std::span(list).subspan(first, std::min(k, list.size() - first));
  return {set.begin(), set.end()};
}

/// How many elements each processor has.
using block_sizes = std::vector<std::size_t>;

[[nodiscard]] inline block_sizes even_sizes(std::size_t n, int p) {
  block_sizes sizes;
  for (int rank = 0; rank < p; ++rank) sizes.push_back(lockstep::even_block(n, p, rank).count);
  return sizes;
}

/// The same to all, but for the last processors.
[[nodiscard]] inline block_sizes sizes_in_columns(std::size_t n, std::size_t rows, int p) {
  block_sizes sizes;
  for (int rank = 0; rank < p; ++rank) {
    sizes.push_back(std::min(n, rows));
    n -= sizes.back();
  }
  return sizes;
}

/// Up to `most` on each processor.
[[nodiscard]] inline block_sizes random_sizes(int p, std::size_t most, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  block_sizes sizes(static_cast<std::size_t>(p));
  for (auto& size : sizes) size = random() % (most + 1);
  return sizes;
}

/// The elements of a result: a block, one with what its sort tells, or one element or none.
template <class T>
[[nodiscard]] std::vector<T> const& elements_in(std::vector<T> const& block) {
  return block;
}
template <class T>
[[nodiscard]] std::vector<T> elements_in(std::optional<T> const& one) {
  return one ? std::vector{*one} : std::vector<T>{};
}
template <class Sorted>
[[nodiscard]] auto const& elements_in(Sorted const& sorted) {
  return sorted.elements;
}

/// A run, with its elements one processor after the other, and how many each has.
template <class T, class Run>
struct sorted_elements {
  Run run;
  std::vector<T> all{};
  block_sizes sizes{};

  [[nodiscard]] lockstep::counts const& counts() const { return run.counts(); }
};

/// Runs `sort(me, elements)` on elements that lie in blocks of those sizes. `ranks`: in the order of
/// the result's blocks, if that is not 0, 1, 2, ...
template <class T, class Sort>
[[nodiscard]] auto run_sort(lockstep::machine const& on, std::vector<T> const& all,
                            block_sizes const& sizes, Sort const& sort,
                            std::vector<int> const& ranks = {}) {
  std::vector<std::size_t> firsts{0};
  for (auto const size : sizes) firsts.push_back(firsts.back() + size);
  auto run = on.run([&](lockstep::processor& me) {
    auto const rank = static_cast<std::size_t>(me.rank());
    auto const mine = std::span(all).subspan(firsts[rank], sizes[rank]);
    return sort(me, std::vector<T>(mine.begin(), mine.end()));
  });
  sorted_elements<T, decltype(run)> sorted{std::move(run)};
  for (int place = 0; place < on.size(); ++place) {
    auto const at = static_cast<std::size_t>(place);
    auto const rank = ranks.empty() ? at : static_cast<std::size_t>(ranks[at]);
    auto const& block = elements_in(sorted.run.results()[rank]);
    sorted.sizes.push_back(block.size());
    sorted.all.insert(sorted.all.end(), block.begin(), block.end());
  }
  CHECK(sorted.counts().queued == 0);
  CHECK(sorted.counts().contention <= 1);
  return sorted;
}

[[nodiscard]] inline lockstep::machine strict_crossbar(int p,
                                                       lockstep::machine_options options = {}) {
  options.strict = true;
  return lockstep::machine(lockstep::crossbar{p}, options);
}

/// Checks the claims, which hold, or have an erratum. Result: how many have one.
inline int check_claims(std::vector<lockstep::claim> const& claims,
                        lockstep::counts const& measured, std::uint64_t largest_bucket = 0) {
  int errata = 0;
  for (auto const& claimed : claims) {
    INFO(claimed.figure << " " << symbol(claimed.bound) << " " << claimed.formula << " = "
                        << claimed.value() << ": " << measured);
    errata += claimed.erratum.empty() ? 0 : 1;
    bool const is_kept = claimed.figure == "largest_bucket"
                             ? holds(claimed, static_cast<double>(largest_bucket))
                             : holds(claimed, measured);
    CHECK((is_kept || !claimed.erratum.empty()));
  }
  return errata;
}

}  // namespace sorts

template <class Key, int Words>
inline constexpr std::uint64_t lockstep::words_of<sorts::numbered<Key, Words>> = Words;
