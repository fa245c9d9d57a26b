#include "g_group.hpp"

#include <bit>
#include <utility>

#include <fmt/format.h>

#include <lockstep/errors.hpp>

namespace lockstep {

namespace {

void require(bool met, h_relation_size const& size, std::string const& needed) {
  if (!met)
    throw invalid_argument(
        fmt::format("g-group with n = {}, p = {}, h = {}, g = {}, t = {} needs {}", size.elements,
                    size.processors, size.received, size.group, size.targets, needed));
}

/// The largest power of 2 whose square is at most `square`.
[[nodiscard]] std::uint64_t power_up_to_root(std::uint64_t square) {
  std::uint64_t root = 1;
  while (4 * root * root <= square) root *= 2;
  return root;
}

/// Fills in the missing values, and checks the rest.
[[nodiscard]] h_relation_size completed(h_relation_size size) {
  auto const n = size.elements;
  auto const p = static_cast<std::uint64_t>(size.processors);
  require(std::has_single_bit(p), size, "p to be a power of 2");
  require(n >= p && std::has_single_bit(n), size, "n to be a power of 2, at least p");
  if (size.received == 0) size.received = n / p;
  auto const h = size.received;
  require(std::has_single_bit(h) && h >= n / p && h <= n, size,
          fmt::format("h to be a power of 2 from n/p = {} to n", n / p));
  auto const c = h * p / n;
  if (size.group == 0) size.group = power_up_to_root(c * p);
  auto const g = size.group;
  require(std::has_single_bit(g) && g >= c && g <= c * p / g, size,
          fmt::format("g to be a power of 2 from {} to {}", c, power_up_to_root(c * p)));
  if (size.targets == 0) size.targets = g / c;
  auto const t = size.targets;
  require(std::has_single_bit(t) && t <= p / g && t * c >= g, size,
          fmt::format("t to be a power of 2 from {} to {}", g / c, p / g));
  require(n >= p * t, size, fmt::format("n to be at least p t = {}", p * t));
  return size;
}

}  // namespace

h_relation_input generated_g_group(h_relation_size size) {
  size = completed(size);
  auto const p = static_cast<std::uint64_t>(size.processors);
  auto const g = size.group;
  auto const h = size.received;
  auto const block = size.elements / (p * size.targets);
  h_relation_input made{std::vector<std::vector<int>>(p),
                        std::vector<std::vector<std::uint64_t>>(p), size};
  for (std::uint64_t i = 0; i < p; ++i)
    for (std::uint64_t b = 0; b < size.targets; ++b) {
      auto const receivers_before = b * g * block / h;
      auto const destination = (((p / 2 + b * g) % p) ^ (i / g * g)) + receivers_before;
      auto const base = b * g * block - receivers_before * h;
      for (std::uint64_t k = 0; k < block; ++k) {
        auto const offset = k % 2 == 0 ? i % g * block + k / 2 : (i % g + 1) * block - (k + 1) / 2;
        made.destinations[i].push_back(static_cast<int>(destination));
        made.offsets[i].push_back(base + offset);
      }
    }
  return made;
}

}  // namespace lockstep
