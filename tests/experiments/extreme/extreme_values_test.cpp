#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include <lockstep/experiments/registry.hpp>

#include "catch.hpp"
#include "experiments/extreme/extreme_values.hpp"

// Every algorithm that takes a file x every type of file x extreme values: what is right, from a
// reference that does not overflow, or a refusal.

namespace {

std::vector<file_family> all_families() {
  return {products_of_files(),      transforms_of_files(), sorts_of_files(),
          sorts_of_whole_numbers(), sorts_of_digits(),     prefixes_of_files(),
          intervals_of_files(),     copies_of_files(),     loads_of_files(),
          sizes_of_files(),         writes_of_files(),     reads_of_files(),
          exchanges_of_files()};
}

/// The extreme values that a table must have a row for, for each type of file.
std::vector<std::string> extremes_of(std::string const& type) {
  std::vector<std::string> const whole{"least", "largest", "half"};
  std::vector<std::string> const real{"least",    "largest",       "near largest", "large root",
                                      "denormal", "negative zero", "infinity",     "nan"};
  if (type.starts_with("int") || type.starts_with("uint")) return whole;
  if (type.starts_with("float") || type.starts_with("complex")) return real;
  if (type.ends_with("of whole numbers")) return whole;
  auto both = whole;  // a text, in which any number can stand
  both.insert(both.end(), real.begin() + 2, real.end());
  return both;
}

/// The formats that an algorithm says its files may have, but for text.
std::set<std::string> formats_of(lockstep::experiment const& which) {
  std::set<std::string> formats;
  for (auto const& taken : which.parameters)
    if (taken.name == "format") formats.insert(taken.names.begin(), taken.names.end());
  formats.erase("text");
  return formats;
}

}  // namespace

TEST_CASE("every algorithm that takes a file has its rows in the table of extreme values",
          "[extreme]") {
  auto const families = all_families();
  for (auto const& which : lockstep::experiments()) {
    INFO(which.name);
    auto const count = std::ranges::count_if(families, [&](file_family const& family) {
      return std::ranges::find(family.algorithms, which.name) != family.algorithms.end();
    });
    bool const has_numbers = which.takes_files && which.name != "goal";  // a schedule has none
    CHECK(count == (has_numbers ? 1 : 0));
  }
  for (auto const& family : families) {
    std::map<std::string, std::set<std::string>> extremes;
    for (auto const& row : family.table) extremes[row.type].insert(row.extreme);
    for (auto const& [type, found] : extremes)
      for (auto const& extreme : extremes_of(type)) {
        INFO(family.name << ", " << type << ", " << extreme);
        CHECK(found.contains(extreme));
      }
    for (auto const& algorithm : family.algorithms)
      for (auto const& format : formats_of(*lockstep::find_experiment(algorithm))) {
        INFO(algorithm << ", " << format);
        CHECK(extremes.contains(format));
      }
  }
}

TEST_CASE("every parameter that names a file is known to the table of extreme values",
          "[extreme]") {
  std::set<std::string> found;
  for (auto const& which : lockstep::experiments())
    for (auto const& taken : which.parameters)
      if (taken.help.find("FILE") == 0) found.insert(which.name + " --" + taken.name);
  CHECK(found == std::set<std::string>{"cannon --second", "matrix-product --second",
                                       "random-access-read --indices",
                                       "random-access-write --array", "summa --second"});
}

TEST_CASE("extreme values in files come to what is right, or are refused", "[extreme]") {
  for (auto const& family : all_families())
    for (auto const& algorithm : family.algorithms)
      for (auto const& row : family.table) {
        INFO(algorithm << ": " << row.type << ", " << row.extreme << ", " << row.arrangement);
        CHECK(family.run(algorithm, row) == row.expected);
      }
}
