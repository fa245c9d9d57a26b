#include "reference_model.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include "interpreter.hpp"

namespace reference {
namespace {

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

/// The most words that these messages bring over one directed link.
std::uint64_t words_over_a_link(std::vector<envelope const*> const& messages) {
  std::map<link_number, std::uint64_t> words;
  std::uint64_t largest = 0;
  for (auto const* one : messages)
    for (auto const link : std::set<link_number>(one->links.begin(), one->links.end()))
      largest = std::max(largest, words[link] += one->words);
  return largest;
}

/// Rule 10: the steps of a run in which words came in of requests that meet, but the first.
std::uint64_t hot_startups(std::vector<envelope const*> const& messages) {
  std::set<step_number> steps;
  for (auto const* one : messages)
    if (one->meets && one->words > 0) steps.insert(one->step);
  return steps.empty() ? 0 : steps.size() - 1;
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

/// Pipelined runs that overlap in time, and so count as one.
struct joint_run {
  step_number first = 0;
  step_number end = 0;
  std::vector<envelope const*> messages{};
};

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
    auto const work = count_work([](local_work const&) { return true; });
    auto const last = std::max(rounds, work.empty() ? 0 : work.rbegin()->first);
    for (step_number step = 1; step <= last; ++step) counted.steps.push_back(count_step(step));
    price_pipelined_runs(counted.steps);
    for (auto const& [step, done] : work) {
      counted.steps[step - 1].work = done.work;
      counted.steps[step - 1].operations = done.operations;
    }
    counted.total = sum(counted.steps, 1);
    counted.makespan = m_run.makespan();
    counted.clock = m_run.clock_makespan();
    for (auto const& one : m_run.processors()) counted.span = std::max(counted.span, one.path);
    count_rearrangements(m_run.rearrangements(), counted.total);
    counted.phases = count_phases(counted.steps);
    counted.processors = count_processors();
    list_labels({}, counted.labels);
    for (auto const& one : m_run.processors())
      for (auto const& call : one.choosing) counted.choices += call.is_choice ? 1 : 0;
    for (auto const& one : counted.processors)
      counted.total.memory = std::max(counted.total.memory, one.memory);
    counted.messages = list_messages();
    return counted;
  }

 private:
  [[nodiscard]] bool gets_wrong(wrong_rule rule) const { return m_run.gets_wrong(rule); }

  /// The last phase that began in this step or before.
  [[nodiscard]] std::size_t phase_at(step_number step) const {
    auto found = lockstep::no_phase;
    for (std::size_t phase = 0; phase < m_run.phases().size(); ++phase)
      if (m_run.phases()[phase].first_step <= step) found = phase;
    return found;
  }
  [[nodiscard]] std::size_t phase_of(envelope const& message) const {
    return phase_at(gets_wrong(wrong_rule::phase_of_the_send) ? message.stamp : message.step);
  }

  /// Rule 5: the run of the message's receiver that spans the step in which it came in.
  [[nodiscard]] pipelined_run const* run_of(envelope const& message) const {
    int const member = gets_wrong(wrong_rule::run_of_the_sender) ? message.from : message.to;
    for (auto const& run : m_run.pipelined_runs())
      if (std::ranges::count(m_run.groups()[run.group].members, member) > 0 &&
          run.first <= message.step && message.step < run.end)
        return &run;
    return nullptr;
  }

  [[nodiscard]] lockstep::step_record count_step(step_number step) const {
    lockstep::step_record counted;
    counted.step = step;
    counted.phase = phase_at(step);
    auto const found = m_by_step.find(step);
    if (found == m_by_step.end()) return counted;
    counted.rounds = 1;
    std::map<link_number, std::uint64_t> load;
    std::map<link_number, std::uint64_t> words;
    for (auto const* one : found->second) {
      counted.queued = std::max(counted.queued, one->step - one->stamp);
      if (one->words > 0) count_message(*one, counted);
      if (one->words == 0 && gets_wrong(wrong_rule::empty_messages_pay)) counted.startups = 1;
      if (one->words == 0 && !gets_wrong(wrong_rule::empty_messages_load_links)) continue;
      for (auto const link : std::set<link_number>(one->links.begin(), one->links.end()))
        counted.contention = std::max(counted.contention, ++load[link]);
      if (run_of(*one) != nullptr && !gets_wrong(wrong_rule::link_words_of_all)) continue;
      for (auto const link : std::set<link_number>(one->links.begin(), one->links.end()))
        counted.link_words = std::max(counted.link_words, words[link] += one->words);
    }
    counted.serialised_steps = counted.contention;
    return counted;
  }

  /// A message with words. Outside of pipelined runs its step pays a start-up.
  void count_message(envelope const& one, lockstep::step_record& counted) const {
    counted.steps = 1;
    counted.messages += 1;
    counted.volume += one.words;
    counted.largest = std::max(counted.largest, one.words);
    counted.hops = std::max(counted.hops, one.hops);
    if (run_of(one) != nullptr) return;
    counted.startups = 1;
    counted.words = std::max(counted.words, one.words);
  }

