#pragma once

#include <array>
#include <bit>
#include <cfenv>
#include <cstdint>
#include <functional>
#include <memory>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <lockstep/detail/stop_request.hpp>
#include <lockstep/progress.hpp>

#include "engine/memory/kept_slab.hpp"
#include "engine/memory/kept_stacks.hpp"
#include "engine/memory/known_stacks.hpp"
#include "engine/memory/overflow_guard.hpp"
#include "engine/memory/stack_slab.hpp"
#include "engine/message_path.hpp"
#include "engine/messages/message_pool.hpp"
#include "engine/scheduling/exceptions_in_flight.hpp"
#include "engine/scheduling/stack_switch.hpp"
#include "engine/scheduling/worker_team.hpp"

namespace lockstep::detail {

/// The fibers engine: a processor is a fiber, many to a worker.
///
/// A worker runs its processors one after another, each until it has to wait. A waiting processor
/// switches directly to the next that can go on. The worker takes them block by block, so that
/// their state stays in its caches; messages between blocks wait until the receiver's block has its
/// turn. When no processor of a worker can go on, its round ends and messages for other workers
/// change hands. Without any of these, resolve_blocked decides how the run goes on.
class fibers : public message_path<fibers> {
 public:
  /// `keeper` keeps the stacks for later runs of the machine.
  fibers(std::shared_ptr<topology const> const& network, machine_options const& options,
         std::span<observer* const> observers, std::shared_ptr<kept_slab> keeper);
  ~fibers() override;

  /// Runs `errand` on the stack of the worker whose fiber calls, or at once if no fiber does. It is
  /// for code that needs more than a fiber's stack, such as a machine inside a program. `errand`
  /// must not throw.
  static void run_on_worker_stack(std::function<void()> const& errand);

  /// Whether a machine that is made here lies inside of another's program.
  [[nodiscard]] static bool is_nested();

  /// Whether the processors of a worker share one stack.
  [[nodiscard]] static bool copies_stacks(machine_options const& options);

  // The engine's part: see carries_messages.
  static void suspend(processor_state& me) {
    auto& mine = worker_for(me);
    mine.owner.leave(mine, me);
  }
  static void make_ready(processor_state const& by, processor_state& waiting) {
    worker_for(by).block->ready.push(&waiting);
    fetch(waiting);  // its turn comes soon
  }
  [[nodiscard]] static bool within_reach(processor_state const& me, int other) {
    return worker_for(me).block->has(other);
  }
  [[nodiscard]] static bool waits_elsewhere(processor_state const&, int) { return false; }
  void hand_over(processor_state& me, int to, message* sent);
  [[nodiscard, gnu::always_inline]] static bool may_enter(processor_state& me) {
    auto const& mine = worker_for(me);
    if (running_worker != &mine || mine.current != &me) [[unlikely]]
      throw_used_by_other_program(me);
    if (is_below(mine.stack_bottom + stack_of_a_call)) [[unlikely]]
      mine.owner.check_stack(worker_for(me), me, mine.stack_bottom + stack_of_a_call);
    return mine.exceptions->uncaught == 0;
  }
  [[nodiscard]] std::span<std::byte const> own_stack(processor_state const& me) const;
  [[nodiscard]] static unsigned const* uncaught_in(processor_state const& me) {
    return &worker_for(me).exceptions->uncaught;
  }
  [[nodiscard]] static std::size_t worker_of(processor_state const& me) {
    return worker_for(me).index;
  }
  [[nodiscard]] static worker_counters& counters_of(processor_state const& me) {
    return *worker_for(me).counters;
  }
  [[nodiscard]] static message_pool& pool_of(processor_state const& me) {
    return worker_for(me).pool;
  }
  static void give_back(processor_state const& me, message* taken) {
    auto& mine = worker_for(me);
    if (taken->home == mine.index && taken->kind == storage_kind::in_place) [[likely]]
      mine.pool.give_back(taken);
    else
      mine.owner.give_back_other(mine, taken);
  }
  [[nodiscard]] static bool sent_one(processor_state& me) {
    auto& mine = worker_for(me);
    if (--mine.budget > 0) [[likely]]
      return false;
    mine.owner.yield(mine, me);
    return true;
  }
  void check_touch(processor_state& me, std::source_location where) {
    if (!guarded()->was_touched()) return;
    auto const text = touch_text(me);  // of the call before
    me.where = where;
    fail<foreign_access>(me, text);
  }
  [[nodiscard]] bool may_land(processor_state const& me, receive_buffer const& in) const {
    if (m_lands_anywhere) [[likely]]
      return true;
    return guarded() == nullptr && (fits_word(in) || !lies_on_stack(worker_for(me), in.data));
  }
  [[nodiscard]] bool may_lend(processor_state const& me, elements const& values) const {
    auto& mine = worker_for(me);
    if (mine.until_lending > 0 && --mine.until_lending > 0) return false;
    // A stack may be copied elsewhere, or damaged by one that overflows.
    return guarded() == nullptr && !m_stacks.holds(values.data);
  }
  static void begin_loan(processor_state& me, message& lent) {
    me.more->lent = &lent;
    me.lends = true;
  }
  static void wait_for_end_of_loan(processor_state& me) noexcept {
    while (me.lends) {
      me.doing = activity::lending;
      ++worker_for(me).lenders;
      suspend(me);
    }
  }
  [[nodiscard]] std::string_view lasting(processor_state const& me, std::string_view name) const;
  static void note_arrival(processor_state& me) { worker_for(me).arrived.push_back(&me); }
  static void count_arrival(processor_state const& me, barrier_call call) {
    bool const plain = call.kind == barrier_kind::plain;
    worker_for(me).counted.add({1, me.free_step(), plain ? 0 : 1, false, call});
  }

