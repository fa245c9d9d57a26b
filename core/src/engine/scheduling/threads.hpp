#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <span>
#include <thread>
#include <utility>
#include <vector>

#include <lockstep/progress.hpp>

#include "engine/memory/overflow_guard.hpp"
#include "engine/message_path.hpp"
#include "engine/messages/arrivals.hpp"
#include "engine/messages/message_pool.hpp"
#include "engine/messages/returned_messages.hpp"
#include "engine/scheduling/exceptions_in_flight.hpp"

namespace lockstep::detail {

/// The threads engine: each processor is a std::jthread, and no lock is on the path of a message.
///
/// A message is laid where its receiver waits for it, or goes into the receiver's queue, which is
/// lock-free. Counters and pools belong to one thread each. A thread that has to wait says for what
/// in an atomic word, and sleeps on that; the sender that it waits for wakes it. The last thread
/// that has to wait settles what all the others wait for, while nobody runs: it ends barriers and
/// rounds, merges counters, or finds a deadlock.
class threads : public message_path<threads> {
 public:
  threads(std::shared_ptr<topology const> const& network, machine_options const& options,
          std::span<observer* const> observers);
  ~threads() override;

  /// The scope of a machine that runs inside a program: while it lives, this thread runs the other
  /// machine, and the program that started it waits.
  class nested_run_scope {
   public:
    nested_run_scope() : m_outer(std::exchange(running_here, nullptr)) {}
    nested_run_scope(nested_run_scope const&) = delete;
    nested_run_scope& operator=(nested_run_scope const&) = delete;
    ~nested_run_scope() { running_here = m_outer; }

   private:
    processor_state const* m_outer;
  };

  // The engine's part: see carries_messages.
  void suspend(processor_state& me);
  void make_ready(processor_state const& /*by*/, processor_state& waiting) {
    wake_receiver(thread_of(waiting.rank));
  }
  [[nodiscard]] static bool within_reach(processor_state const&, int) { return false; }
  /// Nobody else can wake a thread that waits for a message of `me`, as the machine is not settled
  /// while `me` runs.
  [[nodiscard]] bool waits_elsewhere(processor_state const& me, int to) {
    auto& theirs = thread_of(to);
    if (theirs.awaited.load(std::memory_order_acquire) != channel(me.rank, me.pass)) return false;
    observe(&theirs.awaited);
    return true;
  }
  void hand_over(processor_state& me, int to, message* sent);
  [[nodiscard]] bool may_enter(processor_state& me) {
    if (running_here != &me) [[unlikely]]
      throw_used_by_other_program(me);
    if (is_below(thread_of(me.rank).lowest_frame)) [[unlikely]]
      siglongjmp(thread_of(me.rank).stack.way_out, way_of_overflow);
    if (std::uncaught_exceptions() > 0) [[unlikely]]
      return false;
    if (m_pausing.load(std::memory_order_relaxed) || m_counters.worth_merging(worker_of(me)))
        [[unlikely]]
      pause(me);
    return true;
  }
  [[nodiscard]] std::span<std::byte const> own_stack(processor_state const& me) {
    auto const& mine = thread_of(me.rank);
    if (mine.lowest_frame == nullptr) return {};
    return {mine.lowest_frame, mine.stack_top};
  }
  [[nodiscard]] static unsigned const* uncaught_in(processor_state const& /*me*/) {
    return &exceptions_of_thread()->uncaught;
  }
  [[nodiscard]] static std::size_t worker_of(processor_state const& me) {
    return static_cast<std::size_t>(me.rank);
  }
  [[nodiscard]] worker_counters& counters_of(processor_state const& me) {
    return m_counters.of_worker(worker_of(me));
  }
  [[nodiscard]] message_pool& pool_of(processor_state const& me) {
    auto& mine = thread_of(me.rank);
    if (!mine.returned.empty()) take_returned(mine);
    return mine.pool;
  }
  void give_back(processor_state const& /*me*/, message* taken) {
    message_pool::empty(*taken);  // the run may end before its pool has it
    auto& theirs = thread_of(taken->from).returned;
    publish(&theirs);
    theirs.push(taken);
  }
  [[nodiscard]] static bool sent_one(processor_state const&) { return false; }
  static void check_touch(processor_state const&, std::source_location) {}
  void note_arrival(processor_state& me) { thread_of(me.rank).arrived = true; }
  static void count_arrival(processor_state const&, barrier_call) {}

