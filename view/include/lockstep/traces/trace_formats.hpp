#pragma once

#include <filesystem>
#include <iosfwd>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include <lockstep/machine.hpp>
#include <lockstep/traces/trace.hpp>

namespace lockstep {

/// A format of traces: the ending of its files' names, and what writes it.
struct trace_format {
  std::string_view ending;   ///< ".csv"
  std::string_view summary;  ///< "a row a message"
  int most_processors;       ///< that a file has room for
  /// Makes a trace of a run on that machine; the file outlives it.
  std::unique_ptr<trace> (*make)(std::ostream& file, machine const& traced, trace_labels labels);
};

/// Lists all formats: .json, .csv, .goal, .dot and .html.
[[nodiscard]] std::span<trace_format const> trace_formats() noexcept;

/// Finds the format that the ending of a file's name says; none for another ending.
[[nodiscard]] trace_format const* find_trace_format(std::filesystem::path const& file);

/// Lists the endings in a text, each with its summary: ".json (...), .csv (...) or .html (...)".
[[nodiscard]] std::string list_of_trace_formats();

}  // namespace lockstep