  /// Rule 5: those that overlap in time, also by way of others, count as one.
  [[nodiscard]] std::vector<joint_run> joint_runs() const {
    auto runs = m_run.pipelined_runs();
    std::erase_if(runs, [](auto const& one) { return one.first == one.end; });
    std::ranges::stable_sort(runs, {}, &pipelined_run::first);
    std::vector<joint_run> joint;
    for (auto const& run : runs) {
      if (joint.empty() || run.first >= joint.back().end || gets_wrong(wrong_rule::runs_apart))
        joint.push_back({run.first});
      joint.back().end = std::max(joint.back().end, run.end);
      for (auto const& message : m_run.messages()) {
        auto const* const its = run_of(message);
        if (its != nullptr && its->group == run.group && its->first == run.first &&
            its->end == run.end)
          joint.back().messages.push_back(&message);
      }
    }
    return joint;
  }

  /// What counts together by rule 14: the first step of it, whether it is of a pipelined run, and the
  /// barriers passed outside of these.
  using together = std::tuple<step_number, bool, std::uint64_t>;
  [[nodiscard]] together moment_of(local_work const& done) const {
    if (done.run && !gets_wrong(wrong_rule::work_of_runs_by_step)) {
      auto const first = m_run.pipelined_runs()[*done.run].first;
      for (auto const& run : joint_runs())
        if (m_run.pipelined_runs()[*done.run].end > first && run.first <= first && first < run.end)
          return {run.first, true, 0};
    }
    return {done.step, false, gets_wrong(wrong_rule::work_ignores_barriers) ? 0 : done.barriers};
  }

  struct work_done {
    std::uint64_t work = 0;
    std::uint64_t operations = 0;
  };
  /// Rule 14: the work of those calls, by step.
  template <class Wanted>
  [[nodiscard]] std::map<step_number, work_done> count_work(Wanted const& is_wanted) const {
    std::map<together, std::map<int, std::uint64_t>> sums;
    for (auto const& done : m_run.work())
      if (is_wanted(done) && done.operations > 0)
        sums[moment_of(done)][done.rank] += done.operations;
    std::map<step_number, work_done> by_step;
    for (auto const& [moment, by_rank] : sums) {
      std::uint64_t most = 0;
      std::uint64_t all = 0;
      for (auto const& [rank, operations] : by_rank) {
        most = std::max(most, operations);
        all += operations;
      }
      auto& into = by_step[std::get<0>(moment)];
      into.work += gets_wrong(wrong_rule::work_of_all_processors) ? all : most;
      into.operations += all;
    }
    return by_step;
  }

  /// Rule 5: the steps of a run pay one start-up together, in the first with a message with words.
  void price_pipelined_runs(std::vector<lockstep::step_record>& steps) const {
    for (auto const& run : joint_runs()) {
      step_number first = 0;
      for (auto const* one : run.messages)
        if ((one->words > 0 || gets_wrong(wrong_rule::run_pays_for_empty_messages)) &&
            (first == 0 || one->step < first))
          first = one->step;
      if (first == 0) continue;
      steps[first - 1].startups += 1;
      if (!gets_wrong(wrong_rule::meeting_is_free))
        steps[first - 1].hot_startups += hot_startups(run.messages);
      steps[first - 1].link_words +=
          gets_wrong(wrong_rule::run_ignores_links)
              ? port_words(run.messages)
              : std::max(port_words(run.messages), words_over_a_link(run.messages));
      steps[first - 1].words += gets_wrong(wrong_rule::only_members_send)
                                    ? words_of_members(run)
                                    : port_words(run.messages);
    }
  }

  /// What is wrong of `only_members_send`: words count at those senders only that are in a run.
  [[nodiscard]] std::uint64_t words_of_members(joint_run const& run) const {
    std::map<int, std::uint64_t> sent;
    std::map<int, std::uint64_t> received;
    std::uint64_t largest = 0;
    for (auto const* one : run.messages) {
      auto const& members = m_run.groups()[run_of(*one)->group].members;
      if (std::ranges::count(members, one->from) > 0)
        largest = std::max(largest, sent[one->from] += one->words);
      largest = std::max(largest, received[one->to] += one->words);
    }
    return largest;
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
      total.link_words += one.link_words;
      total.hot_startups += one.hot_startups;
      total.volume += one.volume;
      total.messages += one.messages;
      total.hops += one.hops;
      total.contention = std::max(total.contention, one.contention);
      total.serialised_steps += one.serialised_steps;
      total.queued = std::max(total.queued, one.queued);
      total.work += one.work;
      total.operations += one.operations;
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
        if (phase_of(one) == phase) its_messages.push_back(&one);
      std::vector<rearrangement> its_rearrangements;
      for (auto const& one : m_run.rearrangements())
        if (one.phases_begun == phase + 1) its_rearrangements.push_back(one);
      auto& record = phases[phase];
      static_cast<lockstep::counts&>(record) = sum(its_steps, record.first_step);
      count_rearrangements(its_rearrangements, record);
      record.port_words = port_words(its_messages);
      record.work = record.operations = 0;
      for (auto const& [step, done] :
           count_work([&](local_work const& of) { return of.phases_begun == phase + 1; })) {
        record.work += done.work;
        record.operations += done.operations;
      }
      if (gets_wrong(wrong_rule::trailing_idles_in_phases) && record.steps > 0)
        record.steps = its_steps.back().step - record.first_step + 1;
    }
    return phases;
  }

