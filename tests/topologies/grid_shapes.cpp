#include "grid_shapes.hpp"

#include <algorithm>
#include <cstddef>
#include <functional>
#include <numeric>
#include <string>

std::vector<std::vector<int>> grid_shapes(int most) {
  std::vector<std::vector<int>> shapes;
  auto const add = [&](std::vector<int> const& shape) {
    bool const has_ones = std::ranges::count(shape, 1) > 0;
    if (!has_ones || processors(shape) <= 64) shapes.push_back(shape);
  };
  for (int a = 1; a <= most; ++a) {
    add({a});
    for (int b = 1; a * b <= most; ++b) {
      add({a, b});
      for (int c = 1; a * b * c <= most; ++c) add({a, b, c});
    }
  }
  std::vector<std::vector<int>> const higher{{2, 2, 2, 2},
                                             {3, 3, 3, 3},
                                             {4, 4, 4, 4},
                                             {2, 3, 4, 5},
                                             {1, 2, 1, 3},
                                             {5, 1, 1, 2},
                                             {2, 5, 2, 3},
                                             {2, 2, 2, 2, 2},
                                             {3, 2, 3, 2, 3},
                                             {1, 4, 2, 1, 3},
                                             {2, 2, 2, 2, 2, 2},
                                             {3, 1, 2, 4, 1, 5},
                                             {1, 2, 3, 2, 3, 1, 2},
                                             {2, 2, 2, 2, 2, 2, 2},
                                             {2, 2, 2, 2, 2, 2, 2, 2},
                                             {1, 1, 1, 1, 1, 1, 1, 1},
                                             {2, 1, 3, 1, 4, 1, 5, 1},
                                             {1, 1, 1, 1, 1, 1, 1, 7},
                                             {3, 2, 1, 2, 1, 2, 3, 2}};
  for (auto const& shape : higher)
    if (processors(shape) <= most) shapes.push_back(shape);
  return shapes;
}

int processors(std::vector<int> const& sizes) {
  return std::accumulate(sizes.begin(), sizes.end(), 1, std::multiplies{});
}

int row_major_rank(std::vector<int> const& sizes, std::vector<int> const& place) {
  int rank = 0;
  for (std::size_t k = 0; k < sizes.size(); ++k) rank = rank * sizes[k] + place[k];
  return rank;
}

std::vector<int> row_major_place(std::vector<int> const& sizes, int rank) {
  std::vector<int> place(sizes.size());
  for (std::size_t k = sizes.size(); k-- > 0; rank /= sizes[k]) place[k] = rank % sizes[k];
  return place;
}

int differing_dimension(std::vector<int> const& sizes, int from, int to) {
  auto const a = row_major_place(sizes, from);
  auto const b = row_major_place(sizes, to);
  return static_cast<int>(std::ranges::mismatch(a, b).in1 - a.begin());
}

std::vector<lockstep::neighbour> grid_neighbours(std::vector<int> const& sizes, int rank,
                                                 bool wraps) {
  std::vector<lockstep::neighbour> expected;
  for (std::size_t k = 0; k < sizes.size(); ++k) {
    std::vector<int> seen{rank};
    for (int const way : {+1, -1}) {
      auto place = row_major_place(sizes, rank);
      place[k] += way;
      if (wraps) place[k] = (place[k] + sizes[k]) % sizes[k];
      if (place[k] < 0 || place[k] >= sizes[k]) continue;
      int const other = row_major_rank(sizes, place);
      if (std::ranges::count(seen, other) > 0) continue;
      seen.push_back(other);
      expected.push_back(
          {other, (way > 0 ? "+ along dimension " : "- along dimension ") + std::to_string(k)});
    }
  }
  return expected;
}
