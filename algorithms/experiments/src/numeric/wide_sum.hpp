#pragma once

#include <concepts>
#include <cstdint>
#include <limits>

namespace lockstep {

__extension__ using wide_integer = __int128;

/// A sum of products of whole numbers of 64 bits, with all its bits: 192 of them in two's complement,
/// enough for 2^64 products.
class wide_sum {
 public:
  void add_product(std::int64_t a, std::int64_t b) {
    auto const product = wide_integer{a} * b;
    auto const before = m_low;
    m_low += static_cast<unsigned_wide>(product);
    m_high += (m_low < before ? 1 : 0) - (product < 0 ? 1 : 0);
  }

  /// Whether a number of that type is the sum.
  template <std::signed_integral Number>
  [[nodiscard]] bool fits() const {
    auto const low = static_cast<wide_integer>(m_low);
    return m_high == (low < 0 ? -1 : 0) && low >= std::numeric_limits<Number>::min() &&
           low <= std::numeric_limits<Number>::max();
  }
  /// The sum, where it fits.
  template <std::signed_integral Number>
  [[nodiscard]] Number value() const {
    return static_cast<Number>(m_low);
  }
  /// The sum, rounded.
  [[nodiscard]] long double rounded() const {
    return static_cast<long double>(m_high) * 0x1p128L + static_cast<long double>(m_low);
  }

 private:
  __extension__ using unsigned_wide = unsigned __int128;

  unsigned_wide m_low = 0;  ///< the lower 128 bits
  std::int64_t m_high = 0;  ///< the bits above them
};

}  // namespace lockstep
