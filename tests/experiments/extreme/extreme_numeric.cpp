#include <algorithm>
#include <cmath>
#include <complex>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <sstream>
#include <string>
#include <type_traits>
#include <vector>

#include "algorithms/numeric/numeric_samples.hpp"
#include "experiments/extreme/extreme_values.hpp"

// Products, transforms and exchanges of .npy files of extreme values.

namespace {

constexpr std::size_t size_of_factors = 4;
__extension__ using wide_number = __int128;

template <class Number>
constexpr char const* npy_type = "<f8";
template <>
constexpr char const* npy_type<float> = "<f4";
template <>
constexpr char const* npy_type<std::int64_t> = "<i8";
template <>
constexpr char const* npy_type<std::int32_t> = "<i4";

template <class Number>
std::string square_npy(std::vector<Number> const& entries, std::size_t n) {
  auto const shape = "(" + std::to_string(n) + ", " + std::to_string(n) + ")";
  return npy_bytes(npy_dictionary(npy_type<Number>, shape), bytes_of(entries));
}

/// Two factors of a product, row by row.
template <class Number>
struct two_factors {
  std::vector<Number> left;
  std::vector<Number> right;
};

template <class Number>
two_factors<Number> factors_of(extreme_case const& of) {
  constexpr auto n = size_of_factors;
  auto const e = extreme_number<Number>(of.extreme);
  auto const& how = of.arrangement;
  two_factors<Number> made{std::vector<Number>(n * n, e), std::vector<Number>(n * n)};
  for (std::size_t i = 0; i < n; ++i) {
    auto const diagonal = i * n + i;
    if (how == "times identity") made.right[diagonal] = Number{1};
    if (how == "times -identity") made.right[diagonal] = static_cast<Number>(-1);
    for (std::size_t j = 0; j < n; ++j) {
      auto& right = made.right[i * n + j];
      if (how == "squared") right = e;
      if (how == "summed") right = Number{1};
      if (how == "cancelling") right = static_cast<Number>(i % 2 == 0 ? 1 : -1);
      if (how == "cancelling squares") right = i % 2 == 0 ? e : static_cast<Number>(-e);
    }
  }
  return made;
}

/// Whether a product is what comes out with more bits: of whole numbers exactly, of others rounded
/// once, since no sum of these cases has more than one term that is not 0.
template <class Number>
bool is_exact_product(two_factors<Number> const& of, std::vector<Number> const& product) {
  using wide = std::conditional_t<std::is_floating_point_v<Number>, long double, wide_number>;
  constexpr auto n = size_of_factors;
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < n; ++j) {
      wide sum = 0;
      for (std::size_t k = 0; k < n; ++k)
        sum += static_cast<wide>(of.left[i * n + k]) * static_cast<wide>(of.right[k * n + j]);
      if (product[i * n + j] != static_cast<Number>(sum)) return false;
      if (static_cast<wide>(product[i * n + j]) != sum && !std::is_floating_point_v<Number>)
        return false;
    }
  return true;
}

verdict_of_file multiply(std::string const& algorithm, extreme_case const& of) {
  return with_type(of.type, [&]<class Number>(Number /*of_type*/) {
    auto const factors = factors_of<Number>(of);
    temporary_file const second(square_npy(factors.right, size_of_factors));
    auto const run = run_on_file(algorithm, square_npy(factors.left, size_of_factors),
                                 {{"second", second.path().string()}}, ".npy");
    return verdict_on(run, [&](std::string const& output) {
      return is_exact_product(factors,
                              numbers_at_end<Number>(output, size_of_factors * size_of_factors));
    });
  });
}

std::vector<extreme_case> cases_of_products() {
  std::vector<extreme_case> table;
  for (auto const* const type : {"int64", "int32"}) {
    add_rows(table, type, refused,
             {"half: squared", "half: summed", "least: times -identity", "least: squared",
              "largest: summed", "largest: squared"});
    add_rows(table, type, exact,
             {"half: times identity", "half: cancelling", "half: cancelling squares",
              "least: times identity", "least: cancelling", "largest: times identity",
              "largest: times -identity", "largest: cancelling squares"});
  }
  for (auto const* const type : {"float64", "float32"}) {
    add_rows(table, type, refused,
             {"large root: squared", "large root: cancelling squares", "small root: squared",
              "near largest: summed", "largest: squared", "infinity: times identity",
              "nan: times identity"});
    add_rows(table, type, exact,  // 0 is the nearest number to a denormal's square
             {"large root: summed", "near largest: times identity", "near largest: cancelling",
              "largest: times identity", "least: times -identity", "denormal: times identity",
              "denormal: summed", "denormal: squared", "negative zero: times identity"});
  }
  return table;
}

/// A signal of 16 numbers.
template <class Real>
std::vector<std::complex<Real>> signal_of(extreme_case const& of) {
  auto const e = extreme_number<Real>(of.extreme);
  std::vector<std::complex<Real>> signal(16);
  if (of.arrangement == "impulse") signal[0] = {e, 0};
  if (of.arrangement == "among others") {
    for (std::size_t i = 0; i < signal.size(); ++i) signal[i] = {static_cast<Real>(i % 3), 1};
    signal[3] = {e, e};
  }
  if (of.arrangement == "two of them") signal[0] = signal[4] = {e, 0};
  if (of.arrangement == "constant") std::ranges::fill(signal, std::complex<Real>{e, 0});
  if (of.arrangement == "ramp")
    for (std::size_t i = 0; i < signal.size(); ++i) signal[i] = {e * static_cast<Real>(i), -e};
  return signal;
}

