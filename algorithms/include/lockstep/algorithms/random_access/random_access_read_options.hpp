#pragma once

#include <cstddef>
#include <cstdint>
#include <source_location>
#include <string_view>
#include <vector>

#include <lockstep/algorithms/detail/errors_at.hpp>
#include <lockstep/algorithms/random_access/transportation.hpp>
#include <lockstep/detail/checked_counts.hpp>

namespace lockstep {

/// Which values owners send to where a random access read asks for them.
enum class read_variant : std::uint8_t {
  requested,      ///< those that are asked for, after the addresses have gone to the owners
  whole_buckets,  ///< all of each bucket that is asked for, without asking
  weighted,       ///< the same, where a bucket gets room for all of its values
  hybrid,         ///< the same of buckets with many requests; the others are asked for directly
  automatic       ///< the cheapest of all these by what it costs at most
};

/// "1", "2", "weighted", "hybrid", "auto". Errors: invalid_argument for another value.
[[nodiscard]] std::string_view name_of(read_variant variant);

/// How a random access read goes. All processors say the same.
struct random_access_read_options {
  read_variant variant = read_variant::hybrid;  ///< on the command line 1, that of the paper
  std::size_t elements_each = 1;  ///< elements of the array at each address, one after another
  transportation_route stage_1 = transportation_route::two_stages;
  /// The price of a start-up in words, by which `automatic` chooses.
  std::uint64_t startup_words = 1000;
};

/// The largest cost of a variant, as far as it is known before the requests go, for at most
/// ceil(n/p) pointers of each processor: start-ups, and words in or out of the busiest port, phase
/// by phase. The 2kp words of the choice are left out.
struct read_price {
  read_variant variant = read_variant::requested;
  std::uint64_t startups = 0;
  std::uint64_t words = 0;

  /// Errors: invalid_argument where that passes 64 bits.
  [[nodiscard]] std::uint64_t in_words(
      std::uint64_t startup_words,
      std::source_location where = std::source_location::current()) const {
    return detail::errors_at(where, [&] {
      return detail::checked_sum(detail::checked_product(startups, startup_words), words);
    });
  }
  friend bool operator==(read_price const&, read_price const&) = default;
};

/// The record of a random access read, beside its result; the same on all processors.
struct random_access_read_record {
  read_variant variant = read_variant::requested;  ///< that was taken
  std::size_t full_buckets = 0;                    ///< that lie on one processor between the stages
  std::size_t partial_buckets = 0;                 ///< that lie on several
  std::uint64_t largest_bucket = 0;                ///< its requests; in the hybrid those that leave
  std::uint64_t stage_2_steps = 0;   ///< q: most messages out of a processor, or into one
  std::vector<read_price> prices{};  ///< of what `automatic` chose among, the cheapest first

  friend bool operator==(random_access_read_record const&,
                         random_access_read_record const&) = default;
};

}  // namespace lockstep
