#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <lockstep/algorithms/random_access/bucket_layout.hpp>

namespace lockstep {

/// Processors of the paper's examples.
inline constexpr int processors_of_figures = 4;

/// Rows of a table in text, each of at most as many cells as the first.
using text_rows = std::vector<std::vector<std::string>>;
/// Elements from each processor (a row) to each.
using element_matrix = std::vector<std::vector<std::size_t>>;

/// Writes rows with their columns below each other.
[[nodiscard]] std::string aligned(text_rows const& rows);

/// "P_2", "B_5".
[[nodiscard]] std::string processor_name(int rank);
[[nodiscard]] std::string bucket_name(std::size_t bucket);

[[nodiscard]] element_matrix empty_matrix(int processors);
/// Sums up the elements that each processor sends, and that each receives.
[[nodiscard]] std::vector<std::size_t> row_sums_of(element_matrix const& of);
[[nodiscard]] std::vector<std::size_t> column_sums_of(element_matrix const& of);
/// Writes the matrix as the paper does: without zeros, with the sums of rows and columns.
[[nodiscard]] std::string matrix_text(element_matrix const& of);

/// Finds a processor's part of elements that are spread over all.
[[nodiscard]] std::span<std::size_t const> own_part(std::span<std::size_t const> all,
                                                    bucket_layout const& layout, int rank);

}  // namespace lockstep
