#include "grade_part.hpp"

#include <algorithm>
#include <cstdint>

#include "option_values.hpp"

namespace lockstep::cli {

grade_part::grade_part(CLI::App& parser, tool const& of)
    : command_part(parser, of, "grade", "Grade a class's programs by a test: a table") {
  m_options
      .add_option("FOLDER", m_folder,
                  "Submissions: .cpp files, in folders of theirs or not; or one such file")
      ->type_name("");
  add_text("--test", m_test, "FILE of the test, or the name of a lesson that has one");
  add_text("--compiler", m_compiler, "COMMAND that compiles, with its options (default: c++)");
  add_text("--seconds", m_seconds, "NUMBER of seconds that a submission may take (default: 10)");
  add_text("--memory", m_memory, "MIB that a submission may take (default: 1024)");
  add_text("--parallel", m_parallel, "NUMBER of submissions at a time; 0: one a core");
  m_options.add_flag("--csv", m_csv, "Print CSV, a row a submission");
  m_options.add_flag("--json", m_json, "Print one JSON object, with all checks");
  m_options.footer(
      "Each submission is compiled, and runs in a process of its own, which can neither write "
      "files "
      "nor\n"
      "start others. What hangs, crashes, ends itself or prints a verdict has not passed. The "
      "status\n"
      "is 0 if all have.");
}

process_limits grade_part::limits() const {
  process_limits limits;
  if (auto const text = if_given<std::string>("--seconds", m_seconds)) {
    auto const seconds = plain_number(*text);
    if (!seconds || !(*seconds > 0) || *seconds > 86'400)
      throw usage_error(
          fmt::format("--seconds: '{}' is not a number above 0 and up to 86400", *text));
    limits.seconds = *seconds;
  }
  if (auto const text = if_given<std::string>("--memory", m_memory)) {
    auto const mib = whole_number("--memory", *text);
    if (mib < 64 || mib > 1'048'576)
      throw usage_error(fmt::format("--memory: {} is not between 64 and 1048576 MiB", mib));
    limits.memory_mib = static_cast<std::uint64_t>(mib);
  }
  return limits;
}

command grade_part::read() const {
  refuse_extras();
  if (m_folder.empty())
    throw usage_error(
        fmt::format("name a folder of submissions: {} grade FOLDER --test FILE", m_tool.name));
  auto const test = if_given<std::string>("--test", m_test);
  if (!test)
    throw usage_error(fmt::format("name the test: {} grade {} --test FILE", m_tool.name, m_folder));
  if (m_csv && m_json) throw usage_error("--csv and --json cannot both be printed; take one");
  grade_command asked{.folder = m_folder, .test = *test, .limits = limits()};
  if (auto const compiler = if_given<std::string>("--compiler", m_compiler))
    asked.compiler = *compiler;
  auto const parallel = whole_number("--parallel", m_parallel);
  if (parallel < 0 || parallel > 1024)
    throw usage_error(fmt::format("--parallel: {} is not between 0 and 1024", parallel));
  asked.parallel = static_cast<int>(parallel);
  if (m_csv) asked.form = grade_form::csv;
  if (m_json) asked.form = grade_form::json;
  return asked;
}

}  // namespace lockstep::cli
