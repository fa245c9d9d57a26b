#include <lockstep/algorithms/routing/h_relation_inputs.hpp>

#include <algorithm>
#include <numeric>

#include <fmt/format.h>

#include <lockstep/algorithms/detail/size_checks.hpp>
#include <lockstep/errors.hpp>

namespace lockstep {

namespace {

using sizes = std::vector<std::uint64_t>;

/// Eq. (7); nothing where it is not defined.
[[nodiscard]] sizes family_or_nothing(std::uint64_t n, std::uint64_t p, std::uint64_t h) {
  if (n == h * p) return sizes(p, h);
  if (h == 0 || h > n || 2 * n > h * p || 2 * n % h != 0) return {};
  sizes made(p);
  for (std::uint64_t i = 0; i < std::min(p - 1, 2 * n / h); ++i)
    made[i] = h * (2 * n - h - h * i) / (2 * n - h);
  made.back() = n - std::accumulate(made.begin(), made.end(), std::uint64_t{0});
  if (made.back() > h) return {};  // what the divisions lose, where n < p^2
  return made;
}

/// The least h from `wanted` on for which Eq. (7) is defined; it always is for n.
[[nodiscard]] std::uint64_t next_of_family(std::uint64_t n, std::uint64_t p, std::uint64_t wanted) {
  auto const least = std::max({wanted, (2 * n + p - 1) / p, std::uint64_t{1}});
  for (auto parts = 2 * n / least; parts > 2; --parts)
    if (2 * n % parts == 0 && !family_or_nothing(n, p, 2 * n / parts).empty()) return 2 * n / parts;
  return n;
}

/// So that no product in the formulas is too large.
void require_made_size(std::uint64_t elements, int processors, std::source_location where) {
  constexpr std::uint64_t most = 0x7fffffff;
  detail::require_counted_processors("an h-relation", processors, where);
  if (elements > most)
    throw invalid_argument(
        fmt::format("an h-relation is made for at most {} elements, not {}", most, elements),
        where);
}

}  // namespace

std::vector<std::uint64_t> family_sizes(std::uint64_t elements, int processors, std::uint64_t most,
                                        std::source_location where) {
  require_made_size(elements, processors, where);
  auto const p = static_cast<std::uint64_t>(processors);
  auto made = family_or_nothing(elements, p, most);
  if (made.empty())
    throw invalid_argument(
        fmt::format(
            "family with n = {}, p = {} needs h = n/p, or h from 2n/p to n that divides 2n "
            "and leaves no more than h for processor p-1, not {}; take {}, for example, or the "
            "pattern ramp",
            elements, p, most, next_of_family(elements, p, most)),
        where);
  return made;
}

std::vector<std::uint64_t> ramp_sizes(std::uint64_t elements, int processors, std::uint64_t most,
                                      std::source_location where) {
  require_made_size(elements, processors, where);
  auto const n = elements;
  auto const p = static_cast<std::uint64_t>(processors);
  auto const h = most;
  auto const least = (n + p - 1) / p;
  if (h < least || h > n)
    throw invalid_argument(
        fmt::format(
            "a ramp of n = {} on p = {} needs most elements a processor from {} to {}, not {}", n,
            p, least, n, h),
        where);
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
