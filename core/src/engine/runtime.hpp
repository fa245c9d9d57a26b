#pragma once

#include <atomic>
#include <cstdint>
#include <deque>
#include <exception>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <new>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <fmt/format.h>

#include <lockstep/errors.hpp>
#include <lockstep/machine.hpp>
#include <lockstep/observer.hpp>
#include <lockstep/options.hpp>
#include <lockstep/topology.hpp>

#include "engine/call_place.hpp"
#include "engine/cluster/process_team.hpp"
#include "engine/counting/arrival_order.hpp"
#include "engine/counting/run_counters.hpp"
#include "engine/counting/work_paths.hpp"
#include "engine/memory/overflow_guard.hpp"
#include "engine/processor_state.hpp"
#include "engine/scheduling/group.hpp"
#include "engine/tuning.hpp"

namespace lockstep::detail {

/// The exception that ends a processor whose run has failed. Programs cannot name its type.
struct unwinding {};

// A destination or source is a rank on the machine, or one of these two.
/// A rank that does not exist; it stands in processor_details::asked_to or asked_from.
inline constexpr int no_rank = -1;
/// A destination that is named by a way; it stands in processor_details::asked_way.
inline constexpr int by_way = -2;

/// Writes the name of an element type as in source code.
[[nodiscard]] std::string readable_name(payload_type const& type);

/// Finds the processors that this process runs of a machine.
[[nodiscard]] rank_range own_share(int processors, machine_options const& options);

/// One run of a machine, as far as both engines share it. Its calls are those of `processor`, with
/// ranks on the machine; message_path.hpp has what they do. The engines differ in how a processor
/// waits and is woken.
class runtime {
 public:
  runtime(std::shared_ptr<topology const> network, machine_options const& options,
          std::span<observer* const> observers, std::size_t workers);
  runtime(runtime const&) = delete;
  runtime& operator=(runtime const&) = delete;
  virtual ~runtime();

  // The calls of a processor, in message_path.hpp.
  virtual void send(processor_state& me, int to, elements const& values,
                    std::source_location where) = 0;
  /// Whether an exchange may lend such a payload.
  [[nodiscard]] static bool is_long(elements const& values) {
    return values.count * values.type->size >= usual_tuning.bytes_lent;
  }
  /// Sends long values that the processor can leave as they are until it has received a message from
  /// `from`. Result: whether it must, and has to call wait_for_loan then.
  [[nodiscard]] virtual bool send_lending(processor_state& me, int to, elements const& values,
                                          int from, std::source_location where) = 0;
  /// Waits until nobody needs what the processor lends.
  virtual void wait_for_loan(processor_state& me) noexcept = 0;
  virtual void send_vector(processor_state& me, int to, void* vector, payload_type const& type,
                           std::source_location where) = 0;
  [[nodiscard]] virtual message* take(processor_state& me, int from, payload_type const& type,
                                      std::size_t const* wanted, std::source_location where) = 0;
  virtual void take_into(processor_state& me, int from, receive_buffer const& in,
                         std::source_location where) = 0;
  virtual void exchange(processor_state& me, int to, elements const& out, int from,
                        receive_buffer const& in, std::source_location where) = 0;
  virtual void release(processor_state& me, message* taken) = 0;
  virtual void idle(processor_state& me, std::uint64_t steps, std::source_location where) = 0;
  virtual void barrier(processor_state& me, group& of, barrier_kind kind, std::string_view name,
                       std::source_location where) = 0;
  /// Receives the message that comes first of the group's members, or of `among`, which are sorted.
  [[nodiscard]] virtual message* take_any(processor_state& me, group const& of,
                                          std::span<int const> among, payload_type const& type,
                                          std::source_location where) = 0;
  /// Receives the oldest message if it has come before the processor's step; else nullptr, a step
  /// later.
  [[nodiscard]] virtual message* try_take(processor_state& me, int from, payload_type const& type,
                                          std::source_location where) = 0;
  /// Counts the messages that have come before the processor's step.
  [[nodiscard]] virtual std::size_t pending(processor_state& me, int from,
                                            std::source_location where) = 0;
  /// Keeps values for the end of the group's superstep.
  virtual void post(processor_state& me, group& of, int to, elements const& values,
                    std::source_location where) = 0;
  /// Sends what lies in the mailbox irregular_state::mail, and takes in what came for it. Called
  /// between the barriers of `deliver`. `rank`: of the processor in the mailbox's group.
  virtual void exchange_mail(processor_state& me, int rank, payload_type const& type) = 0;
  virtual void rearrange(processor_state& me, std::uint64_t words, std::source_location where) = 0;
  virtual void count_work(processor_state& me, std::uint64_t operations,
                          std::source_location where) = 0;
  /// Begins a label of the processor's, inside of the one that encloses the last, or of the last
  /// itself, which then encloses those that follow.
  virtual void label(processor_state& me, std::string_view name, bool encloses,
                     std::source_location where) = 0;
  /// Keeps why the next call is made, in a run whose observers want calls.
  virtual void keep_note(processor_state& /*me*/, std::string_view /*text*/,
                         std::source_location /*where*/) {}
  /// Keeps what a processor shows, in a run whose observers want calls (watched.hpp).
  virtual void show(processor_state& /*me*/, std::string_view /*name*/, shown_value&& /*value*/,
                    std::source_location /*where*/) {}
  /// Notes that a processor comes into a call of a library, or leaves it, in a run whose observers
  /// want calls (watched.hpp).
  virtual void enter_frame(processor_state& /*me*/, std::source_location /*line*/) noexcept {}
  virtual void leave_frame(processor_state& /*me*/) noexcept {}
  /// Takes part in a one-sided round. Result: the message that a read asked for, else nullptr.
  [[nodiscard]] virtual message* one_sided(processor_state& me, one_sided_request&& request,
                                           std::source_location where) = 0;

