#include "reference_model.hpp"

#include <algorithm>
#include <deque>
#include <map>
#include <set>
#include <tuple>

#include <lockstep/errors.hpp>

namespace reference {
namespace {

using lockstep::link_number;
using step_number = std::uint64_t;

/// A message, from the call that sent it to the call that took it in.
struct envelope {
  step_number stamp = 0;
  step_number step = 0;  ///< t; 0 while it is in its channel
  int from = 0;
  int to = 0;
  int pass = 0;
  element_type type = element_type::integer;
  std::vector<std::uint64_t> codes;
  std::uint64_t words = 0;
  std::uint64_t hops = 0;
  std::vector<link_number> links;
  lockstep::along way;  ///< offset 0: the topology's route
  std::uint64_t sender_call = 0;
  std::uint64_t receiver_call = 0;
};

enum class condition : std::uint8_t { runs, in_receive, in_barrier, finished, failed };

/// One processor: its clock (rule 2) and where it is in its program.
struct virtual_processor {
  step_number now = 1;
  std::map<link_number, step_number> out_port_used;  ///< per port: the last step
  std::map<link_number, step_number> in_port_used;
  int pass = 0;
  bool in_pipelined = false;
  std::size_t next = 0;
  bool sent_half = false;      ///< of an exchange
  std::uint64_t messages = 0;  ///< sent and received
  condition is = condition::runs;
  std::vector<std::uint64_t> result;
};

struct rearrangement {
  int rank = 0;
  std::uint64_t words = 0;
  std::size_t phases_begun = 0;
};

/// A run of pipelined rounds: the steps first <= t < end.
struct pipelined_run {
  step_number first = 0;
  step_number end = 0;
};

std::string barrier_name(operation const& call) {
  switch (call.what) {
    case action::barrier:
      return "barrier";
    case action::phase:
      return "phase " + call.name;
    case action::pipelined_begin:
      return "begin of pipelined";
    default:
      return "end of pipelined";
  }
}

/// Runs the calls and keeps what happened.
class interpreter {
 public:
  explicit interpreter(experiment const& of)
      : m_of(of),
        m_network(*of.network),
        m_options(of.options),
        m_neighbour_only(of.options.switching.value_or(of.network->default_switching()) ==
                         lockstep::switching::neighbour),
        m_processors(of.calls.size()) {}

  void run() {
    bool progress = true;
    while (progress && !m_barriers_differ) {
      progress = false;
      for (int rank = 0; rank < size(); ++rank)
        while (advance(rank)) progress = true;
      if (all_in_barrier()) progress = pass_barrier();
    }
  }

  /// The error of the least (step, rank), if there is any.
  [[nodiscard]] std::optional<failure> error() const {
    auto candidates = m_failures;
    if (auto const found = first_link_contention()) candidates.push_back(*found);
    if (candidates.empty()) return error_at_the_end();
    return *std::ranges::min_element(candidates, {}, [](failure const& one) {
      return std::tuple{one.step, one.rank};
    });
  }

  [[nodiscard]] int size() const { return static_cast<int>(m_processors.size()); }
  [[nodiscard]] std::vector<virtual_processor> const& processors() const { return m_processors; }
  [[nodiscard]] std::vector<envelope> const& messages() const { return m_messages; }
  [[nodiscard]] std::vector<rearrangement> const& rearrangements() const {
    return m_rearrangements;
  }
  [[nodiscard]] std::vector<pipelined_run> const& pipelined_runs() const {
    return m_pipelined_runs;
  }
  [[nodiscard]] std::vector<lockstep::phase_record> const& phases() const { return m_phases; }

 private:
  using channel = std::tuple<int, int, int>;  // from, to, pass

  virtual_processor& at(int rank) { return m_processors[static_cast<std::size_t>(rank)]; }
  virtual_processor const& at(int rank) const {
    return m_processors[static_cast<std::size_t>(rank)];
  }
  std::vector<operation> const& calls(int rank) const {
    return m_of.calls[static_cast<std::size_t>(rank)];
  }

  bool fail(int rank, std::vector<std::string> kinds, step_number step) {
    m_failures.push_back({std::move(kinds), step, rank});
    at(rank).is = condition::failed;
    return false;
  }

