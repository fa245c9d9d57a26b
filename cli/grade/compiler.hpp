#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace lockstep::cli {

/// Finds where lockstep's headers are: beside the tool in its build folder, else where the tool is installed.
/// Errors: usage_error where they are nowhere.
[[nodiscard]] std::vector<std::string> header_folders();

/// Finds the hidden test of a lesson of the class kit by the lesson's name. Result: its file, or empty.
[[nodiscard]] std::filesystem::path hidden_test_of(std::string const& lesson);

/// Compiles sources that `lockstep grade` loads.
class source_compiler {
 public:
  /// `command` is the compiler, with options of somebody's own: "g++ -O2".
  /// Errors: usage_error if the headers are nowhere.
  explicit source_compiler(std::string const& command);

  /// Compiles a source into a library that is loaded at run time. Where `has_to_be_alone`, it may include
  /// nothing but headers of the system and of lockstep.
  /// Result: why it does not compile, in one line; empty where it does.
  [[nodiscard]] std::string compile(std::filesystem::path const& source,
                                    std::filesystem::path const& library,
                                    bool has_to_be_alone) const;

 private:
  std::vector<std::string> m_words;
  std::vector<std::filesystem::path> m_searched;  ///< for headers
};

}  // namespace lockstep::cli