 protected:
  /// A queue whose last entry goes first; entries can also be added behind all others.
  template <class Waiting>
  class lifo_queue {
   public:
    explicit lifo_queue(std::size_t most = 0) : m_slots(std::bit_ceil(most)) {}
    [[nodiscard]] bool empty() const { return m_top == m_bottom; }
    /// Adds the next to go.
    void push(Waiting* next) { m_slots[m_top++ & mask()] = next; }
    /// Adds the last to go.
    void push_last(Waiting* last) { m_slots[--m_bottom & mask()] = last; }
    [[nodiscard]] Waiting* pop() { return m_slots[--m_top & mask()]; }
    /// Reverses the order.
    void reverse() {
      for (auto low = m_bottom, high = m_top; high - low > 1; ++low)
        std::swap(m_slots[low & mask()], m_slots[--high & mask()]);
    }
    /// The one after the next, or nullptr.
    [[nodiscard]] Waiting* peek() const {
      return m_top - m_bottom > 1 ? m_slots[(m_top - 2) & mask()] : nullptr;
    }

   private:
    [[nodiscard]] std::size_t mask() const { return m_slots.size() - 1; }

    std::vector<Waiting*> m_slots;
    std::size_t m_bottom = 0;
    std::size_t m_top = 0;
  };

  /// The processors of a block that can go on. The last that became able to goes first, while its
  /// data are still in the caches. Newcomers, which begin or come from a barrier of all, go in the
  /// order of their ranks, and only when no other can go on, so processors that talk to each other
  /// get far ahead of the rest.
  class ready_processors : public lifo_queue<processor_state> {
   public:
    explicit ready_processors(std::span<processor_state> newcomers)
        : lifo_queue(newcomers.size()), m_newcomers(newcomers) {}
    [[nodiscard]] bool empty() const { return lifo_queue::empty() && m_newcomers.empty(); }
    [[nodiscard]] processor_state* pop() {
      if (lifo_queue::empty()) [[unlikely]]
        return next_newcomer();
      return lifo_queue::pop();
    }
    /// Makes all newcomers next.
    void begin_all();
    /// Makes all processors of the block newcomers again, when none can go on.
    void add_all(std::span<processor_state> all) { m_newcomers = all; }
    /// Makes the newcomers next, and after them those that have waited longest.
    void let_others_catch_up() {
      reverse();
      begin_all();
    }

   private:
    [[nodiscard]] processor_state* next_newcomer();

    std::span<processor_state> m_newcomers;
  };

  struct addressed {
    message* sent;
    int to;
  };

  struct worker;

  /// Processors of consecutive ranks that run without others in between, as long as one of them
  /// can.
  struct processor_block {
    explicit processor_block(std::span<processor_state> members)
        : first(members.front().rank),
          size(static_cast<unsigned>(members.size())),
          ready(members) {}
    /// Makes a block of another process.
    processor_block(int first_rank, int members)
        : first(first_rank), size(static_cast<unsigned>(members)), ready({}) {}
    [[nodiscard]] bool has(int rank) const { return static_cast<unsigned>(rank - first) < size; }

    // Read by all workers.
    int first;
    unsigned size;
    worker* runner = nullptr;

