#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <vector>

#include <lockstep/experiments/registry.hpp>
#include <lockstep/topologies/parse.hpp>

#include "experiments/extreme/extreme_values.hpp"

// Prefixes, writes and reads of columns of CSV files with extreme values.

namespace {

using texts = std::vector<std::string>;

std::string negated(std::string const& text) {
  return text.starts_with('-') ? text.substr(1) : "-" + text;
}

/// The numbers of a column, by how an extreme value stands among them.
texts column_of(extreme_case const& of) {
  auto const e = text_of_extreme(of.extreme);
  auto const& how = of.arrangement;
  if (how == "alone") return {e, "0", "0"};
  if (how == "among others") return {"3", e, "-2", "1"};
  if (how == "beside 0.5") return {"1", e, "0.5"};
  if (how == "behind 0.5") return {"0.5", e};
  if (how == "and 1") return {e, "1", "-3"};
  if (how == "and -1") return {e, "-1", "3"};
  if (how == "twice") return {e, e, "0"};
  if (how == "twice, less 1") return {e, "-1", e, "0"};
  if (how == "cancelling") return {e, negated(e), e, negated(e)};
  return {e, e, negated(e), negated(e)};  // "cancelling late"
}

/// A whole number with all bits of a sum of some, or another with more digits than a double has.
struct wide_value {
  __extension__ using integer = __int128;
  integer whole = 0;
  long double real = 0;
  bool is_whole = true;

  void add(std::string const& text) {
    bool const has_digits_only = text.find_first_not_of("-0123456789") == std::string::npos;
    is_whole = is_whole && has_digits_only;
    if (has_digits_only)
      for (integer rest = 0; auto const c : text.substr(text.starts_with('-') ? 1 : 0)) {
        rest = rest * 10 + (c - '0');
        m_last = text.starts_with('-') ? -rest : rest;
      }
    whole += has_digits_only ? m_last : 0;
    // A decimal is the nearest double.
    real += has_digits_only ? std::strtold(text.c_str(), nullptr)
                            : static_cast<long double>(std::strtod(text.c_str(), nullptr));
  }

  /// Whether it is what a text says.
  [[nodiscard]] bool is(std::string const& text) const {
    wide_value other;
    other.add(text);
    if (is_whole && other.is_whole) return other.whole == whole;
    return std::strtod(text.c_str(), nullptr) == static_cast<double>(real);
  }

 private:
  integer m_last = 0;
};

std::string lines_of(std::string const& names, texts const& rows) {
  std::string text = names + "\n";
  for (auto const& row : rows) text += row + "\n";
  return text;
}

/// The rows below the names.
texts rows_of(std::string const& csv) {
  auto rows = lines_in(csv);
  if (!rows.empty()) rows.erase(rows.begin());
  return rows;
}

/// Whether rows have the column byte for byte, and beside it the sums so far, or copies of the first.
bool are_sums_so_far(texts const& column, std::string const& csv, bool are_copies = false) {
  auto const rows = rows_of(csv);
  if (rows.size() != column.size()) return false;
  bool any_real = false;  // then all are in double precision
  for (auto const& each : column)
    any_real = any_real || each.find_first_of(".e") != std::string::npos;
  wide_value sum;
  sum.is_whole = !any_real;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (i == 0 || !are_copies) sum.add(column[i]);
    auto const comma = rows[i].find(',');
    if (rows[i].substr(0, comma) != column[i] || !sum.is(rows[i].substr(comma + 1))) return false;
  }
  return true;
}

verdict_of_file add_up(std::string const& algorithm, extreme_case const& of) {
  auto const column = column_of(of);
  auto const run = run_on_file(algorithm, lines_of("x", column), {}, ".csv");
  return verdict_on(run,
                    [&](std::string const& output) { return are_sums_so_far(column, output); });
}

/// The same of one interval of rows, or copies of its first number.
verdict_of_file add_up_interval(std::string const& algorithm, extreme_case const& of) {
  auto const column = column_of(of);
  texts rows;
  for (auto const& each : column) rows.push_back("0," + each);
  auto const run = run_on_file(algorithm, lines_of("begins,x", rows),
                               {{"begins", "begins"}, {"column", "x"}}, ".csv");
  return verdict_on(run, [&](std::string const& output) {
    return are_sums_so_far(column, output, algorithm == "data-distribution");
  });
}

