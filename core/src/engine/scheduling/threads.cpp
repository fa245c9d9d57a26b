#include "engine/scheduling/threads.hpp"

#include <pthread.h>

#include <system_error>

#include <fmt/format.h>

#include "engine/scheduling/errand.hpp"
#include "engine/scheduling/spin.hpp"

namespace lockstep::detail {

namespace {

/// Bytes below a thread's stack in which a fault counts as an overflow: its guard has a page or
/// more.
constexpr std::size_t guard_reach = std::size_t{64} * 1024;
/// Bytes of its stack that a thread needs to settle what all others wait for; a quarter of a small
/// stack.
constexpr std::size_t stack_to_settle = std::size_t{64} * 1024;
/// Turns of a waiting loop, about a microsecond. They only pay where each thread has a core.
constexpr int most_spins = 200;

/// Finds the stack of this thread. Result: the lowest frame of a call, nullptr if it is not known.
std::byte const* find_stack(guarded_stacks& stack, std::byte const*& top) {
  pthread_attr_t attributes;
  if (::pthread_getattr_np(::pthread_self(), &attributes) != 0) return nullptr;
  void* bottom = nullptr;
  std::size_t bytes = 0;
  std::size_t guard = 0;
  ::pthread_attr_getstack(&attributes, &bottom, &bytes);
  ::pthread_attr_getguardsize(&attributes, &guard);
  ::pthread_attr_destroy(&attributes);
  top = static_cast<std::byte const*>(bottom) + bytes;
  stack.begin = static_cast<std::byte const*>(bottom) - std::max(guard, guard_reach);
  stack.end = static_cast<std::byte const*>(bottom) + std::max(guard, guard_reach);
  return static_cast<std::byte const*>(bottom) + std::min(bytes / 4, stack_to_settle);
}

}  // namespace

threads::threads(std::shared_ptr<lockstep::topology const> const& network,
                 machine_options const& options, std::span<observer* const> observers)
    : message_path(network, options, observers, static_cast<std::size_t>(network->size())),
      m_spins(static_cast<unsigned>(size()) <= std::thread::hardware_concurrency() ? most_spins
                                                                                   : 0),
      m_progress(board_of_run()) {
  m_threads.reserve(static_cast<std::size_t>(size()));
  for (int rank = 0; rank < size(); ++rank) m_threads.push_back(std::make_unique<thread_state>());
  m_arrived.reserve(static_cast<std::size_t>(size()));
  m_woken.reserve(static_cast<std::size_t>(size()));
}

threads::~threads() {
  auto const end = [](message* left) { message_pool::empty(*left); };
  for (int rank = 0; rank < size(); ++rank) {
    state_of(rank).arrived.clear(end);
    auto& queue = thread_of(rank).arrivals;
    while (auto* const left = queue.pop()) end(left);
  }
}

// --- from the beginning of a thread to its end ---

void threads::run_processors() {
  m_running.store(size(), std::memory_order_relaxed);
  std::vector<std::jthread> running;
  auto order = start::now;
  try {
    running.reserve(static_cast<std::size_t>(size()));
    for (int rank = 0; rank < size(); ++rank)
      running.emplace_back([this, rank] { run_thread(state_of(rank)); });
  } catch (...) {
    order = start::cancelled;
    note_refused(running.size());
  }
  m_start.exchange(order, std::memory_order_acq_rel);
  m_start.notify_all();
  running.clear();  // joins them
}

/// Notes why the system gave only `given` threads.
void threads::note_refused(std::size_t given) {
  try {
    try {
      throw;
    } catch (std::system_error const& refused) {
      throw out_of_memory(
          fmt::format("the system gave {} threads of the {} that {} needs ({}): a "
                      "thread a processor is for small machines; use "
                      "engine::fibers",
                      given, size(), network().spec(), refused.what()));
    }
  } catch (...) {
    note(std::current_exception(), 0, 0);
  }
}

void threads::run_thread(processor_state& me) {
  m_start.wait(start::not_yet, std::memory_order_acquire);
  if (m_start.load(std::memory_order_acquire) == start::cancelled) return;
  run_guarded(me);
  finish(me);
}

void threads::run_guarded(processor_state& me) {
  overflow_guard guard;
  auto& stack = thread_of(me.rank).stack;
  thread_of(me.rank).lowest_frame = find_stack(stack, thread_of(me.rank).stack_top);
  guard.watch(stack);
  int const way = sigsetjmp(stack.way_out, 0);
  stack.running = way == 0;
  if (way == 0) {
    running_here = &me;
    run_program(me);
  } else if (way == way_of_overflow) {
    note_safely(me, [&] {
      note_failure<stack_overflow>(
          me,
          fmt::format("processor {} used up the stack of its thread: keep large arrays and deep "
                      "recursion off it, or raise the system's limit",
                      me.rank));
    });
  }
  stack.running = false;
  running_here = nullptr;
}

void threads::abandon(processor_state& me) {
  siglongjmp(thread_of(me.rank).stack.way_out, way_of_overflow + 1);
}

void threads::finish(processor_state& me) {
  me.doing = activity::finished;
  note_progress(me);
  m_finished.fetch_add(1, std::memory_order_relaxed);
  one_less_running();
}

// --- messages ---

void threads::hand_over(processor_state& me, int to, message* sent) {
  auto& theirs = thread_of(to);
  auto const its_channel = channel(sent->from, sent->pass);
  publish(&theirs.arrivals);
  try {
    theirs.arrivals.push(sent);
  } catch (std::bad_alloc const&) {
    thread_of(me.rank).pool.give_back(sent);  // no list has it
    throw_out_of_memory(*this, me, counters_of(me));
  }
  // Adding nothing orders this after what the receiver did to the word before. So either it finds
  // the message, or this finds that it waits.
  auto awaited = theirs.awaited.fetch_add(0, std::memory_order_acq_rel);
  if (awaited == (its_channel | looking) &&
      theirs.awaited.compare_exchange_strong(awaited, nothing, std::memory_order_acq_rel))
    return;  // it looks again
  if (awaited == its_channel) wake_receiver(theirs);
}

/// Lets a thread go on that waits for a message of the caller.
void threads::wake_receiver(thread_state& theirs) {
  m_running.fetch_add(1, std::memory_order_relaxed);
  publish(&theirs.awaited);
  // Nothing of notify_one may come before it, which a mere store would allow.
  theirs.awaited.exchange(nothing, std::memory_order_acq_rel);
  theirs.awaited.notify_one();
}

void threads::take_arrivals(processor_state& me) {
  auto& queue = thread_of(me.rank).arrivals;
  while (auto* const sent = queue.pop()) {
    observe(&queue);
    me.arrived.push(sent);
  }
}

void threads::take_returned(thread_state& mine) {
  auto* at = mine.returned.take_all();
  observe(&mine.returned);
  while (at != nullptr) mine.pool.give_back(std::exchange(at, at->next));
}

void threads::for_each_in_flight(std::function<void(message const&, int)> const& visit) {
  for (int rank = 0; rank < size(); ++rank) {
    take_arrivals(state_of(rank));
    state_of(rank).arrived.for_each([&](message const& left) { visit(left, rank); });
  }
}

// --- waiting ---

/// Notes the step of the first or the last processor, whichever is behind: one that only sends may be
/// far ahead of all others.
void threads::note_progress(processor_state const& me) noexcept {
  bool const is_first = me.rank == 0;
  bool const is_last = me.rank == size() - 1;
  if (m_progress == nullptr || !(is_first || is_last)) return;
  auto const step = me.doing == activity::finished ? never : me.now;
  if (is_first) m_first_in.store(step, std::memory_order_relaxed);
  if (is_last) m_last_in.store(step, std::memory_order_relaxed);
  auto const behind = std::min(m_first_in.load(std::memory_order_relaxed),
                               m_last_in.load(std::memory_order_relaxed));
  if (behind != never) m_progress->reach_step(behind);
}

void threads::suspend(processor_state& me) {
  note_progress(me);
  if (me.doing == activity::receiving)
    wait_for_message(me);
  else
    wait_for_others(me);
}

/// Whether the message that a processor waits for lies in its inbox or its queue.
bool threads::has_come(processor_state& me) {
  take_arrivals(me);
  return me.arrived.has(me.waiting_for, me.pass);
}

void threads::wait_for_message(processor_state& me) {
  auto& mine = thread_of(me.rank);
  auto const its_channel = channel(me.waiting_for, me.pass);
  // A sender that saw this thread look for an earlier message may wake it although none is there.
  while (!me.landed && !me.marks.ending() && !found_at_last_look(me)) {
    one_less_running();
    wait_alone(mine, its_channel);
  }
  me.doing = activity::running;
}

/// Sleeps on the thread's own word as long as that is `what`.
void threads::wait_alone(thread_state& mine, awaited_word what) {
  for (int spin = 0; spin < m_spins; ++spin) {
    if (mine.awaited.load(std::memory_order_acquire) == nothing) break;
    relax();
  }
  while (mine.awaited.load(std::memory_order_acquire) == what)
    mine.awaited.wait(what, std::memory_order_acquire);
  observe(&mine.awaited);
}

/// Looks for the message that a processor waits for. If it is not there, its sender will wake this
/// thread from now on.
bool threads::found_at_last_look(processor_state& me) {
  auto& awaited = thread_of(me.rank).awaited;
  auto const its_channel = channel(me.waiting_for, me.pass);
  // As long as a message of the channel may be in the queue, the word is not that of the channel. So
  // a later message is not laid before it.
  for (;;) {
    auto expected = its_channel | looking;
    awaited.exchange(expected, std::memory_order_acq_rel);
    if (has_come(me)) {
      awaited.store(nothing, std::memory_order_relaxed);
      return true;
    }
    publish(&awaited);  // the sender lays its message where this thread wants it
    if (awaited.compare_exchange_strong(expected, its_channel, std::memory_order_acq_rel))
      return false;
  }
}

/// Waits until the machine was settled, and this thread may go on.
void threads::wait_for_others(processor_state& me) {
  auto& mine = thread_of(me.rank);
  auto settled = m_settled.load(std::memory_order_acquire);
  mine.awaited.store(others, std::memory_order_relaxed);
  one_less_running();
  for (int spin = 0; spin < m_spins; ++spin) {
    if (mine.awaited.load(std::memory_order_acquire) == nothing) break;
    relax();
  }
  while (mine.awaited.load(std::memory_order_acquire) != nothing) {
    m_settled.wait(settled, std::memory_order_acquire);
    settled = m_settled.load(std::memory_order_acquire);
  }
  observe(&mine.awaited);
  take_arrivals(me);  // a round of one-sided calls has sent what they asked for
}

/// Waits until counters are merged, which needs all processors to wait.
void threads::pause(processor_state& me) {
  note_progress(me);
  m_pausing.store(true, std::memory_order_relaxed);
  auto& mine = thread_of(me.rank);
  mine.awaited.store(merging, std::memory_order_relaxed);
  one_less_running();
  wait_alone(mine, merging);
}

// --- what the last thread does that has to wait ---

void threads::one_less_running() {
  publish(&m_running);
  if (m_running.fetch_sub(1, std::memory_order_acq_rel) > 1) return;
  observe(&m_running);
  settle();
}

void threads::settle() {
  do resolve();
  while (wake_those_ready());
}

void threads::resolve() {
  try {
    bool const merges = m_pausing.exchange(false, std::memory_order_relaxed);
    if (merges)
      for (auto& one : states())
        if (one.doing == activity::running) m_woken.push_back(&one);
    for (auto& one : states())
      if (std::exchange(thread_of(one.rank).arrived, false)) m_arrived.push_back(&one);
    std::vector<processor_state*>* const arrived[] = {&m_arrived};
    while (m_woken.empty() && resolve_blocked(arrived)) {
    }
    if (merges || m_counters.worth_merging()) merge_finished_steps();
  } catch (...) {
    // An observer or a topology threw, or memory ran out. The next call of each processor ends it.
    m_counters.stop_observing();
    note(std::current_exception(), 0, 0);
    if (m_woken.empty()) end_everybody();
  }
}

/// Wakes the threads that can go on. Result: whether all of them wait again, and this one, too.
bool threads::wake_those_ready() {
  if (m_woken.empty()) return false;
  // It counts itself, so that nobody else settles the machine before all are awake.
  m_running.store(static_cast<int>(m_woken.size()) + 1, std::memory_order_relaxed);
  bool together = false;
  for (auto const* const one : m_woken) {
    auto& theirs = thread_of(one->rank).awaited;
    bool const alone = theirs.load(std::memory_order_relaxed) != others;
    publish(&theirs);
    theirs.exchange(nothing, std::memory_order_acq_rel);  // as in wake_receiver
    if (alone)
      theirs.notify_one();
    else
      together = true;
  }
  m_woken.clear();
  if (together) {
    m_settled.fetch_add(1, std::memory_order_acq_rel);
    m_settled.notify_all();
  }
  publish(&m_running);
  if (m_running.fetch_sub(1, std::memory_order_acq_rel) > 1) return false;
  observe(&m_running);
  return true;
}

barrier_arrivals threads::take_counted() {
  barrier_arrivals all;
  for (auto const& one : states())
    if (one.doing == activity::counted_in_barrier)
      all.add({1, one.free_step()});
    else if (one.doing == activity::counted_in_call)
      all.add({1, one.free_step(), 1, false, one.more->came_by()});
  return all;
}

void threads::wake_all() {
  for (auto& one : states())
    if (one.doing != activity::finished) m_woken.push_back(&one);
}

// All of it, for watched.cpp, whatever is inlined here.
template class message_path<threads>;

}  // namespace lockstep::detail
