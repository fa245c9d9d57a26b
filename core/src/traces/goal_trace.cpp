#include <lockstep/traces/goal_trace.hpp>

#include <algorithm>
#include <array>
#include <numeric>
#include <tuple>
#include <utility>

#include <fmt/format.h>

#include "quoted.hpp"

namespace lockstep {

goal_trace::goal_trace(std::ostream& out, machine const& traced, trace_labels labels,
                       std::size_t most_messages)
    : trace(out, std::move(labels.name)),
      m_machine(traced),
      m_program(std::move(labels.program)),
      m_most_messages(std::min(most_messages, default_most_messages)) {}

void goal_trace::message(message_record const& seen) {
  if (m_transfers.size() < m_most_messages)
    m_transfers.push_back({seen.step, seen.sent, seen.words, seen.from, seen.to});
  else
    leave_out(fmt::format(
        "has the first {} messages, of which this format has to be made at once; trace a smaller "
        "run, or name a .csv or .json file, which are written as the run goes",
        m_most_messages));
}

void goal_trace::complete() {
  write(fmt::format("// {}\n// {} bytes a word; tags are numbers of messages\nnum_ranks {}\n",
                    detail::one_line(m_program.empty() ? m_machine.topology().spec()
                                                       : fmt::format("{} on {}", m_program,
                                                                     m_machine.topology().spec())),
                    m_machine.options().word_bytes, m_machine.size()));
  auto const first = first_operations();
  auto operations = operations_by_rank(first);
  for (int rank = 0; rank < m_machine.size() && !failed(); ++rank) {
    auto const begin = first[static_cast<std::size_t>(rank)];
    auto const end = first[static_cast<std::size_t>(rank) + 1];
    write_rank(rank, std::span(operations).subspan(begin, end - begin));
  }
}

/// Where the operations of each rank begin among those of all, and, last, their number.
std::vector<std::size_t> goal_trace::first_operations() const {
  std::vector<std::size_t> first(static_cast<std::size_t>(m_machine.size()) + 1, 0);
  for (auto const& one : m_transfers) {
    ++first[static_cast<std::size_t>(one.from) + 1];
    ++first[static_cast<std::size_t>(one.to) + 1];
  }
  std::partial_sum(first.begin(), first.end(), first.begin());
  return first;
}

std::vector<goal_trace::operation> goal_trace::operations_by_rank(
    std::vector<std::size_t> next) const {
  std::vector<operation> operations(2 * m_transfers.size());
  for (std::uint32_t of = 0; of < m_transfers.size(); ++of) {
    operations[next[static_cast<std::size_t>(m_transfers[of].from)]++] = {2 * of};
    operations[next[static_cast<std::size_t>(m_transfers[of].to)]++] = {2 * of + 1};
  }
  return operations;
}

std::uint64_t goal_trace::step_of(operation const& which) const {
  auto const& of = m_transfers[which.of()];
  return which.receives() ? of.step : of.sent;
}

/// Step by step, sends first, as they were written down.
void goal_trace::write_rank(int rank, std::span<operation> operations) {
  auto const key = [&](operation const& which) {
    return std::tuple(step_of(which), which.receives(), which.of());
  };
  std::sort(operations.begin(), operations.end(),
            [&](auto const& left, auto const& right) { return key(left) < key(right); });
  write(fmt::format("rank {} {{\n", rank));
  std::uint64_t label = 0;
  waited_for last;
  for (auto first = operations.begin(); first != operations.end();) {
    auto const step = step_of(*first);
    auto const end = std::find_if(first, operations.end(),
                                  [&](auto const& which) { return step_of(which) != step; });
    write_step({first, end}, last, label);
    first = end;
  }
  if (operations.empty()) write("l1: calc 0\n");
  write("}\n");
}

/// The operations of one step, sends first, which wait for what came before.
void goal_trace::write_step(std::span<operation const> operations, waited_for& last,
                            std::uint64_t& label) {
  join(last.receives, label);
  if (!operations.front().receives()) join(last.sends, label);
  auto const before = last;
  for (auto const& which : operations) {
    write_operation(++label, which);
    if (before.receives.first != 0) write_wait(label, before.receives.first);
    if (before.sends.first != 0 && !which.receives()) write_wait(label, before.sends.first);
    auto& of_this_step = which.receives() ? last.receives : last.sends;
    auto const& earlier = which.receives() ? before.receives : before.sends;
    if (of_this_step.last == earlier.last) of_this_step.first = label;
    of_this_step.last = label;
  }
}

/// Has one label stand for all of them.
void goal_trace::join(label_range& several, std::uint64_t& label) {
  if (several.first == several.last) return;
  write(fmt::format("l{}: calc 0\n", ++label));
  for (auto each = several.first; each <= several.last; ++each) write_wait(label, each);
  several = {label, label};
}

void goal_trace::write_operation(std::uint64_t label, operation const& which) {
  auto const& of = m_transfers[which.of()];
  write(fmt::format("l{}: {} {}b {} {} tag {}\n", label, which.receives() ? "recv" : "send",
                    std::max<std::uint64_t>(1, of.words * m_machine.options().word_bytes),
                    which.receives() ? "from" : "to", which.receives() ? of.from : of.to,
                    which.of()));
}

void goal_trace::write_wait(std::uint64_t label, std::uint64_t for_label) {
  write(fmt::format("l{} requires l{}\n", label, for_label));
}

}  // namespace lockstep
