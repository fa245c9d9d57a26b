#pragma once

#include <cstdlib>
#include <fstream>
#include <map>
#include <optional>
#include <string>

#include <lockstep/errors.hpp>
#include <lockstep/experiments/registry.hpp>
#include <lockstep/topologies/parse.hpp>

#include "catch.hpp"
#include "experiments/temporary_file.hpp"

/// What the command line asks for where these parameters are given.
inline lockstep::experiment_request numeric_request(
    std::string const& name, std::string const& on,
    std::map<std::string, lockstep::parameter_value> const& given) {
  lockstep::experiment_request asked{.network = lockstep::parse(on)};
  for (auto const& taken : lockstep::find_experiment(name)->parameters)
    asked.parameters[taken.name] = taken.fallback;
  for (auto const& [parameter, value] : given) asked.parameters[parameter] = value;
  return asked;
}

inline lockstep::experiment_result run_numeric(
    std::string const& name, std::string const& on,
    std::map<std::string, lockstep::parameter_value> const& given) {
  return lockstep::find_experiment(name)->run(numeric_request(name, on, given));
}

/// The line that refuses it before anything runs; "not refused" if nothing does.
inline std::string numeric_refusal(std::string const& name,
                                   lockstep::experiment_request const& asked) {
  try {
    static_cast<void>(lockstep::find_experiment(name)->run(asked));
  } catch (lockstep::error const& refused) {
    CHECK(refused.step() == 0);
    return refused.message();
  }
  return "not refused";
}

inline void check_numeric(lockstep::experiment_result const& result) {
  CHECK(result.correct);
  CHECK(result.record.counts().queued == 0);
  CHECK_FALSE(result.claims.empty());
  for (auto const& claimed : result.claims) {
    INFO(claimed.figure << " " << claimed.formula << " = " << claimed.value() << ", measured "
                        << measured_for(claimed, result) << "; " << claimed.erratum);
    CHECK((holds(claimed, measured_for(claimed, result)) || !claimed.erratum.empty()));
  }
  for (auto const& bound : result.bounds) CHECK(holds(bound, result.record.counts()));
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
