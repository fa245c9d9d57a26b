#include "engine/runtime.hpp"

#include <cxxabi.h>
#include <sys/mman.h>

#include <algorithm>
#include <cstdlib>
#include <new>
#include <numeric>
#include <ranges>

#include <lockstep/assert.hpp>
#include <lockstep/detail/part_network.hpp>

#include "engine/messages/words_of_elements.hpp"
#include "engine/scheduling/deadlock_report.hpp"
#include "machine/checked_topology.hpp"

namespace lockstep::detail {

namespace {

/// Writes the first places, each once.
std::string text_of_places(std::vector<call_place> const& places) {
  constexpr std::size_t most = 3;
  std::vector<std::string> texts;
  for (auto const& one : places) {
    auto text = place_text(one);
    if (std::ranges::find(texts, text) == texts.end()) texts.push_back(std::move(text));
  }
  auto const more = texts.size() - std::min(texts.size(), most);
  texts.resize(texts.size() - more);
  return fmt::format("{}{}", fmt::join(texts, ", "),
                     more == 0 ? "" : fmt::format(" and {} more lines", more));
}

/// A channel in which messages were left.
struct channel_left {
  std::vector<message const*> messages;
  std::vector<call_place> received_at;  ///< those before them
  std::uint64_t received_until;         ///< the last step in which they are known; 0: all are
  int to;
  call_place called;  ///< by the receiver, last
};

/// Writes what an error says of a channel: the lines of what was left and of what was not, and what the
/// receiver did last.
std::string channel_text(channel_left of) {
  std::ranges::sort(of.messages, {}, &message::stamp);
  std::vector<call_place> sent_at;
  for (auto const* const one : of.messages) sent_at.push_back(one->where);
  std::string received;
  if (!of.received_at.empty())
    received =
        fmt::format("received others of it at {}{}, and ", text_of_places(of.received_at),
                    of.received_until == 0 ? "" : fmt::format(" up to step {}", of.received_until));
  return fmt::format(
      "left in that channel: {} message{}, sent at {}; processor {} {}{}", of.messages.size(),
      of.messages.size() == 1 ? "" : "s", text_of_places(sent_at), of.to, received,
      of.called.in_program().line() == 0 ? "made no call"
                                         : "made its last call at " + place_text(of.called));
}

/// Programs that go on this often in all, after they were told to end, are abandoned.
constexpr unsigned most_swallowed = 200'000;

}  // namespace

std::string readable_name(payload_type const& type) {
  int status = 0;
  std::unique_ptr<char, void (*)(void*)> const name(
      abi::__cxa_demangle(type.id->name(), nullptr, nullptr, &status), std::free);
  return status == 0 ? name.get() : type.id->name();
}

void runtime::unmap_states::operator()(processor_state* states) const { ::munmap(states, bytes); }

runtime::mapped_states runtime::map_states(int processors, rank_range const& own) {
  auto const bytes = static_cast<std::size_t>(processors) * sizeof(processor_state);
  void* const memory = ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE,
                              MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED) throw std::bad_alloc();
  // Of the others few may be made, far apart.
  constexpr std::size_t page = 4'096;
  auto const begin = static_cast<std::size_t>(own.first) * sizeof(processor_state);
  auto const end = static_cast<std::size_t>(own.end) * sizeof(processor_state);
  auto const first_page = (begin + page - 1) / page * page;
  auto const end_page = own.end == processors ? end : end / page * page;
  if (first_page < end_page)
    ::madvise(static_cast<std::byte*>(memory) + first_page, end_page - first_page, MADV_HUGEPAGE);
  return {static_cast<processor_state*>(memory), unmap_states{bytes}};
}

namespace {

/// Messages that a run keeps for its reports.
constexpr std::uint64_t messages_kept = 8'192;
/// Passes with which a processor sends in one step, more than programs usually have.
constexpr std::uint64_t usual_passes = 16;

/// Computes the number of first steps all of whose messages are kept.
std::uint64_t steps_kept(topology const& network, ports each) {
  auto most = static_cast<std::uint64_t>(network.size());
  if (each == ports::all) most = static_cast<std::uint64_t>(network.links());
  if (each == ports::per_pass) most *= usual_passes;
  return messages_kept / std::max<std::uint64_t>(most, 1);
}

}  // namespace

rank_range own_share(int processors, machine_options const& options) {
  auto const* const all = options.cluster;
  if (all == nullptr) return {0, processors};
  return process_shares(processors, all->processes()).of(all->process());
}

