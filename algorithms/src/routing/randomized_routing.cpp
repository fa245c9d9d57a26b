#include <lockstep/algorithms/routing/randomized_routing.hpp>

#include <cmath>

#include <fmt/format.h>

#include <lockstep/algorithms/detail/size_checks.hpp>
#include <lockstep/errors.hpp>

namespace lockstep {

std::uint64_t randomized_slot(std::uint64_t elements_in_all, int processors, double c,
                              std::source_location where) {
  constexpr double most = 1e15;  // whole numbers below are exact
  detail::require_processors("randomized_slot", processors, where);
  auto const p = static_cast<double>(processors);
  auto const slot = c * static_cast<double>(elements_in_all) / (p * p);
  if (!(c > 0) || !(slot <= most))
    throw invalid_argument(
        fmt::format(
            "c has to be positive, with slots of c n/p^2 elements no larger than 10^15, not {}", c),
        where);
  auto const nearest = std::round(slot);  // c, such as 1.1, may be rounded upwards
  bool const is_whole = std::abs(slot - nearest) <= 1e-12 * slot;
  return static_cast<std::uint64_t>(is_whole ? nearest : std::ceil(slot));
}

bool has_room_with_high_probability(int processors, std::uint64_t elements_in_all,
                                    std::source_location where) {
  detail::require_processors("has_room_with_high_probability", processors, where);
  auto const p = static_cast<double>(processors);
  auto const n = static_cast<double>(elements_in_all);
  return elements_in_all > 1 && p * p < n / (6 * std::log(n));
}

void detail::require_room_in_slots(int rank, std::size_t elements, int processors,
                                   std::uint64_t slot) {
  auto const p = static_cast<std::size_t>(processors);
  if (elements / p + (elements % p == 0 ? 0 : 1) > slot)
    throw invalid_argument(
        fmt::format("randomized_routing: processor {} has {} elements, and {} slots of {} have "
                    "room for fewer; take "
                    "a larger c",
                    rank, elements, processors, slot));
}

void detail::throw_slots_overflow(int draws, char const* step, std::uint64_t slot) {
  throw invalid_argument(fmt::format(
      "randomized_routing: in {} slots of {} elements overflow in each of {} draws; take a "
      "larger c",
      step, slot, draws));
}

std::mt19937_64 detail::randomness_of(std::uint64_t seed, int rank, int attempt) {
  constexpr unsigned half = 32;
  std::seed_seq seeds{static_cast<std::uint32_t>(seed), static_cast<std::uint32_t>(seed >> half),
                      static_cast<std::uint32_t>(rank), static_cast<std::uint32_t>(attempt)};
  return std::mt19937_64(seeds);
}

std::size_t detail::drawn_below(std::size_t bound, std::mt19937_64& random) {
  constexpr unsigned half = 32;
  return static_cast<std::size_t>((random() >> half) * bound >> half);
}

}  // namespace lockstep
