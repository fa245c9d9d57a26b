#include "engine/runtime.hpp"

#include <cxxabi.h>
#include <sys/mman.h>

#include <algorithm>
#include <cstdlib>
#include <new>
#include <numeric>
#include <ranges>
#include <unordered_map>

#include <lockstep/assert.hpp>

#include "engine/tuning.hpp"
#include "machine/checked_topology.hpp"

namespace lockstep::detail {

namespace {

/// Programs that go on this often, all together, after they were told to end are abandoned.
constexpr unsigned most_swallowed = 200'000;

/// Barriers of a group, or one-sided rounds, in a row in which no step passes.
constexpr std::uint64_t most_idle_times = 1'000'000;

/// Waiting processors that a report names.
constexpr std::size_t most_named = 10;

std::string place(std::source_location const& where) {
  return fmt::format("{}:{}", where.file_name(), where.line());
}

std::string_view name_of(barrier_kind kind) {
  switch (kind) {
    case barrier_kind::plain:
      return "barrier";
    case barrier_kind::phase:
      return "phase";
    case barrier_kind::begin_pipelined:
      return "the beginning of pipelined";
    case barrier_kind::end_pipelined:
      return "the end of pipelined";
  }
  return "barrier";
}

std::string barrier_text(processor_state const& who) {
  if (who.more->barrier_is == barrier_kind::phase)
    return fmt::format("phase(\"{}\")", who.more->barrier_name);
  return std::string(name_of(who.more->barrier_is));
}

/// Those who wait in one barrier.
struct barrier_meeting {
  int members = 0;
  std::uint64_t last = 0;  ///< the latest of their clocks

  void add(std::uint64_t now) {
    ++members;
    last = std::max(last, now);
  }
};

bool least_first(processor_state const* left, processor_state const* right) {
  return std::tie(left->now, left->rank) < std::tie(right->now, right->rank);
}

}  // namespace

std::string readable_name(payload_type const& type) {
  int status = 0;
  std::unique_ptr<char, void (*)(void*)> const name(
      abi::__cxa_demangle(type.id->name(), nullptr, nullptr, &status), std::free);
  return status == 0 ? name.get() : type.id->name();
}

void runtime::unmap_states::operator()(processor_state* states) const { ::munmap(states, bytes); }

runtime::mapped_states runtime::map_states(int processors) {
  auto const bytes = static_cast<std::size_t>(processors) * sizeof(processor_state);
  void* const memory = ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE,
                              MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED) throw std::bad_alloc();
  ::madvise(memory, bytes, MADV_HUGEPAGE);
  return {static_cast<processor_state*>(memory), unmap_states{bytes}};
}

namespace {

/// Messages that a run keeps, for who asks what went wrong.
constexpr std::uint64_t messages_kept = 8'192;
/// Passes with which a processor sends in one step: more than any program has.
constexpr std::uint64_t usual_passes = 16;

/// The first steps, all of whose messages are kept.
std::uint64_t steps_kept(topology const& network, ports each) {
  auto most = static_cast<std::uint64_t>(network.size());
  if (each == ports::all) most = static_cast<std::uint64_t>(network.links());
  if (each == ports::per_pass) most *= usual_passes;
  return messages_kept / std::max<std::uint64_t>(most, 1);
}

}  // namespace

