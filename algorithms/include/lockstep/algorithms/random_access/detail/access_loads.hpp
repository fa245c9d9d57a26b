#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include <lockstep/algorithms/random_access/bucket_layout.hpp>
#include <lockstep/algorithms/random_access/random_access_options.hpp>
#include <lockstep/processor.hpp>

namespace lockstep::detail {

/// The order of some elements' pointers: the first and the last, and whether each is at least the
/// one before.
struct pointer_order {
  std::uint64_t first = 0;
  std::uint64_t last = 0;
  bool is_there = false;  ///< whether there are any
  bool is_kept = true;

  /// Adds a pointer behind the others.
  void add(std::uint64_t address) {
    if (!is_there) first = address;
    is_kept = is_kept && last <= address;
    last = address;
    is_there = true;
  }
};

/// How many elements go where, as it decides which algorithm is enough; the same on all processors.
struct access_loads {
  std::uint64_t elements = 0;         ///< with a pointer
  std::uint64_t leaving = 0;          ///< those that leave their processor
  std::uint64_t most_received = 0;    ///< for one processor, its own included
  std::uint64_t largest_message = 0;  ///< from one processor to another
  std::uint64_t most_sent = 0;        ///< of one processor, for its own addresses included
  std::uint64_t most_leaving = 0;     ///< of one processor, for others
  bool is_in_order = false;           ///< whether each pointer is at least the one before
};

/// Finds it out by one vector combine in phase "choice": of p + 5 words, or, where only the first
/// four numbers are asked for, which `limited` does, of p + 2.
/// `to_each`: elements of this processor for each. `order`: of its pointers, a word.
[[nodiscard]] access_loads counted_loads(processor& me, std::span<std::uint64_t const> to_each,
                                         pointer_order const& order, bool is_limited);

/// Chooses among the four cases of limited hot spots.
/// **Source** Shankar and Ranka 1997, section 3; where the cases end is lockstep's.
[[nodiscard]] access_choice choice_for(access_loads const& loads, bucket_layout const& layout);

/// Prices a complete exchange, a transportation and the write by buckets, where the operator
/// `commutes` the hybrid, and for pointers in order the monotonic write, the cheapest first; or only
/// that nothing leaves its processor.
/// `options`: by which ways elements and buckets go, and the price of a start-up.
[[nodiscard]] std::vector<access_price> prices_for(access_loads const& loads,
                                                   bucket_layout const& layout, bool commutes,
                                                   random_access_options const& options);

}  // namespace lockstep::detail
