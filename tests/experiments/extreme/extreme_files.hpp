#pragma once

#include <bit>
#include <cmath>
#include <complex>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <limits>
#include <map>
#include <span>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <lockstep/errors.hpp>
#include <lockstep/experiments/registry.hpp>

#include "experiments/files/npy_bytes.hpp"
#include "experiments/temporary_file.hpp"

// Files with extreme values, and what a run makes of them.

/// What becomes of a file: `exact` where a run writes what is right, `refused` where it ends before
/// with one line and writes nothing; else what went wrong.
using verdict_of_file = std::string;
inline constexpr char const* exact = "exact";
inline constexpr char const* refused = "refused";

/// The names of parameters and their values.
using parameters_of_file = std::map<std::string, lockstep::parameter_value>;

/// What a run of an experiment on files makes: its refusal, or the output file.
struct file_run {
  std::string refusal;
  bool is_correct = false;
  std::string output;  ///< the bytes of the file; empty where there is none
};

/// Runs an experiment on the machine of its teaching example. `content`: of the input file.
/// `output_name`: how the output file's name ends.
inline file_run run_on_file(std::string_view name, std::string const& content,
                            parameters_of_file const& given, std::string const& output_name) {
  auto const& which = *lockstep::find_experiment(name);
  auto asked = lockstep::teaching_request(which);
  if (asked.parameters.contains("textbook"))
    asked.parameters["textbook"] = false;  // takes no files
  for (auto const& taken : which.parameters)
    if (taken.of_made_input || taken.told_by_input) asked.parameters.erase(taken.name);
  for (auto const& [parameter, value] : given) asked.parameters[parameter] = value;
  temporary_file const input(content);
  auto const output = temporary_file::ending_in(output_name);
  asked.input = input.path();
  asked.output = output.path();
  file_run run;
  try {
    run.is_correct = which.run(asked).correct;
  } catch (lockstep::bad_input const& refusal) {
    run.refusal = refusal.what();
  } catch (lockstep::invalid_argument const& refusal) {
    run.refusal = refusal.what();
  }
  if (std::filesystem::exists(output.path())) run.output = output.content();
  return run;
}

/// Tells what became of a file. `is_right(output)`: whether the output file is.
template <class IsRight>
verdict_of_file verdict_on(file_run const& run, IsRight const& is_right) {
  if (!run.refusal.empty()) {
    if (!run.output.empty()) return "refused, and yet wrote a file";
    if (run.refusal.find('\n') != std::string::npos) return "refused in several lines";
    return refused;
  }
  if (!run.is_correct) return "correct no";
  return is_right(run.output) ? exact : "correct yes, and the file is wrong";
}

/// The numbers of a file that ends in them.
template <class Number>
std::vector<Number> numbers_at_end(std::string const& bytes, std::size_t count) {
  std::vector<Number> numbers(count);
  if (bytes.size() >= count * sizeof(Number))
    std::memcpy(numbers.data(), bytes.data() + bytes.size() - count * sizeof(Number),
                count * sizeof(Number));
  return numbers;
}

/// The lines of a text.
inline std::vector<std::string> lines_in(std::string const& text) {
  std::vector<std::string> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

/// Calls `call(number of that type)`.
template <class Call>
auto with_type(std::string const& type, Call const& call) {
  if (type == "int32") return call(std::int32_t{});
  if (type == "uint32") return call(std::uint32_t{});
  if (type == "int64") return call(std::int64_t{});
  if (type == "uint64") return call(std::uint64_t{});
  if (type == "float32" || type == "complex64") return call(float{});
  return call(double{});
}

/// How an extreme value is written in a text.
inline std::string text_of_extreme(std::string const& extreme) {
  static std::map<std::string, std::string> const texts{
      {"least", "-9223372036854775808"}, {"largest", "9223372036854775807"},
      {"half", "4611686018427387904"},   {"near largest", "1e308"},
      {"large root", "1e200"},           {"denormal", "5e-324"},
      {"negative zero", "-0.0"},         {"infinity", "inf"}};
  auto const found = texts.find(extreme);
  return found == texts.end() ? extreme : found->second;  // "nan", "1e999", "9007199254740993"
}

/// Whether they have the same bits.
template <class Number>
bool are_same_bits(std::vector<Number> const& one, std::vector<Number> const& other) {
  return one.size() == other.size() &&
         std::memcmp(one.data(), other.data(), one.size() * sizeof(Number)) == 0;
}

/// The number of that type that has that name: "largest", "1e200" (of float32 1e30), "infinity" ..
template <class Number>
Number extreme_number(std::string_view name) {
  using limits = std::numeric_limits<Number>;
  constexpr unsigned half_of_bits = sizeof(Number) * 8 - 2;
  if (name == "least") return limits::lowest();
  if (name == "largest") return limits::max();
  if constexpr (limits::is_integer) {
    return static_cast<Number>(std::uint64_t{1} << half_of_bits);  // 2^62, or 2^30
  } else {
    constexpr bool is_double = sizeof(Number) == sizeof(double);
    if (name == "large root") return static_cast<Number>(is_double ? 1e200 : 1e30F);
    if (name == "small root") return static_cast<Number>(is_double ? 1e-162 : 2e-23F);
    if (name == "near largest") return static_cast<Number>(is_double ? 1e308 : 1e38F);
    if (name == "denormal") return limits::denorm_min();
    if (name == "negative zero") return -Number{0};
    if (name == "infinity") return limits::infinity();
    return limits::quiet_NaN();
  }
}
