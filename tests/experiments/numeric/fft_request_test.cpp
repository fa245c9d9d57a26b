#include <cmath>
#include <complex>
#include <cstdint>
#include <filesystem>
#include <list>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <lockstep/cost_models.hpp>

#include "catch.hpp"
#include "experiments/numeric/numeric_requests.hpp"
#include "numeric/sequential_transform.hpp"

namespace {

using complex_vector = std::vector<std::complex<double>>;
using complex_numbers = std::span<std::complex<double> const>;

/// A signal in a file, and a request to transform it.
struct fft_of_file {
  explicit fft_of_file(std::string const& on = "crossbar:4", requests::values const& given = {})
      : asked(requests::make("fft", on, given)) {
    files.give_to(asked);
  }
  [[nodiscard]] std::string refusal() const { return requests::refusal("fft", asked); }
  [[nodiscard]] std::string refusal_of(complex_vector const& signal) const {
    save(files.input, complex_numbers(signal));
    return refusal();
  }

  npy_files files;
  lockstep::experiment_request asked;
};

}  // namespace

TEST_CASE("fft counts an operation of each element in each level", "[numeric]") {
  auto const counts = [](std::string const& on, std::int64_t n) {
    auto const result = requests::run("fft", on, {{"n", n}});
    requests::check(result);
    return result.record.counts();
  };
  CHECK(counts("crossbar:8", 512).work == 64 * 9);
  CHECK(counts("crossbar:8", 512).operations == 512 * 9);
  CHECK(counts("crossbar:1", 8).work == 8 * 3);
  // Where a length is not a power of two none are counted, so that no part stands for all.
  CHECK(counts("crossbar:6", 36).work == 0);
  CHECK(counts("crossbar:4", 48).operations == 0);
}

TEST_CASE("fft has the T_p of textbooks", "[numeric]") {
  lockstep::block_distributed_model const prices{.tau_words = 100, .operation_words = 1};
  auto const time = [&](std::string const& on, std::int64_t n) {
    auto const result = requests::run("fft", on, {{"n", n}});
    requests::check(result);
    auto const priced = requests::figure(result, "T_p");
    CHECK(static_cast<double>(priced) == prices.time(result.record.counts(), 1));
    return priced;
  };
  CHECK(time("crossbar:8", 512) == 64 * 9 + 100 + 7 * 8);  // n log n/p, and one transposition
  CHECK(time("crossbar:1", 8) == 24);
  CHECK_FALSE(requests::run("fft", "crossbar:6", {{"n", 36}}).figures.contains("T_p"));
  CHECK_FALSE(requests::run("fft", "crossbar:8", {{"n", 32}}).figures.contains("T_p"));  // n < p^2
}

TEST_CASE("fft is right and keeps its claims for any p, n, packet, layout and precision",
          "[numeric]") {
  for (int const p : {1, 2, 3, 8, 27, 64})
    for (std::int64_t const each : {0, 1, 6, 64})
      for (auto const* const layout : {"cyclic", "block"})
        for (std::string const precision : {"double", "float"})
          for (bool const backward : {false, true}) {
            INFO("p " << p << ", n/p " << each << ", " << layout << ", " << precision);
            auto const result = requests::run("fft", fmt::format("crossbar:{}", p),
                                              {{"n", each * p},
                                               {"layout", layout},
                                               {"precision", precision},
                                               {"backward", backward},
                                               {"packet", each % 5 + 1}});
            requests::check(result);
            CHECK(error_of(result) <= (precision == "double" ? 1e-15 : 4e-7));
            CHECK(std::get<std::string>(result.figures.at("transforms")) == "lockstep");
          }
  for (std::int64_t const n : {4 * 1009, 8 * 37 * 41, 2 * 4099}) {  // large prime factors
    INFO(n);
    auto const result = requests::run("fft", "crossbar:2", {{"n", n}});
    requests::check(result);
    CHECK(error_of(result) < 2e-15);
  }
}

TEST_CASE("a spectrum that is wrong in one element is found", "[numeric]") {
  std::vector<lockstep::long_complex> signal(64);
  for (std::size_t i = 0; i < signal.size(); ++i) signal[i] = {std::sin(1.0L * i), 0.25L};
  auto const right = lockstep::sequential_transform(signal, lockstep::fft_direction::forward);
  complex_vector measured(right.begin(), right.end());
  auto const largest = lockstep::largest_rounding_error<double>(64);
  CHECK(lockstep::relative_error(complex_numbers(measured), right, 1) < largest);
  measured[17] += 1e-10;
  CHECK(lockstep::relative_error(complex_numbers(measured), right, 1) > largest);
}

TEST_CASE("fft by a library that is lent has its error, too", "[numeric]") {
  auto asked = requests::make("fft", "crossbar:4", {{"n", 64}});
  asked.libraries.transforms = "sums";
  asked.libraries.transform_doubles = [](std::span<std::complex<double>> elements,
                                         std::size_t length, lockstep::fft_direction direction) {
    lockstep::local_fft{}(elements, length, direction);
    for (auto& each : elements) each *= 1 + 1e-15;
  };
  auto const result = requests::run("fft", asked);
  CHECK(result.correct);
  CHECK(std::get<std::string>(result.figures.at("transforms")) == "sums");
  auto const library_error = std::get<double>(result.figures.at("library_error"));
  CHECK(library_error > 0.5e-15);
  CHECK(library_error < 3e-15);
  CHECK(error_of(result) > 1e-15);
}

