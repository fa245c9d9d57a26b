#pragma once

#include <vector>

#include <lockstep/topology.hpp>

/// Every shape of 1, 2 and 3 dimensions with at most `most` processors (with sizes of 1 up to 64
/// processors), and some of up to 8 dimensions.
[[nodiscard]] std::vector<std::vector<int>> grid_shapes(int most);

/// The number of processors of such a shape.
[[nodiscard]] int processors(std::vector<int> const& sizes);

/// The rank at these coordinates in row-major order, and the coordinates of a rank.
[[nodiscard]] int row_major_rank(std::vector<int> const& sizes, std::vector<int> const& place);
[[nodiscard]] std::vector<int> row_major_place(std::vector<int> const& sizes, int rank);

/// The dimension in which two processors' coordinates differ; the first one.
[[nodiscard]] int differing_dimension(std::vector<int> const& sizes, int from, int to);

/// One link up and one down along each dimension, where that leads to another processor, each once;
/// from the last processor on to the first if it wraps.
[[nodiscard]] std::vector<lockstep::neighbour> grid_neighbours(std::vector<int> const& sizes,
                                                               int rank, bool wraps);
