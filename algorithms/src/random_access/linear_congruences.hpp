#pragma once

#include <cstddef>
#include <cstdint>
#include <numeric>
#include <utility>
#include <vector>

namespace lockstep {

/// Draws that others can repeat: x <- 6364136223846793005 x + 1442695040888963407 mod 2^64 from the
/// seed on, and of each x its upper bits.
class linear_congruences {
 public:
  explicit linear_congruences(std::uint64_t seed) : m_state(seed) {}

  [[nodiscard]] std::size_t draw(std::size_t below) {
    m_state = 6364136223846793005U * m_state + 1442695040888963407U;
    constexpr unsigned unused_bits = 33;
    return static_cast<std::size_t>(m_state >> unused_bits) % below;
  }

 private:
  std::uint64_t m_state;
};

/// Draws a permutation of 0 .. n-1.
[[nodiscard]] inline std::vector<std::size_t> shuffled(linear_congruences& random, std::size_t n) {
  std::vector<std::size_t> made(n);
  std::iota(made.begin(), made.end(), std::size_t{0});
  for (auto i = n; i-- > 1;) std::swap(made[i], made[random.draw(i + 1)]);
  return made;
}

}  // namespace lockstep