runtime::runtime(std::shared_ptr<lockstep::topology const> network, machine_options const& options,
                 std::span<observer* const> observers, std::size_t workers)
    : m_adjacent_only(options.switching.value_or(network->default_switching()) ==
                      switching::neighbour),
      m_always_one_link(network->always_one_link()),
      m_links_shared(options.ports == ports::per_pass || (!m_adjacent_only && !m_always_one_link)),
      m_most_words((never / 2) / static_cast<std::uint64_t>(network->size())),
      m_sends_noted((m_links_shared && options.strict) || !observers.empty()),
      m_counters(*network, m_everybody, workers, options.ports == ports::per_pass,
                 steps_kept(*network, options.ports), observers),
      m_network(std::move(network)),
      m_given(unchecked(m_network)),
      m_options(options),
      m_workers(workers),
      m_everybody(m_network),
      m_states(map_states(size())),
      m_details(static_cast<std::size_t>(size())) {
  for (int rank = 0; rank < size(); ++rank) {
    auto* const state = ::new (&state_of(rank)) processor_state;
    state->owner = this;
    state->rank = rank;
    state->more = &m_details[static_cast<std::size_t>(rank)];
    state->words_left = state->more->rearranged_words_left = m_most_words;
  }
  if (!options.guarded) return;
  m_guarded = std::make_unique<guarded_memory>();
  m_guarded->pages = std::make_shared<private_pages>(size());
}

runtime::~runtime() {
  for (int rank = 0; rank < size(); ++rank) state_of(rank).~processor_state();
}

group const& runtime::part_of(std::vector<int> members) {
  std::scoped_lock const lock(m_parts_guard);
  auto& part = m_parts[members];
  if (part == nullptr) {
    auto network = m_network->part(members);
    auto own_dimensions = m_network->dimensions_of_part(members);
    part =
        std::make_unique<group>(std::move(members), std::move(network), std::move(own_dimensions));
  }
  return *part;
}

run_record runtime::execute(erased_program program) {
  m_program = program;
  {
    private_pages::reopen_on_exit const all(m_guarded == nullptr ? nullptr : &*m_guarded->pages);
    run_processors();
  }
  auto const end = [this] { return m_failure_step == never ? never : m_failure_step + 1; };
  try {
    count_links(end());
    m_counters.merge_steps(end(), m_failure_step);
  } catch (...) {
    note(std::current_exception(), 0, 0);
    throw;
  }
  if (m_guarded != nullptr) check_moved_payloads();
  if (m_failure == nullptr) check_all_received();
  if (m_failure != nullptr) std::rethrow_exception(m_failure);
  return record_of_run();
}

run_record runtime::record_of_run() {
  auto totals = m_counters.sum_up();
  std::vector<processor_record> processors;
  processors.reserve(static_cast<std::size_t>(size()));
  auto const memories = std::make_shared<std::vector<held_memory>>();
  for (auto& one : states()) {
    processors.push_back({words_sent(one), one.words_received, words_of_memory(one)});
    totals.total.memory = std::max(totals.total.memory, processors.back().memory);
    if (one.more->memory != nullptr) memories->push_back(std::move(one.more->memory));
  }
  [[maybe_unused]] auto const sum = [&](auto const& of_processor) {
    return std::transform_reduce(processors.begin(), processors.end(), std::uint64_t{0},
                                 std::plus<>(), of_processor);
  };
  LOCKSTEP_ASSERT(light, sum([](auto const& of) { return of.words_sent; }) == totals.total.volume);
  LOCKSTEP_ASSERT(light,
                  sum([](auto const& of) { return of.words_received; }) == totals.total.volume);
  LOCKSTEP_ASSERT(light, std::ranges::all_of(totals.steps.stretches(), [](auto const& of) {
                    return of.first.contention <= of.first.messages &&
                           of.first.largest <= of.first.volume;
                  }));
  return {totals.total, std::move(totals.phases), std::move(totals.steps), std::move(processors),
          run_context{m_given, m_options, m_counters.steps_kept(),
                      std::make_shared<std::vector<kept_message> const>(std::move(totals.kept)),
                      memories}};
}

// --- private memory ---

processor_memory& runtime::memory_of(processor_state& me) const {
  auto& held = me.more->memory;
  if (held == nullptr) {
    std::shared_ptr<std::pmr::memory_resource> const heap(std::shared_ptr<void>(),
                                                          std::pmr::new_delete_resource());
    held.reset(
        new processor_memory(m_guarded == nullptr ? heap : m_guarded->pages->resource_of(me.rank)));
  }
  return *held;
}