runtime::runtime(std::shared_ptr<lockstep::topology const> network, machine_options const& options,
                 std::span<observer* const> observers, std::size_t workers)
    : m_adjacent_only(options.switching.value_or(network->default_switching()) ==
                      switching::neighbour),
      m_always_one_link(network->always_one_link()),
      m_links_shared(options.ports == ports::per_pass || (!m_adjacent_only && !m_always_one_link)),
      m_most_words((never / 2) / static_cast<std::uint64_t>(network->size())),
      m_sends_noted((m_links_shared && options.strict) || !observers.empty() || options.clocked),
      m_calls_noted(std::ranges::any_of(observers, &observer::wants_calls)),
      m_events_kept(options.clocked),
      m_work_noted(m_calls_noted || options.clocked || options.guarded),
      m_usual_options(options.ports == ports::one && !options.strict && options.packet == 1 &&
                      options.count == words::elements && !options.guarded && observers.empty() &&
                      !options.clocked),
      m_counters(*network, m_everybody, workers, options.ports == ports::per_pass, m_links_shared,
                 steps_kept(*network, options.ports), observers),
      m_network(std::move(network)),
      m_given(unchecked(m_network)),
      m_options(options),
      m_workers(workers),
      m_everybody(m_network),
      m_own(own_share(size(), options)),
      m_states(map_states(size(), m_own)),
      m_details(static_cast<std::size_t>(m_own.size())),
      m_is_known_elsewhere(m_own.size() < size() ? static_cast<std::size_t>(size()) : 0) {
  for (int rank = m_own.first; rank < m_own.end; ++rank)
    make_state(rank, m_details[static_cast<std::size_t>(rank - m_own.first)]);
  if (options.cluster != nullptr) {
    m_team = std::make_unique<process_team>(*options.cluster);
    m_counters.count_with(*m_team, m_own);
  }
  if (options.clocked) {
    m_counters.keep_events();
    m_everybody.note_arrivals();
  }
  if (!options.guarded) return;
  m_guarded = std::make_unique<guarded_memory>();
  m_guarded->pages = std::make_shared<private_pages>(size());
}

runtime::~runtime() {
  for_each_known([](processor_state& one) { one.~processor_state(); });
}

void runtime::make_state(int rank, processor_details& details) noexcept {
  auto* const state = ::new (&state_of(rank)) processor_state;
  state->owner = this;
  state->rank = rank;
  state->more = &details;
  state->words_left = details.rearranged_words_left = m_most_words;
}

void runtime::make_state_elsewhere(int rank) {
  auto& details = m_details_elsewhere.emplace_back();
  m_known_elsewhere.push_back(&state_of(rank));
  make_state(rank, details);
  m_is_known_elsewhere[static_cast<std::size_t>(rank)] = true;
}

void runtime::make_states_elsewhere() {
  for (int rank = 0; rank < size(); ++rank) static_cast<void>(known_state_of(rank));
}

group const& runtime::part_of(std::vector<int> members) {
  std::scoped_lock const lock(m_parts_guard);
  auto& part = m_parts[members];
  if (part == nullptr) {
    auto network = m_network->part(members);
    bool const is_known = dynamic_cast<complete_network const*>(network.get()) == nullptr ||
                          m_network->always_one_link();
    if (m_adjacent_only && !is_known)
      network = std::make_shared<part_network const>(*m_network, members);
    auto own_dimensions = m_network->dimensions_of_part(members);
    part =
        std::make_unique<group>(std::move(members), std::move(network), std::move(own_dimensions));
  }
  return *part;
}

run_record runtime::execute(erased_program program) {
  m_program = program;
  if (m_team != nullptr) m_team->begin(description());
  {
    private_pages::reopen_on_exit const all(m_guarded == nullptr ? nullptr : &*m_guarded->pages);
    run_processors();
  }
  auto const end = [this] { return m_failure_step == never ? never : m_failure_step + 1; };
  run_record record;
  bool calls_told = false;
  try {
    if (m_team != nullptr) share_failure();
    count_links(end());
    auto const last_told = m_failure_step;
    hand_over_work(never);
    m_counters.merge_steps(end(), last_told);
    if (m_guarded != nullptr) check_moved_payloads();
    if (m_failure == nullptr) {
      check_all_received();
      if (m_has_posts) check_all_delivered();
      if (m_team != nullptr) share_failure();
    }
    if (m_calls_noted) m_counters.tell_calls(last_told);
    calls_told = true;
    if (m_failure == nullptr) record = record_of_run();
  } catch (...) {  // an observer threw, or memory ran out
    if (m_failure == nullptr) note(std::current_exception(), 0, 0);
  }
  auto left_out = m_calls_noted ? m_counters.calls_left_out() : std::string();
  if (m_calls_noted && !calls_told && left_out.empty())
    left_out = "lacks what processors called and showed: an observer threw, or memory ran out";
  m_counters.tell_end({m_failure == nullptr ? &record : nullptr, m_failure, left_out});
  return record;
}

