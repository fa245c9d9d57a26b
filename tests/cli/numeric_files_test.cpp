#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

#include "catch.hpp"
#include "contains.hpp"
#include "refusal.hpp"
#include "shell.hpp"

// `lockstep run fft`, `matrix-product`, `cannon` and `summa` with files, as a shell runs them.

namespace {

void check_right(std::string const& command) {
  auto const done = lockstep_with("run " + command + " --json");
  INFO("lockstep run " << command << "\n" << done.err);
  REQUIRE(done.status == 0);
  auto const run = nlohmann::json::parse(done.out);
  CHECK(run.at("correct") == true);
  CHECK(run.at("figures").at("error") < 1e-15);
}

/// The numbers of a file of NumPy's, real and imaginary parts one after the other.
std::vector<double> numbers_in(std::string const& npy) {
  constexpr std::size_t header = 128;
  auto const bytes = read_file(npy);
  REQUIRE(bytes.size() >= header);
  std::vector<double> numbers((bytes.size() - header) / sizeof(double));
  std::memcpy(numbers.data(), bytes.data() + header, numbers.size() * sizeof(double));
  return numbers;
}

/// The largest difference of two numbers at the same place, in units of the largest number.
double difference(std::vector<double> const& one, std::vector<double> const& other) {
  REQUIRE(one.size() == other.size());
  double largest = 0;
  double apart = 0;
  for (std::size_t i = 0; i < one.size(); ++i) {
    largest = std::max(largest, std::abs(one[i]));
    apart = std::max(apart, std::abs(one[i] - other[i]));
  }
  return apart / largest;
}

constexpr double rounding = 1e-14;

}  // namespace

TEST_CASE("fft transforms a file there, and back", "[binary][numeric]") {
  scratch_directory const scratch;
  auto const spectrum = scratch.file("spectrum.npy").string();
  auto const signal = scratch.file("signal.npy").string();
  check_right("fft --on crossbar:8 --n 64 --output " + spectrum);
  check_right("fft --on crossbar:4 --backward --layout block --input " + spectrum + " --output " +
              signal);
  auto const again = scratch.file("again.npy").string();
  check_right("fft --on crossbar:16 --layout block --input " + signal + " --output " + again);
  CHECK(numbers_in(signal).size() == 64 * 2);
  CHECK(difference(numbers_in(spectrum), numbers_in(again)) < rounding);
  CHECK(difference(numbers_in(spectrum), numbers_in(signal)) > 0.1);
}

TEST_CASE("products take two files, of any algorithm", "[binary][numeric]") {
  scratch_directory const scratch;
  auto const first = scratch.file("a.npy").string();
  auto const second = scratch.file("b.npy").string();
  auto const product = scratch.file("c.npy").string();
  check_right("cannon --on torus:3x3 --n 10 --output " + first);
  check_right("summa --on torus:2x2 --n 10 --seed 2 --output " + second);
  auto const a = numbers_in(first);
  auto const b = numbers_in(second);
  std::vector<double> expected(100);
  for (std::size_t i = 0; i < 10; ++i)
    for (std::size_t j = 0; j < 10; ++j)
      for (std::size_t t = 0; t < 10; ++t) expected[10 * i + j] += a[10 * i + t] * b[10 * t + j];
  for (std::string const run : {"matrix-product --on crossbar:8", "matrix-product --on crossbar:27",
                                "cannon --on torus:4x4", "summa --on torus:3x3 --panels 2"}) {
    check_right(run + " --input " + first + " --second " + second + " --output " + product);
    CHECK(difference(expected, numbers_in(product)) < rounding);
  }
}

TEST_CASE("signals and matrices that do not fit are refused, and nothing is written",
          "[binary][numeric]") {
  scratch_directory const scratch;
  auto const text = scratch.write("a.npy", "1 2\n3 4\n").string();
  auto const output = " --output " + scratch.file("out.npy").string();
  for (auto const& command :
       {"fft --on crossbar:4 --n 6" + output, "fft --on crossbar:2 --input " + text + output,
        "fft --on crossbar:4 --precision half" + output, "fft --on torus:2x2" + output,
        "matrix-product --on crossbar:9" + output, "cannon --on torus:2x4" + output,
        "cannon --on torus:2x2 --n 4 --input " + text + " --second " + text + output,
        "summa --on torus:2x2 --input " + text + " --second " + text + output,
        "summa --on torus:2x2 --second " + text + output,
        "matrix-product --on crossbar:8 --tau 3 --packet 4" + output}) {
    INFO("lockstep run " << command);
    check_refusal(lockstep_with("run " + command), "");
    CHECK(scratch.files() == 1);
  }
}

TEST_CASE("a product that its type does not hold is refused, and nothing is written",
          "[binary][numeric]") {
  scratch_directory const scratch;
  auto const write = [&](std::string const& name, std::string const& type, auto number) {
    auto dictionary = "{'descr': '" + type + "', 'fortran_order': False, 'shape': (8, 8), }";
    dictionary.append(128 - 10 - dictionary.size() - 1, ' ');
    std::string bytes = std::string("\x93NUMPY\x01\x00", 8) + "v" + std::string(1, '\0');
    bytes += dictionary + "\n";
    for (int i = 0; i < 64; ++i)
      bytes.append(reinterpret_cast<char const*>(&number), sizeof number);
    return scratch.write(name, bytes).string();
  };
  auto const whole = write("whole.npy", "<i8", std::int64_t{1} << 62U);
  auto const real = write("real.npy", "<f8", 1e200);
  auto const product = scratch.file("product.npy").string();
  for (std::string const run : {"cannon --on torus:4x4", "summa --on torus:2x2 --panels 2",
                                "matrix-product --on crossbar:8"})
    for (auto const& [file, part] :
         {std::pair{whole, "about 1.701e+38, which whole numbers of 64 bits do not hold"},
          {real, "is about 8e+400, more than float64 holds"}}) {
      auto command = "run " + run;
      command += " --input " + file + " --second " + file + " --output " + product;
      auto const done = lockstep_with(command);
      INFO("lockstep " << command);
      check_refusal(done, part);
      CHECK(contains(done.err, "the product in row 0, column 0 is "));
      CHECK_FALSE(std::filesystem::exists(product));
    }
}
