#include "prefix/require_sums_fit.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string_view>

#include <fmt/format.h>

#include <lockstep/algorithms/prefix/block_prefix.hpp>
#include <lockstep/experiments/registry.hpp>

namespace lockstep {

namespace {

template <class Number>
using limits = std::numeric_limits<Number>;

/// Whether a + b is out of range; it cannot be asked afterwards.
[[nodiscard]] bool overflows(std::int64_t a, std::int64_t b) {
  return b > 0 ? a > limits<std::int64_t>::max() - b : a < limits<std::int64_t>::min() - b;
}

/// The first i + 1 rows from the end at which the prefix begins, counted from 1.
[[nodiscard]] std::string rows_up_to(std::size_t i, std::size_t rows, prefix_kind kind) {
  return is_forward(kind) ? fmt::format("rows 1 to {}", i + 1)
                          : fmt::format("rows {} to {}", rows - i, rows);
}

/// The sum of all rows is not a prefix of the exclusive kinds.
[[nodiscard]] std::size_t rows_added(std::size_t rows, prefix_kind kind) {
  return is_inclusive(kind) || rows == 0 ? rows : rows - 1;
}

}  // namespace

void require_sums_fit(std::span<std::int64_t const> values, prefix_kind kind,
                      std::string const& file) {
  detail::block_in_order<std::int64_t> const rows(values, is_forward(kind));
  std::int64_t sum = 0;
  for (std::size_t i = 0; i < rows_added(rows.size(), kind); ++i) {
    if (overflows(sum, rows[i]))
      throw bad_input(
          fmt::format("{}: {} have a sum that does not fit into 64 bits; write one of the numbers "
                      "as 1.0, say, and all are added in double precision",
                      file, rows_up_to(i, rows.size(), kind)));
    sum += rows[i];
  }
}

void require_sums_fit(std::span<double const> values, prefix_kind kind, std::string const& file) {
  detail::block_in_order<double> const rows(values, is_forward(kind));
  auto const added = rows_added(rows.size(), kind);
  // Each addition, here and on the machine, makes a sum larger by a factor 1 + epsilon / 2 at most.
  auto const most = static_cast<long double>(limits<double>::max()) /
                    (1 + 2 * static_cast<long double>(limits<double>::epsilon()) *
                             static_cast<long double>(std::max<std::size_t>(added, 1) - 1));
  long double sum = 0;
  for (std::size_t i = 0; i < added; ++i) {
    sum += std::abs(static_cast<long double>(rows[i]));
    if (sum > most)
      throw bad_input(
          fmt::format("{}: {} have absolute values that add up to more than double precision holds "
                      "({:.2g}); give smaller numbers",
                      file, rows_up_to(i, rows.size(), kind), limits<double>::max()));
  }
}

}  // namespace lockstep
