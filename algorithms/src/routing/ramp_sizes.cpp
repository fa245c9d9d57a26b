#include <lockstep/algorithms/routing/h_relation_inputs.hpp>

#include <algorithm>
#include <numeric>

#include <fmt/format.h>

#include <lockstep/errors.hpp>

namespace lockstep {

namespace {

/// The least h from `wanted` on for which Eq. (7) is right: a divisor of 2n. n itself is one.
[[nodiscard]] std::uint64_t next_of_family(std::uint64_t n, std::uint64_t p, std::uint64_t wanted) {
  auto const least = std::max({wanted, (2 * n + p - 1) / p, std::uint64_t{1}});
  for (auto parts = 2 * n / least; parts > 2; --parts)
    if (2 * n % parts == 0) return 2 * n / parts;
  return n;
}

}  // namespace

std::vector<std::uint64_t> family_sizes(std::uint64_t elements, int processors,
                                        std::uint64_t most) {
  auto const n = elements;
  auto const p = static_cast<std::uint64_t>(processors);
  auto const h = most;
  std::vector<std::uint64_t> sizes(p);
  if (n == h * p) {
    std::ranges::fill(sizes, h);
    return sizes;
  }
  if (h == 0 || h > n || 2 * n > h * p || 2 * n % h != 0)
    throw invalid_argument(fmt::format(
        "family with n = {}, p = {} needs h = n/p, or h from 2n/p to n that divides 2n, "
        "not {}; {} would do, or the pattern ramp",
        n, p, h, next_of_family(n, p, h)));
  for (std::uint64_t i = 0; i < std::min(p, 2 * n / h); ++i)
    sizes[i] = h * (2 * n - h - h * i) / (2 * n - h);
  sizes.back() = 0;
  sizes.back() = n - std::accumulate(sizes.begin(), sizes.end(), std::uint64_t{0});
  return sizes;
}

std::vector<std::uint64_t> ramp_sizes(std::uint64_t elements, int processors, std::uint64_t most) {
  auto const n = elements;
  auto const p = static_cast<std::uint64_t>(processors);
  auto const h = most;
  auto const least = (n + p - 1) / p;
  if (h < least || h > n)
    throw invalid_argument(fmt::format(
        "a ramp of n = {} on p = {} needs most elements a processor from {} to {}, not {}", n, p,
        least, n, h));
  std::vector<std::uint64_t> sizes(p);
  if (n == 0) return sizes;
  auto const m = std::min(p, 2 * n / h);
  auto const sum_of_first = [&](std::uint64_t i) {
    if (m == 1) return i * n;
    auto const less = (h * m - n) * i * (i == 0 ? 0 : i - 1);
    return h * i - (less + m * (m - 1) - 1) / (m * (m - 1));
  };
  for (std::uint64_t i = 0; i < m; ++i) sizes[i] = sum_of_first(i + 1) - sum_of_first(i);
  return sizes;
}

}  // namespace lockstep
