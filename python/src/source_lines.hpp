#pragma once

#include <Python.h>

#include <cstddef>
#include <source_location>
#include <string>
#include <unordered_map>

namespace lockstep::python {

/// Finds the lines of Python programs that call the machine, as std::source_locations. A run has one.
///
/// A location refers to text that lasts as long as the process. A line that was met before is found by
/// its instruction, without looking at text.
class source_lines {
 public:
  source_lines() = default;
  source_lines(source_lines const&) = delete;
  source_lines& operator=(source_lines const&) = delete;
  ~source_lines();

  /// The line of the Python function that called, outside of this package.
  [[nodiscard]] std::source_location of_caller();

  /// Makes the location of a line.
  [[nodiscard]] static std::source_location line_at(std::string const& file,
                                                    std::string const& function, unsigned line);
  /// Whether locations can be made with this compiler's library. Asked once, when the module loads.
  [[nodiscard]] static bool are_supported();

 private:
  struct instruction {
    PyCodeObject* code;
    int at;  ///< bytes from the beginning of the code
    bool operator==(instruction const&) const = default;
  };
  class frame_walk;
  struct hash {
    std::size_t operator()(instruction const& of) const {
      return (reinterpret_cast<std::size_t>(of.code) >> 4) * 31 + static_cast<std::size_t>(of.at);
    }
  };
  struct known_line {
    std::source_location where;
    bool is_own;  ///< a line of this package
  };

  [[nodiscard]] known_line const& find(instruction here);

  std::unordered_map<instruction, known_line, hash> m_known;  ///< holds its code objects
  instruction m_last{nullptr, 0};
  known_line const* m_last_line = nullptr;
};

}  // namespace lockstep::python