  /// Runs the program on every processor. Result: its cost. Errors: the first error of the run.
  [[nodiscard]] run_record execute(erased_program program);

  /// The machine's topology, whose answers are checked.
  [[nodiscard]] lockstep::topology const& network() const { return *m_network; }
  /// The topology as it was given.
  [[nodiscard]] lockstep::topology const& given_network() const { return *m_given; }
  [[nodiscard]] machine_options const& options() const { return m_options; }
  /// Whether only adjacent processors may talk.
  [[nodiscard]] bool is_adjacent_only() const { return m_adjacent_only; }
  /// Whether only adjacent processors may talk.
  [[nodiscard]] bool adjacent_only() const { return m_adjacent_only; }
  /// Words that a processor can send, or rearrange, in all, so that the sums over all processors
  /// and steps stay below 2^64.
  [[nodiscard]] std::uint64_t most_words() const { return m_most_words; }
  [[nodiscard]] group& everybody() { return m_everybody; }
  /// Finds the group of these processors, the same object for each member.
  [[nodiscard]] group const& part_of(std::vector<int> members);

  /// Whether a call goes on. False means that it does nothing, because an exception unwinds the
  /// processor. Throws `unwinding` if the run has failed and the program did not end when it was
  /// told to.
  [[nodiscard]] virtual bool may_call(processor_state& me, std::source_location where) = 0;

  /// Gives the processor's mailbox for a group, which is made at first use.
  [[nodiscard]] mailbox& mailbox_of(processor_state& me, group const& of);

  /// Gives the processor's own memory, which is made at first use.
  [[nodiscard]] processor_memory& memory_of(processor_state& me) const;

  /// Writes which channel between two processors it is: " with tag 3", " in pass 3", or nothing.
  [[nodiscard]] std::string text_of_channel(std::uint8_t pass) const;

  /// Finds the place of the processor's last call; in a call of a library, in which a processor's
  /// calls but those that send note their own line alone, with that of the program.
  [[nodiscard]] call_place place_of(processor_state const& me) const noexcept;
  /// Finds the place of a call in a library; nullptr without memory for it.
  [[nodiscard]] place_inside const* find_place(library_entry const& entry,
                                               std::source_location call) const noexcept {
    return m_places_inside.find(entry, call);
  }

