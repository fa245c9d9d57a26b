#include <lockstep/library_call.hpp>

#include "engine/processor_state.hpp"
#include "engine/runtime.hpp"
#include "engine/scheduling/exceptions_in_flight.hpp"

namespace lockstep {

namespace {

/// Counts the exceptions in flight, as std::uncaught_exceptions does, whose calls would cost as much as
/// the rest of a library_call. A processor stays on its thread from a library's call to its end.
[[nodiscard]] int exceptions_here() noexcept {
  static thread_local constinit unsigned const* uncaught = nullptr;
  if (uncaught == nullptr) [[unlikely]]
    uncaught = &detail::exceptions_of_thread()->uncaught;
  return static_cast<int>(*uncaught);
}

}  // namespace

library_call::library_call(processor& me, std::source_location where,
                           std::source_location called) noexcept
    : m_state(me.m_state),
      m_frame(me, where),
      m_where(where),
      m_is_outermost(!m_state->marks.in_library) {
  if (!m_is_outermost) return;
  m_exceptions = exceptions_here();
  auto& details = *m_state->more;
  details.program = where;
  details.algorithm = called;
  details.last_place = {};
  m_state->marks.in_library = true;
  m_state->where = called;  // until the library calls the processor
}

library_call::~library_call() {
  if (!m_is_outermost) return;
  // What the library lets out comes from inside, and what the program throws next from its last call.
  if (exceptions_here() > m_exceptions) [[unlikely]] {
    m_state->where = m_state->more->algorithm;
    m_state->where = m_state->owner->place_of(*m_state);
  } else {
    m_state->where = m_where;  // not from the details, which are farther away
  }
  m_state->marks.in_library = false;
}

std::source_location library_call::where() const noexcept { return m_state->more->program; }

namespace detail {

processor_state* library_frame::enter(processor& me, std::source_location where) noexcept {
  auto& state = processor_state::of(me);
  state.owner->enter_frame(state, where);
  return &state;
}

void library_frame::leave(processor_state& state) noexcept { state.owner->leave_frame(state); }

}  // namespace detail

}  // namespace lockstep