verdict_of_file transform(std::string const& algorithm, extreme_case const& of) {
  auto const transform_as = [&]<class Real>(Real /*of_type*/) {
    auto const signal = signal_of<Real>(of);
    auto const* const type = sizeof(Real) == sizeof(double) ? "<c16" : "<c8";
    auto const content = npy_bytes(npy_dictionary(type, "(16,)"), bytes_of(signal));
    return verdict_on(run_on_file(algorithm, content, {}, ".npy"), [&](std::string const& output) {
      auto const spectrum = numbers_at_end<std::complex<Real>>(output, signal.size());
      auto const sums = samples::summed_up(signal, lockstep::fft_direction::forward);
      return samples::distance(spectrum, sums) <= 16.0 * std::numeric_limits<Real>::epsilon();
    });
  };
  return of.type == "complex64" ? transform_as(float{}) : transform_as(double{});
}

std::vector<extreme_case> cases_of_transforms() {
  std::vector<extreme_case> table;
  for (auto const* const type : {"complex128", "complex64"}) {
    add_rows(
        table, type, exact,
        {"largest: impulse", "least: impulse", "near largest: among others", "large root: ramp",
         "denormal: impulse", "denormal: among others", "negative zero: ramp"});
    add_rows(table, type, refused,
             {"largest: two of them", "near largest: constant", "denormal: ramp",
              "infinity: among others", "nan: among others"});
  }
  return table;
}

/// A matrix as a text: one row a line.
std::string text_matrix(std::string const& each, std::string const& other, std::size_t n) {
  std::string text;
  for (std::size_t row = 0; row < n; ++row)
    for (std::size_t column = 0; column < n; ++column)
      text += (row == 1 && column == 0 ? each : other) + (column + 1 < n ? " " : "\n");
  return text;
}

/// The numbers of a text, of 64 bits and more.
std::vector<long double> numbers_of_text(std::string const& text) {
  std::vector<long double> numbers;
  std::istringstream words(text);
  for (std::string word; words >> word;) numbers.push_back(std::strtold(word.c_str(), nullptr));
  return numbers;
}

verdict_of_file exchange_text(std::string const& algorithm, extreme_case const& of) {
  constexpr std::size_t n = 64;
  auto const other = of.arrangement == "beside 0.5" ? "0.5" : "7";
  auto const each = text_of_extreme(of.extreme);
  auto const run = run_on_file(algorithm, text_matrix(each, other, n), {}, ".txt");
  return verdict_on(run, [&](std::string const& output) {
    auto expected = numbers_of_text(text_matrix(other, other, n));
    // A decimal is the nearest double.
    expected[1] = each.find_first_of(".e") == std::string::npos
                      ? std::strtold(each.c_str(), nullptr)
                      : static_cast<long double>(std::strtod(each.c_str(), nullptr));
    auto const found = numbers_of_text(output);
    if (found.size() != expected.size()) return false;
    for (std::size_t i = 0; i < found.size(); ++i)
      if (static_cast<double>(found[i]) != static_cast<double>(expected[i]) ||
          std::signbit(found[i]) != std::signbit(expected[i]))
        return false;
    bool const is_whole =
        each.find_first_of(".e") == std::string::npos && other != std::string("0.5");
    return !is_whole || found[1] == expected[1];
  });
}

verdict_of_file exchange(std::string const& algorithm, extreme_case const& of) {
  if (of.type == "text") return exchange_text(algorithm, of);
  return with_type(of.type, [&]<class Number>(Number /*of_type*/) {
    constexpr std::size_t n = 64;
    std::vector<Number> numbers(n * n);
    std::vector<Number> transposed(n * n);
    numbers[n] = transposed[1] = extreme_number<Number>(of.extreme);
    auto const run = run_on_file(algorithm, square_npy(numbers, n), {}, ".npy");
    return verdict_on(run, [&](std::string const& output) {
      return are_same_bits(numbers_at_end<Number>(output, n * n), transposed);
    });
  });
}

std::vector<extreme_case> cases_of_exchanges() {
  std::vector<extreme_case> table;
  for (auto const* const type : {"int64", "int32"})
    add_rows(table, type, exact, {"least: moved", "largest: moved", "half: moved"});
  for (auto const* const type : {"float64", "float32"})
    add_rows(table, type, exact,
             {"least: moved", "largest: moved", "near largest: moved", "large root: moved",
              "denormal: moved", "negative zero: moved", "infinity: moved", "nan: moved"});
  add_rows(table, "text", exact,
           {"least: beside 7", "largest: beside 7", "half: beside 7", "near largest: beside 7",
            "large root: beside 7", "denormal: beside 7", "negative zero: beside 7",
            "half: beside 0.5"});
  add_rows(table, "text", refused, {"infinity: beside 7", "nan: beside 7", "largest: beside 0.5"});
  return table;
}

}  // namespace

file_family products_of_files() {
  return {"products", {"cannon", "summa", "matrix-product"}, cases_of_products(), multiply};
}

file_family transforms_of_files() {
  return {"transforms", {"fft"}, cases_of_transforms(), transform};
}

file_family exchanges_of_files() {
  return {"exchanges", {"all-to-all"}, cases_of_exchanges(), exchange};
}
