#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "message_pool.hpp"
#include "overflow_guard.hpp"
#include "rules.hpp"
#include "stack_slab.hpp"
#include "worker_team.hpp"

namespace lockstep::detail {

/// The fibers engine: a processor is a fiber, many to a worker.
///
/// A worker runs its processors one after another, each until it has to wait; a waiting processor
/// gives way to the next that can go on, directly. When none is left the round ends: messages for
/// other workers change hands, and when there are none either, the machine is settled.
class fibers final : public rules<fibers> {
 public:
  fibers(std::shared_ptr<topology const> const& network, machine_options const& options,
         std::span<observer* const> observers);
  ~fibers() override;

  /// Runs `errand` on the stack of the worker whose fiber calls; at once if no fiber does. What a
  /// program calls that needs more than a fiber's stack, such as a machine of its own, goes this
  /// way. `errand` must not throw.
  static void run_on_worker_stack(std::function<void()> const& errand);

  // What the rules ask of an engine.
  struct nothing {};
  [[nodiscard]] static nothing hold() { return {}; }
  static void suspend(processor_state& me, nothing& /*held*/) {
    auto& mine = worker_for(me);
    mine.owner.leave(mine, me);
  }
  static void make_ready(processor_state const& by, processor_state& who) {
    worker_for(by).ready.push(&who);
    fetch(who);  // its turn comes soon
  }
  [[nodiscard]] static bool same_worker(processor_state const& me, processor_state const& other) {
    return me.worker == other.worker;
  }
  void hand_over(processor_state& me, processor_state& to, message* sent);
  [[nodiscard]] static bool may_enter(processor_state& me) {
    auto const& mine = worker_for(me);
    if (running_worker != &mine || mine.current != &me) [[unlikely]]
      refuse_stranger(me);
    if (__builtin_frame_address(0) < mine.stack_bottom) [[unlikely]]
      mine.owner.check_stack(worker_for(me), me);
    return mine.exceptions->uncaught == 0;
  }
  [[nodiscard]] static std::size_t worker_of(processor_state const& me) { return me.worker; }
  [[nodiscard]] static ledger& ledger_of(processor_state const& me) {
    return *worker_for(me).written;
  }
  [[nodiscard]] static message_pool& pool_of(processor_state const& me) {
    return worker_for(me).pool;
  }
  static void give_back(processor_state const& me, message* taken) {
    auto& mine = worker_for(me);
    if (taken->home == mine.index) [[likely]]
      mine.pool.give_back(taken);
    else
      mine.owner.send_back(mine, taken);
  }
  [[nodiscard]] static bool sent_one(processor_state& me, nothing& /*held*/) {
    auto& mine = worker_for(me);
    if (--mine.budget > 0) [[likely]]
      return false;
    mine.owner.yield(mine, me);
    return true;
  }
  void note_arrival(processor_state& me) { worker_for(me).arrived.push_back(&me); }

 private:
  /// Processors that can go on. Whoever became able to last goes first, while what it needs is
  /// still in the caches, and newcomers begin, in the order of their ranks, only when nobody else
  /// can go on: so a group of processors that talk to each other gets far ahead of the others.
  class ready_stack {
   public:
    /// All processors of `newcomers` are yet to begin.
    void reserve(std::span<processor_state> newcomers);
    [[nodiscard]] bool empty() const { return m_top == m_bottom && m_newcomers.empty(); }
    void push(processor_state* who) { m_slots[m_top++ & m_mask] = who; }
    /// Goes on after all others.
    void push_last(processor_state* who) { m_slots[--m_bottom & m_mask] = who; }
    [[nodiscard]] processor_state* pop() {
      if (m_top == m_bottom) [[unlikely]]
        return next_newcomer();
      return m_slots[--m_top & m_mask];
    }
    /// The one after the next, if there is one; nullptr where it is not known yet.
    [[nodiscard]] processor_state* peek() const {
      return m_top - m_bottom > 1 ? m_slots[(m_top - 2) & m_mask] : nullptr;
    }

   private:
    [[nodiscard]] processor_state* next_newcomer();

