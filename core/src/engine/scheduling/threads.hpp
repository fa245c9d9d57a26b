#pragma once

#include <condition_variable>
#include <memory>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

#include "engine/memory/overflow_guard.hpp"
#include "engine/message_path.hpp"
#include "engine/messages/message_pool.hpp"

namespace lockstep::detail {

/// The threads engine: each processor is a std::jthread, and one at a time is inside the machine.
class threads final : public message_path<threads> {
 public:
  threads(std::shared_ptr<topology const> network, machine_options const& options,
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

  // The functions that message_path calls.
  using lock = std::unique_lock<std::mutex>;
  [[nodiscard]] lock hold() { return lock(m_machine); }
  void suspend(processor_state& me, lock& held);
  void make_ready(processor_state const& by, processor_state& waiting);
  [[nodiscard]] static bool within_reach(processor_state const&, int) { return true; }
  void hand_over(processor_state&, int, message*) {}
  [[nodiscard]] static bool may_enter(processor_state const& me) {
    if (running_here != &me) [[unlikely]]
      throw_used_by_other_program(me);
    return std::uncaught_exceptions() == 0;
  }
  [[nodiscard]] static std::size_t worker_of(processor_state const&) { return 0; }
  [[nodiscard]] worker_counters& counters_of(processor_state const&) {
    return m_counters.of_worker(0);
  }
  [[nodiscard]] message_pool& pool_of(processor_state const&) { return m_pool; }
  void give_back(processor_state const&, message* taken) { m_pool.give_back(taken); }
  [[nodiscard]] bool sent_one(processor_state&, lock&) {
    if (m_counters.worth_merging()) [[unlikely]]
      merge_counters();
    return false;
  }
  static void check_touch(processor_state const&, std::source_location) {}
  void note_arrival(processor_state& me) { m_arrived.push_back(&me); }
  [[nodiscard]] static bool count_arrival(processor_state const&) { return false; }

 private:
  /// The state of a thread besides the processor that it runs.
  struct thread_state {
    std::condition_variable may_go_on;
    bool ready = false;
    guarded_stacks stack;
  };

  void run_processors() override;
  void wake(processor_state& waiting) override { make_ready(waiting, waiting); }
  [[nodiscard]] barrier_arrivals take_counted() override { return {}; }
  void wake_all() override {}
  [[noreturn]] void abandon(processor_state& me) override;
  void for_each_in_flight(std::function<void(message const&, int)> const& visit) override;
  [[nodiscard]] bool all_finished() const override {
    return m_finished == static_cast<std::size_t>(size());
  }

  void run_thread(processor_state& me);
  void run_guarded(processor_state& me);
  void finish(processor_state& me);
  void one_less_running();
  void merge_counters();
  void note_own_failure();
  [[nodiscard]] thread_state& thread_of(processor_state const& me) {
    return *m_threads[static_cast<std::size_t>(me.rank)];
  }

  /// The processor whose program this thread runs.
  static constinit inline thread_local processor_state const* running_here = nullptr;

  std::mutex m_machine;
  std::condition_variable m_started;
  bool m_may_start = false;
  bool m_cancelled = false;  ///< not all threads could be made
  std::vector<std::unique_ptr<thread_state>> m_threads;
  std::vector<processor_state*> m_arrived;
  message_pool m_pool;
  std::size_t m_running = 0;
  std::size_t m_finished = 0;
};

}  // namespace lockstep::detail
