#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <source_location>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <vector>

#include <lockstep/counts.hpp>
#include <lockstep/detail/kept_message.hpp>
#include <lockstep/observer.hpp>
#include <lockstep/topology.hpp>

#include "engine/counting/step_sums.hpp"
#include "engine/counting/step_tallies.hpp"
#include "engine/messages/message.hpp"
#include "engine/scheduling/group.hpp"

namespace lockstep::detail {

inline constexpr std::uint64_t never = std::numeric_limits<std::uint64_t>::max();

/// Messages from one processor to another that take the links of a route, one in each of some
/// steps.
struct link_use {
  std::uint64_t step;          ///< the first
  std::uint64_t steps;         ///< how many in a row
  std::source_location where;  ///< of the send, on a strict machine
  int from;
  int to;
  std::uint32_t hops;
  way_taken way;
  std::uint8_t pass;
  bool empty;

  /// The order in which the messages of a step are looked at. Each has a place of its own, for no two
  /// of one sender take the same out-port.
  [[nodiscard]] bool operator<(link_use const& other) const {
    if (step != other.step) return step < other.step;
    if (from != other.from) return from < other.from;
    if (to != other.to) return to < other.to;
    auto const port = [](link_use const& use) {
      return std::tuple(use.pass, use.way.dimension(), use.way.direction(), use.hops);
    };
    return port(*this) < port(other);
  }
};

/// A message for the observers, and the receiver's `now` when it asked.
struct observed_message {
  message_record record;
  std::uint64_t asked;
  std::uint8_t channel;  ///< of the message, `one_sided_pass` or the pass
};

/// The sending of a message for the observers, until it comes in. A message has no room for the
/// number of its call.
struct noted_send {
  std::uint64_t step;
  std::uint64_t call;
  int from;
  int to;
  std::uint8_t channel;
  way_taken way;
};

/// Steps [begin, end) of a phase or of a run of pipelined rounds, and what its members sent and
/// received in them.
struct section {
  group const* members;
  std::uint64_t begin;
  std::uint64_t end = never;
  std::string name{};
  std::vector<std::uint64_t> received{};           ///< by member; empty once nothing more can come
  std::vector<std::vector<std::uint64_t>> sent{};  ///< by worker that took in, then by member
  /// What others than members sent to members, by worker that took in, then by rank on the machine.
  std::vector<std::unordered_map<int, std::uint64_t>> sent_from_outside{};
  std::uint64_t port_words = 0;  ///< of those already summed up
  std::size_t workers = 0;

  void open(std::size_t of_workers);
  /// What it holds at most.
  [[nodiscard]] std::size_t bytes() const;
  void count(std::size_t worker, int from, int to, std::uint64_t words);
  [[nodiscard]] std::uint64_t sent_by(std::size_t member) const;
  /// Sums up, and drops the figures per member.
  void sum_up();
};

/// What one worker writes down while processors run.
struct ledger {
  static constexpr std::uint64_t no_limit = std::uint64_t{1} << 62;
  static constexpr std::uint64_t longest_row_with_long_routes = 16;
  static constexpr std::size_t reserved_bytes = 16'384;

  step_tallies tallies;
  std::vector<link_use> link_uses;
  std::uint64_t last_use = 0;    ///< the latest step among them
  std::uint64_t used_steps = 0;  ///< of all of them together
  bool long_routes = false;      ///< whether any message ever crossed more than one link
  /// Steps in a row after which it is written down: so that rows are summed up, where they matter,
  /// before they have grown long.
  std::uint64_t longest_row = no_limit;
  std::vector<observed_message> observed;
  std::vector<noted_send> sends;                             ///< for the observers
  std::vector<kept_message> kept;                            ///< messages of the first steps
  std::vector<std::uint64_t> rearranged;                     ///< largest, by number of the call
  std::vector<std::vector<std::uint64_t>> phase_rearranged;  ///< the same by phase
  /// Given back when there is no more memory, so that this can still be said.
  std::unique_ptr<std::byte[]> reserve{new std::byte[reserved_bytes]};

