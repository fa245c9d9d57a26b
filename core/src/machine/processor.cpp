#include <lockstep/processor.hpp>

#include <algorithm>
#include <functional>
#include <limits>
#include <new>
#include <optional>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <lockstep/detail/idle_until.hpp>
#include <lockstep/detail/message_rules.hpp>
#include <lockstep/detail/untyped_calls.hpp>

#include "checked_topology.hpp"
#include "engine/processor_state.hpp"
#include "engine/runtime.hpp"

namespace lockstep {

namespace {

/// The largest offset of a shift, either way.
constexpr int way_limit = std::numeric_limits<int>::max();

/// Finds the rank on the machine, or gives no_rank; then `unknown` says what was asked for.
int on_machine(int rank, detail::group const* members, int size, detail::unknown_rank& unknown) {
  if (static_cast<unsigned>(rank) < static_cast<unsigned>(size)) [[likely]]
    return members == nullptr ? rank : members->on_machine(rank);
  unknown = {rank, size};
  return detail::no_rank;
}

/// Finds the way along the machine's own dimension that the group's dimension stands for.
int by_way(along way, detail::group const* members, detail::processor_state& me) {
  if (members != nullptr) {
    auto const& varying = members->varying();
    bool const there =
        way.dimension >= 0 && static_cast<std::size_t>(way.dimension) < varying.size();
    way.dimension = there ? varying[static_cast<std::size_t>(way.dimension)] : -1;
  }
  me.more->asked_way = way;
  return detail::by_way;
}

int target_of(destination const& to, detail::group const* members, int size,
              detail::processor_state& me) {
  if (to.by_way) [[unlikely]]
    return by_way(to.way, members, me);
  return on_machine(to.rank, members, size, me.more->asked_to);
}

/// Whether a destination is a rank of the machine, as it stands.
bool is_of_machine(destination const& to, detail::group const* members, int size) {
  return members == nullptr && !to.by_way &&
         static_cast<unsigned>(to.rank) < static_cast<unsigned>(size);
}

/// Gives memory as one-sided calls keep it; `one_sided_request::writable` says whether others may
/// write to it.
detail::receive_buffer read_only(detail::elements const& memory) {
  return {const_cast<std::byte*>(memory.data), memory.count,
          memory.type};  // NOLINT(cppcoreguidelines-pro-type-const-cast)
}

}  // namespace

namespace detail {

received_message::~received_message() {
  if (m_message != nullptr) m_taker->owner->release(*m_taker, m_message);
}

void* received_message::moved_vector() const {
  return m_message->kind == storage_kind::vector ? m_message->buffer.data : nullptr;
}

std::byte const* received_message::data() const { return m_message->elements(); }

std::size_t received_message::count() const { return m_message->count; }

message_rules message_rules_of(processor const& me) noexcept {
  auto const& owner = *processor_state::of(me).owner;
  return {owner.is_adjacent_only() ? switching::neighbour : switching::cut_through,
          owner.options().ports, owner.options().packet};
}

std::uint64_t idle_until(processor& me, std::uint64_t step, std::source_location where) {
  auto& state = processor_state::of(me);
  if (state.now < step) state.owner->idle(state, step - state.now, where);
  return state.now;
}

topology const& network_of_machine(processor const& me) noexcept {
  return processor_state::of(me).owner->given_network();
}

void lent_payload::wait() noexcept { m_lender->owner->wait_for_loan(*m_lender); }

}  // namespace detail

topology const& processor::topology() const noexcept {
  return m_group == nullptr ? m_state->owner->given_network() : m_group->topology();
}

lockstep::switching processor::switching() const noexcept {
  return m_state->owner->is_adjacent_only() ? lockstep::switching::neighbour
                                            : lockstep::switching::cut_through;
}

std::uint64_t processor::now() const noexcept { return m_state->now; }

// The calls of messages: engine/message_path.hpp says what each of them does.

void processor::send_elements(destination to, detail::elements const& values,
                              std::source_location where) {
  m_state->owner->send(*m_state, target_of(to, m_group, m_size, *m_state), values, where);
}

void processor::send_vector(destination to, void* vector, detail::payload_type const& type,
                            std::source_location where) {
  m_state->owner->send_vector(*m_state, target_of(to, m_group, m_size, *m_state), vector, type,
                              where);
}

detail::lent_payload processor::lend_long(destination to, detail::elements const& values, int from,
                                          std::source_location where) {
  if (!detail::runtime::is_long(values)) {
    send_elements(to, values, where);
    return detail::lent_payload(nullptr);
  }
  bool const lends = m_state->owner->send_lending(
      *m_state, target_of(to, m_group, m_size, *m_state), values,
      on_machine(from, m_group, m_size, m_state->more->asked_from), where);
  return detail::lent_payload(lends ? m_state : nullptr);
}

detail::received_message processor::take(int from, detail::payload_type const& type,
                                         std::size_t const* wanted, std::source_location where) {
  return {*m_state, m_state->owner->take(
                        *m_state, on_machine(from, m_group, m_size, m_state->more->asked_from),
                        type, wanted, where)};
}

void processor::take_into(int from, detail::receive_buffer const& in, std::source_location where) {
  m_state->owner->take_into(*m_state, on_machine(from, m_group, m_size, m_state->more->asked_from),
                            in, where);
}

void processor::exchange_elements(destination to, detail::elements const& out,
                                  detail::receive_buffer const& in, int from,
                                  std::source_location where) {
  // The usual call passes on what it was given, and needs no register for anything else.
  if (is_of_machine(to, m_group, m_size) && is_of_machine(from, m_group, m_size)) [[likely]]
    return m_state->owner->exchange(*m_state, to.rank, out, from, in, where);
  exchange_translated(to, out, in, from, where);
}

/// Exchanges where an end may be a rank of a subset, a way, or none at all.
[[gnu::noinline]] void processor::exchange_translated(destination to, detail::elements const& out,
                                                      detail::receive_buffer const& in, int from,
                                                      std::source_location where) {
  m_state->owner->exchange(*m_state, target_of(to, m_group, m_size, *m_state), out,
                           on_machine(from, m_group, m_size, m_state->more->asked_from), in, where);
}

void processor::idle(std::uint64_t steps, std::source_location where) {
  m_state->owner->idle(*m_state, steps, where);
}

void processor::barrier(std::source_location where) {
  m_state->owner->barrier(*m_state, members(), detail::barrier_kind::plain, {}, where);
}

void processor::phase(std::string_view name, std::source_location where) {
  m_state->owner->barrier(*m_state, members(), detail::barrier_kind::phase, name, where);
}

void processor::rearrange(std::uint64_t words, std::source_location where) {
  m_state->owner->rearrange(*m_state, words, where);
}

void processor::count_work(std::uint64_t operations, std::source_location where) {
  if (m_meter == nullptr) return count_first_work(operations, where);
  m_state->owner->count_work(*m_state, operations, where);
}

[[gnu::noinline]] void processor::count_first_work(std::uint64_t operations,
                                                   std::source_location where) {
  m_state->owner->count_work(*m_state, operations, where);
  if (auto const& counted = m_state->more->work; counted != nullptr) m_meter = &counted->meter;
}

void processor::refuse_work(std::int64_t operations, std::source_location where) {
  auto& owner = *m_state->owner;
  if (!owner.may_call(*m_state, where)) return;
  owner.fail<invalid_argument>(
      *m_state, fmt::format("work of {} operations: operations are counted, and a count is not "
                            "negative; give 0 or more",
                            operations));
}

bool processor::begin_computing(std::source_location where) {
  if (!m_state->owner->may_call(*m_state, where)) return false;
  m_state->marks.begin_computing();
  return true;
}

void processor::end_computing() noexcept { m_state->marks.end_computing(); }

void processor::begin_pipelined(std::source_location where) {
  auto& owner = *m_state->owner;
  if (!owner.may_call(*m_state, where)) return;
  if (m_state->more->in_pipelined) {
    owner.fail<invalid_argument>(
        *m_state,
        "pipelined inside pipelined: such runs of steps do not nest; leave out the inner one");
  }
  owner.barrier(*m_state, members(), detail::barrier_kind::begin_pipelined, {}, where);
  m_state->more->in_pipelined = true;
}

void processor::end_pipelined(std::source_location where) {
  m_state->owner->barrier(*m_state, members(), detail::barrier_kind::end_pipelined, {}, where);
  m_state->more->in_pipelined = false;
}

void processor::abandon_pipelined(std::source_location where) {
  if (m_state->marks.ending()) return;
  m_state->marks.end();
  auto& owner = *m_state->owner;
  m_state->where = where;
  owner.note_safely(*m_state, [&] {
    owner.note_thrown(*m_state,
                      "an exception left pipelined, whose end the other members wait for: catch it "
                      "inside; it is nested");
  });
}

// --- whoever comes first ---

detail::received_message processor::take_first(std::span<int const> const* among,
                                               detail::payload_type const& type, int& from,
                                               std::source_location where) {
  auto& owner = *m_state->owner;
  if (!owner.may_call(*m_state, where)) return {};
  std::vector<int> ranks;
  if (among != nullptr) {
    if (among->empty())
      owner.fail<invalid_argument>(
          *m_state,
          "receive_any among nobody waits for ever: name the ranks that may "
          "send, or none for all");
    for (int const rank : *among) {
      ranks.push_back(on_machine(rank, m_group, m_size, m_state->more->asked_from));
      if (ranks.back() == detail::no_rank || ranks.back() == m_state->rank)
        owner.fail<invalid_rank>(
            *m_state, fmt::format("receive_any among rank {}: ranks here are 0 to {}, without the "
                                  "processor's own, {}",
                                  rank, m_size - 1, m_rank));
    }
    std::sort(ranks.begin(), ranks.end());
  }
  auto* const taken = owner.take_any(*m_state, members(), ranks, type, where);
  if (taken != nullptr) from = m_group == nullptr ? taken->from : m_group->in_group(taken->from);
  return {*m_state, taken};
}

detail::received_message processor::try_take(int from, detail::payload_type const& type,
                                             std::source_location where) {
  return {*m_state,
          m_state->owner->try_take(
              *m_state, on_machine(from, m_group, m_size, m_state->more->asked_from), type, where)};
}

std::size_t processor::pending(int from, std::source_location where) {
  return m_state->owner->pending(
      *m_state, on_machine(from, m_group, m_size, m_state->more->asked_from), where);
}

// --- supersteps ---

void processor::post_elements(int to, detail::elements const& values, std::source_location where) {
  m_state->owner->post(*m_state, members(),
                       on_machine(to, m_group, m_size, m_state->more->asked_to), values, where);
}

std::span<detail::delivered_mail const> processor::begin_delivery(detail::payload_type const& type,
                                                                  deliver_options const& options,
                                                                  std::source_location where) {
  auto& owner = *m_state->owner;
  if (!owner.may_call(*m_state, where)) return {};
  if (m_state->more->in_pipelined)
    owner.fail<invalid_argument>(
        *m_state,
        "deliver inside pipelined: it begins and ends with a barrier and is "
        "a run of its own; call it before or after");
  auto& box = owner.mailbox_of(*m_state, members());
  m_state->more->irregular().mail = &box;
  if (options.announced && m_size > 1) {
    box.announce(m_rank);
    exchange_mail(detail::barrier_kind::announce, detail::payload_type_of<std::uint64_t>, where);
    end_pipelined(where);
    box.arriving.clear();
  }
  box.sort_posts(m_rank);
  exchange_mail(detail::barrier_kind::deliver, type, where);
  return box.list_delivered(m_rank);
}

void processor::exchange_mail(detail::barrier_kind begins, detail::payload_type const& type,
                              std::source_location where) {
  auto& owner = *m_state->owner;
  owner.barrier(*m_state, members(), begins, {}, where);
  m_state->more->in_pipelined = true;
  owner.exchange_mail(*m_state, m_rank, type);
}

void processor::end_delivery(std::source_location where) {
  end_pipelined(where);
  if (auto* const calls = m_state->more->irregular_calls.get();
      calls != nullptr && calls->mail != nullptr)
    calls->mail->clear();
}

processor_memory& processor::memory(std::source_location where) {
  auto& owner = *m_state->owner;
  static_cast<void>(owner.may_call(*m_state, where));
  return owner.memory_of(*m_state);
}

processor_memory& detail::untyped_calls::memory_of(processor const& me) {
  return me.m_state->owner->memory_of(*me.m_state);
}

void processor::pass(int number, std::source_location where) {
  auto& owner = *m_state->owner;
  if (!owner.may_call(*m_state, where)) return;
  constexpr int most = detail::most_passes - 1;
  if (number < 0 || number > most) {
    owner.fail<invalid_argument>(*m_state,
                                 fmt::format("pass {}: passes are numbered 0 to {}", number, most));
  }
  if (owner.options().ports == ports::per_pass) m_state->pass = static_cast<std::uint8_t>(number);
}

int processor::begin_tag(int tag, std::source_location where) {
  auto& owner = *m_state->owner;
  int const before = m_state->pass;
  if (!owner.may_call(*m_state, where)) return before;
  constexpr int most = detail::most_passes - 1;
  if (tag < 0 || tag > most)
    owner.fail<invalid_argument>(*m_state,
                                 fmt::format("tag {}: tags are numbered 0 to {}", tag, most));
  if (owner.options().ports == ports::per_pass)
    owner.fail<invalid_argument>(
        *m_state, fmt::format("tag {}: with ports::per_pass messages are kept apart by their "
                              "passes; call processor::pass",
                              tag));
  m_state->pass = static_cast<std::uint8_t>(tag);
  return before;
}

void processor::end_tag(detail::processor_state& of, int before) noexcept {
  of.pass = static_cast<std::uint8_t>(before);
}

processor processor::subset(std::span<int const> members, std::source_location where) {
  auto& owner = *m_state->owner;
  if (!owner.may_call(*m_state, where)) return {*m_state, m_group, m_rank, m_size, m_shown};
  std::vector<int> ranks;
  ranks.reserve(members.size());
  for (int const member : members) {
    auto const rank = on_machine(member, m_group, m_size, m_state->more->asked_to);
    if (rank == detail::no_rank)
      owner.fail<invalid_rank>(
          *m_state, fmt::format("subset with rank {}: ranks here are 0 to {}", member, m_size - 1));
    ranks.push_back(rank);
  }
  auto sorted = ranks;
  std::sort(sorted.begin(), sorted.end());
  if (auto const twice = std::adjacent_find(sorted.begin(), sorted.end()); twice != sorted.end())
    owner.fail<invalid_argument>(
        *m_state,
        fmt::format("subset that names processor {} twice: name each member once", *twice));
  if (!std::binary_search(sorted.begin(), sorted.end(), m_state->rank))
    owner.fail<invalid_argument>(
        *m_state,
        fmt::format("subset without processor {} itself: only members call subset", m_state->rank));
  try {
    auto const& part = owner.part_of(std::move(ranks));
    return {*m_state, &part, part.in_group(m_state->rank), part.size(), m_shown};
  } catch (error const& lie) {
    owner.fail_by_topology(*m_state, lie);
  }
}

processor processor::subset(dimensions const& varying, std::source_location where) {
  auto& owner = *m_state->owner;
  if (!owner.may_call(*m_state, where)) return {*m_state, m_group, m_rank, m_size, m_shown};
  try {
    auto ranks = detail::checked_members(topology(), m_rank, varying);
    if (m_group != nullptr)
      for (int& rank : ranks) rank = m_group->on_machine(rank);
    auto const& part = owner.part_of(std::move(ranks));
    return {*m_state, &part, part.in_group(m_state->rank), part.size(), m_shown};
  } catch (invalid_topology const& lie) {
    owner.fail_by_topology(*m_state, lie);
  } catch (error const& refused) {
    owner.fail<invalid_argument>(*m_state, refused.message());
  }
}

// Grids

std::optional<int> processor::neighbour(along way, std::source_location where) {
  auto& owner = *m_state->owner;
  if (!owner.may_call(*m_state, where)) return std::nullopt;
  int end = 0;
  try {
    end = topology().end_of(m_rank, way);
  } catch (invalid_rank const& /*off_the_edge*/) {
    return std::nullopt;
  } catch (invalid_topology const& lie) {
    owner.fail_by_topology(*m_state, lie);
  } catch (error const& refused) {
    owner.fail<invalid_argument>(*m_state, refused.message());
  }
  if (end < 0 || end >= m_size)
    owner.fail<invalid_topology>(
        *m_state,
        fmt::format("{}: end_of({}, {{{}, {}}}) says {}: processors are 0 to {}", topology().spec(),
                    m_rank, way.dimension, way.offset, end, m_size - 1));
  return end;
}

processor::shift_ends processor::ends_of_shift(along way, std::source_location where) {
  auto& owner = *m_state->owner;
  if (!owner.may_call(*m_state, where)) return {};
  if (way.offset < -way_limit)
    owner.fail<invalid_argument>(*m_state, fmt::format("shift by {}: offsets are {} to {}",
                                                       way.offset, -way_limit, way_limit));
  return {neighbour(way, where), neighbour({way.dimension, -way.offset}, where)};
}

// --- what calls are for ---

void processor::label(std::string_view name, std::source_location where) {
  m_state->owner->label(*m_state, name, false, where);
}

detail::label_place processor::begin_enclosing_label(std::string_view name,
                                                     std::source_location where) {
  auto const before = m_state->more->label;
  m_state->owner->label(*m_state, name, true, where);
  return before;
}

void processor::end_enclosing_label(detail::label_place before) noexcept {
  if (m_state->more->work != nullptr) m_state->more->work->close();
  m_state->more->label = before;
}

void processor::keep_note(std::string_view text, std::source_location where) {
  m_state->owner->keep_note(*m_state, text, where);
}

processor processor::row(std::source_location where) { return slice_of_plane("row", 0, where); }

processor processor::column(std::source_location where) {
  return slice_of_plane("column", 1, where);
}

processor processor::slice_of_plane(char const* call, int dimension, std::source_location where) {
  auto& owner = *m_state->owner;
  if (owner.may_call(*m_state, where) && topology().axes().size() != 2)
    owner.fail<invalid_argument>(
        *m_state,
        fmt::format("{} on {}: a torus or mesh of two dimensions has rows and columns, for "
                    "example torus:4x4; on other networks use subset or slice",
                    call, topology().spec()));
  return slice(dimension, where);
}

processor processor::slice(int dimension, std::source_location where) {
  auto& owner = *m_state->owner;
  if (!owner.may_call(*m_state, where)) return {*m_state, m_group, m_rank, m_size, m_shown};
  auto const count = static_cast<int>(topology().axes().size());
  if (count == 0)
    owner.fail<invalid_argument>(
        *m_state, fmt::format("slice({}) on {}: a torus or mesh has slices, for example torus:4x4; "
                              "on other networks use subset",
                              dimension, topology().spec()));
  if (dimension < 0 || dimension >= count)
    owner.fail<invalid_argument>(
        *m_state, fmt::format("slice({}) on {}: its dimensions are 0 to {}", dimension,
                              topology().spec(), count - 1));
  std::vector<int> others;
  for (int other = 0; other < count; ++other)
    if (other != dimension) others.push_back(other);
  return subset(dimensions(std::move(others)), where);
}

detail::received_message processor::one_sided_read(int owner, std::size_t offset, std::size_t count,
                                                   detail::elements const& mine,
                                                   std::source_location where) {
  detail::one_sided_request request;
  request.what = detail::one_sided_request::kind::read;
  request.owner = on_machine(owner, m_group, m_size, m_state->more->asked_from);
  request.offset = offset;
  request.asked = {nullptr, count, mine.type};
  request.mine = read_only(mine);
  return {*m_state, m_state->owner->one_sided(*m_state, std::move(request), where)};
}

void processor::one_sided_write(int owner, std::size_t offset, detail::elements const& values,
                                detail::receive_buffer const& mine, std::source_location where) {
  detail::one_sided_request request;
  request.what = detail::one_sided_request::kind::write;
  request.owner = on_machine(owner, m_group, m_size, m_state->more->asked_from);
  request.offset = offset;
  request.asked = values;
  request.mine = mine;
  request.writable = true;
  static_cast<void>(m_state->owner->one_sided(*m_state, std::move(request), where));
}

void processor::one_sided_serve(detail::elements const& mine, bool writable,
                                std::source_location where) {
  detail::one_sided_request request;
  request.mine = read_only(mine);
  request.writable = writable;
  static_cast<void>(m_state->owner->one_sided(*m_state, std::move(request), where));
}

void processor::keep_shown(std::string_view name, std::function<shown_value()> const& copy,
                           std::source_location where) {
  auto& owner = *m_state->owner;
  shown_value value;
  try {
    value = copy();
  } catch (detail::partial_rows const& of) {
    if (!owner.may_call(*m_state, where)) return;
    owner.fail<invalid_argument>(
        *m_state,
        fmt::format("show of a matrix of {} numbers in {} columns: a matrix is of whole rows; give "
                    "matrix_view 1 column or more, and numbers that they divide",
                    of.numbers, of.columns));
  } catch (std::bad_alloc const&) {
    if (!owner.may_call(*m_state, where)) return;
    owner.fail<out_of_memory>(*m_state,
                              "lockstep got no memory to keep what a processor shows: show less, "
                              "or run the program without an observer that wants calls");
  }
  owner.show(*m_state, name, std::move(value), where);
}

detail::group& processor::members() const {
  return m_group == nullptr ? m_state->owner->everybody() : const_cast<detail::group&>(*m_group);
}

}  // namespace lockstep
