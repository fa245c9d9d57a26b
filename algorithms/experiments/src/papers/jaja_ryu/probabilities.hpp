#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace lockstep {

/// An h-relation that randomized routing draws slots for: n/p elements on each of p processors, in
/// turn for the first p/alpha of them, so that each of these gets alpha n/p.
struct slot_setting {
  int processors = 1;
  std::uint64_t elements = 0;
  int alpha = 1;
  double c = 1;  ///< slots have room for ceil(c n/p^2) elements

  /// Tells where an element goes, by its index on its processor.
  [[nodiscard]] int destination_of(std::size_t index) const;
  [[nodiscard]] std::uint64_t slot() const;
  /// Tells whether Theorem 3.4 is for that many elements: p^2 < n/(6 ln n).
  [[nodiscard]] bool is_of_theorem() const;
};

/// The most elements for a slot in one drawing.
struct slot_loads {
  std::uint64_t step_1 = 0;  ///< from a processor to one in between
  std::uint64_t step_3 = 0;  ///< from one in between to a destination
};

/// Draws as the first attempt of `randomized_routing` does with that seed, the same numbers, without
/// a machine: what overflows depends on the numbers alone.
[[nodiscard]] slot_loads drawn_loads(slot_setting const& of, std::uint64_t seed);

/// How many of the drawings with seeds `seed`, `seed` + 1, .. overflow.
struct slot_overflows {
  slot_setting of;
  std::uint64_t slot = 0;
  std::uint64_t runs = 0;
  std::uint64_t seed = 0;
  std::uint64_t in_step_1 = 0;  ///< runs in which some slot overflows
  std::uint64_t in_step_3 = 0;
  std::uint64_t in_either = 0;

  [[nodiscard]] double share() const {
    return runs == 0 ? 0 : static_cast<double>(in_either) / static_cast<double>(runs);
  }
};

[[nodiscard]] slot_overflows count_overflows(slot_setting const& of, std::uint64_t runs,
                                             std::uint64_t seed);

/// The settings of Theorem 3.4 that tell where its constants matter: alpha = 1 and 2, c at and below
/// what it asks for, p and n within its condition and outside.
[[nodiscard]] std::vector<slot_setting> slot_settings();

/// The keys of a run of sample sort, those of one processor after the other's: random numbers.
[[nodiscard]] std::vector<std::uint64_t> keys_of_run(std::uint64_t elements, std::uint64_t seed);

/// Counts the elements of the largest bucket of sample sort, by the samples that it draws with that
/// seed from `keys_of_run`, without a machine. p divides n.
[[nodiscard]] std::uint64_t drawn_largest_bucket(int processors, std::uint64_t elements,
                                                 std::uint64_t seed);

/// How large the largest buckets are in runs with seeds `seed`, `seed` + 1, ..
struct bucket_spread {
  int processors = 1;
  std::uint64_t elements = 0;
  std::uint64_t runs = 0;
  std::uint64_t seed = 0;
  double mean = 0;           ///< of the largest bucket of each run, in n/p
  double largest = 0;        ///< of all runs, in n/p
  std::uint64_t beyond = 0;  ///< runs with a bucket of more than 2n/p, Lemma 5.1's alpha
};

[[nodiscard]] bucket_spread measured_buckets(int processors, std::uint64_t elements,
                                             std::uint64_t runs, std::uint64_t seed);

/// A machine and as many elements, all within the condition of Theorem 5.2.
struct bucket_setting {
  int processors = 1;
  std::uint64_t elements = 0;
};
[[nodiscard]] std::vector<bucket_setting> bucket_settings();

}  // namespace lockstep
