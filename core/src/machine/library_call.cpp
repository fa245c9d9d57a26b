#include <lockstep/library_call.hpp>

#include "engine/processor_state.hpp"
#include "engine/runtime.hpp"
#include "engine/scheduling/exceptions_in_flight.hpp"

namespace lockstep {

namespace {

/// The count of exceptions in flight, which std::uncaught_exceptions would take as much time to give as all
/// the rest of a library_call; nullptr before its thread has had one. A processor stays on its thread
/// from a library's call to its end.
constinit thread_local unsigned const* uncaught_here = nullptr;

[[nodiscard]] int exceptions_here() noexcept {
  if (uncaught_here == nullptr) uncaught_here = &detail::exceptions_of_thread()->uncaught;
  return static_cast<int>(*uncaught_here);
}

}  // namespace

// The usual ways in and out call nothing and save no registers.

library_call::library_call(processor& me, std::source_location where,
                           std::source_location called) noexcept
    : m_state(me.m_state), m_entry{where, called} {
  if (me.is_shown() || m_state->marks.in_library || uncaught_here == nullptr) [[unlikely]] {
    begin_inside_or_shown(me);
  } else {
    m_exceptions = static_cast<int>(*uncaught_here);
    begin();
  }
}

void library_call::begin() noexcept {
  m_state->library = &m_entry;
  m_state->marks.in_library = true;
  m_state->where = m_entry.algorithm;  // until the library calls the processor
}

void library_call::begin_inside_or_shown(processor& me) noexcept {
  if (me.is_shown()) m_shown = detail::library_frame::enter(me, m_entry.program);
  if (m_state->marks.in_library) return;
  m_exceptions = exceptions_here();
  begin();
}

library_call::~library_call() {
  if (m_shown != nullptr || uncaught_here == nullptr ||
      static_cast<int>(*uncaught_here) > m_exceptions) [[unlikely]] {
    end_inside_or_shown();
  } else {
    m_state->where = m_entry.program;
    m_state->marks.in_library = false;
  }
}

void library_call::end_inside_or_shown() noexcept {
  if (m_exceptions != inner) {
    // What the library lets out comes from inside, and what the program throws next from its last call.
    bool const throws = exceptions_here() > m_exceptions;
    m_state->where = throws ? m_entry.algorithm : m_entry.program;
    if (throws) m_state->where = m_state->owner->place_of(*m_state);
    m_state->marks.in_library = false;
  }
  if (m_shown != nullptr) detail::library_frame::leave(*m_shown);
}

std::source_location library_call::where() const noexcept { return m_state->library->program; }

namespace detail {

processor_state* library_frame::enter(processor& me, std::source_location where) noexcept {
  auto& state = processor_state::of(me);
  state.owner->enter_frame(state, where);
  return &state;
}

void library_frame::leave(processor_state& state) noexcept { state.owner->leave_frame(state); }

}  // namespace detail

}  // namespace lockstep
