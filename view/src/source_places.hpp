#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <source_location>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

namespace lockstep::detail {

/// The places in programs that a page names, and the files that they lie in, each once.
class source_places {
 public:
  using finder = std::function<std::optional<std::string>(std::string const& file)>;

  struct place {
    int file;
    std::uint32_t line;
    std::string function;
    int from = -1;  ///< the place of the call of a library's function that it is in; -1: in none
  };
  struct source {
    std::string name;
    std::optional<std::string> text;
  };

  /// `find` finds the text of a file; an empty one reads the file.
  explicit source_places(finder find) : m_find(std::move(find)) {}

  /// Adds a place, and the number of that which calls the library's function that it is in. Result: its
  /// number; -1 for one that is not known.
  int add(std::source_location const& where, int from = -1);

  [[nodiscard]] std::vector<place> const& places() const { return m_places; }
  [[nodiscard]] std::vector<source> const& sources() const { return m_sources; }

 private:
  int add_file(std::string_view name);

  finder m_find;
  std::map<std::tuple<std::string_view, std::uint32_t, std::string_view, int>, int> m_numbers;
  std::map<std::string_view, int> m_files;
  std::vector<place> m_places;
  std::vector<source> m_sources;
};

}  // namespace lockstep::detail
