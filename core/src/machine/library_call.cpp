#include <lockstep/library_call.hpp>

#include "engine/processor_state.hpp"
#include "engine/runtime.hpp"
#include "engine/scheduling/exceptions_in_flight.hpp"

namespace lockstep {

namespace {

/// The count of exceptions in flight, which std::uncaught_exceptions would take as much time to give as all
/// the rest of a library_call; nullptr before the first library_call of the thread. A processor stays on its
/// thread from a library's call to its end.
constinit thread_local unsigned const* uncaught_here = nullptr;

[[nodiscard]] int exceptions_here() noexcept {
  if (uncaught_here == nullptr) uncaught_here = &detail::exceptions_of_thread()->uncaught;
  return static_cast<int>(*uncaught_here);
}

}  // namespace

// The usual ways in and out call nothing and save no registers: into the library in which the processor was
// last, by the same call.

library_call::library_call(processor& me, std::source_location where,
                           std::source_location called) noexcept
    : m_state(me.m_state), m_where(where) {
  auto const* const last = m_state->inside;
  if (me.is_shown() || m_state->marks.in_library || uncaught_here == nullptr || last == nullptr ||
      !last->entry.is({where, called})) [[unlikely]] {
    begin_elsewhere(me, called);
  } else {
    m_exceptions = static_cast<int>(*uncaught_here);
    begin();
  }
}

void library_call::begin() noexcept {
  m_state->marks.in_library = true;
  m_state->where = m_state->inside->entry.algorithm;  // until the library calls the processor
}

void library_call::begin_elsewhere(processor& me, std::source_location called) noexcept {
  if (me.is_shown()) m_shown = detail::library_frame::enter(me, m_where);
  if (m_state->marks.in_library) return;
  auto const* const place = m_state->owner->find_place({m_where, called}, called);
  if (place == nullptr) return;  // no memory: errors name the lines inside
  m_state->inside = place;
  m_exceptions = exceptions_here();
  begin();
}

library_call::~library_call() {
  if (m_shown != nullptr || uncaught_here == nullptr ||
      static_cast<int>(*uncaught_here) > m_exceptions) [[unlikely]] {
    end_elsewhere();
  } else {
    m_state->where = m_where;
    m_state->marks.in_library = false;
  }
}

void library_call::end_elsewhere() noexcept {
  if (m_exceptions != inner) {
    // What the library lets out comes from inside, and what the program throws next from its last call.
    bool const throws = exceptions_here() > m_exceptions;
    m_state->where = throws ? m_state->inside->entry.algorithm : m_where;
    if (throws) m_state->where = m_state->owner->place_of(*m_state);
    m_state->marks.in_library = false;
  }
  if (m_shown != nullptr) detail::library_frame::leave(*m_shown);
}

std::source_location library_call::where() const noexcept {
  return m_state->marks.in_library ? m_state->inside->entry.program : m_where;
}

namespace detail {

processor_state* library_frame::enter(processor& me, std::source_location where) noexcept {
  auto& state = processor_state::of(me);
  state.owner->enter_frame(state, where);
  return &state;
}

void library_frame::leave(processor_state& state) noexcept { state.owner->leave_frame(state); }

}  // namespace detail

}  // namespace lockstep
