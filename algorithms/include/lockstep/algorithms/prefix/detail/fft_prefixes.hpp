#pragma once

#include <algorithm>
#include <cstddef>
#include <span>
#include <vector>

#include <lockstep/algorithms/prefix/prefix.hpp>

namespace lockstep::detail {

/// All ports: prefix j crosses dimension i in step i + j.
template <class Monoid>
[[nodiscard]] std::vector<typename Monoid::value_type> fft_prefixes(
    processor& me, hypercube const& cube, directed<Monoid> const& plus,
    std::span<typename Monoid::value_type const> x) {
  using value = typename Monoid::value_type;
  std::vector<value> sum(x.begin(), x.end());
  std::vector<value> prefix(x.size(), plus.identity());
  if (plus.is_inclusive()) prefix = sum;
  auto const k = static_cast<int>(x.size());
  auto const d = cube.dimension();
  int const place = plus.role(me.rank(), me.size());
  for (int step = 0; k > 0 && step < k + d - 1; ++step) {
    int const first = std::max(0, step - k + 1);
    int const last = std::min(d - 1, step);
    for (int i = first; i <= last; ++i)
      me.send(me.rank() ^ (1 << i), sum[static_cast<std::size_t>(step - i)]);
    for (int i = first; i <= last; ++i) {
      auto const j = static_cast<std::size_t>(step - i);
      auto const received = me.receive_value<value>(me.rank() ^ (1 << i));
      combine(plus, (me.rank() >> i & 1) != 0, received, prefix[j], sum[j]);
    }
    auto const subcube = [step, place, d](std::size_t j) {
      return place_range::subcube(place, std::clamp(step - static_cast<int>(j) + 1, 0, d));
    };
    show_sums(me, plus, "sums", x.size(), subcube);
    show_sums(me, plus, "prefixes", x.size(),
              [&](std::size_t j) { return subcube(j).up_to(place, plus.is_inclusive()); });
    show_values(me, "values of prefixes", prefix);
  }
  return prefix;
}

}  // namespace lockstep::detail
