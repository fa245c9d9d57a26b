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
  }
  return prefix;
}

}  // namespace lockstep::detail
