#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <optional>
#include <string>

#include <fmt/format.h>

#include <lockstep/experiments/registry.hpp>
#include <lockstep/topologies/parse.hpp>

#include "catch.hpp"
#include "experiments/temporary_file.hpp"
#include "files/matrix_file.hpp"

// Files that the real NumPy wrote, and files that it reads; skipped where there is none.

namespace {

bool runs(std::string const& python, std::string const& program) {
  temporary_file const script("import sys, numpy\n" + program);
  auto const command = python + " '" + script.path().string() + "' 2>/dev/null";
  return std::system(command.c_str()) == 0;
}

/// The Python that has NumPy, said aloud if there is none.
std::optional<std::string> python_with_numpy() {
  for (auto const* python : {"python3", "/usr/bin/python3"})
    if (runs(python, "")) return python;
  WARN("skipped: there is no python3 with numpy");
  return std::nullopt;
}

std::string in_python(temporary_file const& file) {
  std::string text("'");
  text.append(file.path().string()).append("'");
  return text;
}

void transpose(temporary_file const& input, temporary_file const& output) {
  lockstep::experiment_request asked{.network = lockstep::parse("torus:4x4")};
  asked.input = input.path();
  asked.output = output.path();
  auto const result = lockstep::find_experiment("all-to-all")->run(asked);
  CHECK(result.correct);
}

}  // namespace

TEST_CASE("what NumPy writes is transposed as NumPy does, byte for byte", "[npy][numpy]") {
  auto const python = python_with_numpy();
  if (!python) return;
  for (std::string const type : {"float64", "float32", "int64", "int32"})
    for (std::string const version : {"1, 0", "2, 0", "3, 0"}) {
      INFO(type << ", version " << version);
      auto const input = temporary_file::ending_in(".npy");
      auto const output = temporary_file::ending_in(".npy");
      auto const expected = temporary_file::ending_in(".npy");
      std::string const bits = type.ends_with("64") ? "int64" : "int32";
      // any bits at all, NaNs among them
      constexpr auto program = R"(
bits = numpy.random.default_rng(7).integers(-2**31, 2**31, (48, 48))
a = (bits * 4294967311).astype('{}').view('{}')
with open({}, 'wb') as file:
  numpy.lib.format.write_array(file, a, ({}))
numpy.save({}, numpy.ascontiguousarray(a.T))
)";
      REQUIRE(runs(*python, fmt::format(program, bits, type, in_python(input), version,
                                        in_python(expected))));
      transpose(input, output);
      CHECK(output.content() == expected.content());
    }
}

TEST_CASE("NumPy reads what was made from text", "[npy][numpy]") {
  auto const python = python_with_numpy();
  if (!python) return;
  for (std::string const type : {"float64", "int64"}) {
    INFO(type);
    auto const input = temporary_file::ending_in(".txt");
    auto const output = temporary_file::ending_in(".npy");
    bool const whole = type == "int64";
    auto const matrix = fmt::format("a = (numpy.arange(256).reshape(16, 16) / {}).astype('{}')\n",
                                    whole ? 1 : 7, type);
    REQUIRE(runs(*python, matrix + fmt::format("numpy.savetxt({}, a, fmt='{}')\n", in_python(input),
                                               whole ? "%d" : "%r")));
    transpose(input, output);
    CHECK(runs(*python, matrix + fmt::format("b = numpy.load({})\n"
                                             "assert b.dtype == '{}' and (b == a.T).all()\n",
                                             in_python(output), type)));
  }
}

TEST_CASE("NumPy reads the text that was made from .npy", "[npy][numpy]") {
  auto const python = python_with_numpy();
  if (!python) return;
  auto const input = temporary_file::ending_in(".npy");
  auto const output = temporary_file::ending_in(".txt");
  std::string const matrix = "a = (numpy.arange(256).reshape(16, 16) / 7).astype('float32')\n";
  REQUIRE(runs(*python, matrix + "numpy.save(" + in_python(input) + ", a)\n"));
  transpose(input, output);
  CHECK(runs(*python, matrix + "b = numpy.loadtxt(" + in_python(output) +
                          ", dtype='float32')\nassert (b == a.T).all()\n"));
}

TEST_CASE("other arrays of NumPy are refused", "[npy][numpy]") {
  auto const python = python_with_numpy();
  if (!python) return;
  for (std::string const array :
       {"numpy.zeros((4, 4), '>f8')", "numpy.ones((4, 4), order='F')", "numpy.zeros((0, 0))",
        "numpy.zeros((4, 4), 'complex64')", "numpy.zeros((4, 4), [('x', 'f8'), ('y', 'i4')])",
        "numpy.zeros((2, 3))", "numpy.zeros((2, 2, 2))", "numpy.zeros(4)", "numpy.float64(3)",
        "numpy.zeros((4, 4), bool)", "numpy.array([['a', 'b'], ['c', 'd']])"}) {
    INFO(array);
    auto const input = temporary_file::ending_in(".npy");
    REQUIRE(runs(*python, "numpy.save(" + in_python(input) + ", " + array + ")\n"));
    CHECK_THROWS_AS(lockstep::read_matrix(input.path()), lockstep::bad_input);
  }
}