  /// Notes an error of this processor's call and throws it.
  template <class Error>
  [[noreturn]] void fail(processor_state& me, std::string const& message) {
    Error const failure(message, incident_of(me));
    note(std::make_exception_ptr(failure), me.now, me.rank);
    me.marks.end();
    throw failure;
  }
  /// Notes and throws an error of the topology. An exception nested in `lie` is nested again.
  [[noreturn]] void fail_by_topology(processor_state& me, error const& lie);
  void note(std::exception_ptr failure, std::uint64_t step, int rank);
  /// The step of the error noted, or `never`.
  [[nodiscard]] std::uint64_t failed_step();
  /// Runs an action that notes an error; where it gets no memory for that, notes so. For code that
  /// no program can catch exceptions of.
  template <class Action>
  void note_safely(processor_state const& me, Action&& action) noexcept {
    try {
      action();
    } catch (std::bad_alloc const&) {
      note(std::current_exception(), me.now, me.rank);
    }
  }
  /// Notes the exception that is being handled, which the program threw: a std::exception as
  /// processor_failed with that message, anything else as it is.
  void note_thrown(processor_state const& me, std::string const& message);
  [[nodiscard]] incident incident_of(processor_state const& me) const;
  /// Notes an error that no processor can throw; its step is `step` if that is later.
  template <class Error>
  void note_failure(processor_state const& me, std::string const& message, std::uint64_t step = 0,
                    std::shared_ptr<failure_details const> details = {}) {
    auto at = incident_of(me);
    at.details = std::move(details);
    at.step = std::max(at.step, step);
    note(std::make_exception_ptr(Error(message, at)), at.step, me.rank);
  }

 protected:
  /// Whether a processor stops for now, for it is being ended or the run failed in a step before
  /// its own.
  [[nodiscard]] bool has_to_stop(processor_state const& me) const {
    return me.marks.ending() || is_beyond_failure(me);
  }
  /// Whether the run failed in a step before the processor's own.
  [[nodiscard]] bool is_beyond_failure(processor_state const& me) const {
    return me.now > m_stop_after.load(std::memory_order_relaxed);
  }
  /// Throws invalid_argument: another program than its own has used a processor.
  [[noreturn]] static void throw_used_by_other_program(processor_state const& me);
  /// Throws `unwinding`; a program that goes on all the same is abandoned in the end.
  [[noreturn]] bool end(processor_state& me);
  /// Notes an event by which messages follow calls. Errors: std::bad_alloc.
  static void note_order(processor_state& me, order_event event);
  /// Whether an error was noted, so that processors are being ended.
  [[nodiscard]] bool failed() const {
    return m_stop_after.load(std::memory_order_relaxed) != never;
  }
  [[nodiscard]] int size() const { return m_everybody.size(); }
  [[nodiscard]] processor_state const& state_of(int rank) const {
    return m_states[static_cast<std::size_t>(rank)];
  }
  /// The states of all processors: of those that other processes run as far as they were told. For errors and
  /// the order of messages; made when first asked for.
  [[nodiscard]] std::span<processor_state> states() {
    if (m_own.size() < size()) make_states_elsewhere();
    return states_of(0, size());
  }
  /// Finds the state of a processor that this process runs, or was told of.
  [[nodiscard]] processor_state& state_of(int rank) {
    return m_states[static_cast<std::size_t>(rank)];
  }
  /// Finds the state of any processor; of one of another process it is made when first asked for.
  [[nodiscard]] processor_state& known_state_of(int rank) {
    if (!m_own.has(rank) && !m_is_known_elsewhere[static_cast<std::size_t>(rank)])
      make_state_elsewhere(rank);
    return state_of(rank);
  }
  [[nodiscard]] std::size_t worker_count() const { return m_workers; }
  /// The processors that this process runs.
  [[nodiscard]] rank_range const& own_ranks() const { return m_own; }
  [[nodiscard]] std::span<processor_state> own_states() {
    return states_of(m_own.first, m_own.size());
  }
  /// Calls action(state) for the own processors, and for those that this process was told of.
  template <class Action>
  void for_each_known(Action const& action) {
    for (auto& one : own_states()) action(one);
    for (auto* const one : m_known_elsewhere) action(*one);
  }
  /// The states of consecutive processors that this process runs.
  [[nodiscard]] std::span<processor_state> states_of(int first, int processors) {
    return {m_states.get() + first, static_cast<std::size_t>(processors)};
  }
  /// The processes that run the machine together; nullptr without a cluster.
  [[nodiscard]] process_team* team() const { return m_team.get(); }
  /// The step and the rank of the error noted; `never` without one.
  struct failure_place {
    std::uint64_t step;
    int rank;
  };
  [[nodiscard]] failure_place failed_at();
  /// Notes an error that another process has noted.
  void note_elsewhere(failure_place const& at);
  void begin_path(envelope const& sent, int to, std::uint64_t operations);