std::uint64_t runtime::words_of_memory(processor_state const& of) const {
  if (of.more->memory == nullptr) return 0;
  auto const word = m_options.word_bytes;
  auto const bytes = of.more->memory->peak_bytes();
  return bytes / word + (bytes % word > 0 ? 1 : 0);
}

std::string runtime::touch_text(processor_state const& me) const {
  auto const since =
      fmt::format("processor {}, after its call at {}, touched", me.rank, place(me.where));
  if (auto const* const payload = m_guarded->touched_payload)
    return fmt::format(
        "{} a payload that processor {} had moved into the message of its step {}, "
        "at {}: what was moved away is the receiver's; send a copy, or do not "
        "keep pointers to it",
        since, payload->rank, payload->step, place(payload->where));
  return fmt::format(
      "{} what processor {} took from its own memory (processor::memory): the memory "
      "of processors is private; send what others need",
      since, m_guarded->touched_pages_of);
}

void runtime::check_moved_payloads() {
  for (auto const& [rank, step, where] : m_guarded->moved.give_back())
    note(std::make_exception_ptr(foreign_access(
             fmt::format("a payload that processor {} had moved into the message of its step {} "
                         "was written to afterwards: what was moved away is the receiver's; send "
                         "a copy, or do not keep pointers to it",
                         rank, step),
             incident{rank, step, phase_of_step(step), where})),
         step, rank);
}

void runtime::run_program(processor_state& me) {
  try {
    auto handle = me.handle(size());
    m_program.call(m_program.body, handle, me.rank);
    me.more->returned = !me.ending;
  } catch (unwinding const&) {
  } catch (std::exception const& thrown) {
    if (me.ending) return;  // what follows from an earlier error is not one of its own
    note_thrown(me, me.where,
                fmt::format("the program threw \"{}\": a program ends by returning; the original "
                            "exception is nested",
                            thrown.what()));
  } catch (...) {
    if (!me.ending) note_thrown(me, me.where, {});
  }
}

void runtime::note_thrown(processor_state const& me, std::source_location where,
                          std::string const& message) {
  auto failure = std::current_exception();
  try {
    throw;
  } catch (std::exception const&) {
    try {
      std::throw_with_nested(processor_failed(message, incident_of(me, where)));
    } catch (...) {
      failure = std::current_exception();
    }
  } catch (...) {  // a test framework's way out of its test case: nobody but it knows what it means
  }
  note(std::move(failure), me.now, me.rank);
}

// --- errors ---

incident runtime::incident_of(processor_state const& me, std::source_location where) const {
  return {me.rank, me.now,
          me.more->phase == no_phase ? std::string() : m_counters.phase_name(me.more->phase),
          where};
}

void runtime::fail_by_topology(processor_state& me, std::source_location where, error const& lie) {
  invalid_topology const failure(lie.message(), incident_of(me, where));
  auto const* const outer = dynamic_cast<std::nested_exception const*>(&lie);
  if (outer == nullptr) fail<invalid_topology>(me, where, lie.message());
  try {
    outer->rethrow_nested();
  } catch (...) {
    try {
      std::throw_with_nested(failure);
    } catch (invalid_topology const&) {
      note(std::current_exception(), me.now, me.rank);
      me.ending = true;
      throw;
    }
  }
}

void runtime::note(std::exception_ptr failure, std::uint64_t step, int rank) {
  std::scoped_lock const lock(m_failure_guard);
  if (m_failure != nullptr && std::tie(m_failure_step, m_failure_rank) <= std::tie(step, rank))
    return;
  m_failure = std::move(failure);
  m_failure_step = step;
  m_failure_rank = rank;
  if (!m_beyond_failure) m_stop_after.store(step, std::memory_order_relaxed);
}

std::uint64_t runtime::failed_step() {
  std::scoped_lock const lock(m_failure_guard);
  return m_failure_step;
}

