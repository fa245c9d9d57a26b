#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <lockstep/cluster.hpp>
#include <lockstep/counts.hpp>
#include <lockstep/detail/kept_message.hpp>
#include <lockstep/observer.hpp>
#include <lockstep/topology.hpp>

#include "engine/counting/link_loads.hpp"
#include "engine/counting/link_words.hpp"
#include "engine/counting/runs_by_processor.hpp"
#include "engine/counting/section.hpp"
#include "engine/counting/step_counters.hpp"
#include "engine/counting/step_sums.hpp"
#include "engine/counting/worker_counters.hpp"
#include "engine/scheduling/group.hpp"

namespace lockstep::detail {

class process_team;

/// Two messages on one directed link in one step of a strict machine.
struct link_conflict {
  link_use earlier;
  link_use later;
  link_number shared;
};

/// The load of the links in a step: the most messages on any, and, where that is more than one, the most words
/// that are not of pipelined runs.
struct link_load {
  std::uint64_t messages = 0;
  std::uint64_t words = 0;
};

/// The counters of a run: those of its workers, of its phases and pipelined runs, and their sums.
/// All functions but `count` are called while no processor runs.
class run_counters {
 public:
  run_counters(topology const& network, group const& everybody, std::size_t workers, bool per_pass,
               bool links_shared, std::uint64_t steps_kept, std::span<observer* const> observers);

  /// Counts together with other processes; this one has the processors `own`.
  void count_with(process_team& team, rank_range own);
  /// Tells each process which counts any of them needs. All of them call it, as the next.
  void join_kinds();
  /// Takes over what other processes counted of the steps before `end`, in which nothing more can come in.
  void join_steps(std::uint64_t end);

  [[nodiscard]] worker_counters& of_worker(std::size_t worker) { return m_by_worker[worker]; }
  [[nodiscard]] bool observing() const { return !m_observers.empty(); }
  void stop_observing() {
    m_observers = {};
    if (!m_all_noted) m_noted_until = m_steps_kept;
  }
  /// Has all messages noted one by one.
  void note_all() {
    m_all_noted = true;
    m_noted_until = never;
  }
  /// Keeps what processors do from here on, for a clock.
  void keep_events();
  /// Takes out what was kept.
  [[nodiscard]] std::shared_ptr<event_record const> take_events(
      std::shared_ptr<topology const> network, ports each);
  [[nodiscard]] std::uint64_t steps_kept() const { return m_steps_kept; }
  /// Lists the calls in which this process has received the messages of a channel, as far as the first
  /// steps go, whose messages are kept, in the order of steps.
  [[nodiscard]] std::vector<call_place> calls_that_received(int from, int to,
                                                            std::uint8_t pass) const;
  /// The last step whose messages are noted one by one.
  [[nodiscard]] std::uint64_t noted_until() const { return m_noted_until; }
  /// Whether more of a message is counted than its step: in phases, pipelined runs or labels, or the
  /// path of work that leads through it.
  [[nodiscard]] bool counts_more() const { return m_counts_more.load(std::memory_order_relaxed); }
  /// Whether a processor has done local work.
  [[nodiscard]] bool counts_work() const { return m_counts_work.load(std::memory_order_relaxed); }
  /// Counts local work from here on.
  void begin_work() {
    m_counts_work.store(true, std::memory_order_relaxed);
    m_counts_more.store(true, std::memory_order_relaxed);
  }

  /// Counts what processors label from here on.
  void begin_labels() {
    if (m_counts_labels.load(std::memory_order_relaxed)) return;
    m_counts_labels.store(true, std::memory_order_relaxed);
    m_counts_more.store(true, std::memory_order_relaxed);
  }

  /// Counts a message in the phase and the pipelined run that `step` belongs to. Result: whether it
  /// lies in a pipelined run.
  bool count(std::size_t worker, section* run, std::uint64_t sections_over_before, int from, int to,
             std::uint64_t step, std::uint64_t words);