  /// Runs the program on one processor and notes what it throws.
  void run_program(processor_state& me);
  /// Writes what a processor of a guarded machine touched that is not its own.
  [[nodiscard]] std::string touch_text(processor_state const& me) const;
  [[nodiscard]] guarded_memory* guarded() const { return m_guarded.get(); }
  /// Starts the processors and returns when all have finished.
  virtual void run_processors() = 0;
  /// Makes a waiting processor go on. Called from `resolve_blocked` only.
  virtual void wake(processor_state& waiting) = 0;
  /// Leaves a program that cannot be made to end, and never comes back.
  [[noreturn]] virtual void abandon(processor_state& me) = 0;
  /// Takes the numbers of processors that count_arrival has counted since the last call.
  [[nodiscard]] virtual barrier_arrivals take_counted() = 0;
  /// Makes all processors go on that take_counted had counted, which are all there are.
  virtual void wake_all() = 0;
  /// Lets the processors go on that only wait until what they lend is copied. Result: whether any
  /// goes on.
  [[nodiscard]] virtual bool copy_all_lent() { return false; }
  /// Sends a message on behalf of `from`; called from `resolve_blocked` only.
  virtual void deliver_from(processor_state& from, int to, elements const& values,
                            std::uint32_t hops) = 0;
  /// Brings what `deliver_from` has sent to receivers in other processes, before these go on. Result:
  /// whether it `failed` in any process.
  [[nodiscard]] virtual bool bring_served(bool failed) { return failed; }
  /// Puts all that was sent to a waiting processor into its inbox; called from `resolve_blocked` only.
  virtual void collect_arrivals(processor_state& /*waiting*/) {}
  /// Finds the bytes at an address of a waiting processor; called from `resolve_blocked` only.
  [[nodiscard]] virtual std::byte const* at_rest(processor_state const& /*of*/,
                                                 std::byte const* address) const {
    return address;
  }
  /// Calls visit(message, to) for every message under way.
  virtual void for_each_in_flight(std::function<void(message const&, int)> const& visit) = 0;
  /// Whether every processor has finished.
  [[nodiscard]] virtual bool all_finished() const = 0;

  /// Called when no processor can go on: ends barriers and one-sided rounds, or notes why none can
  /// go on. `arrived`: the processors that came to a barrier since the last call. False: all have
  /// finished.
  [[nodiscard]] bool resolve_blocked(std::span<std::vector<processor_state*>* const> arrived);
  /// Hands over the work of processors before step `end`, when no more of it can come; called
  /// while no processor runs.
  void hand_over_work(std::uint64_t end);
  /// Counts the steps that are over; called while no processor runs.
  void merge_finished_steps();
  /// Makes all waiting processors go on, to be unwound; called while no processor runs.
  void end_everybody();
  /// Notes the links that a row of messages from one sender took, up to the last that came in. The
  /// length of the route was noted when the row began.
  static void end_row(worker_counters& mine, processor_state& receiver) {
    if (receiver.sender < 0) return;
    mine.use_links({receiver.sender_since,
                    receiver.last_received + 1 - receiver.sender_since,
                    {},
                    receiver.sender_words,
                    receiver.sender,
                    receiver.rank,
                    1,
                    {},
                    0});
    receiver.sender = -1;
  }

