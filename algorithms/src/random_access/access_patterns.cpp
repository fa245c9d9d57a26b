#include <lockstep/algorithms/random_access/access_patterns.hpp>

#include <algorithm>
#include <array>
#include <span>
#include <utility>

#include <fmt/format.h>

#include <lockstep/algorithms/detail/errors_at.hpp>
#include <lockstep/detail/enumerator_names.hpp>
#include <lockstep/errors.hpp>

#include "random_access/linear_congruences.hpp"
#include "random_access/option_names.hpp"

namespace lockstep {

namespace {

using pointers = std::vector<std::size_t>;

constexpr std::size_t elements_of_figures = 32;
using figure = std::array<std::uint8_t, elements_of_figures>;

constexpr figure pointers_of_figure_3a{4,  5,  5,  1,  5,  5,  0,  5,  8,  15, 8,
                                       9,  10, 13, 13, 8,  16, 20, 21, 21, 20, 16,
                                       22, 17, 29, 29, 27, 28, 31, 26, 24, 29};
constexpr figure pointers_of_figure_3b{4,  5,  25, 9,  25, 16, 22, 15, 1,  18, 8,
                                       4,  30, 18, 31, 9,  16, 25, 31, 13, 0,  6,
                                       22, 14, 31, 2,  17, 13, 3,  26, 14, 19};
constexpr figure pointers_of_figure_3c{4,  5,  25, 9,  15, 15, 12, 15, 1,  28, 2,
                                       4,  30, 28, 31, 6,  16, 25, 31, 13, 0,  6,
                                       22, 14, 21, 22, 17, 13, 31, 16, 23, 19};
constexpr figure pointers_of_figure_4{4, 5,  25, 5,  18, 18, 12, 18, 1,  28, 2,
                                      4, 30, 18, 21, 6,  6,  22, 31, 23, 0,  6,
                                      2, 25, 21, 22, 17, 13, 11, 16, 23, 19};

[[nodiscard]] std::size_t hot_or_random(linear_congruences& random, std::size_t n) {
  if (random.draw(4) == 0) return random.draw(n);
  return (2 * random.draw(3) + 1) * n / 6;
}

[[nodiscard]] std::size_t in_own_block(linear_congruences& random, bucket_layout const& layout,
                                       std::size_t i) {
  auto const own = layout.owner(i);
  return layout.first_of(own) + random.draw(layout.size_of(own));
}

/// `pointer_of(i)` for all i in order.
template <class Pointer>
[[nodiscard]] pointers one_by_one(std::size_t n, Pointer const& pointer_of) {
  pointers made;
  made.reserve(n);
  for (std::size_t i = 0; i < n; ++i) made.push_back(pointer_of(i));
  return made;
}

[[nodiscard]] pointers one_to_each_bucket(bucket_layout const& layout) {
  pointers firsts;
  for (std::size_t bucket = 0; bucket < layout.buckets(); ++bucket)
    if (layout.size(bucket) > 0) firsts.push_back(layout.first_in(bucket));
  return one_by_one(layout.elements(),
                    [&](std::size_t i) { return firsts[std::min(i, firsts.size() - 1)]; });
}

[[nodiscard]] pointers of_figure(figure const& printed, access_pattern pattern, std::size_t n) {
  if (n != elements_of_figures)
    throw invalid_argument(fmt::format("{} has {} elements, not {}; take n = {}", name_of(pattern),
                                       elements_of_figures, n, elements_of_figures));
  return {printed.begin(), printed.end()};
}

[[nodiscard]] pointers of_pattern(access_pattern pattern, bucket_layout const& layout,
                                  linear_congruences& random) {
  auto const n = layout.elements();
  auto const anywhere = [&](std::size_t /*i*/) { return random.draw(n); };
  switch (pattern) {
    case access_pattern::random:
      return one_by_one(n, anywhere);
    case access_pattern::monotonic: {
      auto made = one_by_one(n, anywhere);
      std::ranges::sort(made);
      return made;
    }
    case access_pattern::one_hot:
      return pointers(n, n / 2);
    case access_pattern::few_hot:
      return one_by_one(n, [&](std::size_t /*i*/) { return hot_or_random(random, n); });
    case access_pattern::local:
      return one_by_one(n, [&](std::size_t i) { return in_own_block(random, layout, i); });
    case access_pattern::permutation:
      return shuffled(random, n);
    case access_pattern::singles:
      return one_to_each_bucket(layout);
    case access_pattern::figure_3a:
      return of_figure(pointers_of_figure_3a, pattern, n);
    case access_pattern::figure_3b:
      return of_figure(pointers_of_figure_3b, pattern, n);
    case access_pattern::figure_3c:
      return of_figure(pointers_of_figure_3c, pattern, n);
    case access_pattern::figure_4:
      return of_figure(pointers_of_figure_4, pattern, n);
  }
  return {};  // name_of has refused it
}

}  // namespace

std::string_view name_of(access_pattern pattern) {
  return detail::shown_name("access_pattern", pattern, detail::access_pattern_names);
}

std::size_t elements_of(access_pattern pattern, std::size_t asked) {
  static_cast<void>(name_of(pattern));
  return pattern >= access_pattern::figure_3a ? elements_of_figures : asked;
}

std::vector<std::size_t> generated_pointers(access_pattern pattern, bucket_layout const& layout,
                                            std::uint64_t seed, int dots,
                                            std::source_location where) {
  return detail::errors_at(where, [&] {
    static_cast<void>(name_of(pattern));
    constexpr int all = 100;
    if (dots < 0 || dots > all)
      throw invalid_argument(fmt::format(
          "{} per cent of the elements cannot lose their pointer; take 0 to 100", dots));
    linear_congruences random(seed);
    auto made = of_pattern(pattern, layout, random);
    if (dots == 0) return made;
    for (auto& pointer : made)
      if (random.draw(all) < static_cast<std::size_t>(dots)) pointer = no_pointer;
    return made;
  });
}

}  // namespace lockstep
