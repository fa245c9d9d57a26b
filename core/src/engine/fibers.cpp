#include "fibers.hpp"

#include <cxxabi.h>

#include <algorithm>
#include <bit>
#include <cstdlib>

#include <boost/context/detail/fcontext.hpp>

#include "sanitizer.hpp"

namespace lockstep::detail {

namespace {

namespace context = boost::context::detail;

/// Sends of one processor after which the others have their turn.
constexpr int sends_per_turn = 64;
/// Switches after which a worker looks whether its ledger is worth folding.
constexpr std::uint32_t switches_per_look = 1U << 8;
/// Processors for each worker where the machine chooses their number: with so many, a second worker
/// gains whatever the program does.
constexpr int processors_worth_a_worker = 8192;
/// Smaller machines are run by one thread, however many workers they are shared out to: their
/// threads would wait for one another most of the time.
constexpr int fewest_for_threads = 64;

std::size_t workers_for(int processors, machine_options const& options, bool nested) {
  if (options.workers > 0) return static_cast<std::size_t>(std::min(options.workers, processors));
  if (nested) return 1;
  return static_cast<std::size_t>(std::clamp(processors / processors_worth_a_worker, 1,
                                             std::min(worker_team::most_members(), most_workers)));
}

/// Whether this thread runs an errand of a fiber, on its worker's stack.
thread_local bool on_errand = false;

}  // namespace

struct fiber_entry {
  /// Where every fiber begins.
  static void run(context::transfer_t from) {
    auto& mine = *static_cast<fibers::worker*>(from.data);
    auto& me = *mine.current;
    mine.owner.arrive(mine, from.fctx, nullptr);
    mine.owner.run_program(me);
    mine.owner.leave_for_good(mine, me);
  }
};

fibers::fibers(std::shared_ptr<lockstep::topology const> const& network,
               machine_options const& options, std::span<observer* const> observers)
    : rules(network, options, observers, workers_for(network->size(), options, on_errand)),
      m_stacks(static_cast<std::size_t>(network->size()), options.stack),
      m_nested(on_errand) {
  auto const processors = static_cast<std::size_t>(size());
  auto const count = worker_count();
  // Stacks that an overflow may damage together belong to one worker.
  auto const together = m_stacks.stacks_per_group();
  auto const share = ((processors + count - 1) / count + together - 1) / together * together;
  for (std::size_t index = 0; index < count; ++index) {
    auto& mine =
        *m_workers.emplace_back(std::make_unique<worker>(*this, static_cast<std::uint8_t>(index)));
    for (auto& boxes : mine.outboxes) boxes.resize(count);
    auto const first = std::min(index * share, processors);
    auto const last = std::min(first + share, processors);
    mine.written = &m_books.of_worker(index);
    auto const share_of_states = states().subspan(first, last - first);
    for (auto& state : share_of_states) {
      state.worker = mine.index;
      state.worker_data = &mine;
    }
    mine.ready.reserve(share_of_states);
  }
}

fibers::~fibers() {
  if (!failed()) return;
  auto const dispose = [](message* left) {
    if (left->kind == storage_kind::vector) left->type->destroy_vector(left->buffer.data);
  };
  for (int rank = 0; rank < size(); ++rank) state_of(rank).arrived.clear(dispose);
  for (auto& one : m_workers)
    for (auto& boxes : one->outboxes)
      for (auto& box : boxes)
        for (auto const& [sent, to] : box.messages) dispose(sent);
}

void fibers::ready_stack::reserve(std::span<processor_state> newcomers) {
  m_slots.resize(std::bit_ceil(newcomers.size() + 1));
  m_mask = m_slots.size() - 1;
  m_newcomers = newcomers;
}

processor_state* fibers::ready_stack::next_newcomer() {
  auto& newcomer = m_newcomers.front();
  m_newcomers = m_newcomers.subspan(1);
  return &newcomer;
}

// --- rounds ---

void fibers::run_processors() {
  bool const alone = m_nested || size() < fewest_for_threads;
  auto const together =
      alone ? 1 : std::min(static_cast<int>(worker_count()), worker_team::most_members());
  worker_team::run(together, [this](int member, worker_team const& team) { work(member, team); });
}

void fibers::work(int member, worker_team const& team) {
  overflow_guard guard;
  guarded_stacks stacks;
  stacks.begin = m_stacks.begin();
  stacks.end = m_stacks.end();
  while (!m_done) {
    for (auto index = static_cast<std::size_t>(member); index < m_workers.size();
         index += static_cast<std::size_t>(team.members)) {
      guard.watch(stacks);
      run_round(*m_workers[index], stacks);
    }
    team.barrier.arrive([this] { finish_round(); });
  }
}

void fibers::run_round(worker& mine, guarded_stacks& stacks) {
  take_handed_over(mine);
  mine.stacks = &stacks;
  mine.exceptions = reinterpret_cast<exceptions_in_flight*>(abi::__cxa_get_globals());
  mine.home_exceptions = *mine.exceptions;
  mine.pausing = false;
  auto* const outer = running_worker;
  running_worker = &mine;
  if (sigsetjmp(stacks.way_out, 0) != 0) {
    // The fiber that ran touched the page below its stack. Nothing on that stack is used again.
    arrive(mine, nullptr, mine.home_fake_stack);
    *mine.exceptions = mine.home_exceptions;
    note_overflow(mine, *mine.current,
                  m_stacks.first_of_group(static_cast<std::size_t>(mine.current->rank)));
  }
  while (!mine.ready.empty() && !mine.pausing) {
    auto* const next = mine.ready.pop();
    if (next->doing == activity::finished) continue;  // it was abandoned
    resume(mine, *next);
    while (mine.errand != nullptr) run_errand(mine);
    if (failed() && mine.last_finished != nullptr) {
      auto const stack = static_cast<std::size_t>(std::exchange(mine.last_finished, nullptr)->rank);
      m_stacks.give_back(stack);
    }
  }
  running_worker = outer;
}

void fibers::take_handed_over(worker& mine) {
  auto const last_round = round_parity() ^ 1;
  for (auto& other : m_workers) {
    auto& box = other->outboxes[last_round][mine.index];
    for (auto const& [sent, to] : box.messages) receive_message(*to, sent);
    box.messages.clear();
    for (auto* const returned : box.returned) mine.pool.give_back(returned);
    box.returned.clear();
  }
}

void fibers::finish_round() {
  auto const parity = round_parity();
  ++m_round;
  bool idle = true;
  for (auto const& one : m_workers) {
    idle = idle && one->ready.empty();
    for (auto const& box : one->outboxes[parity]) idle = idle && box.messages.empty();
  }
  bool settling = false;
  try {
    if (m_books.worth_folding()) fold_finished_steps();
    if (!idle) return;
    settling = true;
    std::vector<std::vector<processor_state*>*> arrived;
    arrived.reserve(m_workers.size());
    for (auto const& one : m_workers) arrived.push_back(&one->arrived);
    --m_round;  // what the machine itself sends belongs to this round
    m_done = !settle(arrived);
    ++m_round;
  } catch (...) {
    // An observer threw, or there is no memory: what a processor does next ends it.
    m_books.stop_observing();
    note(std::current_exception(), 0, 0);
    m_done = settling;
  }
}

void fibers::hand_over(processor_state& me, processor_state& to, message* sent) {
  worker_for(me).outboxes[round_parity()][to.worker].messages.push_back({sent, &to});
}

void fibers::send_back(worker& mine, message* taken) {
  if (taken->kind == storage_kind::vector) {  // the run may end before it gets there
    taken->type->destroy_vector(taken->buffer.data);
    taken->kind = storage_kind::buffer;
  }
  mine.outboxes[round_parity()][taken->home].returned.push_back(taken);
}

bool fibers::all_finished() const {
  std::size_t finished = 0;
  for (auto const& one : m_workers) finished += one->finished;
  return finished == static_cast<std::size_t>(size());
}

void fibers::for_each_in_flight(std::function<void(message const&, int)> const& visit) {
  for (int rank = 0; rank < size(); ++rank) {
    auto const& state = state_of(rank);
    if (!state.arrived.empty())
      state.arrived.for_each([&](message const& left) { visit(left, rank); });
  }
  for (auto const& one : m_workers)
    for (auto const& boxes : one->outboxes)
      for (auto const& box : boxes)
        for (auto const& [sent, to] : box.messages) visit(*sent, to->rank);
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

void fibers::start(processor_state& me) {
  auto const stack = static_cast<std::size_t>(me.rank);
  me.context = context::make_fcontext(m_stacks.top(stack), m_stacks.size(stack), fiber_entry::run);
}

/// Goes on with `next` (nullptr: the worker itself), and comes back when somebody goes on with who
/// called.
void fibers::jump(worker& mine, processor_state* next, void** left, void** fake_stack) {
  mine.left = left;
  mine.current = next;
  mine.budget = sends_per_turn;
  void* to = mine.home;
  if (next == nullptr) [[unlikely]] {
    *mine.exceptions = mine.home_exceptions;
    mine.stacks->running = false;
    leave_stack(fake_stack, mine.home_bottom, mine.home_bytes);
  } else {
    if (next->context == nullptr) [[unlikely]]
      start(*next);
    to = next->context;
    load_exceptions(mine, *next);
    mine.stack_bottom = m_stacks.bottom(static_cast<std::size_t>(next->rank));
    mine.stacks->running = true;
    if constexpr (address_sanitizer) {
      auto const stack = static_cast<std::size_t>(next->rank);
      leave_stack(fake_stack, m_stacks.bottom(stack), m_stacks.size(stack));
    }
  }
  auto const back = context::jump_fcontext(to, &mine);
  arrive(mine, back.fctx, fake_stack == nullptr ? nullptr : *fake_stack);
}

/// Keeps the context that was left; nullptr if it is not used again.
void fibers::arrive(worker& mine, void* left_context, void* fake_stack) {
  if constexpr (address_sanitizer) {
    void const* left_bottom = nullptr;
    std::size_t left_bytes = 0;
    enter_stack(fake_stack, &left_bottom, &left_bytes);
    if (mine.left == &mine.home) {
      mine.home_bottom = mine.stacks->home_bottom = left_bottom;
      mine.home_bytes = mine.stacks->home_bytes = left_bytes;
    }
  }
  if (left_context != nullptr) *mine.left = left_context;
}

void fibers::resume(worker& mine, processor_state& next) {
  jump(mine, &next, &mine.home, &mine.home_fake_stack);
}

void fibers::yield(worker& mine, processor_state& me) {
  mine.budget = sends_per_turn;
  mine.ready.push_last(&me);
  leave(mine, me);
}

void fibers::leave(worker& mine, processor_state& me) {
  if (m_stacks.has_zones()) [[unlikely]]
    check_stack(mine, me);
  if (++mine.switches % switches_per_look == 0) [[unlikely]]
    mine.pausing = m_books.worth_folding(mine.index);
  processor_state* next = nullptr;
  while (!mine.ready.empty() && !mine.pausing) {
    next = mine.ready.pop();
    if (next->doing != activity::finished) [[likely]]
      break;
    next = nullptr;
  }
  if (next == &me) return;
  if (auto const* const later = mine.ready.peek()) fetch(*later);
  save_exceptions(mine, me);
  jump(mine, next, &me.context, &me.more->fake_stack);
}

void fibers::leave_for_good(worker& mine, processor_state& me) {
  check_stack(mine, me);
  me.doing = activity::finished;
  ++mine.finished;
  mine.last_finished = &me;
  // After an error its stack is given back first, for unwinding takes much of it.
  processor_state* next = nullptr;
  while (!failed() && !mine.pausing && !mine.ready.empty() && next == nullptr) {
    next = mine.ready.pop();
    if (next->doing == activity::finished) next = nullptr;
  }
  jump(mine, next, &mine.discarded, nullptr);
  std::abort();  // nobody goes on with a fiber that has finished
}

void fibers::abandon(processor_state& me) {
  auto& mine = worker_for(me);
  me.doing = activity::finished;
  ++mine.finished;
  jump(mine, nullptr, &mine.discarded, nullptr);
  std::abort();  // as above
}

// --- stacks that overflow ---

void fibers::check_stack(worker& mine, processor_state& me) {
  auto const stack = static_cast<std::size_t>(me.rank);
  auto const* const frame = static_cast<std::byte const*>(__builtin_frame_address(0));
  auto first_damaged = stack;
  if (frame < m_stacks.bottom(stack)) [[unlikely]] {  // a large frame that stepped over the guard
    while (first_damaged > 0 && frame < m_stacks.bottom(first_damaged)) --first_damaged;
  } else if (!m_stacks.has_zones() || !m_stacks.overflowed(stack)) [[likely]] {
    return;
  }
  while (m_stacks.overflowed(first_damaged)) --first_damaged;
  note_overflow(mine, me, first_damaged);
  jump(mine, nullptr, &mine.discarded, nullptr);
  std::abort();  // its stack is not used again
}

void fibers::note_overflow(worker& mine, processor_state& me, std::size_t first_damaged) {
  note_failure<stack_overflow>(me, me.where,
                               fmt::format("processor {} used up its stack of {} bytes: set a "
                                           "larger machine_options::stack, or keep large arrays "
                                           "and deep recursion off it",
                                           me.rank, options().stack));
  for (auto stack = first_damaged; stack <= static_cast<std::size_t>(me.rank); ++stack) {
    auto& who = state_of(static_cast<int>(stack));
    if (who.doing == activity::finished || who.context == nullptr) continue;
    who.doing = activity::finished;
    ++mine.finished;
  }
  if (me.doing != activity::finished) {  // it had never left its stack before
    me.doing = activity::finished;
    ++mine.finished;
  }
}

// --- errands ---

void fibers::run_on_worker_stack(std::function<void()> const& errand) {
  auto* const mine = running_worker;
  if (mine == nullptr) return errand();
  auto& me = *mine->current;
  mine->errand = &errand;
  mine->asker = &me;
  save_exceptions(*mine, me);
  mine->owner.jump(*mine, nullptr, &me.context, &me.more->fake_stack);
}

void fibers::run_errand(worker& mine) {
  auto& asker = *std::exchange(mine.asker, nullptr);
  auto const& errand = *std::exchange(mine.errand, nullptr);
  running_worker = nullptr;
  bool const outer = std::exchange(on_errand, true);
  errand();
  on_errand = outer;
  running_worker = &mine;
  resume(mine, asker);
}

}  // namespace lockstep::detail