  /// Begins a phase. `in_flight`: whether any word that was sent has not come in yet.
  void begin_phase(std::string_view name, std::uint64_t step, bool in_flight);
  [[nodiscard]] section* begin_run(group const& members, std::uint64_t step);
  static void end_run(section& run, std::uint64_t step, bool in_flight) {
    close(run, step, in_flight);
  }
  [[nodiscard]] std::size_t phase_count() const { return m_phases.size(); }
  [[nodiscard]] std::string const& phase_name(std::size_t phase) const {
    return m_phases[phase]->name;
  }

  /// Finds the phase that a step belongs to, or no_phase.
  [[nodiscard]] std::size_t phase_index_at(std::uint64_t step) const;

  /// Whether two messages can take the same link, so that their routes matter.
  [[nodiscard]] bool routes_matter() const;
  /// Whether the words on each link are counted: in pipelined runs, wherever links are shared.
  [[nodiscard]] bool words_matter() const {
    return m_links_shared && (!m_runs.empty() || routes_matter());
  }
  /// Whether enough waits to be merged.
  [[nodiscard]] bool worth_merging() const;
  /// Whether enough waits, as far as one worker can tell while others run.
  [[nodiscard]] bool worth_merging(std::size_t worker) const {
    return m_by_worker[worker].worth_merging();
  }
  /// Counts the messages and words on each link in the steps before `step`, in which nothing more can
  /// come in. Appends the conflicts on a strict machine.
  void count_links(std::uint64_t step, bool strict, std::vector<link_conflict>& conflicts);
  /// Sums up the steps before `end`, whose links are counted, and tells observers of them. After an
  /// error in step `asked_until` messages that were asked for later are left out: whether their
  /// receivers came that far is chance.
  void merge_steps(std::uint64_t end, std::uint64_t asked_until = never);
  /// Keeps a call that begins, for the observers that want it. Result: its place, or `not_kept`.
  [[nodiscard]] std::size_t keep_call(std::size_t worker, call_record const& made);
  static constexpr std::size_t not_kept = ~std::size_t{0};
  /// Notes in which step a processor was when it left a call.
  void end_call(std::size_t worker, std::size_t call, std::uint64_t now) {
    auto& calls = m_by_worker[worker].calls;
    if (call < calls.size()) calls[call].end = now;
  }
  /// Notes the other processor of a call that did not name it.
  void set_other(std::size_t worker, std::size_t call, int other) {
    auto& calls = m_by_worker[worker].calls;
    if (call < calls.size()) calls[call].other = other;
  }
  /// Notes that a call to receive found nothing, and let a step pass.
  void set_idle(std::size_t worker, std::size_t call) {
    auto& calls = m_by_worker[worker].calls;
    if (call >= calls.size()) return;
    calls[call].kind = call_kind::idle;
    calls[call].other = -1;
    calls[call].number = 0;
  }
  /// Keeps what a processor shows, and in which call of a library, for the same observers.
  void keep_shown(std::size_t worker, shown_record&& shown, call_frame const* frame);
  /// Keeps the text of a label or note, for the same observers.
  void keep_said(std::size_t worker, call_record made, std::string&& text);
  /// Tells these observers what the processors did in the steps up to `last`, and what they showed
  /// before it ended.
  void tell_calls(std::uint64_t last) const;
  /// Says why there are none to tell.
  [[nodiscard]] std::string calls_left_out() const;
  /// Tells all observers how the run ended. Errors: that of the run, else the first exception of an
  /// observer.
  void tell_end(run_end const& how) const;
  /// Makes merging worth it only when twice as much waits as is left now.
  void put_off_merging();
  /// Appends the conflicts among all messages sent until now on a strict machine, also in steps in
  /// which more may come in.
  void find_conflicts(std::vector<link_conflict>& conflicts);

  /// The counts of the whole run.
  struct totals {
    counts total;
    std::vector<phase_record> phases;
    step_list steps;
    std::vector<kept_message> kept;  ///< messages of the first steps
    std::vector<label_record> labels;
  };
  /// Computes the bytes that the counters hold if they have doubled since the result was last more
  /// than 0; else 0.
  [[nodiscard]] std::size_t bytes_if_doubled();
  /// Sums up the run, after everything was merged.
  [[nodiscard]] totals sum_up();