namespace {

std::uint64_t operations_of(processor_state const& of) {
  return of.more->work == nullptr ? 0 : of.more->work->operations;
}

}  // namespace

run_record runtime::record_of_run() {
  auto totals = m_counters.sum_up();
  std::vector<processor_record> processors;
  processors.reserve(static_cast<std::size_t>(m_own.size()));
  run_lengths lengths;
  auto const memories = std::make_shared<std::vector<held_memory>>();
  for (auto& one : own_states()) {
    processors.push_back(
        {words_sent(one), one.words_received, words_of_memory(one), operations_of(one)});
    lengths.makespan = std::max(lengths.makespan, one.free_step() - 1);
    if (one.more->work != nullptr) lengths.span = std::max(lengths.span, one.more->work->path);
    if (one.more->memory != nullptr) memories->push_back(std::move(one.more->memory));
  }
  if (m_team != nullptr) join_records(processors, lengths);
  for (auto const& one : processors)
    totals.total.memory = std::max(totals.total.memory, one.memory);
  if (m_order != nullptr) replay_order();
  auto const choices = m_order == nullptr ? 0 : m_order->choices();
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
          run_context{m_given,
                      m_options,
                      m_counters.steps_kept(),
                      std::make_shared<std::vector<kept_message> const>(std::move(totals.kept)),
                      memories,
                      {},
                      m_events_kept ? m_counters.take_events(m_given, m_options.ports) : nullptr,
                      lengths,
                      choices,
                      std::move(totals.labels)}};
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
      fmt::format("processor {}, after its call at {}, touched", me.rank, place_text(place_of(me)));
  if (auto const* const payload = m_guarded->touched_payload)
    return fmt::format(
        "{} a payload that processor {} had moved into the message of its step {}, "
        "at {}: what was moved away is the receiver's; send a copy, or do not "
        "keep pointers to it",
        since, payload->rank, payload->step, place_text(payload->where));
  return fmt::format(
      "{} what processor {} took from its own memory (processor::memory): the memory "
      "of processors is private; send what others need",
      since, m_guarded->touched_pages_of);
}

void runtime::check_moved_payloads() {
  for (auto const& [rank, step, where] : m_guarded->moved.give_back())
    note(
        std::make_exception_ptr(foreign_access(
            fmt::format("a payload that processor {} had moved into the message of its step {} "
                        "was written to afterwards: what was moved away is the receiver's; send "
                        "a copy, or do not keep pointers to it",
                        rank, step),
            incident{rank, step, phase_of_step(step), where.in_program(), {}, where.in_library()})),
        step, rank);
}

void runtime::run_program(processor_state& me) {
  try {
    auto handle = me.handle(size(), m_calls_noted);
    m_program.call(m_program.body, handle, me.rank);
    me.more->returned = !me.marks.ending();
  } catch (unwinding const&) {
  } catch (std::exception const& thrown) {
    if (me.marks.ending()) return;  // what follows from an earlier error is not one of its own
    note_safely(me, [&] {
      note_thrown(me,
                  fmt::format("the program threw \"{}\": a program ends by returning; the original "
                              "exception is nested",
                              thrown.what()));
    });
  } catch (...) {
    if (me.marks.ending()) return;
    note_safely(me, [&] { note_thrown(me, {}); });
  }
}

void runtime::note_thrown(processor_state const& me, std::string const& message) {
  auto failure = std::current_exception();
  try {
    throw;
  } catch (std::exception const&) {
    try {
      std::throw_with_nested(processor_failed(message, incident_of(me)));
    } catch (...) {
      failure = std::current_exception();
    }
  } catch (...) {  // not a std::exception: the way in which a test framework leaves a test case
  }
  note(std::move(failure), me.now, me.rank);
}

// --- errors ---

call_place runtime::place_of(processor_state const& me) const noexcept {
  if (!me.marks.in_library || me.where.is_inside()) return me.where;
  auto const& entry = me.inside->entry;
  return place_in(entry, find_place(entry, me.where.in_program()));
}

incident runtime::incident_of(processor_state const& me) const {
  auto const place = place_of(me);
  return {me.rank,
          me.now,
          me.more->phase == no_phase ? std::string() : m_counters.phase_name(me.more->phase),
          place.in_program(),
          {},
          place.in_library()};
}

