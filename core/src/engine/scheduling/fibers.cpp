#include "engine/scheduling/fibers.hpp"

#include <algorithm>
#include <cstdlib>
#include <new>
#include <ranges>

#include <fmt/format.h>

#include "engine/memory/sanitizer.hpp"
#include "engine/scheduling/errand.hpp"
#include "engine/tuning.hpp"

namespace lockstep::detail {

namespace {

/// Messages from other blocks that are prefetched while one is looked at.
constexpr std::size_t fetched_ahead = 8;

/// Rounds after which loans end that no receiver has taken.
constexpr std::uint64_t rounds_of_a_loan = 64;

std::size_t workers_for(int processors, machine_options const& options, bool nested) {
  if (nested || options.guarded) return 1;
  int const asked = options.workers > 0 ? options.workers : worker_team::most_members();
  return static_cast<std::size_t>(std::clamp(processors / usual_tuning.processors_per_worker, 1,
                                             std::min(asked, most_workers)));
}

/// Computes the size of blocks that are equal, as far as possible, and as many for each worker.
std::size_t block_size_for(std::size_t processors, std::size_t workers) {
  auto const divided = [](std::size_t of, std::size_t by) { return (of + by - 1) / by; };
  auto const per_worker = divided(processors, workers);
  return divided(per_worker, divided(per_worker, usual_tuning.processors_per_block));
}

/// Computes the memory that a message takes with a payload of its own.
std::size_t bytes_of(message const& of) {
  bool const has_payload = of.kind == storage_kind::buffer || of.kind == storage_kind::vector;
  return sizeof(message) + (has_payload ? of.count * of.type->size : 0);
}

}  // namespace

struct fiber_entry {
  /// Runs a fiber from its beginning to its end.
  static void run() {
    auto& mine = *fibers::running_worker;
    mine.current = mine.next;
    auto& me = *mine.current;
    if (mine.owner.m_tells) fibers::tell_of_arrival(mine, &me);
    std::fesetenv(&mine.owner.m_modes);
    mine.owner.run_program(me);
    mine.owner.note_touch(me);
    mine.owner.leave_for_good(mine, me);
  }
};

fibers::fibers(std::shared_ptr<lockstep::topology const> const& network,
               machine_options const& options, std::span<observer* const> observers,
               std::shared_ptr<kept_slab> keeper)
    : message_path(network, options, observers,
                   workers_for(own_share(network->size(), options).size(), options, on_errand)),
      m_copied(copies_stacks(options)),
      m_lands_anywhere(!m_copied && guarded() == nullptr),
      m_keeper(std::move(keeper)),
      m_stacks(m_keeper->take(
          m_copied ? 2 * worker_count() : static_cast<std::size_t>(own_ranks().size()),
          options.stack)),
      m_tells(guarded() != nullptr || address_sanitizer() || thread_sanitizer()),
      m_progress(board_of_run()),
      m_stop(on_errand ? nullptr : stop_scope::current()) {
  for (std::size_t index = 0; index < worker_count(); ++index) {
    auto& mine =
        *m_workers.emplace_back(std::make_unique<worker>(*this, static_cast<std::uint8_t>(index)));
    mine.counters = &m_counters.of_worker(index);
    m_arrived.push_back(&mine.arrived);
    if (!m_copied) continue;
    mine.stack_bottom = m_stacks.bottom(2 * index + 1);
    mine.stack_top = m_stacks.top(2 * index + 1);
    auto* const helper = m_stacks.top(2 * index);
    mine.helper = helper - reinterpret_cast<std::uintptr_t>(helper) % 16;
  }
  if (options.cluster == nullptr) make_blocks();
}

/// Divides the machine into blocks, and gives them to the workers.
void fibers::make_blocks() {
  // Stacks that an overflow may damage together belong to one block.
  auto const processors = static_cast<std::size_t>(size());
  auto const together = m_stacks.stacks_per_group();
  auto const block_size =
      (block_size_for(processors, worker_count()) + together - 1) / together * together;
  m_block_size = static_cast<unsigned>(block_size);
  for (std::size_t first = 0; first < processors; first += block_size) {
    auto const members = std::min(block_size, processors - first);
    m_blocks.emplace_back(states_of(static_cast<int>(first), static_cast<int>(members)));
  }
  for (auto& one : m_workers) {
    one->waiting = lifo_queue<processor_block>(m_blocks.size());
    one->outboxes.assign(2, outbox(worker_count(), worker_count() > 1 ? m_blocks.size() : 0));
  }
  for (auto& given : m_blocks) {
    given.runner = m_workers[index_of(given) * worker_count() / m_blocks.size()].get();
    let_wait(given);
  }
}

fibers::~fibers() {
  if (thread_sanitizer())
    for (auto const& one : own_states()) forget_fiber(one.more->sanitizer);
  if (!failed()) {
    m_keeper->keep(std::move(m_stacks));
    return;
  }
  auto const dispose = [](message* left) { message_pool::empty(*left); };
  for (auto& one : own_states()) one.arrived.clear(dispose);
  for (auto& one : m_blocks)
    for (auto const& [sent, to] : one.incoming) dispose(sent);
  for (auto& one : m_workers)
    for (auto& box : one->outboxes)
      for (auto& block : box.to_block)
        for (auto const& [sent, to] : block.messages) dispose(sent);
}

void fibers::ready_processors::begin_all() {
  for (auto& newcomer : std::views::reverse(m_newcomers)) push(&newcomer);
  m_newcomers = {};
}

processor_state* fibers::ready_processors::next_newcomer() {
  auto& newcomer = m_newcomers.front();
  m_newcomers = m_newcomers.subspan(1);
  if (m_newcomers.size() > 3) {
    __builtin_prefetch(&m_newcomers[3].landing);
    __builtin_prefetch(&m_newcomers[3].now);
    fetch(m_newcomers[1]);
  }
  return &newcomer;
}

// --- rounds ---

void fibers::run_processors() {
  std::fegetenv(&m_modes);
  auto const threads = std::min(
      {static_cast<int>(worker_count()), worker_team::most_members(), usual_tuning.most_threads});
  worker_team::run(threads, [this](int member, worker_team const& team) { work(member, team); });
}

void fibers::work(int member, worker_team const& team) {
  overflow_guard guard;
  guarded_stacks stacks;
  stacks.begin = m_stacks.begin();
  stacks.end = m_stacks.end();
  stacks.memory = guarded();
  stacks.home_fiber = current_fiber();
  guard.watch(stacks);
  while (!m_done) {
    for (auto index = static_cast<std::size_t>(member); index < m_workers.size();
         index += static_cast<std::size_t>(team.members))
      run_round(*m_workers[index], stacks);
    team.barrier.arrive([this] { finish_round(); });
  }
}

void fibers::run_round(worker& mine, guarded_stacks& stacks) noexcept {
  take_handed_over(mine);
  mine.stacks = &stacks;
  mine.exceptions = exceptions_of_thread();
  mine.home_exceptions = *mine.exceptions;
  mine.pausing = false;
  mine.handed_over = 0;
  auto* const outer = running_worker;
  running_worker = &mine;
  if (sigsetjmp(stacks.way_out, 0) != 0) {
    // The fiber that ran touched the page below its stack. Nothing on that stack is used again. A
    // signal handler begins with floating-point modes of its own.
    std::fesetenv(&m_modes);
    tell_of_arrival(mine, nullptr);
    *mine.exceptions = mine.home_exceptions;
    note_overflow(mine, *mine.current,
                  m_stacks.first_of_group(static_cast<std::size_t>(mine.current->rank)));
    end_turn(mine);
  }
  while (!mine.waiting.empty() && !mine.pausing) {
    mine.block = mine.waiting.pop();
    run_turn(mine);
    end_turn(mine);
  }
  running_worker = outer;
}

void fibers::run_turn(worker& mine) {
  auto& ready = mine.block->ready;
  mine.turn_over = false;
  mine.turn_left = usual_tuning.switches_per_turn * static_cast<std::int64_t>(mine.block->size);
  take_incoming(mine);
  while (!ready.empty() && !mine.turn_over) {
    auto* const next = ready.pop();
    if (next->doing == activity::finished) continue;  // it was abandoned
    resume(mine, *next);
    while (mine.errand != nullptr) run_errand(mine);
    if (auto* const overflowed = std::exchange(mine.overflowed, nullptr)) [[unlikely]]
      note_overflow(mine, *overflowed, mine.first_damaged);
    if (failed() && mine.last_finished != nullptr && !m_copied) {
      auto const stack = static_cast<std::size_t>(std::exchange(mine.last_finished, nullptr)->rank);
      m_stacks.give_back(stack);
    }
  }
}

void fibers::end_turn(worker& mine) {
  mine.block->waits = !mine.block->ready.empty();
  if (mine.block->waits) mine.waiting.push_last(mine.block);
}

void fibers::look_around(worker& mine) {
  note_progress(mine);
  mine.turn_left -= usual_tuning.switches_per_look - mine.until_look;
  mine.until_look = usual_tuning.switches_per_look;
  // A round ends before messages to other workers pile up.
  mine.pausing =
      m_counters.worth_merging(mine.index) || mine.handed_over > usual_tuning.bytes_handed_over;
  mine.turn_over = mine.pausing || mine.turn_left <= 0;
  // A lender does not wait for ever while others go on, and send to it.
  mine.loans_last = mine.turn_left <= 0 && mine.lenders > 0;
  mine.pausing = mine.pausing || mine.loans_last;
}

void fibers::note_progress(worker const& mine) const noexcept {
  if (m_progress != nullptr && mine.current != nullptr) m_progress->reach_step(mine.current->now);
}

void fibers::let_wait(processor_block& one) {
  if (one.waits) return;
  one.waits = true;
  one.runner->waiting.push_last(&one);
}

void fibers::take_handed_over(worker& mine) {
  for (auto& other : m_workers) {
    auto& box = other->outboxes[round_parity() ^ 1];
    try {
      take_messages(mine, box);
    } catch (std::bad_alloc const&) {  // the others stay where they are, for the run ends
      note(std::current_exception(), 0, 0);
    }
    auto& for_me = box.to_worker[mine.index];
    for_me.filled.clear();
    for (auto* const returned : for_me.returned) give_back_other(mine, returned);
    for_me.returned.clear();
    for_me.ends_loans = false;
  }
}

void fibers::take_messages(worker& mine, outbox& box) {
  for (auto* const theirs : box.to_worker[mine.index].filled) {
    auto& messages = box.to_block[index_of(*theirs)].messages;
    if (theirs->incoming.empty())
      theirs->incoming.swap(messages);
    else
      theirs->incoming.insert(theirs->incoming.end(), messages.begin(), messages.end());
    messages.clear();
    let_wait(*theirs);
  }
}

void fibers::take_incoming(worker& mine) {
  auto& incoming = mine.block->incoming;
  for (std::size_t at = 0; at < incoming.size(); ++at) {
    if (at + fetched_ahead < incoming.size()) {
      auto const& later = incoming[at + fetched_ahead];
      __builtin_prefetch(later.sent);
      auto const& receiver = state_of(later.to);
      __builtin_prefetch(&receiver.landing);
      __builtin_prefetch(&receiver.arrived);
      __builtin_prefetch(&receiver.now);
    }
    enqueue(state_of(incoming[at].to), incoming[at].sent);
  }
  incoming.clear();
}

void fibers::wake(processor_state& waiting) {
  auto& theirs = block_of(waiting.rank);
  theirs.ready.push(&waiting);
  if (theirs.waits) return;
  theirs.waits = true;
  theirs.runner->waiting.push(&theirs);
}

barrier_arrivals fibers::take_counted() {
  barrier_arrivals all;
  for (auto& one : m_workers) all.add(std::exchange(one->counted, {}));
  return all;
}

void fibers::wake_all() {
  for (auto& one : m_blocks) {
    one.ready.add_all(states_of(one.first, static_cast<int>(one.size)));
    let_wait(one);
  }
}

void fibers::finish_round() noexcept {
  note_progress(*m_workers.front());
  auto const parity = round_parity();
  ++m_round;
  bool idle = true;
  for (auto const& one : m_workers) {
    idle = idle && one->waiting.empty();
    for (auto const& to : one->outboxes[parity].to_worker)
      idle = idle && to.filled.empty() && !to.ends_loans;
  }
  bool resolving = false;
  try {
    if (m_stop != nullptr && m_stop->is_asked() && !failed() && !(idle && all_finished()))
      throw work_stopped();
    if (m_counters.worth_merging()) {
      merge_finished_steps();
      // A processor that is behind keeps steps open.
      for (auto& one : m_blocks) one.ready.let_others_catch_up();
    }
    bool const loans_last =
        m_round % rounds_of_a_loan == 0 || std::ranges::any_of(m_workers, [](auto& one) {
          return std::exchange(one->loans_last, false);
        });
    if (!idle && loans_last) static_cast<void>(copy_all_lent());
    if (!idle) return;
    resolving = true;
    --m_round;  // what the machine itself sends belongs to this round
    m_done = !resolve_blocked(m_arrived);
    ++m_round;
  } catch (...) {
    // An observer or a topology threw, or memory ran out. The next call of each processor ends it.
    m_counters.stop_observing();
    note(std::current_exception(), 0, 0);
    if (!idle) return;
    m_done = all_finished();
    if (!m_done) end_everybody();
    if (resolving) ++m_round;
  }
}

void fibers::hand_over(processor_state& me, int to, message* sent) {
  auto& mine = worker_for(me);
  auto& theirs = block_of(to);
  try {
    if (theirs.runner == &mine) {
      theirs.incoming.push_back({sent, to});
      return let_wait(theirs);
    }
    auto& box = mine.outboxes[round_parity()];
    auto& messages = box.to_block[index_of(theirs)].messages;
    if (messages.empty()) box.to_worker[theirs.runner->index].filled.push_back(&theirs);
    messages.push_back({sent, to});
    mine.handed_over += bytes_of(*sent);
  } catch (std::bad_alloc const&) {
    mine.pool.give_back(sent);  // no list has it
    throw_out_of_memory(*this, me, *mine.counters);
  }
}

/// Gives back a message that has more than itself to give back, or is another worker's.
void fibers::give_back_other(worker& mine, message* taken) {
  if (taken->home != mine.index) return send_back(mine, taken);
  if (taken->kind == storage_kind::lent) end_loan(*taken);
  mine.pool.give_back(taken);
}

void fibers::send_back(worker& mine, message* taken) {
  message_pool::empty(*taken);  // the run may end before it gets there
  auto& home = mine.outboxes[round_parity()].to_worker[taken->home];
  try {
    home.returned.push_back(taken);
    home.ends_loans = home.ends_loans || taken->kind == storage_kind::lent;
  } catch (std::bad_alloc const&) {
    // Its pool goes without it until the run ends, and frees it all the same. Who lent it goes on
    // when no processor can.
  }
}

bool fibers::all_finished() const {
  std::size_t finished = 0;
  for (auto const& one : m_workers) finished += one->finished;
  return finished == static_cast<std::size_t>(size());
}

void fibers::for_each_in_flight(std::function<void(message const&, int)> const& visit) {
  for (auto const& one : own_states())
    if (!one.arrived.empty())
      one.arrived.for_each([&](message const& left) { visit(left, one.rank); });
  for (auto const& one : m_blocks)
    for (auto const& [sent, to] : one.incoming) visit(*sent, to);
  for (auto const& one : m_workers)
    for (auto const& box : one->outboxes)
      for (auto const& block : box.to_block)
        for (auto const& [sent, to] : block.messages) visit(*sent, to);
}

// --- switching ---

void fibers::save_exceptions(worker const& mine, processor_state& me) {
  me.has_exceptions = mine.exceptions->caught != nullptr || mine.exceptions->uncaught > 0;
  if (!me.has_exceptions) [[likely]]
    return;
  me.more->caught_exceptions = mine.exceptions->caught;
  me.more->uncaught_exceptions = mine.exceptions->uncaught;
}

void fibers::load_exceptions(worker const& mine, processor_state const& next) {
  mine.exceptions->caught = next.has_exceptions ? next.more->caught_exceptions : nullptr;
  mine.exceptions->uncaught = next.has_exceptions ? next.more->uncaught_exceptions : 0;
}

std::span<std::byte const> fibers::own_stack(processor_state const& me) const {
  if (m_copied) return {};
  auto const stack = static_cast<std::size_t>(me.rank);
  return {m_stacks.bottom(stack) + stack_of_a_call, m_stacks.top(stack)};
}

void fibers::start(worker& mine, processor_state& me) {
  me.worker_data = &mine;
  auto const stack = stack_of(mine, me);
  me.context = begin_stack<fiber_entry::run>(m_stacks.top(stack), m_stacks.size(stack));
  if (thread_sanitizer()) me.more->sanitizer = new_fiber();
}

/// Switches to `next` (nullptr: the worker itself), and comes back when the caller is switched to.
void fibers::jump(worker& mine, processor_state* next, void** left) {
  if (m_copied) [[unlikely]]
    return jump_to_copy(mine, next, left);
  mine.left = left;
  mine.budget = sends_per_turn;
  void* to = mine.home;
  if (next == nullptr) [[unlikely]] {
    *mine.exceptions = mine.home_exceptions;
    mine.stacks->running = false;
  } else {
    if (next->context == nullptr) [[unlikely]]
      start(mine, *next);
    to = next->context;
    load_exceptions(mine, *next);
    mine.stack_bottom = m_stacks.bottom(static_cast<std::size_t>(next->rank));
    mine.stacks->running = true;
  }
  if (m_tells) [[unlikely]]
    tell_of_leaving(mine, next);
  mine.next = next;
  switch_stack(left, to);
  // Only now, for the switch itself may overflow the stack that is left.
  mine.current = mine.next;
  if (m_tells) [[unlikely]]
    tell_of_arrival(mine, mine.current);
}

/// Tells guarded memory and sanitizers that `mine.current` leaves. Inlined, as `go_to_fiber` is.
[[gnu::always_inline]] inline void fibers::tell_of_leaving(worker& mine,
                                                           processor_state const* next) const {
  if (guarded() != nullptr) switch_memory(mine, next);
  void** fake_stack = &mine.home_fake_stack;
  if (mine.left != &mine.home)
    fake_stack = mine.left == &mine.discarded ? nullptr : &mine.current->more->sanitizer;
  if (next == nullptr) {
    leave_stack(fake_stack, mine.home_bottom, mine.home_bytes);
    go_to_fiber(mine.stacks->home_fiber);
  } else {
    auto const stack = stack_of(mine, *next);
    leave_stack(fake_stack, m_stacks.bottom(stack), m_stacks.size(stack));
    go_to_fiber(next->more->sanitizer);
  }
}

/// Tells AddressSanitizer that `next` goes on (nullptr: the worker itself).
[[gnu::noinline]] void fibers::tell_of_arrival(worker& mine, processor_state const* next) {
  void const* left_bottom = nullptr;
  std::size_t left_bytes = 0;
  enter_stack(next == nullptr ? mine.home_fake_stack : next->more->sanitizer, &left_bottom,
              &left_bytes);
  if (mine.left != &mine.home) return;
  mine.home_bottom = mine.stacks->home_bottom = left_bottom;
  mine.home_bytes = mine.stacks->home_bytes = left_bytes;
}

void fibers::resume(worker& mine, processor_state& next) { jump(mine, &next, &mine.home); }

void fibers::yield(worker& mine, processor_state& me) {
  mine.budget = sends_per_turn;
  // A processor that only sends ends its turn as soon as if all had switched, for its receivers
  // wait.
  mine.until_look -= sends_per_turn;
  mine.turn_left -= mine.block->size;
  mine.block->ready.push_last(&me);
  mine.block->ready.begin_all();
  leave(mine, me);
}

void fibers::leave(worker& mine, processor_state& me) {
  if (m_stacks.has_zones()) [[unlikely]]
    check_stack(mine, me, mine.stack_bottom);
  if (--mine.until_look <= 0) [[unlikely]]
    look_around(mine);
  processor_state* next = nullptr;
  auto& ready = mine.block->ready;
  while (!ready.empty() && !mine.turn_over) {
    next = ready.pop();
    if (next->doing != activity::finished) [[likely]]
      break;
    next = nullptr;
  }
  if (next == &me) return;
  if (auto const* const later = ready.peek()) fetch(*later);
  save_exceptions(mine, me);
  jump(mine, next, &me.context);
}

void fibers::leave_for_good(worker& mine, processor_state& me) {
  check_stack(mine, me, mine.stack_bottom);
  me.doing = activity::finished;
  ++mine.finished;
  mine.last_finished = &me;
  // After an error its stack is given back first, for unwinding takes much of it.
  processor_state* next = nullptr;
  auto& ready = mine.block->ready;
  while (!failed() && !mine.turn_over && !ready.empty() && next == nullptr) {
    next = ready.pop();
    if (next->doing == activity::finished) next = nullptr;
  }
  jump(mine, next, &mine.discarded);
  std::abort();  // a fiber that has finished is never switched to
}

void fibers::abandon(processor_state& me) {
  auto& mine = worker_for(me);
  me.doing = activity::finished;
  ++mine.finished;
  jump(mine, nullptr, &mine.discarded);
  std::abort();  // as above
}

// --- guarded memory ---

void fibers::note_touch(processor_state& me) {
  if (guarded() == nullptr || !guarded()->was_touched()) return;
  note_safely(me, [&] { note_failure<foreign_access>(me, touch_text(me)); });
}

void fibers::switch_memory(worker const& mine, processor_state const* next) const {
  // The processor that asked for an errand goes on in it.
  bool const back = std::exchange(mine.stacks->on_errand, false);
  if (back || mine.errand != nullptr) return;
  guarded()->forget_touch();
  guarded()->pages->open_only(next == nullptr ? private_pages::nobody : next->rank);
}

// --- stacks that overflow ---

/// Ends a processor whose frame lies below `lowest`, or whose guard zone was written to.
[[gnu::noinline]] void fibers::check_stack(worker& mine, processor_state& me,
                                           std::byte const* lowest) {
  auto const stack = static_cast<std::size_t>(me.rank);
  auto const* const frame = static_cast<std::byte const*>(__builtin_frame_address(0));
  auto first_damaged = stack;
  if (frame < lowest) [[unlikely]] {
    // A large frame may have stepped over the guard.
    while (!m_copied && first_damaged > 0 && frame < m_stacks.bottom(first_damaged))
      --first_damaged;
  } else if (!m_stacks.has_zones() || !m_stacks.overflowed(stack)) [[likely]] {
    return;
  }
  while (m_stacks.overflowed(first_damaged)) --first_damaged;
  // The worker notes it, for that takes more than is left of this stack.
  mine.overflowed = &me;
  mine.first_damaged = first_damaged;
  jump(mine, nullptr, &mine.discarded);
  std::abort();  // its stack is not used again
}

void fibers::note_overflow(worker& mine, processor_state& me, std::size_t first_damaged) {
  note_safely(me, [&] {
    note_failure<stack_overflow>(me,
                                 fmt::format("processor {} used up its stack of {} bytes: set a "
                                             "larger machine_options::stack, or keep large arrays "
                                             "and deep recursion off it",
                                             me.rank, options().stack));
  });
  auto const finish = [&](processor_state& one) {
    if (is_counted(one.doing)) --mine.counted.processors;  // it does not go on from its barrier
    if (one.doing == activity::counted_in_call) --mine.counted.in_calls;
    one.doing = activity::finished;
    ++mine.finished;
  };
  auto const first = std::max(first_damaged, static_cast<std::size_t>(own_ranks().first));
  for (auto stack = first; stack <= static_cast<std::size_t>(me.rank); ++stack) {
    auto& damaged = state_of(static_cast<int>(stack));
    if (damaged.doing == activity::finished || damaged.context == nullptr) continue;
    finish(damaged);
  }
  if (me.doing != activity::finished) finish(me);  // it had never left its stack before
}

// --- errands ---

void fibers::run_on_worker_stack(std::function<void()> const& errand) {
  auto* const mine = running_worker;
  if (mine == nullptr) return errand();
  auto& me = *mine->current;
  mine->errand = &errand;
  mine->asker = &me;
  std::fegetenv(&mine->asker_modes);
  save_exceptions(*mine, me);
  mine->owner.jump(*mine, nullptr, &me.context);
}

void fibers::run_errand(worker& mine) {
  auto& asker = *std::exchange(mine.asker, nullptr);
  auto const& errand = *std::exchange(mine.errand, nullptr);
  running_worker = nullptr;
  bool const outer = std::exchange(on_errand, true);
  mine.stacks->on_errand = true;
  std::fenv_t own_modes;
  std::fegetenv(&own_modes);
  std::fesetenv(&mine.asker_modes);
  errand();
  std::fesetenv(&own_modes);
  on_errand = outer;
  running_worker = &mine;
  resume(mine, asker);
}

// All of it, for watched.cpp and cluster_fibers.cpp, whatever is inlined here.
template class message_path<fibers>;

}  // namespace lockstep::detail
