#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "experiments/extreme/extreme_files.hpp"

// The families of algorithms that take files, and what each makes of extreme values.

/// A file of a family: its type, the extreme value in it, and how that stands among others.
struct extreme_case {
  std::string type;         ///< "int64", "text", "column"
  std::string extreme;      ///< "largest", as in `extreme_number`
  std::string arrangement;  ///< "squared"
  std::string expected;     ///< `exact` or `refused`
};

/// Rows of one type that come to the same, each as "extreme: arrangement".
inline void add_rows(std::vector<extreme_case>& table, std::string const& type,
                     std::string const& expected, std::vector<std::string> const& rows) {
  for (auto const& row : rows) {
    auto const end = row.find(": ");
    table.push_back({type, row.substr(0, end), row.substr(end + 2), expected});
  }
}

/// Algorithms that take the same files and say the same of them.
struct file_family {
  std::string name;
  std::vector<std::string> algorithms;
  std::vector<extreme_case> table;
  std::function<verdict_of_file(std::string const& algorithm, extreme_case const& of)> run;
};

file_family products_of_files();
file_family transforms_of_files();
file_family sorts_of_files();
file_family sorts_of_whole_numbers();
file_family sorts_of_digits();
file_family prefixes_of_files();
file_family intervals_of_files();
file_family copies_of_files();
file_family loads_of_files();
file_family sizes_of_files();
file_family writes_of_files();
file_family reads_of_files();
file_family exchanges_of_files();
