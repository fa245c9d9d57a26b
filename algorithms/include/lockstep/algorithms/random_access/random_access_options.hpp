#pragma once

#include <cstddef>
#include <cstdint>
#include <source_location>
#include <string_view>

#include <lockstep/algorithms/detail/errors_at.hpp>
#include <lockstep/algorithms/prefix/commutative.hpp>
#include <lockstep/algorithms/random_access/transportation.hpp>
#include <lockstep/detail/checked_counts.hpp>

namespace lockstep {

/// Which algorithm a random access goes by.
enum class access_variant : std::uint8_t {
  arbitrary,       ///< in two stages by buckets, however many elements name one address
  hybrid,          ///< only buckets with many elements in two stages; the operator has to commute
  hybrid_plain,    ///< the same, where these take no notice of what the others bring in
  limited,         ///< what the sizes of messages call for: local, one stage, or arbitrary
  monotonic,       ///< in one stage, for pointers that are in order
  one_all_gather,  ///< monotonic, in fewer start-ups: one all-gather in the place of scans
  /// The cheapest of a complete exchange, a transportation, arbitrary, where the operator commutes
  /// hybrid, and where pointers are in order monotonic, by what each costs at most; local where
  /// nothing leaves its processor.
  automatic
};

/// "arbitrary", "hybrid", "hybrid-plain", "limited", "monotonic", "one-all-gather", "auto".
/// Errors: invalid_argument for another value.
[[nodiscard]] std::string_view name_of(access_variant variant);

/// By which messages buckets go to their owners.
enum class bucket_route : std::uint8_t {
  sends,   ///< in the q steps of `monotone_sends`; elsewhere than on a crossbar `transportation`
  linear,  ///< in p - 1 rounds of a complete exchange
  transportation  ///< by way of all processors
};

/// "sends", "linear", "transportation". Errors: invalid_argument for another value.
[[nodiscard]] std::string_view name_of(bucket_route route);

/// The way that a write took, among those between which `limited` and `automatic` choose.
enum class access_choice : std::uint8_t {
  local,              ///< nothing leaves its processor
  complete_exchange,  ///< elements go straight
  transportation,     ///< elements go by way of all processors
  arbitrary,
  hybrid,
  monotonic
};

/// "local", "complete-exchange", "transportation", "arbitrary", "hybrid", "monotonic".
/// Errors: invalid_argument for another value.
[[nodiscard]] std::string_view name_of(access_choice choice);

/// How a random access write goes. All processors say the same.
struct random_access_options {
  access_variant variant = access_variant::arbitrary;
  transportation_route stage_1 = transportation_route::two_stages;
  bucket_route stage_2 = bucket_route::sends;
  bool commutes = false;  ///< says that the operator commutes, where its type does not
  /// The price of a start-up in words, by which `automatic` chooses.
  std::uint64_t startup_words = 1000;
};

/// The largest cost of a variant, as far as it is known before the elements go: start-ups, and
/// words in or out of the busiest port, phase by phase. The phase "choice" is left out.
struct access_price {
  access_choice choice = access_choice::arbitrary;
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
  friend bool operator==(access_price const&, access_price const&) = default;
};

/// The record of a random access write, beside its result; the same on all processors.
struct random_access_record {
  access_choice choice = access_choice::arbitrary;
  std::size_t full_buckets = 0;        ///< that lie on one processor between the stages
  std::size_t partial_buckets = 0;     ///< that lie on several
  std::uint64_t largest_bucket = 0;    ///< its elements; in the hybrid those that leave
  std::uint64_t stage_2_steps = 0;     ///< q: most messages out of a processor, or into one
  std::vector<access_price> prices{};  ///< of what `automatic` chose among, the cheapest first

  friend bool operator==(random_access_record const&, random_access_record const&) = default;
};

}  // namespace lockstep