    std::vector<processor_state*> m_slots;
    std::size_t m_mask = 0;
    std::size_t m_bottom = 0;
    std::size_t m_top = 0;
    std::span<processor_state> m_newcomers;
  };

  /// As the Itanium C++ ABI lays it out.
  struct exceptions_in_flight {
    void* caught = nullptr;
    unsigned uncaught = 0;
  };

  struct addressed {
    message* sent;
    processor_state* to;
  };

  /// What goes to another worker during a round, taken there at the beginning of the next.
  struct outbox {
    std::vector<addressed> messages;
    std::vector<message*> returned;  ///< messages that belong to the other worker's pool
  };

  struct worker {
    worker(fibers& engine, std::uint8_t number) : owner(engine), index(number), pool(number) {}

    fibers& owner;
    std::uint8_t index;
    int budget = 0;        ///< sends left until others have their turn
    bool pausing = false;  ///< the round is to end early
    std::uint32_t switches = 0;
    processor_state* current = nullptr;
    void const* stack_bottom = nullptr;          ///< of the fiber that runs
    void* home = nullptr;                        ///< the context of the worker itself
    void** left = nullptr;                       ///< where the context that a switch leaves is kept
    void* discarded = nullptr;                   ///< the context of a fiber that has finished
    exceptions_in_flight* exceptions = nullptr;  ///< the thread's own, as the C++ runtime keeps it
    exceptions_in_flight home_exceptions;
    ready_stack ready;
    message_pool pool;
    ledger* written = nullptr;
    std::array<std::vector<outbox>, 2> outboxes;  ///< by round, then by worker
    std::vector<processor_state*> arrived;
    std::size_t finished = 0;
    processor_state* last_finished = nullptr;
    std::function<void()> const* errand = nullptr;
    processor_state* asker = nullptr;  ///< whose errand it is
    guarded_stacks* stacks = nullptr;
    void const* home_bottom = nullptr;
    std::size_t home_bytes = 0;
    void* home_fake_stack = nullptr;
  };

  [[nodiscard]] static worker& worker_for(processor_state const& who) {
    return *static_cast<worker*>(who.worker_data);
  }

  void run_processors() override;
  void wake(processor_state& who) override { make_ready(who, who); }
  [[noreturn]] void abandon(processor_state& me) override;
  void for_each_in_flight(std::function<void(message const&, int)> const& visit) override;
  [[nodiscard]] bool all_finished() const override;

  void work(int member, worker_team const& team);
  void run_round(worker& mine, guarded_stacks& stacks);
  void take_handed_over(worker& mine);
  void finish_round();
  void resume(worker& mine, processor_state& next);
  void run_errand(worker& mine);
  void yield(worker& mine, processor_state& me);
  void send_back(worker& mine, message* taken);
  void leave(worker& mine, processor_state& me);
  void jump(worker& mine, processor_state* next, void** left, void** fake_stack);
  void arrive(worker& mine, void* left_context, void* fake_stack);
  [[noreturn]] void leave_for_good(worker& mine, processor_state& me);
  void check_stack(worker& mine, processor_state& me);
  void note_overflow(worker& mine, processor_state& me, std::size_t first_damaged);
  /// Lets what a processor needs to go on be fetched into the caches meanwhile.
  static void fetch(processor_state const& who) {
    __builtin_prefetch(&who.now);
    __builtin_prefetch(&who.arrived);
    auto const* const frame = static_cast<std::byte const*>(who.context);
    for (std::size_t line = 0; line < 7; ++line) __builtin_prefetch(frame + 64 * line);
  }
  void start(processor_state& me);
  static void save_exceptions(worker const& mine, processor_state& me);
  static void load_exceptions(worker const& mine, processor_state const& next);
  friend struct fiber_entry;
  [[nodiscard]] std::size_t round_parity() const { return m_round & 1; }

  /// Whose fiber this thread runs: a machine made inside a program is given nothing that tells.
  static constinit inline thread_local worker* running_worker = nullptr;

  std::vector<std::unique_ptr<worker>> m_workers;
  stack_slab m_stacks;
  bool const m_nested;  ///< runs inside a fiber's program, on its worker's thread
  std::uint64_t m_round = 0;
  bool m_done = false;
};

}  // namespace lockstep::detail