    // The runner's own.
    alignas(64) ready_processors ready;
    std::vector<addressed> incoming;  ///< what came from other blocks since its last turn
    bool waits = false;               ///< for its turn, or has it
  };

  /// Messages to other workers, which take them at the beginning of the next round, all at the
  /// same time. So data of one worker share no cache line with those of another.
  struct outbox {
    static constexpr std::size_t cache_line = 64;
    struct alignas(cache_line) for_block {
      std::vector<addressed> messages;
    };
    struct alignas(cache_line) for_worker {
      std::vector<processor_block*> filled;  ///< its blocks that have messages
      std::vector<message*> returned;        ///< what belongs to its pool
      bool ends_loans = false;               ///< so that the next round has something to do
    };
    static_assert(sizeof(for_block) == cache_line && sizeof(for_worker) == cache_line);

    outbox(std::size_t workers, std::size_t blocks) : to_block(blocks), to_worker(workers) {}

    std::vector<for_block> to_block;
    std::vector<for_worker> to_worker;
  };

  struct alignas(outbox::cache_line) worker {
    worker(fibers& engine, std::uint8_t number) : owner(engine), index(number), pool(number) {}

    fibers& owner;
    std::uint8_t index;
    int budget = 0;                    ///< sends left until others have their turn
    bool turn_over = false;            ///< the block's turn is to end early
    bool pausing = false;              ///< and with it the round
    int until_look = 0;                ///< switches until it looks whether either is due
    std::int64_t turn_left = 0;        ///< switches until it is over
    std::size_t handed_over = 0;       ///< bytes of messages to other workers in this round
    processor_block* block = nullptr;  ///< the block that runs
    processor_state* current = nullptr;
    processor_state* next = nullptr;          ///< that a switch goes to; nullptr: the worker itself
    std::byte const* stack_bottom = nullptr;  ///< of the fiber that runs
    void* home = nullptr;                     ///< the context of the worker itself
    void** left = nullptr;                    ///< where the context that a switch leaves is kept
    void* discarded = nullptr;                ///< the context of a fiber that has finished
    exceptions_in_flight* exceptions = nullptr;  ///< the thread's own, as the C++ runtime keeps it
    exceptions_in_flight home_exceptions;
    lifo_queue<processor_block> waiting;
    message_pool pool;
    worker_counters* counters = nullptr;
    std::vector<outbox> outboxes;  ///< of even and of odd rounds
    std::vector<processor_state*> arrived;
    barrier_arrivals counted;
    std::size_t lenders = 0;  ///< processors that wait for the end of a loan
    bool loans_last = false;  ///< so long that they are to end
    int until_lending = 0;    ///< long exchanges that lend nothing
    std::size_t finished = 0;
    processor_state* last_finished = nullptr;
    processor_state* overflowed = nullptr;  ///< has left a stack that was used up
    std::size_t first_damaged = 0;          ///< the first stack that this may have damaged
    std::function<void()> const* errand = nullptr;
    processor_state* asker = nullptr;  ///< whose errand it is
    std::fenv_t asker_modes{};
    guarded_stacks* stacks = nullptr;
    kept_stacks kept;                              ///< copied stacks only, as the rest of these
    processor_state* resident = nullptr;           ///< whose stack lies on the worker's
    kept_stacks::kept* resident_memory = nullptr;  ///< where it was kept before
    std::byte* stack_top = nullptr;
    void* helper = nullptr;                    ///< the end of the stack on which stacks are copied
    std::set<std::string, std::less<>> names;  ///< of phases that were named on a stack
    void const* home_bottom = nullptr;
    std::size_t home_bytes = 0;
    void* home_fake_stack = nullptr;  ///< AddressSanitizer's
  };

  [[nodiscard]] static worker& worker_for(processor_state const& of) {
    return *static_cast<worker*>(of.worker_data);
  }

  void run_processors() override;
  void wake(processor_state& waiting) override;
  [[nodiscard]] barrier_arrivals take_counted() override;
  void wake_all() override;
  [[nodiscard]] bool copy_all_lent() override;
  [[noreturn]] void abandon(processor_state& me) override;
  void for_each_in_flight(std::function<void(message const&, int)> const& visit) override;
  [[nodiscard]] bool all_finished() const override;
  [[nodiscard]] std::byte const* at_rest(processor_state const& of,
                                         std::byte const* address) const override;

