#include <cmath>
#include <complex>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <list>
#include <map>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <lockstep/errors.hpp>
#include <lockstep/experiments/registry.hpp>
#include <lockstep/topologies/parse.hpp>

#include "catch.hpp"
#include "experiments/numeric/numeric_requests.hpp"
#include "experiments/temporary_file.hpp"
#include "files/npy_file.hpp"
#include "numeric/sequential_transform.hpp"

namespace {

using complex_vector = std::vector<std::complex<double>>;

template <class Real>
void save(temporary_file const& file, std::vector<std::complex<Real>> const& signal) {
  std::ofstream out(file.path(), std::ios::binary);
  lockstep::write_npy(out, std::span<std::complex<Real> const>(signal));
}

}  // namespace

TEST_CASE("fft is right and keeps its claims for any p, n, packet, layout and precision",
          "[numeric]") {
  for (int const p : {1, 2, 3, 8, 27, 64})
    for (std::int64_t const each : {0, 1, 6, 64})
      for (std::string const layout : {"cyclic", "block"})
        for (std::string const precision : {"double", "float"})
          for (bool const backward : {false, true}) {
            INFO("p " << p << ", n/p " << each << ", " << layout << ", " << precision);
            auto const result = run_numeric("fft", fmt::format("crossbar:{}", p),
                                            {{"n", each * p},
                                             {"layout", layout},
                                             {"precision", precision},
                                             {"backward", backward},
                                             {"packet", each % 5 + 1}});
            check_numeric(result);
            auto const error = std::get<double>(result.figures.at("error"));
            CHECK(error <= (precision == "double" ? 1e-15 : 4e-7));
            CHECK(std::get<std::string>(result.figures.at("transforms")) == "lockstep");
          }
}

TEST_CASE("fft of lengths with large prime factors", "[numeric]") {
  for (std::int64_t const n : {4 * 1009, 8 * 37 * 41, 2 * 4099}) {
    INFO(n);
    auto const result = run_numeric("fft", "crossbar:2", {{"n", n}});
    check_numeric(result);
    CHECK(std::get<double>(result.figures.at("error")) < 2e-15);
  }
}

TEST_CASE("a spectrum that is wrong in one element is found", "[numeric]") {
  std::vector<lockstep::long_complex> signal(64);
  for (std::size_t i = 0; i < signal.size(); ++i) signal[i] = {std::sin(1.0L * i), 0.25L};
  auto const right = lockstep::sequential_transform(signal, lockstep::fft_direction::forward);
  complex_vector measured(right.begin(), right.end());
  using numbers = std::span<std::complex<double> const>;
  CHECK(lockstep::relative_error(numbers(measured), right, 1) <
        lockstep::largest_rounding_error<double>(64));
  measured[17] += 1e-10;
  CHECK(lockstep::relative_error(numbers(measured), right, 1) >
        lockstep::largest_rounding_error<double>(64));
}

TEST_CASE("fft by a library that is lent has its error, too", "[numeric]") {
  auto asked = numeric_request("fft", "crossbar:4", {{"n", std::int64_t{64}}});
  asked.libraries.transforms = "sums";
  asked.libraries.transform_doubles = [](std::span<std::complex<double>> elements,
                                         std::size_t length, lockstep::fft_direction direction) {
    lockstep::local_fft{}(elements, length, direction);
    for (auto& each : elements) each *= 1 + 1e-15;
  };
  auto const result = lockstep::find_experiment("fft")->run(asked);
  CHECK(result.correct);
  CHECK(std::get<std::string>(result.figures.at("transforms")) == "sums");
  CHECK(std::get<double>(result.figures.at("library_error")) > 0.5e-15);
  CHECK(std::get<double>(result.figures.at("library_error")) < 3e-15);
  CHECK(std::get<double>(result.figures.at("error")) > 1e-15);
}

