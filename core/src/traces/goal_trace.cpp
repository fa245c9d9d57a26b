#include <lockstep/traces/goal_trace.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <numeric>
#include <ostream>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <lockstep/detail/quoted.hpp>
#include <lockstep/run.hpp>

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
                           seen.from, seen.to, seen.pass, seen.way});
  else
    leave_out(fmt::format(
        "has the first {} messages, of which this format has to be made at once; trace a smaller "
        "run, or name a .csv or .json file, which are written as the run goes",
        m_most_messages));
}

void goal_trace::phase(phase_start const& begun) {
  if (m_phases.size() <= begun.index) m_phases.resize(begun.index + 1);
  m_phases[begun.index] = begun.name;
}

void goal_trace::call(call_record const& made) {
  auto const rank = static_cast<std::size_t>(made.rank);
  while (m_first_calls.size() <= rank) m_first_calls.push_back(m_calls.size());
  kept_call kept{made.kind, number_of(made.members), made.number};
  m_has_own_channels = m_has_own_channels || made.kind == call_kind::one_sided ||
                       (made.kind == call_kind::begin_pipelined && made.number > 0);
  switch (made.kind) {
    case call_kind::idle:
      if (made.end <= made.begin) return;
      kept.amount = made.end - made.begin;
      break;
    case call_kind::work:
    case call_kind::rearrange:
      kept.amount = made.words;
      break;
    case call_kind::phase:
      m_phases_begun.resize(static_cast<std::size_t>(m_machine.size()));
      if (kept.subset == 0) kept.amount = m_phases_begun[rank]++;
      break;
    case call_kind::show:
    case call_kind::label:
    case call_kind::note:
      return;
    case call_kind::send:
    case call_kind::receive:
    case call_kind::one_sided:
    case call_kind::barrier:
    case call_kind::begin_pipelined:
    case call_kind::end_pipelined:
      break;
  }
  m_calls.push_back(kept);
}

/// Numbers the subsets, from 1; 0 is the machine.
std::uint32_t goal_trace::number_of(std::vector<int> const* members) {
  if (members == nullptr) return 0;
  auto const next = static_cast<std::uint32_t>(m_subsets.size()) + 1;
  return m_subsets.emplace(*members, next).first->second;
}

void goal_trace::ended(run_end const& how) {
  if (how.record != nullptr) {
    // The run's own machine: algorithms choose some options themselves.
    if (auto const& network = how.record->network())
      m_machine = machine(network, how.record->options());
    m_phases.clear();
    for (auto const& one : how.record->phases()) m_phases.push_back(one.name);
    if (how.record->counts().hot_startups > 0) m_exceptions.emplace_back("hot start-ups");
    if (how.record->counts().memory > 0) m_exceptions.emplace_back("memory");
  }
  if (how.calls_left_out.empty()) return;
  m_exceptions.emplace_back("local work, barriers and idle steps");
  leave_out("has messages alone, without local work, barriers and idle steps: " +
            how.calls_left_out);
}

void goal_trace::complete() {
  write_head();
  auto const first = first_operations();
  auto operations = operations_by_rank(first);
  m_first_calls.resize(static_cast<std::size_t>(m_machine.size()) + 1, m_calls.size());
  std::vector<kept_call> calls;
  for (int rank = 0; rank < m_machine.size() && !failed(); ++rank) {
    auto const at = static_cast<std::size_t>(rank);
    auto const call = [&](std::size_t of) {
      return m_calls.begin() + static_cast<std::ptrdiff_t>(m_first_calls[of]);
    };
    calls.assign(call(at), call(at + 1));
    write_rank(rank, std::span(operations).subspan(first[at], first[at + 1] - first[at]), calls);
  }
}

