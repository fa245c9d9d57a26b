#include <algorithm>
#include <cmath>
#include <complex>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <numbers>
#include <sstream>
#include <string>
#include <type_traits>
#include <vector>

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

/// Calls `call(number of that type)`.
template <class Call>
auto with_type(std::string const& type, Call const& call) {
  if (type == "int64") return call(std::int64_t{});
  if (type == "int32") return call(std::int32_t{});
  if (type == "float32") return call(float{});
  return call(double{});
}

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
  for (auto const* const type : {"int64", "int32"})
    table.insert(table.end(), {{type, "half", "squared", refused},
                               {type, "half", "summed", refused},
                               {type, "half", "times identity", exact},
                               {type, "half", "cancelling", exact},
                               {type, "half", "cancelling squares", exact},
                               {type, "least", "times identity", exact},
                               {type, "least", "times -identity", refused},
                               {type, "least", "cancelling", exact},
                               {type, "least", "squared", refused},
                               {type, "largest", "times identity", exact},
                               {type, "largest", "times -identity", exact},
                               {type, "largest", "summed", refused},
                               {type, "largest", "cancelling squares", exact},
                               {type, "largest", "squared", refused}});
  for (auto const* const type : {"float64", "float32"})
    table.insert(table.end(), {{type, "large root", "squared", refused},
                               {type, "large root", "cancelling squares", refused},
                               {type, "large root", "summed", exact},
                               {type, "small root", "squared", refused},
                               {type, "near largest", "times identity", exact},
                               {type, "near largest", "summed", refused},
                               {type, "near largest", "cancelling", exact},
                               {type, "largest", "times identity", exact},
                               {type, "least", "times -identity", exact},
                               {type, "largest", "squared", refused},
                               {type, "denormal", "times identity", exact},
                               {type, "denormal", "summed", exact},
                               {type, "denormal", "squared", exact},  // 0 is the nearest number
                               {type, "negative zero", "times identity", exact},
                               {type, "infinity", "times identity", refused},
                               {type, "nan", "times identity", refused}});
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

/// Whether a spectrum is what the sums come to in long double, but for rounding.
template <class Real>
bool is_spectrum(std::vector<std::complex<Real>> const& signal,
                 std::vector<std::complex<Real>> const& spectrum) {
  auto const n = signal.size();
  long double off = 0;
  long double length = 0;
  for (std::size_t j = 0; j < n; ++j) {
    std::complex<long double> sum = 0;
    for (std::size_t k = 0; k < n; ++k)
      sum +=
          std::complex<long double>(signal[k]) *
          std::polar(1.0L, -2 * std::numbers::pi_v<long double> *
                               static_cast<long double>(j * k % n) / static_cast<long double>(n));
    off += std::norm(std::complex<long double>(spectrum[j]) - sum);
    length += std::norm(sum);
  }
  return std::sqrt(off) <=
         16 * static_cast<long double>(std::numeric_limits<Real>::epsilon()) * std::sqrt(length);
}

verdict_of_file transform(std::string const& algorithm, extreme_case const& of) {
  auto const transform_as = [&]<class Real>(Real /*of_type*/) {
    auto const signal = signal_of<Real>(of);
    auto const* const type = sizeof(Real) == sizeof(double) ? "<c16" : "<c8";
    auto const content = npy_bytes(npy_dictionary(type, "(16,)"), bytes_of(signal));
    return verdict_on(run_on_file(algorithm, content, {}, ".npy"), [&](std::string const& output) {
      return is_spectrum(signal, numbers_at_end<std::complex<Real>>(output, signal.size()));
    });
  };
  return of.type == "complex64" ? transform_as(float{}) : transform_as(double{});
}

std::vector<extreme_case> cases_of_transforms() {
  std::vector<extreme_case> table;
  for (auto const* const type : {"complex128", "complex64"})
    table.insert(table.end(), {{type, "largest", "impulse", exact},
                               {type, "least", "impulse", exact},
                               {type, "largest", "two of them", refused},
                               {type, "near largest", "among others", exact},
                               {type, "near largest", "constant", refused},
                               {type, "large root", "ramp", exact},
                               {type, "denormal", "impulse", exact},
                               {type, "denormal", "among others", exact},
                               {type, "denormal", "ramp", refused},
                               {type, "negative zero", "ramp", exact},
                               {type, "infinity", "among others", refused},
                               {type, "nan", "among others", refused}});
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

/// What stands in a text for an extreme value, in every type that a text can have.
std::string text_of_matrix(extreme_case const& of) {
  if (of.extreme == "nan") return "nan";
  if (of.extreme == "infinity") return "inf";
  if (of.extreme == "negative zero") return "-0.0";
  if (of.extreme == "least") return "-9223372036854775808";
  if (of.extreme == "largest") return "9223372036854775807";
  if (of.extreme == "half") return "4611686018427387904";
  if (of.extreme == "near largest") return "1e+308";
  if (of.extreme == "large root") return "1e+200";
  return "5e-324";
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
  auto const each = text_of_matrix(of);
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
  for (auto const* const type : {"int64", "int32", "float64", "float32"})
    for (auto const* const extreme : {"least", "largest", "half", "near largest", "large root",
                                      "denormal", "negative zero", "infinity", "nan"}) {
      bool const is_whole = std::string(type).starts_with("int");
      bool const is_of_all = extreme == std::string("least") || extreme == std::string("largest");
      bool const is_of_whole = extreme == std::string("half");
      if (is_of_all || is_of_whole == is_whole) table.push_back({type, extreme, "moved", exact});
    }
  for (auto const* const extreme :
       {"least", "largest", "half", "near largest", "large root", "denormal", "negative zero"})
    table.push_back({"text", extreme, "beside 7", exact});
  table.insert(table.end(), {{"text", "infinity", "beside 7", refused},
                             {"text", "nan", "beside 7", refused},
                             {"text", "half", "beside 0.5", exact},
                             {"text", "largest", "beside 0.5", refused}});
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
