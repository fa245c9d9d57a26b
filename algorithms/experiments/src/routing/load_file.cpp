#include "routing/load_file.hpp"

#include <cstddef>
#include <string>
#include <utility>
#include <variant>

#include <fmt/format.h>

#include <lockstep/algorithms/detail/size_checks.hpp>
#include <lockstep/experiments/experiment.hpp>

namespace lockstep {

namespace {

/// Refuses another number of loads than of processors.
[[noreturn]] void throw_other_rows(arguments const& given, std::string const& file,
                                   std::size_t loads) {
  if (loads == 0)
    throw bad_input(fmt::format("{} has no loads; give a row for each of the {} processors of {}",
                                file, given.processors(), given.network().spec()));
  bool const is_possible = loads <= static_cast<std::size_t>(detail::most_counted_processors);
  throw bad_input(fmt::format(
      "{} has {} loads, and {} has {} processors: {}", file, loads, given.network().spec(),
      given.processors(),
      is_possible ? fmt::format("take crossbar:{}", loads) : "give a row for each processor"));
}

}  // namespace

loads_of_file read_loads(arguments const& given, std::string_view name, std::uint64_t most) {
  auto const file = given.request().input->string();
  loads_of_file found{read_csv_column(file, name), {}};
  auto const* const numbers = std::get_if<std::vector<std::int64_t>>(&found.column.values);
  if (numbers == nullptr)
    throw bad_input(
        fmt::format("{}: column {} has a decimal, and loads are whole numbers of elements", file,
                    found.column.name));
  if (numbers->size() != static_cast<std::size_t>(given.processors()))
    throw_other_rows(given, file, numbers->size());
  std::uint64_t all = 0;
  for (auto const load : *numbers) {
    auto const row = found.loads.size() + 1;
    if (load < 0)
      throw bad_input(fmt::format(
          "{}: row {} has a load of {}; no processor has fewer than 0 elements", file, row, load));
    found.loads.push_back(static_cast<std::uint64_t>(load));
    if (found.loads.back() > most - all)
      throw bad_input(
          fmt::format("{}: up to row {} the loads are more than {} elements, the most that "
                      "a run has",
                      file, row, most));
    all += found.loads.back();
  }
  return found;
}

}  // namespace lockstep