TEST_CASE("fft refuses what it cannot do, in one line, and writes nothing", "[numeric]") {
  auto const refused = [](std::map<std::string, lockstep::parameter_value> const& given,
                          std::string const& on = "crossbar:4") {
    return numeric_refusal("fft", numeric_request("fft", on, given));
  };
  CHECK(refused({{"n", std::int64_t{10}}}) ==
        "fft: 10 numbers cannot be dealt out evenly to 4 processors; give 8 or 12");
  CHECK(refused({{"n", std::int64_t{3}}}) ==
        "fft: 3 numbers cannot be dealt out evenly to 4 processors; give 4");
  CHECK(refused({}, "torus:2x2").find("is not a crossbar") != std::string::npos);
  CHECK(refused({{"packet", std::int64_t{0}}}) == "packet has to be at least 1, not 0");

  auto const input = temporary_file::ending_in(".npy");
  auto const output = temporary_file::ending_in(".npy");
  auto asked = numeric_request("fft", "crossbar:4", {});
  asked.input = input.path();
  asked.output = output.path();
  save<double>(input, complex_vector(6));
  CHECK(numeric_refusal("fft", asked) ==
        input.path().string() +
            ": 6 numbers cannot be dealt out evenly to 4 processors; give 4 or 8");
  save<double>(input, {{1, 0}, {0, NAN}, {0, 0}, {0, 0}});
  CHECK(numeric_refusal("fft", asked) ==
        input.path().string() + ": number 2 is not finite; give finite numbers");
  asked.input = "/nowhere/signal.npy";
  CHECK(numeric_refusal("fft", asked).find("/nowhere/signal.npy") != std::string::npos);
  CHECK_FALSE(std::filesystem::exists(output.path()));
}

namespace {

/// A signal that NumPy writes, and a request to transform it.
struct numpy_signal {
  numpy_signal(std::string of_type, int length, bool is_backward, std::string const& layout)
      : type(std::move(of_type)),
        n(length),
        backward(is_backward),
        asked(numeric_request("fft", "crossbar:8", {{"layout", layout}, {"backward", backward}})) {
    asked.input = input.path();
    asked.output = output.path();
  }
  [[nodiscard]] std::string writing() const {
    return fmt::format(
        "numpy.save('{}', (r.standard_normal({}) + 1j * r.standard_normal({})).astype('{}'))\n",
        input.path().string(), n, n, type);
  }
  [[nodiscard]] std::string checking() const {
    return fmt::format("check('{}', '{}', '{}', numpy.fft.{}, {})\n", input.path().string(),
                       output.path().string(), type, backward ? "ifft" : "fft",
                       type == "complex128" ? 1e-15 : 5e-7);
  }

  std::string type;
  int n;
  bool backward;
  temporary_file input = temporary_file::ending_in(".npy");
  temporary_file output = temporary_file::ending_in(".npy");
  lockstep::experiment_request asked;
};

}  // namespace

TEST_CASE("fft of what NumPy wrote is NumPy's spectrum, of the same type", "[numeric][numpy]") {
  auto const python = python_with_numpy();
  if (!python) return;
  std::list<numpy_signal> signals;
  for (auto const* const type : {"complex128", "complex64"})
    for (bool const backward : {false, true})
      for (auto const* const layout : {"cyclic", "block"})
        for (int const n : {0, 8, 120, 1024}) signals.emplace_back(type, n, backward, layout);
  std::string writing = "r = numpy.random.default_rng(7)\n";
  std::string checking = R"(
def check(signal, spectrum, type, transform, error):
  x = numpy.load(signal)
  y = numpy.load(spectrum)
  assert y.dtype == x.dtype == type and y.shape == x.shape
  e = transform(x) if len(x) else x
  assert numpy.linalg.norm(y - e) <= error * numpy.linalg.norm(e), spectrum
)";
  for (auto const& each : signals) writing += each.writing();
  REQUIRE(runs_python(*python, writing));
  for (auto const& each : signals) {
    INFO(each.type << ", n " << each.n);
    auto const result = lockstep::find_experiment("fft")->run(each.asked);
    check_numeric(result);
    CHECK(std::get<std::int64_t>(result.parameters.at("n")) == each.n);
    checking += each.checking();
  }
  CHECK(runs_python(*python, checking));
}