  /// Makes one call of this processor. Result: whether it went on.
  bool advance(int rank) {
    auto& me = at(rank);
    if (me.is == condition::finished || me.is == condition::failed) return false;
    if (me.next == calls(rank).size()) {
      me.is = condition::finished;
      return false;
    }
    auto const& call = calls(rank)[me.next];
    if (!act(rank, call)) return false;
    me.is = condition::runs;
    me.sent_half = false;
    me.result.push_back(me.now);
    ++me.next;
    return true;
  }

  /// Result: whether the call is done; otherwise the processor waits or has failed.
  bool act(int rank, operation const& call) {
    auto& me = at(rank);
    switch (call.what) {
      case action::send:
        return send(rank, call.out);
      case action::receive:
        return receive(rank, call.in);
      case action::exchange:
        if (!me.sent_half && !send(rank, call.out)) return false;
        me.sent_half = true;
        return receive(rank, call.in);
      case action::idle:
        if (call.number > m_options.max_steps + 1 - me.now)
          return fail(rank, {"step_limit"}, m_options.max_steps + 1);
        me.now += call.number;
        return true;
      case action::pipelined_begin:
        if (me.in_pipelined) return fail(rank, {"invalid_argument"}, me.now);
        me.is = condition::in_barrier;
        return false;
      case action::barrier:
      case action::phase:
      case action::pipelined_end:
        me.is = condition::in_barrier;
        return false;
      case action::rearrange:
        m_rearrangements.push_back({rank, call.number, m_phases.size()});
        return true;
      case action::pass:
        me.pass = static_cast<int>(call.number);
        return true;
      case action::fail:
        return fail(rank, {"processor_failed"}, me.now);
    }
    return false;
  }

  [[nodiscard]] bool bad_partner(int rank, int other) const {
    return other < 0 || other >= size() || other == rank;
  }

  /// Rule 3: which of a processor's ports a message of this pass over this link takes.
  [[nodiscard]] link_number port(link_number over, int pass) const {
    switch (m_options.ports) {
      case lockstep::ports::one:
        return 0;
      case lockstep::ports::all:
        return over;
      case lockstep::ports::per_pass:
        return pass;
    }
    return 0;
  }

  [[nodiscard]] std::vector<link_number> links_of(int rank, int to, outgoing const& out) const {
    std::vector<link_number> links;
    if (!out.way) {
      m_network.append_links(rank, to, links);
      return links;
    }
    int from = rank;
    for (int const next : m_network.route(rank, *out.way)) {
      links.push_back(m_network.number_of({from, next}));
      from = next;
    }
    return links;
  }

  /// Rule 2: if the out-port is taken in `now`, first `now` += 1.
  static void move_on(virtual_processor& me, step_number out_port_used) {
    if (out_port_used == me.now) me.now += 1;
  }

  bool send(int rank, outgoing const& out) {
    auto& me = at(rank);
    // Where the port does not depend on the route, `now` moves on before anything is looked at.
    if (m_options.ports != lockstep::ports::all) move_on(me, me.out_port_used[port(0, me.pass)]);
    int to = out.to;
    if (out.way) {
      try {
        to = m_network.end_of(rank, *out.way);
      } catch (lockstep::invalid_argument const&) {
        return fail(rank, {"invalid_argument"}, me.now);
      } catch (lockstep::invalid_rank const&) {
        return fail(rank, {"invalid_rank"}, me.now);
      }
    }
    if (bad_partner(rank, to)) return fail(rank, {"invalid_rank"}, me.now);
    if (m_neighbour_only && !m_network.adjacent(rank, to))
      return fail(rank, {"not_adjacent"}, me.now);

    envelope sent;
    sent.links = links_of(rank, to, out);
    sent.way = out.way.value_or(lockstep::along{});
    auto& port_used = me.out_port_used[port(sent.links.front(), me.pass)];
    move_on(me, port_used);
    if (me.now > m_options.max_steps) return fail(rank, {"step_limit"}, me.now);
    port_used = me.now;
    sent.stamp = me.now;
    sent.sender_call = ++me.messages;
    sent.from = rank;
    sent.to = to;
    sent.pass = me.pass;
    sent.type = out.type;
    for (std::size_t index = 0; index < out.count; ++index)
      sent.codes.push_back(code_of(out.seed, index));
    auto const packets =
        (out.count * words_per_element(out.type) + m_options.packet - 1) / m_options.packet;
    sent.words = packets * m_options.packet;
    sent.hops = out.way ? sent.links.size() : static_cast<std::uint64_t>(m_network.hops(rank, to));
    m_channels[channel_of(rank, to, me.pass)].push_back(m_messages.size());
    m_messages.push_back(std::move(sent));
    return true;
  }