 private:
  /// Pipelined runs that count as one, since each overlaps with another in time, in the steps
  /// [begin, end).
  struct run_group {
    std::uint64_t begin;
    std::uint64_t end;
    std::vector<section const*> runs;
  };
  /// Messages for the observers, in their order.
  struct untold_messages {
    std::vector<observed_message> list;
    std::vector<observed_message>::iterator next;
    std::vector<std::uint64_t> reduced;                 ///< steps with some left out, sorted
    std::optional<runs_by_processor> runs_until_error;  ///< after an error only
  };

  [[nodiscard]] section* phase_at(std::uint64_t step) const;
  [[nodiscard]] section* run_at(int processor, std::uint64_t step) const;
  static void close(section& ended, std::uint64_t step, bool in_flight);
  template <class Visitor>
  void visit_arrived(std::uint64_t begin, std::uint64_t end, Visitor&& visit) const;
  [[nodiscard]] step_counters& counters_at(std::uint64_t step);
  void load_links_until(std::uint64_t end, bool strict, runs_by_processor const& runs);
  [[nodiscard]] std::vector<link_load> loads_in(std::span<std::uint64_t const> steps,
                                                std::span<std::uint64_t const> equal_words,
                                                std::span<std::span<link_use const> const> rows,
                                                runs_by_processor const& runs);
  template <class Found>
  void load_words(std::span<std::uint64_t const> steps,
                  std::span<std::span<link_use const> const> rows, runs_by_processor const& runs,
                  Found const& found);
  void load_words_of_runs(std::uint64_t end, runs_by_processor const& runs);
  [[nodiscard]] bool ends_before(run_group const& group, std::uint64_t end) const;
  void add_words_of_runs(std::span<run_group const> groups, std::uint64_t end,
                         runs_by_processor const& runs,
                         std::function<void(std::size_t group)> const& ended);
  void check_links(std::uint64_t begin, std::uint64_t end, std::vector<link_conflict>& conflicts);
  void check_uses(std::vector<link_use>& uses, std::vector<link_conflict>& conflicts);
  void check_links_in_step(std::span<link_use const> uses, std::vector<link_conflict>& conflicts);
  [[nodiscard]] std::uint64_t known_before(std::uint64_t step) const;
  [[nodiscard]] std::uint64_t asked_before(std::uint64_t open) const;
  void add_idle_steps(std::uint64_t end);
  [[nodiscard]] untold_messages take_observed(std::uint64_t end, std::uint64_t asked_until);
  void find_sender_calls(std::vector<observed_message>& seen);
  [[nodiscard]] step_record without_late(step_record of, untold_messages const& messages) const;
  void tell(step_record const& of, untold_messages& messages);
  void cut_off_where_too_many();
  /// Tells observers of the phases that have begun by `step`.
  void tell_phases(std::uint64_t step);
  [[nodiscard]] std::uint64_t phase_begin(std::size_t phase) const {
    return phase == no_phase ? 1 : m_phases[phase]->begin;
  }
  [[nodiscard]] step_record record_of(std::uint64_t step, step_counters const& counters) const;
  [[nodiscard]] std::vector<run_group> groups_of_runs() const;
  [[nodiscard]] static std::size_t group_at(std::span<run_group const> groups, std::uint64_t step);
  void take_hot_steps();
  [[nodiscard]] std::uint64_t hot_startups(run_group const& overlapping) const;
  [[nodiscard]] run_price price_of(run_group const& overlapping) const;
  using work_by_step = std::vector<std::pair<std::uint64_t, work_sum>>;  ///< in order
  [[nodiscard]] work_by_step take_work(std::span<run_group const> groups, std::uint64_t end,
                                       bool and_open_runs);
  void take_labels(std::uint64_t end);
  void settle_withheld(std::span<run_group const> groups, std::uint64_t end,
                       work_by_step const& work);
  void withhold_open_run(std::span<run_group const> groups, std::uint64_t end);
  void pay_for_runs(step_record& first, std::vector<run_group> const& groups, std::uint64_t end,
                    untold_messages const& messages);
  [[nodiscard]] static std::uint64_t words_of_runs(std::span<section const* const> overlapping);
  [[nodiscard]] run_price told_words_of_runs(run_group const& overlapping,
                                             untold_messages const& messages) const;
  [[nodiscard]] phase_record phase_record_of(std::size_t phase);
  [[nodiscard]] bool may_keep(worker_counters& mine, std::size_t bytes);