  bool const m_adjacent_only;
  bool const m_always_one_link;
  bool const m_links_shared;  ///< whether two messages may take one link in one step
  std::uint64_t const m_most_words;
  /// One by one, for a strict machine's links, for observers, for a clock, or for m_order.
  bool m_sends_noted;
  bool const m_calls_noted;  ///< for observers that want them
  bool const m_events_kept;  ///< for a clock
  bool const
      m_work_noted;  ///< each call of it: for observers that want calls, a clock, or a guarded machine
  /// One port, not strict, packets of one word, words of elements, nothing guarded, no observers, no clock, and no
  /// processor has worked: paths of work lead through messages.
  std::atomic<bool> m_usual_options;
  run_counters m_counters;
  work_paths m_paths;
  std::uint64_t m_whole_barriers = 0;      ///< of the whole machine, that all have passed
  std::unique_ptr<arrival_order> m_order;  ///< once some call of receive_any was decided

 private:
  void release_barrier(group& complete);
  [[nodiscard]] std::optional<barrier_call> call_of_all(barrier_arrivals const& counted);
  void release_counted(std::uint64_t step, barrier_call const& call);
  void pass_barrier(group& of, barrier_call const& call, std::uint64_t step);
  void enter_section(processor_state& member, group const& of, barrier_kind barrier);
  void note_counted();
  void note_waiter(processor_state& waiter, std::vector<group*>& complete);
  [[nodiscard]] bool in_flight() const;
  [[nodiscard]] std::uint64_t words_sent(processor_state const& of) const {
    return m_most_words - of.words_left;
  }
  void go_on_from_barrier(processor_state& member);
  void go_on(processor_state& waiter);
  [[nodiscard]] bool same_barrier(group const& complete);
  [[nodiscard]] bool go_on_after_failure();
  [[nodiscard]] bool resume_stopped();
  void note_contention();
  /// The answer to a processor: the message that it takes, or a look at its inbox.
  struct decision {
    processor_state* waiter;
    std::uint64_t step;
    int from;  ///< the sender, or -1
  };
  // Together with other processes: see cluster/joined_run.cpp.
  [[nodiscard]] std::string description() const;
  void share_failure();
  [[nodiscard]] std::optional<barrier_call> call_of_processes(barrier_call const& own);
  void see_all();
  void gather_arrivals(std::span<std::vector<processor_state*>* const> arrived, bool counted);
  void put_state(byte_writer& to, processor_state const& of);
  processor_state& get_state(int process, byte_reader& from);
  void put_request(byte_writer& to, one_sided_request const& of);
  [[nodiscard]] one_sided_request get_request(int process, byte_reader& from);
  void put_group(byte_writer& to, group const& of);
  [[nodiscard]] group& get_group(int process, byte_reader& from);
  /// A message that is left in another process, and its receiver.
  struct message_elsewhere {
    message of;
    int to;
  };
  [[nodiscard]] std::deque<message_elsewhere> left_elsewhere();
  void join_calls(std::vector<call_place>& calls);
  void join_mail(group const& of, bool complete);
  void join_decisions(std::vector<decision>& possible);
  void replay_order();
  void join_order();
  void join_records(std::vector<processor_record>& processors, run_lengths& lengths);

