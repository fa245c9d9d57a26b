#include "compiler.hpp"

#include <algorithm>
#include <cstddef>
#include <fstream>
#include <optional>
#include <sstream>
#include <string_view>
#include <system_error>

#include <fmt/format.h>

#include "child.hpp"
#include "commands/usage_error.hpp"
#include "report/shell_words.hpp"

namespace lockstep::cli {

namespace {

namespace fs = std::filesystem;

constexpr process_limits of_the_compiler{.seconds = 60, .memory_mib = 4096, .file_mib = 256};

fs::path folder_of_the_tool() {
  std::error_code unknown;
  return fs::read_symlink("/proc/self/exe", unknown).parent_path();
}

/// Whether compilers search a folder by themselves, and in an order that they rely on.
bool is_searched_anyway(std::string const& folder) {
  return folder == "/usr/include" || folder == "/usr/local/include";
}

/// Reads the lines of a file; none if the file does not exist.
std::vector<std::string> lines_in(fs::path const& file) {
  std::ifstream stream(file);
  std::vector<std::string> lines;
  for (std::string line; std::getline(stream, line);)
    if (!line.empty()) lines.push_back(line);
  return lines;
}

/// Finds the first line of a compiler's that is an error, without the folders of its file.
std::string first_error(std::string const& said) {
  std::istringstream text(said);
  std::string first;
  for (std::string line; std::getline(text, line);) {
    if (first.empty()) first = line;
    auto const place = line.find("error: ");
    if (place == std::string::npos) continue;
    auto const slash = line.rfind('/', line.find(':'));
    return slash == std::string::npos || slash > place ? line : line.substr(slash + 1);
  }
  return first.empty() ? "the compiler says nothing" : first;
}

/// Lists the files that make's rule names, the source among them, without make's escapes.
std::vector<fs::path> files_of_rule(fs::path const& rule) {
  std::ifstream stream(rule);
  std::vector<fs::path> files;
  std::string word;
  for (char one = 0; stream.get(one);) {
    auto const next = stream.peek();
    bool const is_escape = (one == '\\' && (next == ' ' || next == '\\' || next == '#')) ||
                           (one == '$' && next == '$');
    if (is_escape) {
      word += static_cast<char>(stream.get());
    } else if (one == ' ' || one == '\n' || one == '\\') {
      if (!word.empty() && word.back() != ':') files.emplace_back(word);
      word.clear();
    } else {
      word += one;
    }
  }
  return files;
}

/// Lists the folders in which a compiler searches headers, those of its command line first.
std::vector<fs::path> searched_folders(std::vector<std::string> words) {
  for (auto const* const word : {"-E", "-Wp,-v", "-x", "c++", "/dev/null", "-o", "/dev/null"})
    words.emplace_back(word);
  std::istringstream said(run_child(words, of_the_compiler, child_channel::errors).output);
  std::vector<fs::path> folders;
  bool is_list = false;
  for (std::string line; std::getline(said, line);) {
    if (line.starts_with("#include <")) is_list = true;
    if (line.starts_with("End of search list")) break;
    std::error_code unknown;
    if (is_list && line.starts_with(' ')) folders.push_back(fs::canonical(line.substr(1), unknown));
  }
  return folders;
}

/// Whether a file lies in a folder, or below.
bool lies_in(fs::path const& file, fs::path const& folder) {
  return !folder.empty() && std::ranges::mismatch(folder, file).in1 == folder.end();
}

/// Says which file outside those folders of headers a source includes; empty where it stands alone.
std::string other_file(fs::path const& rule, fs::path const& source,
                       std::vector<fs::path> const& of_headers) {
  for (auto const& file : files_of_rule(rule)) {
    std::error_code unknown;
    auto const where = fs::canonical(file, unknown);
    bool const is_header = std::ranges::any_of(
        of_headers, [&](fs::path const& folder) { return lies_in(where, folder); });
    if (!is_header && !fs::equivalent(file, source, unknown))
      return fmt::format("includes {}; a submission is one file", file.filename().string());
  }
  return {};
}

}  // namespace

std::vector<std::string> header_folders() {
  auto const tool = folder_of_the_tool();
  auto folders = lines_in(tool / "header_folders.txt");
  if (!folders.empty()) return folders;
  auto const installed = tool.parent_path() / LOCKSTEP_INCLUDE_FOLDER;
  if (fs::exists(installed / "lockstep" / "grading.hpp")) return {installed.string()};
  throw usage_error(fmt::format(
      "there are no headers of lockstep in {}; install them, too (liblockstep-dev, or make "
      "install)",
      installed.string()));
}

fs::path hidden_test_of(std::string const& lesson) {
  auto const tool = folder_of_the_tool();
  auto folders = lines_in(tool / "class_folder.txt");
  folders.push_back((tool.parent_path() / LOCKSTEP_CLASS_FOLDER).string());
  bool const is_name = lesson.find('/') == std::string::npos && lesson != "." && lesson != "..";
  for (auto const& folder : folders) {
    auto file = fs::path(folder) / "solutions" / lesson / "hidden_test.cpp";
    if (std::error_code unknown; is_name && fs::is_regular_file(file, unknown)) return file;
  }
  return {};
}

source_compiler::source_compiler(std::string const& command) : m_words(words_of(command)) {
  if (m_words.empty()) throw usage_error("--compiler needs a value");
  for (auto const* const flag : {"-std=c++20", "-fPIC", "-shared", "-pthread", "-w"})
    m_words.emplace_back(flag);
  for (auto const& flag : words_of(LOCKSTEP_PROGRAM_FLAGS)) m_words.push_back(flag);
  for (auto const& folder : header_folders()) {
    if (is_searched_anyway(folder)) continue;
    m_words.emplace_back("-isystem");
    m_words.push_back(folder);
  }
  m_searched = searched_folders(m_words);
}

std::string source_compiler::compile(fs::path const& source, fs::path const& library,
                                     bool has_to_be_alone) const {
  auto words = m_words;
  auto const file = fs::absolute(source);
  auto const folder = file.parent_path().string();
  words.push_back(fmt::format("-fmacro-prefix-map={}/=", folder));  // errors name the file alone
  auto const rule = fs::path(library).concat(".d");
  // What the library defines itself it takes from itself, whatever else is loaded. A test can be looked
  // at before there is a submission.
  for (auto const& word : {std::string("-Wl,-Bsymbolic"), std::string("-Wl,-z,lazy"),
                           std::string("-MD"), std::string("-MF"), rule.string(), std::string("-x"),
                           std::string("c++"), file.string(), std::string("-o"), library.string()})
    words.push_back(word);
  auto const said = run_child(words, of_the_compiler, child_channel::errors, {},
                              {"TMPDIR=" + library.parent_path().string()});
  if (said.end == child_end::too_late)
    return fmt::format("the compiler was not done after {:g} s", of_the_compiler.seconds);
  if (said.end == child_end::signalled)
    return fmt::format("signal {} ended the compiler", said.number);
  if (said.number == 127 && said.output.empty())
    return fmt::format("the compiler {} cannot be started; name one by --compiler",
                       m_words.front());
  if (said.number != 0) return first_error(said.output);
  return has_to_be_alone ? other_file(rule, source, m_searched) : "";
}

}  // namespace lockstep::cli
