#include "check_blocks.hpp"

#include <sys/wait.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <iostream>
#include <map>
#include <optional>
#include <regex>
#include <set>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "compare.hpp"
#include "extract.hpp"
#include "markdown.hpp"

namespace lockstep::docs {

namespace {

struct finished {
  int status = -1;
  std::string output;
};

/// Runs it by a shell, with both streams in its output.
finished run_shell(std::string const& script) {
  FILE* const pipe = ::popen(script.c_str(), "r");
  if (pipe == nullptr) throw std::runtime_error("cannot start a shell");
  finished result;
  std::array<char, 4096> some{};
  while (auto const size = std::fread(some.data(), 1, some.size(), pipe))
    result.output.append(some.data(), size);
  auto const status = ::pclose(pipe);
  result.status = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  return result;
}

std::string in_quotes(std::string const& text) {
  return '\'' + std::regex_replace(text, std::regex("'"), "'\\''") + '\'';
}

std::set<std::string_view> notes_for(std::string const& language) {
  static std::map<std::string, std::set<std::string_view>> const allowed{
      {"cpp", {"file", "statements", "after", "global", "fails", "as in"}},
      {"sh", {"status", "as in"}},
      {"text", {"prints", "excerpt", "as in"}},
      {"csv", {"prints", "excerpt", "as in"}},
      {"dot", {"prints", "excerpt", "as in"}},
      {"json", {"prints", "as in"}},
      {"cmake", {"file", "as in"}},
      {"python", {"as in"}}};
  auto const found = allowed.find(language);
  return found == allowed.end() ? std::set<std::string_view>{} : found->second;
}

class checker {
 public:
  explicit checker(block_check const& asked) : m_asked(asked), m_page(read_page(asked.page)) {}

  void check_all() {
    prepare_scratch();
    for (auto const& block : m_page.blocks) {
      check_notes(block);
      check(block);
    }
    std::cout << fmt::format("{}: {} blocks\n", m_page.path.string(), m_page.blocks.size());
  }

 private:
  [[noreturn]] void refuse(block const& which, std::string const& what) const {
    throw page_error(m_page, which.line, what);
  }

  void prepare_scratch() const {
    std::filesystem::remove_all(m_asked.scratch);
    std::filesystem::create_directories(m_asked.scratch / "build");
    std::filesystem::create_directory_symlink(m_asked.build, m_asked.scratch / "build/release");
  }

  void check_notes(block const& which) const {
    auto const allowed = notes_for(which.language);
    if (allowed.empty())
      refuse(which, fmt::format("nothing checks a block of \"{}\"", which.language));
    for (auto const& note : which.notes)
      if (!allowed.contains(note.key))
        refuse(which, fmt::format("a block of {} has no note \"{}\"", which.language, note.key));
  }

  void check(block const& which) {
    if (which.has("file")) write_file(m_asked.scratch / which.value_of("file"), which.text);
    if (which.has("as in"))
      check_quoted(which);
    else if (which.language == "cpp")
      run_cpp(which);
    else if (which.language == "sh")
      run_sh(which);
    else if (which.language == "cmake")
      check_cmake(which);
    else if (which.language == "python")
      return;  // python/tests runs these
    else
      compare(which);
  }

  void check_quoted(block const& which) {
    m_output.reset();
    auto const file = which.value_of("as in");
    if (!stands_in(which.text, read_file(m_asked.source / file)))
      refuse(which, fmt::format("these lines do not stand in {}", file));
  }

  void check_cmake(block const& which) {
    m_output.reset();
    if (!which.has("file"))
      refuse(which,
             "say <!-- file: CMakeLists.txt -->, and run it in a block of sh, or in which file it "
             "stands: <!-- as in: FILE -->");
  }

  void run_cpp(block const& which) {
    m_output.reset();
    auto const kind = kind_of(which);
    if (kind == cpp_kind::definitions) return;
    auto command = in_quotes(m_asked.blocks.string());
    if (kind == cpp_kind::test_cases)
      command += " --test-cases" + test_cases_of(which);
    else
      command += ' ' + name_of(m_page, which);
    auto const done = run(command);
    if ((done.status != 0) != which.has("fails") || done.status == 2)
      refuse(which, fmt::format("it ends with status {}:\n{}", done.status, done.output));
    m_output = done.output;
  }

  static std::string test_cases_of(block const& which) {
    static std::regex const test_case("TEST_CASE\\(\"([^\"]*)\"");
    std::string names;
    for (std::sregex_iterator each(which.text.begin(), which.text.end(), test_case), end;
         each != end; ++each) {
      if (!names.empty()) names += ',';
      names += std::regex_replace((*each)[1].str(), std::regex("([,\\[\\]])"), "\\$1");
    }
    return ' ' + in_quotes(names);
  }

  void run_sh(block const& which) {
    m_output.reset();
    if (!m_asked.run_commands) return;
    auto const done = run("set -eu\n" + which.text);
    auto const wanted = which.has("status") ? std::stoi(which.value_of("status")) : 0;
    if (done.status != wanted)
      refuse(which, fmt::format("it ends with status {}:\n{}", done.status, done.output));
    m_output = done.output;
  }

  void compare(block const& which) {
    if (trimmed(which.text).empty()) refuse(which, "an empty block shows nothing");
    if (which.has("prints")) m_output = run(which.value_of("prints")).output;
    if (!m_output)
      refuse(which, "nothing prints this: say <!-- prints: COMMAND --> or <!-- as in: FILE -->");
    auto const right = which.language == "json"
                           ? is_json_of_output(which)
                           : shows(which.text, *m_output, which.has("excerpt"));
    if (!right) refuse(which, "what is printed is:\n" + *m_output);
  }

  [[nodiscard]] bool is_json_of_output(block const& which) const {
    try {
      return shows_json(which.text, *m_output);
    } catch (nlohmann::json::parse_error const& problem) {
      refuse(which, problem.what());
    }
  }

  [[nodiscard]] finished run(std::string const& script) const {
    auto const path = (m_asked.build / "cli").string();
    return run_shell(fmt::format("cd {} && PATH={}:\"$PATH\" sh -c {} 2>&1",
                                 in_quotes(m_asked.scratch.string()), in_quotes(path),
                                 in_quotes(script)));
  }

  block_check const& m_asked;
  page m_page;
  std::optional<std::string> m_output;  ///< of the last block, if it printed any
};

}  // namespace

void check_blocks(block_check const& asked) { checker(asked).check_all(); }

}  // namespace lockstep::docs
