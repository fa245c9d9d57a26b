#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include <lockstep/algorithms/random_access/bucket_layout.hpp>
#include <lockstep/algorithms/random_access/detail/keyed_value.hpp>
#include <lockstep/algorithms/random_access/detail/place_in_segments.hpp>
#include <lockstep/payload.hpp>
#include <lockstep/processor.hpp>

namespace lockstep::detail {

/// The ends of a processor's runs, one for each address that it writes to, as all others have to
/// know them: the first and the last address, and how many runs go to the owner of the last.
struct run_ends {
  std::size_t first = 0;
  std::size_t last = 0;
  std::uint64_t runs_of_last_owner = 0;
  bool are_there = false;  ///< whether there are any
};

/// The ends of a processor's runs, and the combined values of the last one.
template <payload_element T>
struct ends_of_runs {
  run_ends ends;
  T last_value{};
};

/// The conclusions for one processor from the ends of all.
struct known_neighbours {
  place_in_segments place{};   ///< of its messages
  std::vector<int> senders{};  ///< processors that send to it, or might
  std::vector<int> skipped{};  ///< destinations that might wait for it, and get nothing
  std::vector<int>
      carriers{};             ///< ranks whose last run its first one goes on, from the nearest down
  bool last_goes_on = false;  ///< whether its last run goes on at a higher rank, which keeps it
};

/// Finds what follows for processor `rank`. `destinations`: of its messages, without those of a run
/// that goes on.
/// Errors: invalid_argument for addresses that are not in order over the ranks.
[[nodiscard]] known_neighbours neighbours_by_ends(processor const& me, bucket_layout const& layout,
                                                  std::span<run_ends const> of_all,
                                                  std::span<int const> destinations);

/// Whether the last run of that processor goes on at a higher rank.
[[nodiscard]] bool last_run_goes_on(std::span<run_ends const> of_all, int rank);

}  // namespace lockstep::detail

namespace lockstep {

/// Two addresses, and two numbers, one of them small.
template <>
inline constexpr std::uint64_t words_of<detail::run_ends> = 3;
/// A record is not an element, so that its addresses count.
template <class T>
inline constexpr std::uint64_t words_of<detail::ends_of_runs<T>> =
    words_of<detail::run_ends> + words_of<T>;

}  // namespace lockstep
