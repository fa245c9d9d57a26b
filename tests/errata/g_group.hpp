#pragma once

#include <cstdint>
#include <set>
#include <vector>

namespace as_printed {

/// Parameters of Bader, Helman and JaJa's g-group benchmark.
struct g_group {
  int p = 1;
  int n = 1;
  int g = 1;
  int t = 1;
  int h = 1;
};

/// Equation 8: where block b of processor i goes.
inline int destination_of(g_group const& of, int i, int b) {
  auto const [p, n, g, t, h] = of;
  return (((p / 2 + b * g) % p) ^ (i / g * g)) + b * g * (n / p) / (t * h);
}

/// Equation 9: the place of its element k there. Odd elements count down from the end of the block,
/// as printed from element `first_odd` = 3 on.
inline int offset_of(g_group const& of, int i, int b, int k, int first_odd) {
  auto const [p, n, g, t, h] = of;
  int const block = n / (p * t);
  int const base = b * g * block - b * g * (n / p) / (t * h) * h;
  if (k % 2 == 0) return base + i % g * block + k / 2;
  return base + (i % g + 1) * block - (k - first_odd) / 2;
}

/// What goes wrong with the places.
struct bad_places {
  int taken = 0;   ///< by another element already
  int beyond = 0;  ///< h - 1

  friend bool operator==(bad_places const&, bad_places const&) = default;
};

inline bad_places bad_places_of(g_group const& of, int first_odd) {
  std::vector<std::set<int>> used(static_cast<std::size_t>(of.p));
  bad_places bad;
  for (int i = 0; i < of.p; ++i)
    for (int b = 0; b < of.t; ++b)
      for (int k = 0; k < of.n / (of.p * of.t); ++k) {
        auto& places = used[static_cast<std::size_t>(destination_of(of, i, b))];
        int const place = offset_of(of, i, b, k, first_odd);
        if (!places.insert(place).second) ++bad.taken;
        if (place >= of.h) ++bad.beyond;
      }
  return bad;
}

}  // namespace as_printed