  [[nodiscard]] std::optional<decision> first_to_come(processor_state& chooser);
  [[nodiscard]] std::vector<decision> possible_decisions();
  [[nodiscard]] bool decide_arrivals();
  void forget_answered();
  void begin_order();
  void note_meeting(std::span<processor_state* const> members);
  void note_meeting_of_all();
  void answer(decision const& made);
  void refuse_beside_round(decision const& of);
  void match_mail(group const& complete);
  void release_in_order(group& complete);
  [[nodiscard]] bool release_senders_of_mail();
  void check_all_delivered();
  void serve_round();
  void count_askers(std::span<processor_state* const> round);
  [[nodiscard]] bool no_progress(std::span<processor_state* const> waiting,
                                 std::uint64_t idle_times);
  /// `failed_before`: the run, before the round.
  [[nodiscard]] bool may_serve(processor_state const& asker, processor_state const& owner,
                               bool failed_before);
  void serve(processor_state& asker, bool failed_before);
  void drop_unserved();
  void note_deadlock();
  void check_all_received();
  [[nodiscard]] std::vector<call_place> calls_that_received(int from, int to, std::uint8_t pass);
  void check_moved_payloads();
  [[nodiscard]] std::uint64_t words_of_memory(processor_state const& of) const;
  [[nodiscard]] run_record record_of_run();
  void count_links(std::uint64_t step);
  [[nodiscard]] std::uint64_t first_open_step();
  [[nodiscard]] int own_members(group const& of) const;
  void ask_for_memory(std::size_t bytes, std::uint64_t open);
  void note_conflicts(std::vector<link_conflict> const& conflicts);
  [[nodiscard]] std::vector<int> route_of(link_use const& of) const;
  [[nodiscard]] failed_message message_left(message const& left, int to) const;
  [[nodiscard]] std::string phase_of_step(std::uint64_t step) const;

  struct unmap_states {
    std::size_t bytes = 0;
    void operator()(processor_state* states) const;
  };

  std::shared_ptr<topology const> m_network;
  std::shared_ptr<topology const> m_given;  ///< the same, as it was given
  machine_options m_options;
  std::size_t m_workers;
  group m_everybody;

  using mapped_states = std::unique_ptr<processor_state[], unmap_states>;
  static mapped_states map_states(int processors, rank_range const& own);
  void make_state(int rank, processor_details& details) noexcept;
  void make_state_elsewhere(int rank);
  void make_states_elsewhere();

  rank_range m_own;
  mapped_states m_states;
  std::vector<processor_details> m_details;  ///< of the own processors
  std::deque<processor_details> m_details_elsewhere;
  std::vector<processor_state*> m_known_elsewhere;  ///< run by other processes, and known here
  std::vector<bool> m_is_known_elsewhere;           ///< by rank
  erased_program m_program{};
  std::unique_ptr<guarded_memory> m_guarded;  ///< on a guarded machine

  std::mutex m_failure_guard;
  std::exception_ptr m_failure;
  std::uint64_t m_failure_step = never;
  int m_failure_rank = 0;
  bool m_failure_elsewhere = false;                 ///< another process has the error itself
  std::atomic<std::uint64_t> m_stop_after = never;  ///< processors stop after this step
  bool m_beyond_failure = false;  ///< no processor stops, for later calls can show an earlier error

  struct alignas(largest_alignment) aligned_bytes {
    std::byte of[largest_alignment];
  };
  /// The mail of a superstep that came from other processes.
  struct mail_elsewhere {
    std::deque<detail::mail> list{};
    std::deque<std::vector<aligned_bytes>> values{};
  };
  std::map<group const*, mail_elsewhere> m_mail_elsewhere;
  bool m_has_mail = false;                ///< supersteps have ended
  std::atomic<bool> m_has_posts = false;  ///< somebody has posted

  std::mutex m_parts_guard;
  std::map<std::vector<int>, std::unique_ptr<group>> m_parts;  ///< by members
  std::uint64_t m_idle_rounds = 0;  ///< one-sided rounds in a row in which no step passed
  std::uint64_t m_round_steps = 0;
  std::vector<processor_state*> m_one_sided;
  std::vector<int> m_unserved;  ///< processors of the round whose words this process could not send
  std::vector<processor_state*> m_undecided;  ///< wait for an answer

  places_inside mutable m_places_inside;

  std::unique_ptr<process_team> m_team;
};

}  // namespace lockstep::detail
