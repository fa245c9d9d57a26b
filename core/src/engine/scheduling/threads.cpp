#include "engine/scheduling/threads.hpp"

#include <pthread.h>

#include <system_error>

namespace lockstep::detail {

namespace {

/// Bytes below a thread's stack in which a fault counts as an overflow: its guard has a page or
/// more.
constexpr std::size_t guard_reach = std::size_t{64} * 1024;

void find_stack(guarded_stacks& stack) {
  pthread_attr_t attributes;
  if (::pthread_getattr_np(::pthread_self(), &attributes) != 0) return;
  void* bottom = nullptr;
  std::size_t bytes = 0;
  std::size_t guard = 0;
  ::pthread_attr_getstack(&attributes, &bottom, &bytes);
  ::pthread_attr_getguardsize(&attributes, &guard);
  ::pthread_attr_destroy(&attributes);
  stack.begin = static_cast<std::byte const*>(bottom) - std::max(guard, guard_reach);
  stack.end = static_cast<std::byte const*>(bottom) + std::max(guard, guard_reach);
}

}  // namespace

threads::threads(std::shared_ptr<lockstep::topology const> network, machine_options const& options,
                 std::span<observer* const> observers)
    : message_path(std::move(network), options, observers, 1) {
  for (int rank = 0; rank < size(); ++rank) m_threads.push_back(std::make_unique<thread_state>());
}

threads::~threads() {
  for (int rank = 0; rank < size(); ++rank)
    state_of(rank).arrived.clear([](message* left) {
      if (left->kind == storage_kind::vector) left->type->destroy_vector(left->buffer.data);
    });
}

void threads::run_processors() {
  m_running = static_cast<std::size_t>(size());
  std::vector<std::jthread> running;
  try {
    for (int rank = 0; rank < size(); ++rank)
      running.emplace_back([this, rank] { run_thread(state_of(rank)); });
  } catch (std::system_error const& refused) {
    lock const held(m_machine);
    m_cancelled = true;
    note(std::make_exception_ptr(
             out_of_memory(fmt::format("the system gave {} threads of the {} that {} needs ({}): a "
                                       "thread a processor is for small "
                                       "machines; use engine::fibers",
                                       running.size(), size(), network().spec(), refused.what()))),
         0, 0);
  }
  lock held(m_machine);
  m_may_start = true;
  m_started.notify_all();
  held.unlock();
  running.clear();  // joins them
}

void threads::run_thread(processor_state& me) {
  {
    lock held(m_machine);
    m_started.wait(held, [this] { return m_may_start; });
    if (m_cancelled) return;
  }
  run_guarded(me);
  lock const held(m_machine);
  finish(me);
}

void threads::run_guarded(processor_state& me) {
  overflow_guard guard;
  auto& stack = thread_of(me).stack;
  find_stack(stack);
  guard.watch(stack);
  int const way = sigsetjmp(stack.way_out, 0);
  stack.running = way == 0;
  if (way == 0) {
    running_here = &me;
    run_program(me);
  } else if (way == 1) {
    lock const held(m_machine);
    note_failure<stack_overflow>(
        me, me.where,
        fmt::format("processor {} used up the stack of its thread: keep large arrays and deep "
                    "recursion off it, or raise the system's limit",
                    me.rank));
  }
  stack.running = false;
  running_here = nullptr;
}

void threads::abandon(processor_state& me) {
  m_machine.unlock();  // the caller holds it, and does not come back
  siglongjmp(thread_of(me).stack.way_out, 2);
}

void threads::finish(processor_state& me) {
  me.doing = activity::finished;
  ++m_finished;
  one_less_running();
}

void threads::one_less_running() {
  if (--m_running > 0) return;
  std::vector<processor_state*>* const arrived[] = {&m_arrived};
  try {
    while (m_running == 0 && resolve_blocked(arrived)) {
    }
    if (m_counters.worth_merging()) merge_finished_steps();
  } catch (...) {
    note_own_failure();
    if (m_running == 0) end_everybody();
  }
}

void threads::merge_counters() {
  try {
    merge_finished_steps();
  } catch (...) {
    note_own_failure();
  }
}

void threads::note_own_failure() {
  // An observer threw, or memory ran out. The next call of each processor ends it.
  m_counters.stop_observing();
  note(std::current_exception(), 0, 0);
}

void threads::suspend(processor_state& me, lock& held) {
  auto& mine = thread_of(me);
  mine.ready = false;
  one_less_running();
  mine.may_go_on.wait(held, [&] { return mine.ready; });
}

void threads::make_ready(processor_state const& /*by*/, processor_state& waiting) {
  ++m_running;
  auto& theirs = thread_of(waiting);
  theirs.ready = true;
  theirs.may_go_on.notify_one();
}

void threads::for_each_in_flight(std::function<void(message const&, int)> const& visit) {
  for (int rank = 0; rank < size(); ++rank)
    state_of(rank).arrived.for_each([&](message const& left) { visit(left, rank); });
}

}  // namespace lockstep::detail
