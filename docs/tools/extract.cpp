#include "extract.hpp"

#include <set>

#include <fmt/format.h>

namespace lockstep::docs {

namespace {

constexpr std::string_view main_of_block = "int main() {";

bool is_a_file(block const& of) { return of.text.find("#include") != std::string::npos; }

std::string function_of(block const& of) { return fmt::format("line_{}", of.line); }

/// As text between quotes.
std::string in_double_quotes(std::string_view text) {
  std::string result = "\"";
  for (char const character : text) {
    if (character == '"' || character == '\\') result += '\\';
    result += character;
  }
  return result + '"';
}

/// The block with its includes left out, `main` renamed and ended by a return.
std::string body_of(page const& on, block const& of) {
  auto lines = lines_of(of.text);
  std::size_t end_of_main = lines.size();
  for (std::size_t i = 0; i < lines.size(); ++i) {
    if (lines[i].starts_with("#include")) lines[i].clear();
    if (lines[i] == main_of_block) lines[i] = "int block_main() {";
    if (lines[i] == "}") end_of_main = i;
  }
  if (kind_of(of) == cpp_kind::program) {
    if (end_of_main == lines.size())
      throw page_error(on, of.line, "main has no end: it ends at the last line that is \"}\"");
    lines[end_of_main] = "return 0; }";
  }
  std::string text;
  for (auto const& line : lines) text += line + '\n';
  return text;
}

std::string line_directive(page const& on, block const& of) {
  if (auto const file = of.value_of("file"); !file.empty())
    return fmt::format("#line 1 {}\n", in_double_quotes(file));
  return fmt::format("#line {} {}\n", of.line + 1, in_double_quotes(on.path.filename().string()));
}

std::string registered(page const& on, block const& of, std::string_view call) {
  return fmt::format("static lockstep::docs::runnable const run_{}{{{}, [] {{ return {}; }}}};\n",
                     of.line, in_double_quotes(name_of(on, of)), call);
}

std::string code_of(page const& on, block const& of) {
  auto text = line_directive(on, of) + body_of(on, of);
  auto const name = function_of(of);
  if (kind_of(of) == cpp_kind::statements)
    return fmt::format("int {}() {{\n{}\n{}return 0;\n}}\n{}", name, of.value_of("after"), text,
                       registered(on, of, name + "()"));
  if (!is_a_file(of)) return text;
  auto code = fmt::format("namespace {0} {{\n{1}}}\nusing namespace {0};\n", name, text);
  if (kind_of(of) == cpp_kind::program) code += registered(on, of, name + "::block_main()");
  return code;
}

}  // namespace

cpp_kind kind_of(block const& of) {
  if (of.text.find(main_of_block) != std::string::npos) return cpp_kind::program;
  if (of.has("statements") || of.has("after")) return cpp_kind::statements;
  return of.text.find("TEST_CASE(") != std::string::npos ? cpp_kind::test_cases
                                                         : cpp_kind::definitions;
}

std::string name_of(page const& on, block const& which) {
  return fmt::format("{}:{}", on.path.stem().string(), which.line);
}

std::string extracted(page const& from) {
  std::set<std::string> includes{"#include \"runnable.hpp\""};
  std::string code;
  for (auto const& block : from.blocks)
    if (block.language == "cpp" && !block.has("as in")) {
      for (auto const& line : lines_of(block.text))
        if (line.starts_with("#include")) includes.insert(line);
      auto const text = code_of(from, block);
      auto const space = "page_" + identifier_of(from);
      code += block.has("global") ? text : fmt::format("namespace {} {{\n{}}}\n", space, text);
    }
  std::string top;
  for (auto const& line : includes) top += line + '\n';
  return fmt::format("// Made from {}; do not edit.\n{}\n{}", from.path.filename().string(), top,
                     code);
}

}  // namespace lockstep::docs
