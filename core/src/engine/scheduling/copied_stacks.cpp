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
    bring(mine, *mine.next);
    switch_stack(&mine.home, mine.next->context);
  }
  mine.current = nullptr;
}

/// Goes on with the processor mine.next. No stack can be brought by code that runs on it.
[[gnu::always_inline]] inline void fibers::switch_by_way_of_helper(worker& mine, void** left) {
#ifdef LOCKSTEP_SWITCH_BY_CHOICE
  auto const choose = [](void* data) -> void* {
    auto& worker_of_both = *static_cast<worker*>(data);
    auto& next = *worker_of_both.next;
    worker_of_both.owner.bring(worker_of_both, next);
    return next.context;
  };
  lockstep_switch_stack_by(left, mine.helper, choose, &mine);
#else
  switch_stack(left, mine.home);  // go_on_from_home does the rest
#endif
}

/// Brings the stack of `next` to its worker's, where it can go on.
void fibers::bring(worker& mine, processor_state& next) {
  mine.current = &next;
  if (mine.resident == &next) return;
  if (mine.resident != nullptr) put_away_resident(mine);
  mine.resident = &next;
  mine.resident_memory = static_cast<kept_stacks::kept*>(next.context);
  if (mine.resident_memory == nullptr)
    start(mine, next);
  else
    next.context = kept_stacks::bring_back(*mine.resident_memory, mine.stack_top);
}

void fibers::put_away_resident(worker& mine) {
  auto& last = *mine.resident;
  if (last.doing == activity::finished) return mine.kept.give_back(mine.resident_memory);
  try {
    last.context =
        mine.kept.keep(mine.resident_memory, static_cast<std::byte*>(last.context), mine.stack_top);
  } catch (std::bad_alloc const&) {  // what is on its stack is lost, as where one overflows
    mine.counters->reserve.reset();
    mine.kept.give_back(mine.resident_memory);
    last.doing = activity::finished;
    ++mine.finished;
    note_safely(last, [&] {
      note_failure<out_of_memory>(
          last, last.where,
          "lockstep got no memory to keep the stack of a processor that waits: let processors wait "
          "with less on their stacks, or take a smaller machine");
    });
  }
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
