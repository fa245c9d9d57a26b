#include "traces.hpp"

#include <array>
#include <limits>
#include <string_view>
#include <utility>

#include <lockstep/errors.hpp>
#include <lockstep/traces/chrome_trace.hpp>
#include <lockstep/traces/csv_trace.hpp>
#include <lockstep/traces/dot_trace.hpp>
#include <lockstep/traces/goal_trace.hpp>
#include <lockstep/traces/view_trace.hpp>

namespace lockstep::python {

namespace {

/// A format of traces: the ending of its files' names, and what writes it.
struct trace_format {
  std::string_view ending;
  int most_processors;
  std::unique_ptr<trace> (*make)(std::ostream& file, machine const& traced, trace_labels labels);
};

template <class Trace>
std::unique_ptr<trace> make_trace(std::ostream& file, machine const& traced, trace_labels labels) {
  return std::make_unique<Trace>(file, traced, std::move(labels));
}

template <>
std::unique_ptr<trace> make_trace<csv_trace>(std::ostream& file, machine const& /*traced*/,
                                             trace_labels labels) {
  return std::make_unique<csv_trace>(file, std::move(labels.name));
}

constexpr int any_number = std::numeric_limits<int>::max();

constexpr std::array<trace_format, 5> formats{{
    {".json", any_number, make_trace<chrome_trace>},
    {".csv", any_number, make_trace<csv_trace>},
    {".goal", any_number, make_trace<goal_trace>},
    {".dot", dot_trace::most_processors, make_trace<dot_trace>},
    {".html", any_number, make_trace<view_trace>},
}};

trace_format const& format_of(std::filesystem::path const& path, machine const& traced) {
  for (auto const& one : formats) {
    if (path.extension() != one.ending) continue;
    if (traced.size() > one.most_processors)
      throw invalid_argument("trace: a " + std::string(one.ending) + " file has room for " +
                             std::to_string(one.most_processors) + " processors");
    return one;
  }
  throw invalid_argument("trace: the ending of " + path.string() +
                         " names no format; let it be .json (Chrome trace events, for Perfetto), "
                         ".csv (a row a message), .goal (for LogGOPSim), .dot (Graphviz) or .html "
                         "(a page for a browser)");
}

}  // namespace

trace_file::trace_file(std::filesystem::path const& path, machine const& traced)
    : m_name(path.string()), m_out(path, std::ios::binary) {
  if (!m_out) throw incomplete_trace("trace: the file " + m_name + " cannot be written");
  m_trace = format_of(path, traced).make(m_out, traced, {.program = {}, .name = m_name});
}

void trace_file::finish() { m_trace->finish(); }

void trace_file::require_format(std::filesystem::path const& path, machine const& traced) {
  static_cast<void>(format_of(path, traced));
}

}  // namespace lockstep::python