  [[nodiscard]] std::vector<link_load> share_loads(std::span<std::uint64_t const> steps,
                                                   std::span<std::uint64_t const> equal_words,
                                                   runs_by_processor const& runs);
  [[nodiscard]] std::optional<link_conflict> share_check(std::uint64_t begin, std::uint64_t end);
  void find_send(link_use& sent);
  void share_words_of_runs(std::span<run_group const> groups, std::uint64_t end,
                           runs_by_processor const& runs);
  void join_work(std::vector<work_then>& apart);
  void join_work_in_runs(std::vector<work_in_run>& own);
  void join_labels(std::uint64_t begin, std::uint64_t end);
  void join_operations_of_labels();
  void join_ends();
  /// The workers of this process.
  [[nodiscard]] std::span<worker_counters> own_workers() {
    return {m_by_worker.data(), m_by_worker.size() - (m_team == nullptr ? 0 : 1)};
  }

  topology const& m_topology;
  group const& m_everybody;
  std::vector<worker_counters> m_by_worker;
  bool
      m_per_pass;  ///< two messages may take one link in one step even if both cross that link only
  bool m_links_shared;  ///< whether two messages may take one link in one step
  std::uint64_t m_steps_kept;
  std::span<observer* const> m_observers;
  std::uint64_t m_noted_until;
  bool m_all_noted = false;  ///< also once observers are told no more
  std::atomic<bool> m_counts_more = false;
  std::atomic<bool> m_counts_work = false;
  std::atomic<bool> m_counts_labels = false;
  std::vector<std::unique_ptr<section>> m_phases;
  std::vector<std::unique_ptr<section>> m_runs;  ///< those that are not all summed up, by begin
  std::uint64_t m_loaded = 0;  ///< links are counted for the steps before this one
  std::uint64_t m_merged = 0;  ///< and they are summed up
  step_sums m_sums;
  std::uint64_t m_paid_until = 0;    ///< the group of runs that has paid last ends here
  std::uint64_t m_first_to_pay = 0;  ///< the first step with words of runs that are not over, or 0
  std::vector<work_in_run> m_work_in_runs;  ///< that are not over
  std::vector<work_sum> m_work_of_phases;
  label_sums m_labels;
  link_loads m_links;
  link_words m_step_words;  ///< of one step; empty between
  link_words m_run_words;   ///< of the pipelined runs that are under way, and count as one
  /// The most words over a link in pipelined runs that count as one, by their begin, from when they
  /// are over until they are paid.
  std::map<std::uint64_t, std::uint64_t> m_most_run_words;
  std::set<std::uint64_t> m_hot_steps;  ///< in which requests that meet came into pipelined runs
  // On a strict machine; the first two are kept for their memory.
  std::vector<link_use> m_uses;
  std::vector<std::size_t> m_taken;       ///< links with a user
  std::vector<std::size_t> m_first_user;  ///< by link: 1 + its place in the step's uses, or 0
  std::size_t m_entries_to_merge;
  std::size_t m_blocks_to_merge;
  std::size_t m_bytes_of_runs = 0;
  std::size_t m_run_bytes_to_merge;        ///< bytes
  std::size_t m_bytes;                     ///< that it may hold before bytes_if_doubled says so
  std::vector<noted_send> m_untold_sends;  ///< sorted
  std::size_t m_phases_told = 0;
  std::span<observer* const> m_told_at_end;   ///< all, also once they are told of no more messages
  std::atomic<std::size_t> m_call_bytes = 0;  ///< that calls and what they show took
  std::atomic<std::size_t> m_event_bytes = 0;
  process_team* m_team = nullptr;  ///< other processes, whose counters come last in m_by_worker
  rank_range m_own{};
  std::uint64_t m_joined = 0;  ///< the steps before this one are known of all processes
};

}  // namespace lockstep::detail