  /// Appends the labels inside of one, each before those inside of it.
  void list_labels(std::vector<std::string> const& outer,
                   std::vector<lockstep::label_record>& list) const {
    auto const place = list.empty() ? lockstep::no_label : list.size() - 1;
    std::vector<std::pair<step_number, std::vector<std::string>>> level;
    for (auto const& [path, first] : m_run.labels())
      if (path.size() == outer.size() + 1 && is_inside(path, outer))
        level.emplace_back(first, path);
    std::ranges::sort(level);
    for (auto const& [first, path] : level) {
      auto record = count_label(path);
      record.inside = place;
      record.first_step = first;
      list.push_back(record);
      list_labels(path, list);
    }
  }
  [[nodiscard]] static bool is_inside(std::vector<std::string> const& path,
                                      std::vector<std::string> const& outer) {
    return path.size() >= outer.size() && std::equal(outer.begin(), outer.end(), path.begin());
  }
  [[nodiscard]] bool counts_under(std::vector<std::string> const& path,
                                  std::vector<std::string> const& label) const {
    return gets_wrong(wrong_rule::labels_of_the_inner) ? path == label : is_inside(path, label);
  }
  [[nodiscard]] lockstep::label_record count_label(std::vector<std::string> const& path) const {
    lockstep::label_record record;
    record.name = path.back();
    for (auto const& [step, messages] : m_by_step) {
      std::uint64_t largest = 0;
      std::uint64_t longest = 0;
      for (auto const* one : messages) {
        if (one->words == 0 || !counts_under(one->label, path)) continue;
        largest = std::max(largest, one->words);
        longest = std::max(longest, one->hops);
        record.messages += 1;
        record.volume += one->words;
      }
      record.steps += largest > 0 ? 1 : 0;
      record.words += largest;
      record.hops += longest;
    }
    for (auto const& done : m_run.work())
      if (counts_under(done.label, path)) record.operations += done.operations;
    return record;
  }

  [[nodiscard]] std::vector<lockstep::processor_record> count_processors() const {
    std::vector<lockstep::processor_record> records(m_run.processors().size());
    for (auto const& one : m_run.messages()) {
      records[static_cast<std::size_t>(one.from)].words_sent += one.words;
      records[static_cast<std::size_t>(one.to)].words_received += one.words;
    }
    auto const word = m_run.options().word_bytes;
    for (std::size_t rank = 0; rank < records.size(); ++rank)
      records[rank].memory = (m_run.processors()[rank].peak + word - 1) / word;
    for (std::size_t rank = 0; rank < records.size(); ++rank)
      records[rank].operations = m_run.processors()[rank].operations;
    return records;
  }

  [[nodiscard]] std::vector<lockstep::message_record> list_messages() const {
    std::vector<lockstep::message_record> list;
    for (auto const& one : m_run.messages())
      list.push_back({one.step, one.stamp, one.from, one.to, one.words, one.hops, one.pass,
                      phase_of(one), one.way, one.sender_call, one.receiver_call});
    std::ranges::sort(list, {}, [](auto const& one) {
      return std::tuple{one.step,  one.to,   one.from,          one.pass,       one.sent,
                        one.words, one.hops, one.way.dimension, one.way.offset, one.receiver_call};
    });
    return list;
  }

  interpreter const& m_run;
  std::map<step_number, std::vector<envelope const*>> m_by_step;
};

}  // namespace

lockstep::loggp_clock const& loggp_of_model() {
  static lockstep::loggp_clock const model{.latency_us = 5,
                                           .overhead_us = 1.5,
                                           .gap_us = 2.25,
                                           .gap_us_per_byte = 0.125,
                                           .word_bytes = 8,
                                           .operation_us = 0.5,
                                           .idle_us = 0.75};
  return model;
}

outcome interpret(experiment const& of, wrong_rule wrong) {
  interpreter run(of, wrong);
  run.run();
  if (auto const error = run.error()) {
    outcome failed;
    failed.error = error;
    return failed;
  }
  return tally(run).count();
}

}  // namespace reference
