#include <lockstep/traces/goal_trace.hpp>

#include <algorithm>
#include <array>
#include <limits>
#include <numeric>
#include <tuple>
#include <utility>

#include <fmt/format.h>

#include <lockstep/detail/quoted.hpp>

namespace lockstep {

goal_trace::goal_trace(std::ostream& out, machine const& traced, trace_labels labels,
                       std::size_t most_messages)
    : trace(out, std::move(labels.name)),
      m_machine(traced),
      m_program(std::move(labels.program)),
      m_most_messages(std::min(most_messages, default_most_messages)) {}

void goal_trace::message(message_record const& seen) {
  if (m_transfers.size() < m_most_messages)
    m_transfers.push_back({seen.step, seen.sent, seen.words, seen.sender_call, seen.receiver_call,
                           seen.from, seen.to});
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

/// Gives the index at which the operations of each rank begin among those of all, and, last, their
/// number.
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

std::uint64_t goal_trace::call_of(operation const& which) const {
  auto const& of = m_transfers[which.of()];
  return which.receives() ? of.receiver_call : of.sender_call;
}

void goal_trace::write_rank(int rank, std::span<operation> operations) {
  std::sort(operations.begin(), operations.end(),
            [&](auto const& left, auto const& right) { return call_of(left) < call_of(right); });
  write(fmt::format("rank {} {{\n", rank));
  std::uint64_t label = 0;
  last_step sends;
  last_step receives;
  for (auto const& which : operations) {
    auto& last = which.receives() ? receives : sends;
    go_to(last, step_of(which), label);
    auto const received = which.receives() ? 0 : joined(receives, label);
    write_operation(++label, which);
    if (received != 0) write_wait(label, received);
    if (last.after != 0) write_wait(label, last.after);
    last.labels.push_back(label);
  }
  if (operations.empty()) write("l1: calc 0\n");
  write("}\n");
}

/// Makes the operations of a later step wait for those of the last.
void goal_trace::go_to(last_step& last, std::uint64_t step, std::uint64_t& label) {
  if (step <= last.step) return;
  last = {step, joined(last, label)};
}

/// Gives one label for all of them; 0 for an empty list.
std::uint64_t goal_trace::joined(last_step& several, std::uint64_t& label) {
  if (several.labels.size() > 1) {
    write(fmt::format("l{}: calc 0\n", ++label));
    for (auto const each : several.labels) write_wait(label, each);
    several.labels = {label};
  }
  return several.labels.empty() ? 0 : several.labels.front();
}

/// Computes the bytes of a message, one at least. Has `finish` say where they are too many to write.
std::uint64_t goal_trace::bytes_of(transfer const& of) {
  std::uint64_t bytes = 0;
  if (__builtin_mul_overflow(of.words, m_machine.options().word_bytes, &bytes)) {
    leave_out(
        fmt::format("has fewer than the bytes of {} words of {}: set a smaller "
                    "machine_options::word_bytes",
                    of.words, m_machine.options().word_bytes));
    bytes = std::numeric_limits<std::uint64_t>::max();
  }
  return std::max<std::uint64_t>(1, bytes);
}

void goal_trace::write_operation(std::uint64_t label, operation const& which) {
  auto const& of = m_transfers[which.of()];
  write(fmt::format("l{}: {} {}b {} {} tag {}\n", label, which.receives() ? "recv" : "send",
                    bytes_of(of), which.receives() ? "from" : "to",
                    which.receives() ? of.from : of.to, which.of()));
}

void goal_trace::write_wait(std::uint64_t label, std::uint64_t for_label) {
  write(fmt::format("l{} requires l{}\n", label, for_label));
}

}  // namespace lockstep
