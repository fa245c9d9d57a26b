#include <lockstep/traces/trace.hpp>

#include <utility>

#include <fmt/format.h>

namespace lockstep {

trace::trace(std::ostream& out, std::string name) : m_out(&out), m_name(std::move(name)) {}

void trace::write(std::string_view text) {
  m_out->write(text.data(), static_cast<std::streamsize>(text.size()));
}

void trace::finish() {
  if (!std::exchange(m_completed, true)) complete();
  m_out->flush();
  if (!*m_out)
    throw incomplete_trace(
        fmt::format("the trace is incomplete: cannot write to {}; is its disk full?", m_name));
  if (!m_left_out.empty())
    throw incomplete_trace(fmt::format("the trace is incomplete: {} {}", m_name, m_left_out));
}

}  // namespace lockstep
