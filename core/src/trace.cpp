#include <lockstep/trace.hpp>

#include <iterator>
#include <stdexcept>
#include <utility>

#include <fmt/format.h>

namespace lockstep {

csv_trace::csv_trace(std::ostream& out, std::string name) : m_out(&out), m_name(std::move(name)) {
  *m_out << "step,sent,from,to,words,hops,pass,phase\n";
}

void csv_trace::message(message_record const& seen) {
  m_row.clear();
  auto end = std::back_inserter(m_row);
  fmt::format_to(end, "{},{},{},{},{},{},{},", seen.step, seen.sent, seen.from, seen.to, seen.words,
                 seen.hops, seen.pass);
  if (seen.phase != no_phase) fmt::format_to(end, "{}", seen.phase);
  m_row += '\n';
  m_out->write(m_row.data(), static_cast<std::streamsize>(m_row.size()));
}

void csv_trace::finish() {
  m_out->flush();
  if (!*m_out)
    throw std::runtime_error(
        fmt::format("the trace is incomplete: cannot write to {}; is its disk full?", m_name));
}

}  // namespace lockstep