TEST_CASE("fft refuses what it cannot do, in one line, and writes nothing", "[numeric]") {
  CHECK(requests::refusal("fft", "crossbar:4", {{"n", 10}}) ==
        "fft: 10 numbers cannot be dealt out evenly to 4 processors; give 8 or 12");
  CHECK(requests::refusal("fft", "crossbar:4", {{"n", 3}}) ==
        "fft: 3 numbers cannot be dealt out evenly to 4 processors; give 4");
  CHECK_THAT(requests::refusal("fft", "torus:2x2"), has_text("is not a crossbar"));
  fft_of_file of;
  auto const file = of.files.input.path().string();
  CHECK(of.refusal_of(complex_vector(6)) ==
        file + ": 6 numbers cannot be dealt out evenly to 4 processors; give 4 or 8");
  CHECK(of.refusal_of({{1, 0}, {0, NAN}, {0, 0}, {0, 0}}) ==
        file + ": number 2 is not finite; give finite numbers");
  of.asked.input = "/nowhere/signal.npy";
  CHECK_THAT(of.refusal(), has_text("/nowhere/signal.npy"));
  CHECK_FALSE(std::filesystem::exists(of.files.output.path()));
}

namespace {

/// A signal that NumPy writes, and a request to transform it.
struct numpy_signal : fft_of_file {
  numpy_signal(std::string of_type, int length, bool is_backward, std::string const& layout)
      : fft_of_file("crossbar:8", {{"layout", layout}, {"backward", is_backward}}),
        type(std::move(of_type)),
        n(length),
        backward(is_backward) {}
  [[nodiscard]] std::string writing() const {
    return fmt::format(
        "numpy.save('{}', (r.standard_normal({}) + 1j * r.standard_normal({})).astype('{}'))\n",
        files.input.path().string(), n, n, type);
  }
  [[nodiscard]] std::string checking() const {
    return fmt::format("check('{}', '{}', '{}', numpy.fft.{}, {})\n", files.input.path().string(),
                       files.output.path().string(), type, backward ? "ifft" : "fft",
                       type == "complex128" ? 1e-15 : 5e-7);
  }

  std::string type;
  int n;
  bool backward;
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
    auto const result = requests::run("fft", each.asked);
    requests::check(result);
    CHECK(result.parameters.at("n") == lockstep::parameter_value(each.n));
    checking += each.checking();
  }
  CHECK(runs_python(*python, checking));
}

TEST_CASE("other arrays than complex signals are refused", "[numeric][numpy]") {
  auto const python = python_with_numpy();
  if (!python) return;
  std::list<fft_of_file> all;
  std::string writing;
  for (std::string const array :
       {"numpy.zeros(8)", "numpy.zeros((8, 1), complex)", "numpy.zeros(8, '>c16')",
        "numpy.complex128(3)", "numpy.zeros(8, 'int64')", "numpy.zeros(8, 'clongdouble')"})
    writing += fmt::format("numpy.save('{}', {})\n",
                           all.emplace_back("crossbar:8").files.input.path().string(), array);
  REQUIRE(runs_python(*python, writing));
  for (auto const& each : all) {
    auto const refusal = each.refusal();
    CHECK(refusal.starts_with(each.files.input.path().string() + ": "));
    CHECK(refusal.find('\n') == std::string::npos);
  }
}

TEST_CASE("fft refuses a spectrum that its type does not hold, and no other", "[numeric]") {
  fft_of_file of;
  auto const number = of.files.input.path().string() + ": number ";
  auto const too_large = "more than complex128 holds; scale the signal down";
  CHECK(of.refusal_of(complex_vector(8, 1e308)) ==
        number + "1 of the spectrum is about 8e+308+0i, " + too_large);
  CHECK(of.refusal_of({0, 1e308, 0, 0, 0, -1e308, 0, 0})
            .starts_with(number + "2 of the spectrum is about"));
  CHECK(of.refusal_of({1e308, -1e308, 0, 0}) ==
        number + "3 of the spectrum is about 2e+308+0i, " + too_large);
  CHECK(of.refusal_of({1e308, {0, 5e307}, 0, 0}) == "not refused");  // of at most 1.5e+308
  CHECK(of.refusal_of(complex_vector(8, 1e307)) == "not refused");
  of.asked.parameters["backward"] = true;
  CHECK_THAT(of.refusal_of(complex_vector(8, 1e308)),
             has_text("and a sum on the way to it more than complex128 holds"));
  CHECK(of.refusal_of({1e308, 0, 0, 0, 0, 0, 0, 0}) == "not refused");
}

TEST_CASE("fft refuses a signal of numbers so small that digits are lost", "[numeric]") {
  fft_of_file of;
  auto const refusal = [&](double size) {
    complex_vector signal(64);
    for (std::size_t i = 0; i < signal.size(); ++i)
      signal[i] = {size * static_cast<double>(i % 7), size * static_cast<double>(i % 5)};
    return of.refusal_of(signal);
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