TEST_CASE("other arrays than complex signals are refused", "[numeric][numpy]") {
  auto const python = python_with_numpy();
  if (!python) return;
  struct npy_input {
    temporary_file file = temporary_file::ending_in(".npy");
  };
  std::list<npy_input> inputs;
  std::string writing;
  for (std::string const array :
       {"numpy.zeros(8)", "numpy.zeros((8, 1), complex)", "numpy.zeros(8, '>c16')",
        "numpy.complex128(3)", "numpy.zeros(8, 'int64')", "numpy.zeros(8, 'clongdouble')"}) {
    inputs.emplace_back();
    writing += fmt::format("numpy.save('{}', {})\n", inputs.back().file.path().string(), array);
  }
  REQUIRE(runs_python(*python, writing));
  for (auto const& each : inputs) {
    auto const& input = each.file;
    auto asked = numeric_request("fft", "crossbar:8", {});
    asked.input = input.path();
    auto const refusal = numeric_refusal("fft", asked);
    CHECK(refusal.starts_with(input.path().string() + ": "));
    CHECK(refusal.find('\n') == std::string::npos);
  }
}

TEST_CASE("fft refuses a spectrum that its type does not hold, and no other", "[numeric]") {
  auto const file = temporary_file::ending_in(".npy");
  auto asked = numeric_request("fft", "crossbar:4", {});
  asked.parameters.erase("n");
  asked.input = file.path();
  auto const refusal = [&](complex_vector const& signal) {
    save(file, signal);
    return numeric_refusal("fft", asked);
  };
  auto const number = file.path().string() + ": number ";
  CHECK(refusal(complex_vector(8, 1e308)) ==
        number +
            "1 of the spectrum is about 8e+308+0i, more than complex128 holds; scale the signal "
            "down");
  CHECK(refusal({0, 1e308, 0, 0, 0, -1e308, 0, 0})
            .starts_with(number + "2 of the spectrum is about"));
  CHECK(refusal({1e308, -1e308, 0, 0}) ==
        number +
            "3 of the spectrum is about 2e+308+0i, more than complex128 holds; scale the signal "
            "down");
  CHECK(refusal({1e308, {0, 5e307}, 0, 0}) == "not refused");  // of at most 1.5e+308
  CHECK(refusal(complex_vector(8, 1e307)) == "not refused");
  asked.parameters["backward"] = true;
  CHECK_THAT(refusal(complex_vector(8, 1e308)),
             has_text("and a sum on the way to it more than complex128 holds"));
  CHECK(refusal({1e308, 0, 0, 0, 0, 0, 0, 0}) == "not refused");
}

TEST_CASE("fft refuses a signal of numbers so small that digits are lost", "[numeric]") {
  auto const file = temporary_file::ending_in(".npy");
  auto asked = numeric_request("fft", "crossbar:4", {});
  asked.parameters.erase("n");
  asked.input = file.path();
  auto const refusal = [&](double size) {
    complex_vector signal(64);
    for (std::size_t i = 0; i < signal.size(); ++i)
      signal[i] = {size * static_cast<double>(i % 7), size * static_cast<double>(i % 5)};
    save(file, signal);
    return numeric_refusal("fft", asked);
  };
  CHECK_THAT(refusal(1e-322),
             has_text(": the spectrum has numbers so small that complex128 loses"));
  CHECK(refusal(1e-290) == "not refused");
}

TEST_CASE("a signal of zeros has no other transform than zeros", "[numeric]") {
  std::vector<lockstep::long_complex> const zeros(4);
  CHECK(lockstep::relative_error<double>(complex_vector(4), zeros, 1) == 0);
  CHECK(lockstep::relative_error<double>(complex_vector{0, 3, 4, 0}, zeros, 1) == 5);
}