  /// Rule 3: channels, too, are for each pass apart.
  [[nodiscard]] channel channel_of(int from, int to, int pass) const {
    return {from, to, m_options.ports == lockstep::ports::per_pass ? pass : 0};
  }

  bool receive(int rank, incoming const& in) {
    auto& me = at(rank);
    if (bad_partner(rank, in.from)) return fail(rank, {"invalid_rank"}, me.now);
    if (m_neighbour_only && !m_network.adjacent(in.from, rank))
      return fail(rank, {"not_adjacent"}, me.now);
    auto& waiting = m_channels[channel_of(in.from, rank, me.pass)];
    if (waiting.empty()) {
      me.is = condition::in_receive;
      return false;
    }
    auto& message = m_messages[waiting.front()];
    auto& port_used = me.in_port_used[port(message.links.back(), me.pass)];
    auto const step = std::max(message.stamp, port_used + 1);

    std::vector<std::string> broken;
    if (message.type != in.type) broken.emplace_back("type_mismatch");
    if (in.how != taking::vector && message.codes.size() != in.count)
      broken.emplace_back("size_mismatch");
    if (m_options.strict && step != message.stamp) broken.emplace_back("port_conflict");
    if (step > m_options.max_steps) broken.emplace_back("step_limit");
    if (!broken.empty()) return fail(rank, std::move(broken), std::max(me.now, message.stamp));

    waiting.pop_front();
    port_used = step;
    message.step = step;
    message.receiver_call = ++me.messages;
    me.now = std::max(me.now, step + 1);
    me.result.push_back(digest(message.codes));
    return true;
  }

  [[nodiscard]] bool all_in_barrier() const {
    return std::ranges::all_of(m_processors,
                               [](auto const& one) { return one.is == condition::in_barrier; });
  }

  /// Rule 8, for the processors that are all in a barrier. Result: whether they go on.
  bool pass_barrier() {
    auto const wanted = barrier_name(calls(0)[at(0).next]);
    for (int rank = 1; rank < size(); ++rank) {
      if (barrier_name(calls(rank)[at(rank).next]) == wanted) continue;
      m_barriers_differ = true;
      auto const latest = std::ranges::max_element(m_processors, {}, &virtual_processor::now);
      return fail(rank, {"barrier_mismatch"}, latest->now);
    }
    step_number common = 0;
    for (auto const& one : m_processors) {
      bool const out_port_used = std::ranges::any_of(
          one.out_port_used, [&](auto const& port) { return port.second == one.now; });
      common = std::max(common, one.now + (out_port_used ? 1 : 0));
    }
    note_barrier(calls(0)[at(0).next], common);
    for (auto& one : m_processors) {
      one.now = common;
      one.is = condition::runs;
      one.result.push_back(common);
      ++one.next;
    }
    return true;
  }

  void note_barrier(operation const& call, step_number common) {
    if (call.what == action::phase) {
      lockstep::phase_record begun;
      begun.name = call.name;
      begun.first_step = common;
      m_phases.push_back(begun);
    }
    if (call.what == action::pipelined_begin) m_pipelined_runs.push_back({common, common});
    if (call.what == action::pipelined_end) m_pipelined_runs.back().end = common;
    for (auto& one : m_processors) {
      if (call.what == action::pipelined_begin) one.in_pipelined = true;
      if (call.what == action::pipelined_end) one.in_pipelined = false;
    }
  }

  /// Strict: no directed link may carry two messages in a step.
  [[nodiscard]] std::optional<failure> first_link_contention() const {
    if (!m_options.strict) return std::nullopt;
    std::vector<envelope const*> in_order;
    for (auto const& one : m_messages) in_order.push_back(&one);
    std::ranges::stable_sort(in_order, {}, [](envelope const* one) {
      return std::tuple{one->stamp, one->from};
    });
    std::set<std::tuple<step_number, link_number>> taken;
    for (auto const* one : in_order)
      for (auto const link : one->links)
        if (!taken.insert({one->stamp, link}).second)
          return failure{{"link_contention"}, one->stamp, one->from};
    return std::nullopt;
  }

