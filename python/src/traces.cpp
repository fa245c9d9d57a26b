#include "traces.hpp"

#include <string>

#include <lockstep/errors.hpp>
#include <lockstep/traces/trace_formats.hpp>

namespace lockstep::python {

namespace {

trace_format const& format_of(std::filesystem::path const& path, machine const& traced) {
  auto const* const found = find_trace_format(path);
  if (found == nullptr)
    throw invalid_argument("trace: the ending of " + path.string() +
                           " names no format; let it be " + list_of_trace_formats());
  if (traced.size() > found->most_processors)
    throw invalid_argument("trace: a " + std::string(found->ending) + " file has room for " +
                           std::to_string(found->most_processors) + " processors");
  return *found;
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
