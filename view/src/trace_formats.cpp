#include <lockstep/traces/trace_formats.hpp>

#include <algorithm>
#include <array>
#include <limits>
#include <ostream>
#include <utility>

#include <fmt/format.h>

#include <lockstep/traces/chrome_trace.hpp>
#include <lockstep/traces/csv_trace.hpp>
#include <lockstep/traces/dot_trace.hpp>
#include <lockstep/traces/goal_trace.hpp>
#include <lockstep/traces/view_trace.hpp>

namespace lockstep {

namespace {

constexpr int any_number = std::numeric_limits<int>::max();

template <class Trace>
std::unique_ptr<trace> make_trace(std::ostream& file, machine const& traced, trace_labels labels) {
  return std::make_unique<Trace>(file, traced, std::move(labels));
}

template <>
std::unique_ptr<trace> make_trace<csv_trace>(std::ostream& file, machine const& /*traced*/,
                                             trace_labels labels) {
  return std::make_unique<csv_trace>(file, std::move(labels.name));
}

constexpr std::array<trace_format, 5> formats{{
    {".json", "Chrome trace events, for Perfetto", any_number, make_trace<chrome_trace>},
    {".csv", "a row a message", any_number, make_trace<csv_trace>},
    {".goal", "for LogGOPSim", any_number, make_trace<goal_trace>},
    {".dot", "Graphviz", dot_trace::most_processors, make_trace<dot_trace>},
    {".html", "a page for a browser", any_number, make_trace<view_trace>},
}};

}  // namespace

std::span<trace_format const> trace_formats() noexcept { return formats; }

trace_format const* find_trace_format(std::filesystem::path const& file) {
  auto const* const found =
      std::ranges::find(formats, file.extension().string(), &trace_format::ending);
  return found == formats.end() ? nullptr : found;
}

std::string list_of_trace_formats() {
  std::string list;
  for (auto const& one : formats) {
    auto const* const before = &one == &formats.front()  ? ""
                               : &one == &formats.back() ? " or "
                                                         : ", ";
    list += fmt::format("{}{} ({})", before, one.ending, one.summary);
  }
  return list;
}

}  // namespace lockstep