void runtime::fail_by_topology(processor_state& me, error const& lie) {
  invalid_topology const failure(lie.message(), incident_of(me));
  auto const* const outer = dynamic_cast<std::nested_exception const*>(&lie);
  if (outer == nullptr) fail<invalid_topology>(me, lie.message());
  try {
    outer->rethrow_nested();
  } catch (...) {
    try {
      std::throw_with_nested(failure);
    } catch (invalid_topology const&) {
      note(std::current_exception(), me.now, me.rank);
      me.marks.end();
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
  m_failure_elsewhere = false;
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
  me.marks.end();
  if (++me.more->swallowed > 1'000 + most_swallowed / static_cast<unsigned>(size())) abandon(me);
  throw unwinding();
}

void runtime::end_everybody() {
  static_cast<void>(take_counted());  // names of their calls end with them
  for_each_known([this](processor_state& one) {
    if (one.doing == activity::finished) return;
    one.marks.end();
    one.lends = false;  // nobody receives any more
    if (one.doing != activity::running) go_on(one);
  });
}

void runtime::check_all_received() {
  struct left_message {
    message const* of;
    int to;

    [[nodiscard]] auto key() const { return std::tuple(of->stamp, of->from, to, of->pass); }
    bool operator<(left_message const& other) const { return key() < other.key(); }
  };
  std::vector<left_message> left;
  for_each_in_flight([&](message const& one, int to) { left.push_back({&one, to}); });
  std::deque<message_elsewhere> elsewhere;
  if (m_team != nullptr) elsewhere = left_elsewhere();
  for (auto const& one : elsewhere) left.push_back({&one.of, one.to});
  if (left.empty()) return;
  see_all();
  auto const first = left.begin();
  auto const end = first + static_cast<std::ptrdiff_t>(std::min(left.size(), most_detailed));
  std::partial_sort(first, end, left.end());
  auto const* const oldest = first->of;
  int const oldest_to = first->to;
  std::vector<message const*> same;  // of that channel
  for (auto const& other : left)
    if (other.to == oldest_to && other.of->from == oldest->from && other.of->pass == oldest->pass)
      same.push_back(other.of);
  auto const& receiver = state_of(oldest_to);
  auto const known_until = m_counters.steps_kept();
  auto details = std::make_shared<failure_details>();
  for (auto at = first; at != end; ++at) details->messages.push_back(message_left(*at->of, at->to));
  incident const at{oldest->from,
                    oldest->stamp,
                    phase_of_step(oldest->stamp),
                    oldest->where.in_program(),
                    std::move(details),
                    oldest->where.in_library()};
  note(std::make_exception_ptr(unreceived_message(
           fmt::format("the message of {} elements that processor {} sent to "
                       "processor {} in step {}{} was still in its "
                       "channel when the run ended: every message has to be "
                       "received; receive it, or do not send it ({})",
                       oldest->count, oldest->from, oldest_to, oldest->stamp,
                       text_of_channel(oldest->pass),
                       channel_text({std::move(same),
                                     calls_that_received(oldest->from, oldest_to, oldest->pass),
                                     receiver.now <= known_until + 1 ? 0 : known_until, oldest_to,
                                     place_of(receiver)})),
           at)),
       oldest->stamp, oldest->from);
}

std::string runtime::text_of_channel(std::uint8_t pass) const {
  if (pass == 0) return {};
  return fmt::format(" {} {}", m_options.ports == ports::per_pass ? "in pass" : "with tag", pass);
}

/// Lists the calls in which the messages of a channel were received, as far as that was kept.
std::vector<call_place> runtime::calls_that_received(int from, int to, std::uint8_t pass) {
  auto calls = m_counters.calls_that_received(from, to, pass);
  if (m_team != nullptr) join_calls(calls);
  return calls;
}

/// Describes a message that was left in its channel.
failed_message runtime::message_left(message const& left, int to) const {
  auto const each = m_options.packet;
  auto const unpacked = words_of_elements(*left.type, left.count, m_options.count);
  auto const words = (unpacked + each - 1) / each * each;
  return {left.from,
          to,
          words,
          left.stamp,
          route_of({left.stamp, 1, {}, words, left.from, to, left.hops, left.way, 0}),
          left.where.in_program(),
          left.where.in_library()};
}

std::string runtime::phase_of_step(std::uint64_t step) const {
  auto const phase = m_counters.phase_index_at(step);
  return phase == no_phase ? std::string() : m_counters.phase_name(phase);
}

}  // namespace lockstep::detail
