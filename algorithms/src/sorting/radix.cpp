#include <lockstep/algorithms/sorting/radix.hpp>

#include <algorithm>
#include <bit>
#include <limits>

#include <fmt/format.h>

#include <lockstep/algorithms/detail/size_checks.hpp>
#include <lockstep/algorithms/sorting/detail/digit_ranks.hpp>
#include <lockstep/errors.hpp>

namespace lockstep {

namespace {

constexpr int most_digit_bits = 24;

[[nodiscard]] int passes_of(int key_bits, int bits) {
  return key_bits / bits + (key_bits % bits == 0 ? 0 : 1);
}

void require_key_bits(char const* of, int key_bits, std::source_location where) {
  if (key_bits < 1)
    throw invalid_argument(fmt::format("{}: keys of {} bits; give at least 1", of, key_bits),
                           where);
}

}  // namespace

int detail::digit_bits(std::uint64_t radix, std::source_location where) {
  constexpr auto most = std::uint64_t{1} << unsigned{most_digit_bits};
  if (radix < 2 || radix > most || !std::has_single_bit(radix))
    throw invalid_argument(
        fmt::format("radix_sort: the radix has to be a power of two, 2 to {}, not {}", most, radix),
        where);
  return std::countr_zero(radix);
}

int detail::sorted_bits(int asked, int of_key) {
  if (asked < 0 || asked > of_key)
    throw invalid_argument(
        fmt::format("radix_sort: keys have {} bits, not {}; give 1 to {}, or 0 for all", of_key,
                    asked, of_key));
  return asked == 0 ? of_key : asked;
}

void detail::require_range(std::uint64_t range) {
  if (range == 0)
    throw invalid_argument("counting_sort: a range of 0 has no digits; give 1 at least");
}

int radix_passes(int key_bits, std::uint64_t radix, std::source_location where) {
  require_key_bits("radix_passes", key_bits, where);
  return passes_of(key_bits, detail::digit_bits(radix, where));
}

std::uint64_t radix_for(std::uint64_t elements, int processors, int key_bits,
                        std::source_location where) {
  detail::require_processors("radix_for", processors, where);
  require_key_bits("radix_for", key_bits, where);
  double const p = processors;
  auto const each = static_cast<double>(elements) / p;
  auto const routed = 2 * std::min(each / p + p / 2, each / std::max(p - 1, 1.0));
  std::uint64_t best = 2;
  auto fewest = std::numeric_limits<double>::infinity();
  for (int bits = 1; bits <= 16; ++bits) {
    auto const radix = std::uint64_t{1} << static_cast<unsigned>(bits);
    auto const counted = 3 * static_cast<double>(detail::digits_each(radix, processors));
    if (auto const words = passes_of(key_bits, bits) * (counted + routed); words < fewest) {
      fewest = words;
      best = radix;
    }
  }
  return best;
}

}  // namespace lockstep
