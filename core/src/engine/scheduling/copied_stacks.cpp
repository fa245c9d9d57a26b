// The fibers engine where the processors of a worker run on one stack, one after another.
//
// A processor that waits leaves its stack where it is. It is put away, densely, when another one
// goes on, and brought back to the same addresses before it goes on itself: so pointers into its own
// stack stay right. That is done by the worker on its own stack ("home"), or on a small one besides.

#include "engine/memory/sanitizer.hpp"
#include "engine/scheduling/fibers.hpp"

namespace lockstep::detail {

bool fibers::copies_stacks(machine_options const& options) {
  return options.stacks == stacks::copied && options.engine == engine::fibers &&
         !address_sanitizer() && !thread_sanitizer();
}

/// Does what `jump` does. Nothing is left to do after the switch, so that no frame of this function
/// has to be kept.
void fibers::jump_to_copy(worker& mine, processor_state* next, void** left) {
  mine.left = left;
  mine.budget = sends_per_turn;
  mine.stacks->running = next != nullptr;
  if (next == nullptr)
    *mine.exceptions = mine.home_exceptions;
  else
    load_exceptions(mine, *next);
  if (guarded() != nullptr) switch_memory(mine, next);
  mine.next = next;
  if (left == &mine.home)
    go_on_from_home(mine);
  else if (next == nullptr)
    switch_stack(left, mine.home);
  else
    switch_by_way_of_helper(mine, left);
}

/// Goes on with mine.next, and comes back when that is to be the worker itself.
void fibers::go_on_from_home(worker& mine) {
  while (mine.next != nullptr) {
    bring(mine);
    switch_stack(&mine.home, mine.next->context);
  }
  mine.current = nullptr;
}

/// Goes on with the processor mine.next. No stack can be brought by code that runs on it.
[[gnu::always_inline]] inline void fibers::switch_by_way_of_helper(worker& mine, void** left) {
#ifdef LOCKSTEP_SWITCH_BY_CHOICE
  auto const choose = [](void* data) -> void* {
    auto& worker_of_both = *static_cast<worker*>(data);
    worker_of_both.owner.bring(worker_of_both);
    return worker_of_both.next->context;
  };
  lockstep_switch_stack_by(left, mine.helper, choose, &mine);
#else
  switch_stack(left, mine.home);  // go_on_from_home does the rest
#endif
}

/// Brings the stack of mine.next to its worker's, where it can go on. Where the stack that lies there
/// cannot be kept, its processor goes on instead.
void fibers::bring(worker& mine) {
  if (mine.resident != mine.next && mine.resident != nullptr && !put_away_resident(mine))
    end_resident(mine);
  auto& next = *mine.next;
  mine.current = &next;
  if (mine.resident == &next) return;
  mine.resident = &next;
  mine.resident_memory = static_cast<kept_stacks::kept*>(next.context);
  if (m_followed) [[unlikely]]
    tell_of_bringing(mine);
  if (mine.resident_memory == nullptr)
    start(mine, next);
  else
    next.context = kept_stacks::bring_back(*mine.resident_memory, mine.stack_top);
}

/// Tells memcheck what part of the worker's stack the resident processor has, whose stack is about to
/// be laid there: memcheck knows of stacks what their own code does to them.
void fibers::tell_of_bringing(worker& mine) {
  constexpr std::size_t of_a_new_stack = 512;  // more than is laid out
  auto const used =
      mine.resident_memory == nullptr ? of_a_new_stack : std::size_t{mine.resident_memory->used};
  known_stacks::begin_use(mine.stack_top - used, mine.stack_top);
}

/// Keeps what the resident processor has on its stack. False without memory: it stays there.
bool fibers::put_away_resident(worker& mine) {
  auto& last = *mine.resident;
  if (last.doing == activity::finished) {
    mine.kept.give_back(mine.resident_memory);
    return true;
  }
  try {
    last.context =
        mine.kept.keep(mine.resident_memory, static_cast<std::byte*>(last.context), mine.stack_top);
    return true;
  } catch (std::bad_alloc const&) {
    mine.counters->reserve.reset();
    note_safely(last, [&] {
      note_failure<out_of_memory>(
          last,
          "lockstep got no memory to keep the stack of a processor that waits: let processors wait "
          "with less on their stacks, or take a smaller machine");
    });
    return false;
  }
}

/// Lets the resident processor go on and end, for there is no memory to keep its stack; the one that
/// was to go on does so later.
void fibers::end_resident(worker& mine) {
  auto& last = *mine.resident;
  if (last.lends) {  // others may need what it lends, so that it cannot end: its stack is lost
    mine.kept.give_back(mine.resident_memory);
    mine.resident = nullptr;
    last.doing = activity::finished;
    ++mine.finished;
    return;
  }
  mine.block->ready.push(mine.next);
  mine.next = &last;
  last.doing = activity::running;
  last.marks.end();
  load_exceptions(mine, last);
  if (guarded() != nullptr) switch_memory(mine, &last);
}

std::byte const* fibers::at_rest(processor_state const& of, std::byte const* address) const {
  if (!m_copied || of.doing == activity::finished) return address;
  auto const& mine = worker_for(of);
  if (mine.resident == &of || !lies_on_stack(mine, address)) return address;
  auto const& kept = *static_cast<kept_stacks::kept const*>(of.context);
  return kept.bytes() + kept.used - (mine.stack_top - address);
}

std::string_view fibers::lasting(processor_state const& me, std::string_view name) const {
  if (!m_copied) return name;
  auto& mine = worker_for(me);
  if (!lies_on_stack(mine, name.data())) return name;
  return *mine.names.emplace(name).first;
}

}  // namespace lockstep::detail
