#pragma once

#include <cstdint>

namespace lockstep {

/// The pseudo-random numbers of the NAS Parallel Benchmarks: x_{k+1} = 5^13 x_k mod 2^46, from
/// x_0 = 314159265 on.
///
/// Source: Bailey et al., The NAS Parallel Benchmarks, 1994; Bader, Helman and JaJa 1996, section
/// 5.1.
class nas_random {
 public:
  /// `drawn`: the numbers that are drawn already; 0 begins with x_1.
  explicit constexpr nas_random(std::uint64_t drawn = 0) {
    auto factor = multiplier;
    for (; drawn > 0; drawn /= 2, factor *= factor)
      if (drawn % 2 == 1) m_state *= factor;
    m_state %= modulus;
  }

  /// x_1, x_2, ...: below 2^46.
  [[nodiscard]] constexpr std::uint64_t next() {
    m_state = m_state * multiplier % modulus;  // what overflows is a multiple of 2^64
    return m_state;
  }

 private:
  static constexpr std::uint64_t multiplier = 1'220'703'125;  // 5^13
  static constexpr std::uint64_t modulus = std::uint64_t{1} << 46U;

  std::uint64_t m_state = 314'159'265;
};

}  // namespace lockstep
