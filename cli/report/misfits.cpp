#include "report/misfits.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace lockstep::cli {

namespace {

using nlohmann::ordered_json;

constexpr std::size_t most_names = 12;

/// Names the program of a row by its algorithm and scheme, those of both that vary: "prefix", "ring", or
/// "all-reduce, ring".
std::string program_of(ordered_json const& row) {
  std::vector<std::string> names;
  for (std::string const name : {"algorithm", "scheme"})
    if (auto given = given_in(row, name); !given.empty()) names.push_back(std::move(given));
  if (names.empty()) names.push_back(row.at("algorithm").get<std::string>());
  return fmt::format("{}", fmt::join(names, ", "));
}

std::string network_of(sweep_report const& of, ordered_json const& row) {
  if (auto given = given_in(row, "on"); !given.empty()) return given;
  return of.network.empty() ? row.at("topology").get<std::string>() : of.network;
}

/// Finds the entry of that name, or adds one.
template <class Entry>
Entry& entry_of(std::vector<Entry>& all, std::string Entry::*name, std::string const& wanted) {
  auto const found = std::ranges::find(all, wanted, name);
  if (found != all.end()) return *found;
  all.emplace_back().*name = wanted;
  return all.back();
}

}  // namespace

misfits::misfits(sweep_report const& of) : m_combinations(of.rows.size()) {
  for (auto const& row : of.rows) count(of, row);
}

void misfits::count(sweep_report const& of, ordered_json const& row) {
  auto& program = entry_of(m_programs, &program_count::name, program_of(row));
  auto& network = entry_of(program.networks, &network_count::network, network_of(of, row));
  ++network.combinations;
  if (row.at("status") != "left out") return;
  ++network.left_out;
  ++m_left_out;
  auto const reason = row.at("reason").get<std::string>();
  if (program.reason.empty()) {
    program.reason = reason;
    m_with_misfits.push_back(static_cast<std::size_t>(&program - m_programs.data()));
  }
  if (m_first_reason.empty()) m_first_reason = reason;
}

std::string misfits::names() const {
  std::vector<std::string> programs;
  std::size_t named = 0;
  std::size_t more = 0;
  for (auto const place : m_with_misfits) {
    auto const& program = m_programs[place];
    std::vector<std::string> networks;
    for (auto const& one : program.networks) {
      if (one.left_out == 0) continue;
      if (named == most_names) {
        ++more;
        continue;
      }
      ++named;
      bool const is_whole = one.left_out == one.combinations;
      networks.push_back(
          is_whole ? one.network
                   : fmt::format("{} ({} of {})", one.network, one.left_out, one.combinations));
    }
    if (!networks.empty())
      programs.push_back(fmt::format("{} on {}", program.name, fmt::join(networks, ", ")));
  }
  auto text = fmt::format("{}", fmt::join(programs, "; "));
  if (more > 0) text += fmt::format(" and {} more", more);
  return text;
}

std::vector<misfits::program_without_runs> misfits::without_runs() const {
  std::vector<program_without_runs> found;
  if (m_left_out == m_combinations) return found;
  for (auto const& program : m_programs) {
    std::size_t combinations = 0;
    for (auto const& one : program.networks) combinations += one.combinations;
    bool const has_none = std::ranges::all_of(
        program.networks, [](auto const& one) { return one.left_out == one.combinations; });
    if (has_none) found.push_back({program.name, combinations, program.reason});
  }
  return found;
}

std::string misfits::without_runs_as_text() const {
  std::string text;
  for (auto const& one : without_runs()) {
    auto const name = one.name + ": ";
    text += fmt::format("{}{}\n", one.reason.starts_with(name) ? "" : name, one.reason);
  }
  return text.empty() ? text : "\nNO RUN\n" + text;
}

}  // namespace lockstep::cli
