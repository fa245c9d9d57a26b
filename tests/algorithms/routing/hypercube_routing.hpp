#pragma once

#include <numeric>
#include <string>
#include <vector>

#include <lockstep/claim.hpp>
#include <lockstep/machine.hpp>
#include <lockstep/topologies/hypercube.hpp>

#include "catch.hpp"
#include "experiments/refusal_of.hpp"
#include "index.hpp"

// Shared by tests of routing on hypercubes.

constexpr lockstep::machine_options one_port_strict{.strict = true, .workers = 1};
constexpr lockstep::machine_options all_ports_strict{
    .ports = lockstep::ports::all, .strict = true, .workers = 1};

/// Those options, with all kinds of engines and workers.
inline std::vector<lockstep::machine_options> on_all_engines(lockstep::machine_options options) {
  std::vector<lockstep::machine_options> all{options};
  options.workers = 2;
  all.push_back(options);
  options.engine = lockstep::engine::threads;
  all.push_back(options);
  return all;
}

inline std::vector<int> ranks_below(int count) {
  std::vector<int> ranks(index(count));
  std::iota(ranks.begin(), ranks.end(), 0);
  return ranks;
}

/// The members of a set that is written in bits.
inline std::vector<int> members_of(unsigned set) {
  std::vector<int> members;
  for (int i = 0; set >> i != 0; ++i)
    if ((set >> i & 1U) != 0) members.push_back(i);
  return members;
}

/// Checks claims that have no errata.
inline void check_claims(std::vector<lockstep::claim> const& claims,
                         lockstep::counts const& counts) {
  for (auto const& claimed : claims) {
    INFO(claimed.figure << " " << claimed.formula << " = " << claimed.value() << ": " << counts);
    CHECK(claimed.erratum.empty());
    CHECK(holds(claimed, counts));
  }
}

/// The message of a program's refusal on that machine; "not refused" if it runs through.
template <class Program>
std::string refusal_on(lockstep::machine const& on, Program const& program) {
  return refusal_of<lockstep::invalid_argument>(on, program);
}