 private:
  /// The event for which a thread waits, in the size at which std::atomic waits without a table:
  /// nothing, a message of a channel, or the last thread that has to wait, in a barrier or while
  /// counters are merged.
  using awaited_word = std::uint32_t;
  static constexpr awaited_word nothing = 0;
  static constexpr awaited_word others = 0x007F'FFFF;
  static constexpr awaited_word merging = 0x007F'FFFE;
  /// It waits for a message, and is about to look into its queue once more.
  static constexpr awaited_word looking = 0x0080'0000;
  [[nodiscard]] static awaited_word channel(int from, std::uint8_t pass) {
    return (awaited_word{pass} << 24) | static_cast<awaited_word>(from + 1);
  }

  /// The state of a thread besides the processor that it runs.
  struct alignas(64) thread_state {
    // Others write to these.
    class arrivals arrivals;
    alignas(64) std::atomic<awaited_word> awaited = nothing;
    returned_messages returned;
    // Its own.
    alignas(64) message_pool pool;
    guarded_stacks stack;
    std::byte const* lowest_frame = nullptr;  ///< of a call, which needs more below
    std::byte const* stack_top = nullptr;
    bool arrived = false;  ///< in a barrier or one-sided round that is not settled
  };

  void run_processors() override;
  void wake(processor_state& waiting) override { m_woken.push_back(&waiting); }
  [[nodiscard]] barrier_arrivals take_counted() override;
  void wake_all() override;
  void collect_arrivals(processor_state& waiting) override { take_arrivals(waiting); }
  [[noreturn]] void abandon(processor_state& me) override;
  void for_each_in_flight(std::function<void(message const&, int)> const& visit) override;
  [[nodiscard]] bool all_finished() const override {
    return m_finished.load(std::memory_order_relaxed) == size();
  }

  void note_refused(std::size_t given);
  void run_thread(processor_state& me);
  void run_guarded(processor_state& me);
  void finish(processor_state& me);
  [[nodiscard]] bool has_come(processor_state& me);
  void take_arrivals(processor_state& me);
  static void take_returned(thread_state& mine);
  void wait_for_message(processor_state& me);
  [[nodiscard]] bool found_at_last_look(processor_state& me);
  void wait_for_others(processor_state& me);
  void wait_alone(thread_state& mine, awaited_word what);
  void wake_receiver(thread_state& theirs);
  void pause(processor_state& me);
  void note_progress(processor_state const& me) noexcept;
  void one_less_running();
  void settle();
  void resolve();
  [[nodiscard]] bool wake_those_ready();
  [[nodiscard]] thread_state& thread_of(int rank) {
    return *m_threads[static_cast<std::size_t>(rank)];
  }

  /// The processor whose program this thread runs.
  static constinit inline thread_local processor_state const* running_here = nullptr;

  enum class start : std::uint32_t { not_yet, now, cancelled };
  std::atomic<start> m_start = start::not_yet;
  std::vector<std::unique_ptr<thread_state>> m_threads;
  int m_spins;                      ///< turns of a waiting loop before a thread sleeps
  work_progress* const m_progress;  ///< where the machine notes how far it is; nullptr: nowhere
  std::atomic<int> m_finished = 0;

  alignas(64) std::atomic<int> m_running = 0;            ///< threads that do not wait
  alignas(64) std::atomic<std::uint32_t> m_settled = 0;  ///< how often threads were woken together
  alignas(64) std::atomic<bool> m_pausing = false;       ///< until counters are merged

  /// The steps in which the first and the last processor last began to wait; `never` at their ends.
  std::atomic<std::uint64_t> m_first_in = 0;
  std::atomic<std::uint64_t> m_last_in = 0;

  // In use while nobody runs.
  std::vector<processor_state*> m_arrived;
  std::vector<processor_state*> m_woken;
};

static_assert(carries_messages<threads>);

}  // namespace lockstep::detail