/// Writes all numbers of the column to index 1; in "array" the first of them stands there before.
verdict_of_file write_up(std::string const& algorithm, extreme_case const& of) {
  auto const column = column_of(of);
  bool const has_array = of.type.starts_with("array");
  texts pairs;
  for (std::size_t i = has_array ? 1 : 0; i < column.size(); ++i) pairs.push_back("1," + column[i]);
  temporary_file const array(lines_of("value", {"0.10", column.front(), "1e2"}));
  temporary_file const whole_array(lines_of("value", {"10", column.front(), "+7"}));
  bool const is_whole = of.type.ends_with("of whole numbers");
  parameters_of_file given;
  if (has_array) given["array"] = (is_whole ? whole_array : array).path().string();
  auto const run = run_on_file(algorithm, lines_of("index,value", pairs), given, ".csv");
  return verdict_on(run, [&](std::string const& output) {
    wide_value sum;
    sum.is_whole = is_whole;
    for (auto const& each : column) {
      sum.add(each);
      sum.is_whole = sum.is_whole && is_whole;
    }
    auto const rows = rows_of(output);
    if (rows.size() != (has_array ? 3U : 2U)) return false;
    if (has_array &&
        (rows[0] != (is_whole ? "0,10" : "0,0.10") || rows[2] != (is_whole ? "2,+7" : "2,1e2")))
      return false;
    return rows[1].starts_with("1,") && sum.is(rows[1].substr(2));
  });
}

/// Reads rows of a table by their indices: byte for byte.
verdict_of_file look_up(std::string const& algorithm, extreme_case const& of) {
  auto const column = column_of(of);
  texts rows;
  for (auto const& each : column) rows.push_back("0.10,\"" + each + "\", 1e2 ");
  temporary_file const indices("index\n1\n0\n1\n");
  auto const run = run_on_file(algorithm, lines_of("\"a\",b, c", rows),
                               {{"indices", indices.path().string()}}, ".csv");
  return verdict_on(run, [&](std::string const& output) {
    return output == lines_of("\"a\",b, c", {rows[1], rows[0], rows[1]});
  });
}

std::vector<extreme_case> cases_of_sums(std::string const& whole, std::string const& real) {
  std::vector<extreme_case> table;
  add_rows(table, whole, exact,
           {"least: alone", "largest: alone", "largest: cancelling", "half: twice, less 1",
            "half: cancelling", "9007199254740993: among others"});
  add_rows(table, whole, refused, {"least: and -1", "half: twice"});
  add_rows(table, real, exact,  // the least is -2^63
           {"least: beside 0.5", "half: beside 0.5", "9007199254740993.0: behind 0.5",
            "near largest: alone", "near largest: cancelling", "large root: twice",
            "denormal: twice", "denormal: cancelling", "negative zero: alone"});
  add_rows(
      table, real, refused,
      {"largest: beside 0.5", "largest: behind 0.5", "9007199254740993: beside 0.5",
       "9007199254740993: behind 0.5", "-9007199254740993: beside 0.5",
       "18446744073709551617: behind 0.5", "100000000000000000000001: behind 0.5",
       "near largest: twice", "infinity: alone", "nan: alone", "1e999: alone", "1e-999: alone"});
  return table;
}

std::vector<extreme_case> cases_of_prefixes() {
  auto table = cases_of_sums("column of whole numbers", "column");
  add_rows(table, "column of whole numbers", refused,
           {"largest: and 1", "half: cancelling late", "18446744073709551617: alone"});
  add_rows(table, "column of whole numbers", exact, {"9223372036854775808: alone"});  // in double
  add_rows(table, "column", refused, {"near largest: cancelling late"});
  return table;
}

/// Copies of numbers are right where their sums do not fit.
std::vector<extreme_case> cases_of_copies() {
  auto table = cases_of_prefixes();
  for (auto& row : table) {
    auto const how = row.extreme + ": " + row.arrangement;
    for (auto const* const sum :
         {"least: and -1", "half: twice", "largest: and 1", "half: cancelling late",
          "near largest: twice", "near largest: cancelling late"})
      if (how == sum) row.expected = exact;
  }
  return table;
}

std::vector<extreme_case> cases_of_writes() {
  auto table = cases_of_sums("pairs of whole numbers", "pairs");
  add_rows(table, "pairs of whole numbers", exact, {"largest: and 1", "half: cancelling late"});
  add_rows(table, "pairs of whole numbers", refused, {"18446744073709551617: alone"});
  add_rows(table, "array of whole numbers", exact,
           {"least: alone", "least: and -1", "largest: and 1", "largest: cancelling",
            "half: cancelling late"});
  add_rows(table, "array of whole numbers", refused, {"half: twice"});
  add_rows(table, "array", exact,
           {"least: alone", "half: twice", "near largest: cancelling", "large root: twice",
            "denormal: twice", "negative zero: alone"});
  add_rows(table, "array", refused,
           {"largest: alone", "9007199254740993: alone", "near largest: twice", "infinity: alone",
            "nan: alone"});
  for (auto& row : table)  // whole sums fit, where only those on the way do not
    if (row.type == "pairs of whole numbers" && row.extreme == "least" &&
        row.arrangement == "and -1")
      row.expected = exact;
  return table;
}