void runtime::throw_used_by_other_program(processor_state const& me) {
  throw invalid_argument(
      fmt::format("processor {} of {} was used while another program runs: a program talks through "
                  "the processor that it was called with",
                  me.rank, me.owner->network().spec()));
}

bool runtime::end(processor_state& me) {
  me.ending = true;
  if (++me.more->swallowed > 1'000 + most_swallowed / static_cast<unsigned>(size())) abandon(me);
  throw unwinding();
}

void runtime::end_everybody() {
  for (int rank = 0; rank < size(); ++rank) {
    auto& who = state_of(rank);
    if (who.doing == activity::finished) continue;
    who.ending = true;
    if (who.doing != activity::running) go_on(who);
  }
}

void runtime::check_all_received() {
  message const* oldest = nullptr;
  int oldest_to = 0;
  for_each_in_flight([&](message const& left, int to) {
    auto const key = [](message const& of, int to_rank) {
      return std::tuple(of.stamp, of.from, to_rank);
    };
    if (oldest != nullptr && key(*oldest, oldest_to) <= key(left, to)) return;
    oldest = &left;
    oldest_to = to;
  });
  if (oldest == nullptr) return;
  incident const at{oldest->from, oldest->stamp, phase_of_step(oldest->stamp), oldest->where};
  note(std::make_exception_ptr(
           unreceived_message(fmt::format("the message of {} elements that processor {} sent to "
                                          "processor {} in step {} was still in its "
                                          "channel when the run ended: every message has to be "
                                          "received; receive it, or do not send it",
                                          oldest->count, oldest->from, oldest_to, oldest->stamp),
                              at)),
       oldest->stamp, oldest->from);
}

std::string runtime::phase_of_step(std::uint64_t step) const {
  auto const phase = m_counters.phase_index_at(step);
  return phase == no_phase ? std::string() : m_counters.phase_name(phase);
}

std::string runtime::route_text(link_use const& of) const {
  auto const stops = of.way.by_topology() ? m_network->route(of.from, of.to)
                                          : m_network->route(of.from, of.way.to_along(of.hops));
  std::string text = std::to_string(of.from);
  for (int const stop : stops) text += fmt::format(" -> {}", stop);
  return text;
}

void runtime::note_conflicts(std::vector<link_conflict> const& conflicts) {
  for (auto const& [earlier, later, shared] : conflicts) {
    if (later.step > failed_step()) continue;
    auto const link = m_network->link_at(shared);
    note(std::make_exception_ptr(link_contention(
             fmt::format("in step {} two messages took the link {} -> {}, one on the route {} and "
                         "one on the route {}: a "
                         "link of a strict machine carries one message in a step; let one of them "
                         "be sent in another "
                         "step, or run without strict",
                         later.step, link.from, link.to, route_text(earlier), route_text(later)),
             incident{later.from, later.step, phase_of_step(later.step), later.where})),
         later.step, later.from);
  }
}

// --- when nobody can go on ---

bool runtime::resolve_blocked(std::span<std::vector<processor_state*>* const> arrived) {
  std::vector<group*> complete;
  for (auto* const list : arrived) {
    for (auto* const who : *list) {
      if (who->doing == activity::in_one_sided_round) {
        m_one_sided.push_back(who);
      } else {
        auto& waiting = who->more->barrier_group->waiting;
        waiting.push_back(who);
        if (static_cast<int>(waiting.size()) == who->more->barrier_group->size())
          complete.push_back(who->more->barrier_group);
      }
    }
    list->clear();
  }
  bool goes_on = false;
  for (auto* const group : complete) goes_on = release_barrier(*group) || goes_on;
  if (goes_on) return true;
  if (all_finished()) return false;
  if (m_failure == nullptr) note_contention();
  if (m_failure != nullptr) return go_on_after_failure();
  if (!m_one_sided.empty()) {
    serve_round();
    return true;
  }
  diagnose();
  end_everybody();
  return true;
}

/// Nobody can go on before the step that failed is over. A message that a one-sided call asked for
/// belongs to the step of its sender's clock, and is not known before its owner takes part, which
/// may be in any later step: as long as such a call waits, everybody goes on.
bool runtime::go_on_after_failure() {
  std::erase_if(m_one_sided,
                [](auto const* who) { return who->doing != activity::in_one_sided_round; });
  bool const may_matter = std::ranges::any_of(
      m_one_sided, [this](auto const* who) { return who->now <= m_failure_step; });
  if (may_matter) {
    if (!resume_stopped()) serve_round();
    return true;
  }
  m_one_sided.clear();
  end_everybody();
  return true;
}

/// Lets those go on that the failure stopped, and nobody stop again. False: nobody was stopped.
bool runtime::resume_stopped() {
  m_beyond_failure = true;
  m_stop_after.store(never - 1, std::memory_order_relaxed);
  bool any = false;
  for (auto& who : states()) {
    if (who.doing != activity::stopped) continue;
    go_on(who);
    any = true;
  }
  return any;
}

/// Finds the link contention of a strict machine in all that was sent until now: whether the run has
/// failed does not depend on how often the steps that are over were counted.
void runtime::note_contention() {
  if (!m_options.strict || !m_links_shared) return;
  count_links(first_open_step());  // so that nothing is looked at again and again
  std::vector<link_conflict> conflicts;
  m_counters.find_conflicts(conflicts);
  note_conflicts(conflicts);
}

bool runtime::same_barrier(group const& complete) {
  auto const same = [](processor_state const* left, processor_state const* right) {
    return left->more->barrier_is == right->more->barrier_is &&
           left->more->barrier_name == right->more->barrier_name;
  };
  auto const* const some = complete.waiting.front();
  if (std::all_of(complete.waiting.begin(), complete.waiting.end(),
                  [&](auto* who) { return same(who, some); }))
    return true;
  auto& first = state_of(complete.on_machine(0));
  std::uint64_t met = 0;
  for (auto const* who : complete.waiting) met = std::max(met, who->now);
  for (int rank = 1; rank < complete.size(); ++rank) {
    auto& other = state_of(complete.on_machine(rank));
    if (same(&first, &other)) continue;
    note_failure<barrier_mismatch>(
        other, other.where,
        fmt::format("processor {} is in {} and processor {} in {} (at {}): all members of a "
                    "barrier have to mean the "
                    "same one; let them make the same calls in the same order",
                    other.rank, barrier_text(other), first.rank, barrier_text(first),
                    place(first.where)),
        met);
    break;
  }
  return false;
}

bool runtime::release_barrier(group& complete) {
  if (!same_barrier(complete)) {
    complete.waiting.clear();  // the members stay where they are until the run ends
    return false;
  }
  std::uint64_t step = 0;
  for (auto const* who : complete.waiting)
    step = std::max(step, who->last_sent == who->now ? who->now + 1 : who->now);
  auto const& some = *complete.waiting.front();
  LOCKSTEP_ASSERT(light, step >= complete.released);
  complete.idle_releases = step == complete.released ? complete.idle_releases + 1 : 0;
  bool const stuck = no_progress(complete.waiting, complete.idle_releases);
  complete.released = step;
  if (some.more->barrier_is == barrier_kind::phase && complete.whole())
    m_counters.begin_phase(some.more->barrier_name, step, in_flight());
  if (some.more->barrier_is == barrier_kind::begin_pipelined)
    complete.run = m_counters.begin_run(complete, step);
  if (some.more->barrier_is == barrier_kind::end_pipelined)
    run_counters::end_run(*std::exchange(complete.run, nullptr), step, in_flight());
  // The fibers engine lets the last first; in the order of ranks, memory is used in the order in
  // which it lies.
  for (auto* const who : std::views::reverse(complete.waiting)) {
    who->ending = who->ending || stuck;
    go_on_from_barrier(*who);
  }
  complete.waiting.clear();
  return true;
}

bool runtime::no_progress(std::span<processor_state* const> waiting, std::uint64_t idle_times) {
  if (idle_times < most_idle_times) return false;
  auto const& least = **std::ranges::min_element(waiting, {}, &processor_state::rank);
  note_failure<step_limit>(
      least, least.where,
      fmt::format(
          "{} barriers or one-sided rounds in a row in which no step passed: such a program "
          "never ends; let it send or idle, or return",
          idle_times));
  return true;
}

void runtime::go_on(processor_state& who) {
  if (who.doing == activity::finished) return;  // it was abandoned
  who.doing = activity::running;
  wake(who);
}

bool runtime::in_flight() const {
  std::uint64_t sent = 0;
  std::uint64_t received = 0;
  for (int rank = 0; rank < size(); ++rank) {
    sent += words_sent(state_of(rank));
    received += state_of(rank).words_received;
  }
  return sent != received;
}

void runtime::go_on_from_barrier(processor_state& member) {
  auto const& of = *member.more->barrier_group;
  member.now = of.released;
  if (member.more->barrier_is == barrier_kind::phase && of.whole()) {
    member.more->phase = m_counters.phase_count() - 1;
    member.more->phase_rearrangements = 0;
  }
  if (member.more->barrier_is == barrier_kind::begin_pipelined ||
      member.more->barrier_is == barrier_kind::end_pipelined) {
    member.more->run = of.run;
    member.more->settled_before = of.released;
  }
  go_on(member);
}

// --- one-sided rounds ---

void runtime::serve_round() {
  auto round = std::exchange(m_one_sided, {});
  std::sort(round.begin(), round.end(),
            [](auto* left, auto* right) { return left->rank < right->rank; });
  std::uint64_t steps = 0;
  for (auto const* who : round) steps += who->now;
  m_idle_rounds = steps == m_round_steps ? m_idle_rounds + 1 : 0;
  m_round_steps = steps;
  bool const stuck = no_progress(round, m_idle_rounds);
  bool const failed_before = failed();
  for (auto const kind : {one_sided_request::kind::read, one_sided_request::kind::write})
    for (auto* const who : round)
      if (who->more->request->what == kind) serve(*who, failed_before);
  for (auto* const who : round) {
    who->ending = who->ending || stuck;
    go_on(*who);
  }
}

bool runtime::may_serve(processor_state const& asker, processor_state const& owner,
                        bool failed_before) {
  auto const& request = *asker.more->request;
  bool const reads = request.what == one_sided_request::kind::read;
  // What is wrong shows when both are there.
  auto const met = std::max(asker.now, owner.now);
  if (owner.doing != activity::in_one_sided_round || owner.more->request == nullptr) {
    // Where the run has failed it may be for that reason that the owner is not there.
    if (!failed_before || owner.more->returned)
      note_failure<barrier_mismatch>(
          asker, asker.where,
          fmt::format("processor {} wanted to {} processor {}, which takes no part in this round: "
                      "one-sided calls are collective; let the owner read, write or serve in the "
                      "same round",
                      asker.rank, reads ? "read from" : "write to", owner.rank));
    return false;
  }
  auto const& memory = owner.more->request->mine;
  if (*memory.type->id != *request.asked.type->id) {
    note_failure<type_mismatch>(
        asker, asker.where,
        fmt::format("wanted elements of type {} from processor {}, whose memory holds {}",
                    readable_name(*request.asked.type), owner.rank, readable_name(*memory.type)),
        met);
    return false;
  }
  if (request.offset > memory.count || request.asked.count > memory.count - request.offset) {
    note_failure<size_mismatch>(
        asker, asker.where,
        fmt::format("asked for {} elements from element {} on of processor {}, which gives {} in "
                    "this round",
                    request.asked.count, request.offset, owner.rank, memory.count),
        met);
    return false;
  }
  if (!reads && !owner.more->request->writable) {
    note_failure<invalid_argument>(
        asker, asker.where,
        fmt::format("wanted to write to processor {}, which lets others read only in this round",
                    owner.rank),
        met);
    return false;
  }
  return true;
}

void runtime::serve(processor_state& asker, bool failed_before) {
  auto const& request = *asker.more->request;
  auto& owner = state_of(request.owner);
  if (!may_serve(asker, owner, failed_before)) {
    asker.ending = true;
    return;
  }
  try {
    if (request.what == one_sided_request::kind::read) {
      auto const& memory = owner.more->request->mine;
      auto const* const first = memory.data + request.offset * memory.type->size;
      deliver_from(owner, asker.rank, {first, request.asked.count, request.asked.type},
                   request.hops);
    } else {
      deliver_from(asker, owner.rank, request.asked, request.hops);
      owner.more->request->incoming.push_back({asker.rank, request.offset, request.asked.count});
    }
  } catch (error const&) {
    asker.ending = true;  // the error was noted
  }
}

// --- deadlock ---

void runtime::diagnose() {
  std::vector<processor_state const*> waiting;
  for (int rank = 0; rank < size(); ++rank)
    if (state_of(rank).doing != activity::finished) waiting.push_back(&state_of(rank));
  auto const in_barrier = [](auto const* who) { return who->doing == activity::in_barrier; };
  if (std::all_of(waiting.begin(), waiting.end(), in_barrier)) return diagnose_barriers(waiting);

  std::string report = "nobody can go on, every message that is waited for was never sent:";
  for (std::size_t at = 0; at < std::min(waiting.size(), most_named); ++at)
    report += fmt::format("\n  {}", what_it_waits_for(*waiting[at]));
  if (waiting.size() > most_named)
    report += fmt::format("\n  and {} more", waiting.size() - most_named);
  if (auto const cycle = cycle_among(waiting); !cycle.empty()) report += "\n  in a cycle: " + cycle;
  report += "\nlet one of them send before it receives, or leave out a receive that nobody serves";
  auto const& least = **std::min_element(waiting.begin(), waiting.end(), least_first);
  note_failure<deadlock>(least, least.where, report);
}

void runtime::diagnose_barriers(std::vector<processor_state const*> const& waiting) {
  auto const& least = **std::min_element(waiting.begin(), waiting.end(), least_first);
  auto const& of = *least.more->barrier_group;
  std::string missing;
  std::size_t named = 0;
  std::size_t others = 0;
  for (int rank = 0; rank < of.size(); ++rank) {
    auto const& member = state_of(of.on_machine(rank));
    if (member.doing == activity::in_barrier && member.more->barrier_group == &of) continue;
    if (named++ < most_named)
      missing += fmt::format(
          "{}processor {} ({})", missing.empty() ? "" : ", ", member.rank,
          member.doing == activity::finished ? "which has finished" : what_it_waits_for(member));
    else
      ++others;
  }
  if (others > 0) missing += fmt::format(" and {} more", others);
  note_failure<barrier_mismatch>(
      least, least.where,
      fmt::format("{} of {} members wait in a barrier ({}) that others never reach: {}; let every "
                  "member make the call",
                  of.waiting.size(), of.size(), barrier_text(least), missing));
}

std::string runtime::what_it_waits_for(processor_state const& who) const {
  auto const since = fmt::format("since step {}, at {}", who.now, place(who.where));
  switch (who.doing) {
    case activity::receiving: {
      auto const finished =
          m_states[static_cast<std::size_t>(who.waiting_for)].doing == activity::finished;
      return fmt::format("processor {} waits for processor {}{} {}", who.rank, who.waiting_for,
                         finished ? " (which has finished)" : "", since);
    }
    case activity::in_barrier:
      return fmt::format("processor {} waits in {} {}", who.rank, barrier_text(who), since);
    case activity::in_one_sided_round:
      return fmt::format("processor {} waits in a one-sided round {}", who.rank, since);
    default:
      return fmt::format("processor {} has finished", who.rank);
  }
}

std::string runtime::cycle_among(std::vector<processor_state const*> const& waiting) const {
  std::vector<int> seen_from(static_cast<std::size_t>(m_everybody.size()), -1);
  for (auto const* start : waiting) {
    auto const* at = start;
    while (at->doing == activity::receiving && seen_from[static_cast<std::size_t>(at->rank)] < 0) {
      seen_from[static_cast<std::size_t>(at->rank)] = start->rank;
      at = &m_states[static_cast<std::size_t>(at->waiting_for)];
    }
    if (at->doing != activity::receiving ||
        seen_from[static_cast<std::size_t>(at->rank)] != start->rank)
      continue;
    std::string cycle = std::to_string(at->rank);
    auto const first = at->rank;
    std::size_t length = 0;
    do {
      at = &m_states[static_cast<std::size_t>(at->waiting_for)];
      if (++length < 2 * most_named || at->rank == first)
        cycle += fmt::format(" -> {}", at->rank);
      else if (length == 2 * most_named)
        cycle += " -> ...";
    } while (at->rank != first);
    return cycle;
  }
  return {};
}

// --- counting the steps that are over ---

void runtime::merge_finished_steps() {
  auto const open = first_open_step();
  count_links(open);
  // Of a run that has failed observers are told at its end, when it is known in which step.
  if (!failed() || !m_counters.observing()) m_counters.merge_steps(open);
  m_counters.put_off_merging();
  if (auto const bytes = m_counters.bytes_if_doubled(); bytes > 0) ask_for_memory(bytes, open);
}

/// The first step in which something may still come in.
std::uint64_t runtime::first_open_step() {
  std::uint64_t open = never - 1;
  for_each_in_flight([&](message const& under_way, int) {
    open = std::min<std::uint64_t>(open, under_way.stamp);
  });
  // Who waits goes on no earlier than somebody who does not. An error is another matter: what
  // observers are told, and whether a strict machine finds one in an earlier step, follows the
  // clocks.
  bool const by_clocks = m_options.strict || m_counters.observing();
  std::unordered_map<group const*, barrier_meeting> barriers;
  for (auto const& one : states()) {
    if (one.landed) open = std::min(open, one.landed_stamp);
    if (one.doing == activity::finished) continue;
    if (!by_clocks && one.doing == activity::receiving) continue;
    if (!by_clocks && one.doing == activity::in_barrier)
      barriers[one.more->barrier_group].add(one.now);
    else
      open = std::min(open, one.now);
  }
  for (auto const& [members, met] : barriers)
    if (met.members == members->size()) open = std::min(open, met.last);
  return open;
}

/// Ends the run where the system would if the counts took as much again.
void runtime::ask_for_memory(std::size_t bytes, std::uint64_t open) {
  auto const available = usual_tuning.available_memory();
  if (bytes <= available || failed()) return;
  processor_state const* last = nullptr;
  for (auto const& one : states())
    if (one.doing != activity::finished && (last == nullptr || least_first(&one, last)))
      last = &one;
  if (last == nullptr) return;
  note_failure<out_of_memory>(
      *last, last->where,
      fmt::format("the counts of the steps take {} MiB, and {} MiB are available; what comes in is "
                  "summed up as far as step {}, while processor {} is the last in step {}: let "
                  "processors run less far apart and take messages in sooner, or run fewer steps",
                  bytes >> 20, available >> 20, open - 1, last->rank, last->now));
}

void runtime::count_links(std::uint64_t step) {
  if (m_counters.routes_matter())
    for (auto& one : states()) end_row(m_counters.of_worker(0), one);
  std::vector<link_conflict> conflicts;
  m_counters.count_links(step, m_options.strict, conflicts);
  note_conflicts(conflicts);
}

}  // namespace lockstep::detail
