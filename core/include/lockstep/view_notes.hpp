#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>

#include <lockstep/detail/debug_containers.hpp>

namespace lockstep {

/// The notes of a page on a run, beside what the machine saw of it.
struct view_notes {
  std::string title{};    ///< the program's name and the network, if it is empty
  std::string command{};  ///< with which the run can be repeated
  /// More members of the run in the page's data, by name, such as "claims" and "bounds": each a JSON
  /// value, which stands there as it is. Refused (invalid_argument) are a name that the run itself
  /// has, such as "steps", a text that is not JSON, and a value of another kind than the page reads
  /// there: lists of objects as "claims", "bounds" and "reasons", a list of texts as "explanation", texts as
  /// "call" and "header", objects as "parameters" and "figures".
  std::map<std::string, std::string> members{};
  /// Finds the text of a source file by the name that std::source_location gives. By default, what
  /// lies there when the page is written.
  std::function<std::optional<std::string>(std::string const& file)> source{};
  /// How the program works, in sentences, which the page lists; none where it is empty.
  /// Refused (invalid_argument) beside a member "explanation".
  std::string explanation{};
};

}  // namespace lockstep
