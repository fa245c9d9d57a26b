#include <lockstep/traces/csv_trace.hpp>

#include <iterator>
#include <utility>

#include <fmt/format.h>

namespace lockstep {

csv_trace::csv_trace(std::ostream& out, std::string name) : trace(out, std::move(name)) {
  write("step,sent,from,to,words,hops,pass,phase\n");
}

void csv_trace::message(message_record const& seen) {
  m_row.clear();
  auto end = std::back_inserter(m_row);
  fmt::format_to(end, "{},{},{},{},{},{},{},", seen.step, seen.sent, seen.from, seen.to, seen.words,
                 seen.hops, seen.pass);
  if (seen.phase != no_phase) fmt::format_to(end, "{}", seen.phase);
  m_row += '\n';
  write(m_row);
}

}  // namespace lockstep