  /// What is wrong with a run in which nobody made a mistake of his own.
  [[nodiscard]] std::optional<failure> error_at_the_end() const {
    bool all_in_barriers = true;
    std::optional<failure> stuck;
    for (int rank = 0; rank < size(); ++rank) {
      auto const& one = at(rank);
      if (one.is == condition::finished) continue;
      if (one.is != condition::in_barrier) all_in_barriers = false;
      if (!stuck || one.now < stuck->step) stuck = failure{{}, one.now, rank};
    }
    if (stuck) {
      stuck->kinds = {all_in_barriers ? "barrier_mismatch" : "deadlock"};
      return stuck;
    }
    std::optional<failure> left;
    for (auto const& one : m_messages) {
      if (one.step != 0) continue;
      if (!left || std::tuple{one.stamp, one.from} < std::tuple{left->step, left->rank})
        left = failure{{"unreceived_message"}, one.stamp, one.from};
    }
    return left;
  }

  experiment const& m_of;
  lockstep::topology const& m_network;
  lockstep::machine_options const& m_options;
  bool m_neighbour_only;
  std::vector<virtual_processor> m_processors;
  std::vector<envelope> m_messages;
  std::map<channel, std::deque<std::size_t>> m_channels;
  std::vector<rearrangement> m_rearrangements;
  std::vector<pipelined_run> m_pipelined_runs;
  std::vector<lockstep::phase_record> m_phases;
  std::vector<failure> m_failures;
  bool m_barriers_differ = false;
};

/// The largest over processors of max(words sent, words received) in these messages.
std::uint64_t port_words(std::vector<envelope const*> const& messages) {
  std::map<int, std::uint64_t> sent;
  std::map<int, std::uint64_t> received;
  std::uint64_t largest = 0;
  for (auto const* one : messages) {
    largest = std::max(largest, sent[one->from] += one->words);
    largest = std::max(largest, received[one->to] += one->words);
  }
  return largest;
}

/// The r-th call of every processor is rearrangement r.
void count_rearrangements(std::vector<rearrangement> const& made, lockstep::counts& into) {
  std::map<int, std::vector<std::uint64_t>> by_rank;
  for (auto const& one : made) by_rank[one.rank].push_back(one.words);
  std::vector<std::uint64_t> largest;
  for (auto const& [rank, words] : by_rank) {
    largest.resize(std::max(largest.size(), words.size()));
    for (std::size_t r = 0; r < words.size(); ++r) largest[r] = std::max(largest[r], words[r]);
  }
  into.rearrangements = largest.size();
  into.rearranged = 0;
  for (auto const words : largest) into.rearranged += words;
}

/// Counts a run that came to its end.
class tally {
 public:
  explicit tally(interpreter const& run) : m_run(run) {
    for (auto const& one : run.messages()) m_by_step[one.step].push_back(&one);
  }

  [[nodiscard]] outcome count() {
    outcome counted;
    for (auto const& one : m_run.processors()) counted.results.push_back(one.result);
    auto const rounds = m_by_step.empty() ? 0 : m_by_step.rbegin()->first;
    for (step_number step = 1; step <= rounds; ++step) counted.steps.push_back(count_step(step));
    price_pipelined_runs(counted.steps);
    counted.total = sum(counted.steps, 1);
    count_rearrangements(m_run.rearrangements(), counted.total);
    counted.phases = count_phases(counted.steps);
    counted.processors = count_processors();
    counted.messages = list_messages();
    return counted;
  }

 private:
  /// The last phase that began in this step or before.
  [[nodiscard]] std::size_t phase_of(step_number step) const {
    auto found = lockstep::no_phase;
    for (std::size_t phase = 0; phase < m_run.phases().size(); ++phase)
      if (m_run.phases()[phase].first_step <= step) found = phase;
    return found;
  }

  [[nodiscard]] bool in_pipelined_run(step_number step) const {
    return std::ranges::any_of(m_run.pipelined_runs(), [&](auto const& run) {
      return run.first <= step && step < run.end;
    });
  }

