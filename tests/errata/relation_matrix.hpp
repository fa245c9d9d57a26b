#pragma once

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <vector>

#include "deterministic_routing.hpp"

namespace as_printed {

/// n_ij: how many elements go from processor i to processor j.
using relation_matrix = std::vector<std::vector<std::size_t>>;

/// Both bin bounds are met: n/p = h = p(p - 1)/2 + p a.
inline relation_matrix tight_relation(std::size_t p, std::size_t a) {
  relation_matrix n(p, std::vector<std::size_t>(p));
  for (std::size_t i = 0; i < p; ++i)
    for (std::size_t j = 0; j < p; ++j) {
      auto const distance = (2 * p - i - j) % p;
      n[i][j] = (distance + 1) % p + (distance == 0 ? p * a : 0);
    }
  return n;
}

/// Every processor's bin 0 is as large as bins of `elements` < p(p - 1)/2 elements can be: 1
/// element for the destination that begins with bin 0, 2 for that which begins with the bin before,
/// and so on; the rest goes where it does not get to bin 0. Every destination receives as many.
inline relation_matrix largest_bin_0(std::size_t p, std::size_t elements) {
  relation_matrix n(p, std::vector<std::size_t>(p));
  for (std::size_t i = 0; i < p; ++i)
    for (std::size_t before = 0, left = elements; left > 0; ++before) {
      auto const count = std::min(before + 1, left);
      n[i][(2 * p - i - before) % p] = count;
      left -= count;
    }
  return n;
}

/// Processor i's elements, one destination after the other; data tells i and their number.
inline std::vector<routed_element> elements_of(relation_matrix const& n, int rank) {
  std::vector<routed_element> all;
  auto const& row = n[static_cast<std::size_t>(rank)];
  for (std::size_t j = 0; j < row.size(); ++j)
    for (std::size_t m = 0; m < row[j]; ++m)
      all.push_back({.data = 1000 * rank + static_cast<int>(m), .address = static_cast<int>(j)});
  return all;
}

inline std::size_t sum_of(std::vector<std::size_t> const& values) {
  return std::accumulate(values.begin(), values.end(), std::size_t{0});
}

}  // namespace as_printed