  void work(int member, worker_team const& team);
  void run_round(worker& mine, guarded_stacks& stacks) noexcept;
  void run_turn(worker& mine);
  void end_turn(worker& mine);
  void look_around(worker& mine);
  void note_progress(worker const& mine) const noexcept;
  void take_handed_over(worker& mine);
  void take_messages(worker& mine, outbox& box);
  void make_blocks();
  static void let_wait(processor_block& one);
  void take_incoming(worker& mine);
  [[nodiscard]] processor_block& block_of(int rank) {
    return m_blocks[static_cast<unsigned>(rank) / m_block_size];
  }
  [[nodiscard]] std::size_t index_of(processor_block const& one) const {
    return static_cast<std::size_t>(&one - m_blocks.data());
  }
  /// Ends a round, while no processor runs.
  virtual void finish_round() noexcept;
  void note_touch(processor_state& me);
  void switch_memory(worker const& mine, processor_state const* next) const;
  void resume(worker& mine, processor_state& next);
  void run_errand(worker& mine);
  void yield(worker& mine, processor_state& me);
  void give_back_other(worker& mine, message* taken);
  void send_back(worker& mine, message* taken);
  void end_loan(message const& lent);
  [[nodiscard]] bool copy_lent(processor_state& lender);
  void leave(worker& mine, processor_state& me);
  void jump(worker& mine, processor_state* next, void** left);
  void jump_to_copy(worker& mine, processor_state* next, void** left);
  void go_on_from_home(worker& mine);
  static void switch_by_way_of_helper(worker& mine, void** left);
  void bring(worker& mine);
  static void tell_of_bringing(worker& mine);
  [[nodiscard]] bool put_away_resident(worker& mine);
  void end_resident(worker& mine);
  [[nodiscard]] static bool fits_word(receive_buffer const& in) {
    return in.type == nullptr || in.count * in.type->size <= sizeof(processor_state::landed_word);
  }
  [[nodiscard]] static bool lies_on_stack(worker const& mine, void const* address) {
    return address >= mine.stack_bottom && address < mine.stack_top;
  }
  void tell_of_leaving(worker& mine, processor_state const* next) const;
  static void tell_of_arrival(worker& mine, processor_state const* next);
  [[noreturn]] void leave_for_good(worker& mine, processor_state& me);
  void check_stack(worker& mine, processor_state& me, std::byte const* lowest);
  void note_overflow(worker& mine, processor_state& me, std::size_t first_damaged);
  /// Prefetches the data that a processor needs to go on.
  static void fetch(processor_state const& next) {
    __builtin_prefetch(&next.now);
    __builtin_prefetch(&next.arrived);
    if (next.context == nullptr) [[unlikely]]
      return;
    auto const* const frame = static_cast<std::byte const*>(next.context);
    for (std::size_t line = 0; line < 9; ++line) __builtin_prefetch(frame + 64 * line);
  }
  void start(worker& mine, processor_state& me);
  /// Finds the stack that a processor runs on. Below each stack that processors share lies the one on
  /// which they are copied, so that a frame that steps over the guard damages nothing.
  [[nodiscard]] std::size_t stack_of(worker const& mine, processor_state const& of) const {
    return m_copied ? 2 * std::size_t{mine.index} + 1 : static_cast<std::size_t>(of.rank);
  }
  static void save_exceptions(worker const& mine, processor_state& me);
  static void load_exceptions(worker const& mine, processor_state const& next);
  friend struct fiber_entry;
  /// Sends of one processor after which others have their turn.
  static constexpr int sends_per_turn = 64;
  [[nodiscard]] std::size_t round_parity() const { return m_round & 1; }

  /// The worker whose fiber this thread runs. A machine made inside a program has no other way to
  /// know it.
  static constinit inline thread_local worker* running_worker = nullptr;

  std::vector<std::unique_ptr<worker>> m_workers;
  std::vector<std::vector<processor_state*>*> m_arrived;  ///< of each worker
  std::vector<processor_block> m_blocks;
  unsigned m_block_size = 1;
  bool const m_copied;                             ///< stacks::copied
  bool const m_followed = known_stacks::wanted();  ///< valgrind runs the program
  bool const m_lands_anywhere;                     ///< a processor may write to any other's memory
  std::shared_ptr<kept_slab> m_keeper;
  stack_slab m_stacks;
  std::fenv_t m_modes{};  ///< of floating point, with which every program begins: the caller's
  std::uint64_t m_round = 0;
  bool m_done = false;
  bool m_tells = false;  ///< guarded memory or a sanitizer is told of each switch
  work_progress* const
      m_progress;  ///< of the thread that runs the machine; nullptr if there is none
  stop_request const* const m_stop;  ///< the same
};

static_assert(carries_messages<fibers>);

}  // namespace lockstep::detail