  /// Entries that wait to be folded.
  [[nodiscard]] std::size_t entries() const { return used_steps + observed.size(); }
  void use_links(link_use const& use) {
    link_uses.push_back(use);
    used_steps += use.steps;
    last_use = std::max(last_use, use.step + use.steps - 1);
    note_route(use.hops);
  }
  void note_route(std::uint32_t hops) {
    if (hops <= 1) return;
    long_routes = true;
    longest_row = longest_row_with_long_routes;
  }
  /// Forgets the uses of the steps before `step`.
  void drop_uses(std::uint64_t step);
  void rearrange(std::vector<std::uint64_t>& by_call, std::uint64_t call, std::uint64_t words);
  [[nodiscard]] std::size_t bytes() const {
    return tallies.bytes() + link_uses.capacity() * sizeof(link_use) +
           observed.capacity() * sizeof(observed_message);
  }
};

/// Two messages on one directed link in one step of a strict machine.
struct link_conflict {
  link_use earlier;
  link_use later;
  link_number shared;
};

/// The counting: the workers' ledgers, phases and pipelined runs, and what comes out of them.
/// Everything but `count` is called while no processor runs.
class books {
 public:
  books(topology const& network, group const& everybody, std::size_t workers, bool per_pass,
        std::uint64_t steps_kept, std::span<observer* const> observers);

  [[nodiscard]] ledger& of_worker(std::size_t worker) { return m_ledgers[worker]; }
  [[nodiscard]] bool observing() const { return !m_observers.empty(); }
  void stop_observing() {
    m_observers = {};
    m_noted_until = m_steps_kept;
  }
  [[nodiscard]] std::uint64_t steps_kept() const { return m_steps_kept; }
  /// Messages are noted one by one in the steps up to this one.
  [[nodiscard]] std::uint64_t noted_until() const { return m_noted_until; }
  /// Whether phases or pipelined runs are being counted.
  [[nodiscard]] bool has_sections() const { return m_has_sections; }

  /// Counts a message in the phase and the pipelined run that step `step` belongs to.
  /// Returns whether it lies in a pipelined run.
  bool count(std::size_t worker, section* run, std::uint64_t settled_before, int from, int to,
             std::uint64_t step, std::uint64_t words);

  /// `in_flight`: whether any word that was sent has not come in yet.
  void begin_phase(std::string_view name, std::uint64_t step, bool in_flight);
  [[nodiscard]] section* begin_run(group const& members, std::uint64_t step);
  static void end_run(section& run, std::uint64_t step, bool in_flight) {
    close(run, step, in_flight);
  }
  [[nodiscard]] std::size_t phase_count() const { return m_phases.size(); }
  [[nodiscard]] std::string const& phase_name(std::size_t phase) const {
    return m_phases[phase]->name;
  }

  /// The phase that a step belongs to, or no_phase.
  [[nodiscard]] std::size_t phase_index_at(std::uint64_t step) const;

  /// Whether two messages can want one link: nobody has to look at the routes before.
  [[nodiscard]] bool routes_matter() const;
  [[nodiscard]] bool worth_folding() const;
  /// The same, as far as one worker can tell while others run.
  [[nodiscard]] bool worth_folding(std::size_t worker) const;
  /// Counts links for the steps before `step`, in which nothing more can come in. Appends what clashes
  /// on a strict machine.
  void fold_links(std::uint64_t step, bool strict, std::vector<link_conflict>& conflicts);
  /// Sums up the same steps, once their links are counted, and tells observers of them;
  /// `asked_until`: leaves out what was asked for later.
  void fold_steps(std::uint64_t end, std::uint64_t asked_until = never);
  /// Lets folding be worth it when twice as much waits for it as is left.
  void put_off_folding();
  /// Appends what clashes on a strict machine among the messages that were sent until now, those of
  /// steps in which others may still come included.
  void find_conflicts(std::vector<link_conflict>& conflicts) {
    load_steps(m_loaded, never, true, conflicts);
  }