void goal_trace::write_head() {
  auto const spec = m_machine.topology().spec();
  write(fmt::format(
      "// {}\n// {} bytes a word; tags are numbers of messages\n",
      detail::one_line(m_program.empty() ? spec : fmt::format("{} on {}", m_program, spec)),
      m_machine.options().word_bytes));
  write_machine();
  write_comment("in the order of the file");
  if (m_has_own_channels && m_machine.options().ports == ports::per_pass)
    m_exceptions.emplace_back("the passes of out-ports of one-sided calls and posts");
  if (has_overtaking())
    m_exceptions.emplace_back("one-sided calls and posts that overtake other messages");
  for (auto const& one : m_exceptions) write_comment("except " + one);
  for (auto const& [members, number] : m_subsets) {
    std::string list;
    for (auto const member : members) list += fmt::format(" {}", member);
    write_comment(fmt::format("subset {}:{}", number, list));
  }
  write(fmt::format("num_ranks {}\n", m_machine.size()));
}

/// Writes the machine of the run, its network last: a network of one's own may have any name.
void goal_trace::write_machine() {
  auto const& options = m_machine.options();
  auto const crossing = options.switching.value_or(m_machine.topology().default_switching());
  write_comment(fmt::format("machine ports {} switching {} packet {} word {} on {}",
                            options.ports == ports::one   ? "one"
                            : options.ports == ports::all ? "all"
                                                          : "per-pass",
                            crossing == switching::neighbour ? "neighbour" : "cut-through",
                            options.packet, options.word_bytes,
                            detail::one_line(m_machine.topology().spec())));
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

/// Tells whether messages from one processor to another, in one pass, are received in another order
/// than that in which they are sent.
bool goal_trace::has_overtaking() {
  if (!m_has_own_channels) return false;
  std::vector<std::uint32_t> sent(m_transfers.size());
  std::iota(sent.begin(), sent.end(), 0U);
  auto const channel = [&](std::uint32_t at) {
    auto const& of = m_transfers[at];
    return std::tuple(of.from, of.to, of.pass);
  };
  std::ranges::sort(sent, {}, [&](std::uint32_t at) {
    return std::tuple(channel(at), m_transfers[at].sender_call);
  });
  return std::ranges::adjacent_find(sent, [&](std::uint32_t one, std::uint32_t next) {
           return channel(one) == channel(next) &&
                  m_transfers[one].receiver_call > m_transfers[next].receiver_call;
         }) != sent.end();
}

void goal_trace::write_rank(int rank, std::span<operation> operations,
                            std::span<kept_call const> calls) {
  std::sort(operations.begin(), operations.end(),
            [&](auto const& left, auto const& right) { return call_of(left) < call_of(right); });
  write(fmt::format("rank {} {{\n", rank));
  rank_state state;
  auto const moves = [](kept_call const& one) {
    return one.amount > 0 &&
           (one.kind == call_kind::send || one.kind == call_kind::receive ||
            one.kind == call_kind::one_sided || one.kind == call_kind::begin_pipelined);
  };
  // The messages of a call are those up to the first of the next that moves any.
  std::span<operation const> left = operations;
  for (std::size_t at = 0; at < calls.size(); ++at) {
    write_call(state, calls[at]);
    if (!moves(calls[at])) continue;
    auto const next =
        std::find_if(calls.begin() + static_cast<std::ptrdiff_t>(at) + 1, calls.end(), moves);
    auto const before =
        next == calls.end() ? std::numeric_limits<std::uint64_t>::max() : next->amount;
    auto const end =
        std::ranges::find_if(left, [&](operation const& one) { return call_of(one) >= before; });
    auto const count = static_cast<std::size_t>(end - left.begin());
    write_messages(state, left.first(count));
    left = left.subspan(count);
  }
  write_messages(state, left);
  write_work(state);
  if (state.in_pipelined) write_barrier("pipelined end", state.pipelined_subset);
  if (state.label == 0) write("l1: calc 0\n");
  write("}\n");
}

/// Writes what GOAL has no word for as a comment, and keeps local work until something else comes.
void goal_trace::write_call(rank_state& of, kept_call const& made) {
  if (made.kind == call_kind::work) {
    of.unwritten_work += made.amount;
    return;
  }
  write_work(of);
  switch (made.kind) {
    case call_kind::idle:
      write_comment(fmt::format("idle {}", made.amount));
      break;
    case call_kind::rearrange:
      write_comment(fmt::format("rearrange {}", made.amount));
      break;
    case call_kind::barrier:
      write_barrier("barrier", made.subset);
      break;
    case call_kind::phase:
      if (made.subset > 0)
        write_barrier("barrier", made.subset);
      else
        write_comment(made.amount < m_phases.size()
                          ? "phase " + detail::one_line(m_phases[made.amount])
                          : "phase");
      break;
    case call_kind::begin_pipelined:
      write_barrier("pipelined begin", made.subset);
      of.in_pipelined = true;
      of.pipelined_subset = made.subset;
      break;
    case call_kind::end_pipelined:
      write_barrier("pipelined end", made.subset);
      of.in_pipelined = false;
      break;
    default:  // messages, which are written apart
      break;
  }
}

/// Writes the local work since the last line: after all receives and work before it, and once the
/// sends before it have begun.
void goal_trace::write_work(rank_state& of) {
  auto const operations = std::exchange(of.unwritten_work, 0);
  if (operations == 0) return;
  auto const received = joined(of.receives, of.label);
  write(fmt::format("l{}: calc {}\n", ++of.label, operations));
  if (received != 0) write_wait(of.label, received);
  if (of.work != 0 && (received == 0 || of.receives.work != of.work)) write_wait(of.label, of.work);
  for (auto const send : std::exchange(of.sends_after_work, {})) write_wait(of.label, send, true);
  of.work = of.label;
}

void goal_trace::write_messages(rank_state& of, std::span<operation const> operations) {
  for (auto const& which : operations) {
    write_work(of);
    auto& last = which.receives() ? of.receives : of.sends;
    go_to(last, step_of(which), of.label);
    auto const received = which.receives() ? 0 : joined(of.receives, of.label);
    write_operation(of, which);
    if (received != 0) write_wait(of.label, received);
    if (last.after != 0) write_wait(of.label, last.after);
    bool const waits_for_work = (received != 0 && of.receives.work == of.work) ||
                                (last.after != 0 && last.work_before_after == of.work);
    if (of.work != 0 && !waits_for_work) write_wait(of.label, of.work);
    if (last.labels.empty()) last.work = of.work;
    last.labels.push_back(of.label);
    if (!which.receives()) of.sends_after_work.push_back(of.label);
  }
}

/// Makes the operations of a later step wait for those of the last.
void goal_trace::go_to(last_step& last, std::uint64_t step, std::uint64_t& label) {
  if (step <= last.step) return;
  auto const after = joined(last, label);
  last = {.step = step, .after = after, .work_before_after = last.work};
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

void goal_trace::write_operation(rank_state& of, operation const& which) {
  auto const& moved = m_transfers[which.of()];
  if (moved.pass != of.pass) write_comment(fmt::format("pass {}", of.pass = moved.pass));
  if (moved.words == 0) write_comment("empty");
  if (!which.receives() && moved.way.offset != 0)
    write_comment(fmt::format("along {} {}", moved.way.dimension, moved.way.offset));
  write(fmt::format("l{}: {} {}b {} {} tag {}\n", ++of.label, which.receives() ? "recv" : "send",
                    bytes_of(moved), which.receives() ? "from" : "to",
                    which.receives() ? moved.from : moved.to, which.of()));
}

void goal_trace::write_comment(std::string_view text) {
  write(fmt::format("// lockstep: {}\n", text));
}

void goal_trace::write_barrier(std::string_view what, std::uint32_t subset) {
  write_comment(subset == 0 ? std::string(what) : fmt::format("{} of subset {}", what, subset));
}

void goal_trace::write_wait(std::uint64_t label, std::uint64_t for_label, bool for_its_start) {
  write(fmt::format("l{} {} l{}\n", label, for_its_start ? "irequires" : "requires", for_label));
}

}  // namespace lockstep
