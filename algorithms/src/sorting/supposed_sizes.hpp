#pragma once

#include <bit>
#include <cstddef>

#include <lockstep/claim.hpp>

/// The sizes that papers suppose for sorts; unless one says otherwise JaJa and Ryu 1994, section 5.1.
namespace lockstep::detail {

/// The sizes of Theorem 5.1: of columns of q elements, and of n enough for them, as for median sort.
inline constexpr char const* length_of_columns = "q >= 2(p - 1)^2";
inline constexpr char const* elements_of_columns = "n >= 2p(p - 1)^2";

/// The n of Theorem 5.3, in which SHEAR is done once, and of the remark after it.
inline constexpr char const* elements_for_one_shear = "n >= 6p^2";
inline constexpr char const* elements_for_shears = "n >= p^2";

/// Makes the hypothesis of rotate sort on both n and p. p >= 1.
[[nodiscard]] inline hypothesis sizes_of_rotate_sort(std::size_t elements, int processors) {
  auto const p = static_cast<std::size_t>(processors);
  return {"n/p = 2^s and p = 2^(2t), for simplicity",
          std::has_single_bit(p) && std::countr_zero(p) % 2 == 0 && elements % p == 0 &&
              std::has_single_bit(elements / p)};
}

/// The n that Mayr and Plaxton 1989, section 4, suppose for multi-way merge sort.
inline constexpr char const* few_values = "n < p log p";

}  // namespace lockstep::detail
