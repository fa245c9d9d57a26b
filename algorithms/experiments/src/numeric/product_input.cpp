#include "numeric/product_input.hpp"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <istream>
#include <limits>
#include <string>
#include <type_traits>
#include <utility>

#include <fmt/format.h>

#include <lockstep/errors.hpp>
#include <lockstep/experiments/experiment.hpp>

#include "files/input_file.hpp"
#include "files/npy_file.hpp"
#include "harness/harness.hpp"

namespace lockstep {

namespace {

[[nodiscard]] any_matrix read_matrix_of(std::filesystem::path const& file) {
  return read_input(file, "name an .npy file with a matrix",
                    [&](std::istream& in) { return read_npy_matrix(in, file); });
}

template <class Number>
[[nodiscard]] constexpr char const* type_of() {
  if (std::is_same_v<Number, double>) return "float64";
  if (std::is_same_v<Number, float>) return "float32";
  return std::is_same_v<Number, std::int64_t> ? "int64" : "int32";
}

/// Errors: bad_input for a number that is not finite.
template <class Number>
void require_finite(std::string const& file, number_matrix<Number> const& matrix) {
  if constexpr (std::is_floating_point_v<Number>) {
    auto const bad =
        std::ranges::find_if_not(matrix.entries, [](Number each) { return std::isfinite(each); });
    if (bad == matrix.entries.end()) return;
    auto const at = static_cast<std::size_t>(bad - matrix.entries.begin());
    throw bad_input(
        fmt::format("{}: its number in row {}, column {} is not finite; give finite "
                    "numbers",
                    file, at / matrix.columns, at % matrix.columns));
  }
}

/// Errors: bad_input for types or shapes that do not multiply.
template <class Left, class Right>
[[nodiscard]] any_matrix_pair pair_of(std::string const& first, number_matrix<Left> left,
                                      std::string const& second, number_matrix<Right> right) {
  if constexpr (!std::is_same_v<Left, Right>) {
    throw bad_input(fmt::format("{} holds {} and {} holds {}; save both as one type", first,
                                type_of<Left>(), second, type_of<Right>()));
  } else {
    if (left.columns != right.rows)
      throw bad_input(fmt::format(
          "{} is {} x {} and {} is {} x {}, which do not multiply; give one of {} rows", first,
          left.rows, left.columns, second, right.rows, right.columns, left.columns));
    require_finite(first, left);
    require_finite(second, right);
    return matrix_pair<Left>{std::move(left), std::move(right)};
  }
}

[[nodiscard]] number_matrix<double> generated_matrix(arguments const& given, int which) {
  auto const n = given[size_of_matrices];
  number_matrix<double> made{n, n, std::vector<double>(n * n)};
  constexpr std::int64_t half = std::int64_t{1} << 31U;
  for (std::size_t i = 0; i < made.entries.size(); ++i) {
    auto const bits = generated_word(given.seed(), which, 0, i) >> 32U;
    made.entries[i] = takes_small_values(given)
                          ? static_cast<double>(bits % 10)
                          : static_cast<double>(static_cast<std::int64_t>(bits) - half) /
                                static_cast<double>(half);
  }
  return made;
}

/// Requires memory for both factors, their blocks and the product before any of them is made.
/// Errors: out_of_memory, with the figures.
void require_memory_for_factors(arguments const& given) {
  auto const n = static_cast<double>(given[size_of_matrices]);
  constexpr double matrices = 5;
  require_memory(given, {.bytes_each = matrices * sizeof(double) * n * n / given.processors(),
                         .held = "both factors and the product, whole and in blocks",
                         .remedy = "a smaller n"});
}

}  // namespace

any_matrix_pair matrices_from(arguments const& given) {
  auto const second = given[second_matrix];
  if (given.request().input.has_value() == second.empty())
    throw invalid_argument(
        "a product has two factors; give --input and --second, or neither to generate both");
  if (second.empty()) {
    require_memory_for_factors(given);
    return matrix_pair<double>{generated_matrix(given, 0), generated_matrix(given, 1)};
  }
  auto const first = given.request().input->string();
  auto left = read_matrix_of(first);  // first, so that it is the one to be blamed
  auto right = read_matrix_of(second);
  return std::visit(
      [&](auto&& one, auto&& other) {
        return pair_of(first, std::forward<decltype(one)>(one), second,
                       std::forward<decltype(other)>(other));
      },
      std::move(left), std::move(right));
}

}  // namespace lockstep
