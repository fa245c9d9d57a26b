#pragma once

#include <cstdlib>
#include <fstream>
#include <optional>
#include <string>

#include "catch.hpp"
#include "experiments/requests.hpp"
#include "experiments/temporary_file.hpp"
#include "files/npy_file.hpp"

/// A pair of files for a request to read, and one for it to write.
struct npy_files {
  temporary_file input = temporary_file::ending_in(".npy");
  temporary_file second = temporary_file::ending_in(".npy");
  temporary_file output = temporary_file::ending_in(".npy");

  /// Has a request read the input file, instead of generating n numbers, and write the output file.
  void give_to(lockstep::experiment_request& asked) const {
    asked.parameters.erase("n");
    asked.input = input.path();
    asked.output = output.path();
    if (asked.parameters.contains("second")) asked.parameters["second"] = second.path().string();
  }
};

/// Saves a signal or a matrix.
template <class Numbers>
void save(temporary_file const& file, Numbers const& numbers) {
  std::ofstream out(file.path(), std::ios::binary);
  lockstep::write_npy(out, numbers);
}

inline double error_of(lockstep::experiment_result const& result) {
  return std::get<double>(result.figures.at("error"));
}

inline bool runs_python(std::string const& python, std::string const& program) {
  temporary_file const script("import sys, numpy\n" + program);
  auto const command = python + " '" + script.path().string() + "' 2>/dev/null";
  return std::system(command.c_str()) == 0;
}

/// The Python that has NumPy, said aloud if there is none.
inline std::optional<std::string> python_with_numpy() {
  for (auto const* python : {"python3", "/usr/bin/python3"})
    if (runs_python(python, "")) return python;
  WARN("skipped: there is no python3 with numpy");
  return std::nullopt;
}