  [[nodiscard]] lockstep::step_record count_step(step_number step) const {
    lockstep::step_record counted;
    counted.step = step;
    counted.phase = phase_of(step);
    auto const found = m_by_step.find(step);
    if (found == m_by_step.end()) return counted;
    counted.rounds = 1;
    std::map<link_number, std::uint64_t> load;
    for (auto const* one : found->second) {
      counted.queued = std::max(counted.queued, one->step - one->stamp);
      if (one->words == 0) continue;
      counted.steps = 1;
      counted.messages += 1;
      counted.volume += one->words;
      counted.largest = std::max(counted.largest, one->words);
      counted.hops = std::max(counted.hops, one->hops);
      for (auto const link : std::set<link_number>(one->links.begin(), one->links.end()))
        counted.contention = std::max(counted.contention, ++load[link]);
    }
    counted.serialised_steps = counted.contention;
    if (counted.steps == 1 && !in_pipelined_run(step)) {
      counted.startups = 1;
      counted.words = counted.largest;
    }
    return counted;
  }

  /// Rule 5: the whole run of steps pays one start-up, in its first step with a message.
  void price_pipelined_runs(std::vector<lockstep::step_record>& steps) const {
    for (auto const& run : m_run.pipelined_runs()) {
      std::vector<envelope const*> inside;
      step_number first = 0;
      for (auto const& [step, messages] : m_by_step) {
        if (step < run.first || step >= run.end) continue;
        if (first == 0 && steps[step - 1].messages > 0) first = step;
        inside.insert(inside.end(), messages.begin(), messages.end());
      }
      if (first == 0) continue;
      steps[first - 1].startups = 1;
      steps[first - 1].words = port_words(inside);
    }
  }

  /// What these steps come to, if the first of them were step `first`.
  [[nodiscard]] static lockstep::counts sum(std::vector<lockstep::step_record> const& steps,
                                            step_number first) {
    lockstep::counts total;
    for (auto const& one : steps) {
      if (one.steps > 0) total.steps = one.step - first + 1;
      if (one.rounds > 0) total.rounds = one.step - first + 1;
      total.startups += one.startups;
      total.words += one.words;
      total.volume += one.volume;
      total.messages += one.messages;
      total.hops += one.hops;
      total.contention = std::max(total.contention, one.contention);
      total.serialised_steps += one.serialised_steps;
      total.queued = std::max(total.queued, one.queued);
    }
    total.barriers = total.steps == 0 ? 0 : total.steps - 1;
    return total;
  }

  [[nodiscard]] std::vector<lockstep::phase_record> count_phases(
      std::vector<lockstep::step_record> const& steps) const {
    auto phases = m_run.phases();
    for (std::size_t phase = 0; phase < phases.size(); ++phase) {
      std::vector<lockstep::step_record> its_steps;
      std::vector<envelope const*> its_messages;
      for (auto const& one : steps)
        if (one.phase == phase) its_steps.push_back(one);
      for (auto const& one : m_run.messages())
        if (phase_of(one.step) == phase) its_messages.push_back(&one);
      std::vector<rearrangement> its_rearrangements;
      for (auto const& one : m_run.rearrangements())
        if (one.phases_begun == phase + 1) its_rearrangements.push_back(one);
      auto& record = phases[phase];
      static_cast<lockstep::counts&>(record) = sum(its_steps, record.first_step);
      count_rearrangements(its_rearrangements, record);
      record.port_words = port_words(its_messages);
    }
    return phases;
  }

  [[nodiscard]] std::vector<lockstep::processor_record> count_processors() const {
    std::vector<lockstep::processor_record> records(m_run.processors().size());
    for (auto const& one : m_run.messages()) {
      records[static_cast<std::size_t>(one.from)].words_sent += one.words;
      records[static_cast<std::size_t>(one.to)].words_received += one.words;
    }
    return records;
  }

  [[nodiscard]] std::vector<lockstep::message_record> list_messages() const {
    std::vector<lockstep::message_record> list;
    for (auto const& one : m_run.messages())
      list.push_back({one.step, one.stamp, one.from, one.to, one.words, one.hops, one.pass,
                      phase_of(one.step), one.way, one.sender_call, one.receiver_call});
    std::ranges::sort(list, {}, [](auto const& one) {
      return std::tuple{one.step, one.to, one.from, one.pass, one.sent, one.words, one.hops};
    });
    return list;
  }

  interpreter const& m_run;
  std::map<step_number, std::vector<envelope const*>> m_by_step;
};

}  // namespace

outcome interpret(experiment const& of) {
  interpreter run(of);
  run.run();
  if (auto const error = run.error()) {
    outcome failed;
    failed.error = error;
    return failed;
  }
  return tally(run).count();
}

}  // namespace reference