/// Balances as many loads as the machine has processors, which leaves even shares.
verdict_of_file even_out(std::string const& algorithm, extreme_case const& of) {
  constexpr std::size_t processors = 8;
  auto column = column_of(of);
  column.resize(processors, "0");
  auto const run = run_on_file(algorithm, lines_of("x", column), {}, ".csv");
  return verdict_on(run, [&](std::string const& output) {
    std::uint64_t all = 0;
    for (auto const& each : column) all += std::strtoull(each.c_str(), nullptr, 10);
    auto const rows = rows_of(output);
    if (rows.size() != processors) return false;
    for (std::size_t i = 0; i < processors; ++i) {
      auto const share = all / processors + (i < all % processors ? 1 : 0);
      if (rows[i] != column[i] + ',' + std::to_string(share)) return false;
    }
    return true;
  });
}

std::vector<extreme_case> cases_of_loads() {
  std::vector<extreme_case> table;
  auto const* const whole = "column of whole numbers";
  add_rows(table, whole, exact, {"0: alone", "1001: alone", "+7: alone"});
  add_rows(table, whole, refused,
           {"least: alone", "largest: alone", "half: alone", "half: twice", "2147483649: alone",
            "3: among others", "18446744073709551617: alone", "nan: alone", "7.0: alone"});
  return table;
}

/// Brings blocks of these sizes, of one processor each or, of an exchange, from each to each.
verdict_of_file bring_blocks(std::string const& algorithm, extreme_case const& of) {
  auto const network = lockstep::parse(lockstep::find_experiment(algorithm)->teaching.on);
  auto const processors = static_cast<std::size_t>(network->size());
  auto column = column_of(of);
  column.resize(algorithm == "all-to-allv" ? processors * processors : processors, "0");
  auto const run = run_on_file(algorithm, lines_of("x", column), {}, ".csv");
  return verdict_on(run, [&](std::string const& output) {
    auto const rows = rows_of(output);
    return std::ranges::equal(rows, column, [](auto const& written, auto const& given) {
      return std::strtoull(written.c_str(), nullptr, 10) ==
             std::strtoull(given.c_str(), nullptr, 10);
    });
  });
}

std::vector<extreme_case> cases_of_sizes() {
  std::vector<extreme_case> table;
  auto const* const whole = "column of whole numbers";
  add_rows(table, whole, exact, {"0: alone", "1001: alone", "+7: alone"});
  add_rows(table, whole, refused,
           {"least: alone", "largest: alone", "half: alone", "2147483648: alone",
            "18446744073709551617: alone", "nan: alone", "7.5: alone"});
  return table;
}

std::vector<extreme_case> cases_of_reads() {
  std::vector<extreme_case> table;
  for (auto const* const extreme :
       {"least", "largest", "half", "near largest", "large root", "denormal", "negative zero",
        "9007199254740993", "9223372036854775808", "1e2", "0.10", "+7", "007"}) {
    table.push_back({"column", extreme, "among others", exact});
    table.push_back({"column", extreme, "beside 0.5", exact});
  }
  for (auto const* const extreme : {"infinity", "nan", "1e999", "18446744073709551617"})
    table.push_back({"column", extreme, "among others", refused});
  return table;
}

}  // namespace

file_family prefixes_of_files() { return {"prefixes", {"prefix"}, cases_of_prefixes(), add_up}; }

file_family intervals_of_files() {
  return {"intervals", {"segmented-prefix"}, cases_of_prefixes(), add_up_interval};
}

file_family copies_of_files() {
  return {"copies", {"data-distribution"}, cases_of_copies(), add_up_interval};
}

file_family loads_of_files() { return {"loads", {"balance"}, cases_of_loads(), even_out}; }

file_family sizes_of_files() {
  return {"sizes",
          {"gatherv", "scatterv", "all-gatherv", "all-to-allv"},
          cases_of_sizes(),
          bring_blocks};
}

file_family writes_of_files() {
  return {"writes", {"random-access-write"}, cases_of_writes(), write_up};
}

file_family reads_of_files() {
  return {"reads", {"random-access-read"}, cases_of_reads(), look_up};
}