  struct totals {
    counts total;
    std::vector<phase_record> phases;
    step_list steps;
    std::vector<kept_message> kept;  ///< messages of the first steps
  };
  /// The bytes that it holds, where they have doubled since this was last more than 0.
  [[nodiscard]] std::size_t bytes_if_doubled();
  /// After everything was folded.
  [[nodiscard]] totals sum_up();

 private:
  /// Pipelined runs that count as one, since each overlaps with another in time: steps [begin, end).
  struct run_group {
    std::uint64_t begin;
    std::uint64_t end;
    std::vector<section const*> runs;
  };
  /// Messages for the observers, in their order.
  struct untold_messages {
    std::vector<observed_message> list;
    std::vector<observed_message>::iterator next;
    std::uint64_t asked_until;
  };

  [[nodiscard]] section* phase_at(std::uint64_t step) const;
  static void close(section& ended, std::uint64_t step, bool in_flight);
  [[nodiscard]] bool has_long_route(std::uint64_t step);
  template <class Visitor>
  void visit_arrived(std::uint64_t begin, std::uint64_t end, Visitor&& visit) const;
  void load_steps(std::uint64_t begin, std::uint64_t end, bool strict,
                  std::vector<link_conflict>& conflicts);
  void find_route(link_use const& use);
  void load_links(std::span<link_use const> uses, bool strict,
                  std::vector<link_conflict>& conflicts);
  [[nodiscard]] std::uint64_t settled_before(std::uint64_t step) const;
  void add_idle_steps(std::uint64_t end);
  [[nodiscard]] untold_messages take_observed(std::uint64_t end, std::uint64_t asked_until);
  void find_sender_calls(std::vector<observed_message>& seen);
  void tell(step_record const& of, untold_messages& messages);
  void cut_off_where_too_many();
  /// Tells of the phases that have begun by `step`.
  void tell_phases(std::uint64_t step);
  [[nodiscard]] std::uint64_t phase_begin(std::size_t phase) const {
    return phase == no_phase ? 1 : m_phases[phase]->begin;
  }
  [[nodiscard]] step_record record_of(std::uint64_t step, step_tally const& tally) const;
  [[nodiscard]] std::vector<run_group> groups_of_runs() const;
  [[nodiscard]] static run_group const& group_at(std::vector<run_group> const& groups,
                                                 std::uint64_t step);
  void pay_what_is_known(std::vector<run_group> const& groups, std::uint64_t end);
  void pay_for_runs(step_record& first, std::vector<run_group> const& groups, std::uint64_t end);
  [[nodiscard]] static std::uint64_t words_of_runs(std::span<section const* const> overlapping);
  [[nodiscard]] phase_record phase_record_of(std::size_t phase);

  topology const& m_topology;
  group const& m_everybody;
  std::vector<ledger> m_ledgers;
  bool m_per_pass;  ///< two messages may want one link in one step even where both cross no other
  std::uint64_t m_steps_kept;
  std::span<observer* const> m_observers;
  std::uint64_t m_noted_until;
  bool m_has_sections = false;
  std::vector<std::unique_ptr<section>> m_phases;
  std::vector<std::unique_ptr<section>> m_runs;  ///< those that are not all summed up, by begin
  std::uint64_t m_loaded = 0;  ///< links are counted for the steps before this one
  std::uint64_t m_folded = 0;  ///< and they are summed up
  step_sums m_sums;
  std::uint64_t m_paid_until = 0;  ///< the group of runs that has paid last ends here
  std::vector<link_use> m_uses;    ///< these three are kept for their memory
  std::vector<link_number> m_route;
  std::vector<std::size_t> m_taken;
  std::vector<std::uint32_t> m_loads;     ///< by link, 0 but for m_taken
  std::vector<std::size_t> m_first_user;  ///< by link, on a strict machine
  std::size_t m_fold_at;
  std::size_t m_fold_blocks_at;
  std::size_t m_bytes_of_runs = 0;
  std::size_t m_fold_runs_at;              ///< bytes
  std::size_t m_bytes;                     ///< that it may hold before bytes_if_doubled says so
  std::vector<noted_send> m_untold_sends;  ///< sorted
  std::size_t m_phases_told = 0;
};

}  // namespace lockstep::detail
