#include "explain/phase_names.hpp"

#include <string>
#include <vector>

#include "../catch.hpp"

namespace {

using lines = std::vector<std::string>;
using lockstep::cli::phase_lines;

std::vector<lockstep::cli::phase_columns> const phases{
    {"load", {1, 6}}, {"route", {7, 8}}, {"sort it", {9, 20}}};

}  // namespace

TEST_CASE("names of phases stand above their first columns", "[phase_names]") {
  CHECK(phase_lines(phases, {1, 20}, 1) == lines{"      route", "load  | sort it"});
  CHECK(phase_lines(phases, {1, 20}, 4) == lines{"   load                    route   sort it"});
}

TEST_CASE("a phase that began before goes on in the first column", "[phase_names]") {
  CHECK(phase_lines(phases, {8, 20}, 1) == lines{"route", "|sort it"});
  CHECK(phase_lines(phases, {10, 12}, 1) == lines{"sort it"});
}

TEST_CASE("names that need many columns stand above one another", "[phase_names]") {
  CHECK(phase_lines({{"one", {1, 1}}, {"two", {2, 2}}, {"three", {3, 3}}}, {1, 3}, 1) ==
        lines{"one", "|two", "||three"});
}

TEST_CASE("where there is no phase in these steps there is no line", "[phase_names]") {
  CHECK(phase_lines({}, {1, 20}, 1).empty());
  CHECK(phase_lines(phases, {21, 30}, 1).empty());
}
