#include "papers/told_run.hpp"

#include <algorithm>
#include <array>
#include <variant>

#include <fmt/format.h>

#include <lockstep/run.hpp>
#include <lockstep/topologies/parse.hpp>

#include "harness/stages.hpp"
#include "papers/claimed_cells.hpp"
#include "papers/measured_algorithm.hpp"

namespace lockstep {

namespace {

[[nodiscard]] std::vector<std::uint64_t> whole_numbers(shown_value const& value) {
  std::vector<std::uint64_t> numbers;
  if (auto const* const all = std::get_if<shown_numbers>(&value))
    std::visit(
        [&](auto const& each) {
          for (auto const one : each) numbers.push_back(static_cast<std::uint64_t>(one));
        },
        *all);
  return numbers;
}

}  // namespace

void told_run::call(call_record const& made) {
  auto const rank = static_cast<std::size_t>(made.rank);
  if (rank >= m_begun.size()) {
    m_begun.resize(rank + 1);
    m_since.resize(rank + 1);
  }
  auto& since = m_since[rank];
  if (made.kind == call_kind::phase) {
    ++m_begun[rank];
    since = {};
  }
  if (made.kind == call_kind::send || made.kind == call_kind::receive) since.has_messages = true;
  if (made.kind != call_kind::work) return;
  m_work.push_back({rank, m_begun[rank], made.words, !since.has_worked,
                    since.has_messages && !since.has_worked_after_messages});
  since.has_worked = true;
  since.has_worked_after_messages = since.has_messages;
}

void told_run::shown(shown_record const& value) {
  m_shown.push_back({m_begun[static_cast<std::size_t>(value.rank)], value});
}

void told_run::ended(run_end const& how) {
  if (how.record != nullptr) m_phases = how.record->phases();
}

std::vector<message_record> told_run::messages_in(std::string_view phase) const {
  std::vector<message_record> found;
  for (auto const& message : m_messages)
    if (message.words > 0 && message.phase < m_phases.size() &&
        m_phases[message.phase].name == phase)
      found.push_back(message);
  return found;
}

std::string_view told_run::phase_of(work_in_phase const& work) const {
  return work.begun == 0 ? std::string_view() : m_phases.at(work.begun - 1).name;
}

std::uint64_t told_run::most_operations_in(std::vector<std::string> const& phases) const {
  std::vector<std::uint64_t> of_each(m_begun.size());
  for (auto const& work : m_work)
    if (std::ranges::count(phases, phase_of(work)) > 0) of_each[work.rank] += work.operations;
  return of_each.empty() ? 0 : std::ranges::max(of_each);
}

std::uint64_t told_run::most_operations_first_in(std::string_view phase) const {
  std::uint64_t most = 0;
  for (auto const& work : m_work)
    if (work.is_first && phase_of(work) == phase) most = std::max(most, work.operations);
  return most;
}

std::uint64_t told_run::most_operations_after_messages(std::string_view phase) const {
  std::uint64_t most = 0;
  for (auto const& work : m_work)
    if (work.is_first_after_messages && phase_of(work) == phase)
      most = std::max(most, work.operations);
  return most;
}

std::vector<shown_value const*> told_run::all_shown(int rank, std::string_view phase,
                                                    std::string_view name) const {
  std::vector<shown_value const*> found;
  for (auto const& [begun, what] : m_shown)
    if (what.rank == rank && what.name == name &&
        (phase.empty() || (begun > 0 && m_phases.at(begun - 1).name == phase)))
      found.push_back(&what.value);
  if (found.empty())
    throw own_mistake(
        fmt::format("processor {} showed no \"{}\" in phase \"{}\"", rank, name, phase));
  return found;
}

std::vector<std::uint64_t> told_run::first_numbers(int rank, std::string_view phase,
                                                   std::string_view name) const {
  return whole_numbers(*all_shown(rank, phase, name).front());
}

std::vector<std::uint64_t> told_run::last_numbers(int rank, std::string_view phase,
                                                  std::string_view name) const {
  return whole_numbers(*all_shown(rank, phase, name).back());
}

std::vector<block_label> told_run::last_blocks(int rank, std::string_view phase,
                                               std::string_view name) const {
  auto const* const blocks =
      std::get_if<std::vector<block_label>>(all_shown(rank, phase, name).back());
  return blocks == nullptr ? std::vector<block_label>() : *blocks;
}

told_result told_algorithm(std::string const& name, int p,
                           std::map<std::string, parameter_value> const& given) {
  begin_run("making the input of " + name);
  auto const* const known = find_experiment(name);
  if (known == nullptr) throw own_mistake("there is no " + name);
  told_result made;
  std::array<observer*, 1> const watching{&made.told};
  made.result = known->run({.network = parse(crossbar_of(p)),
                            .options = {.strict = true},
                            .parameters = parameters_for(*known, given),
                            .observers = watching});
  return made;
}

}  // namespace lockstep
