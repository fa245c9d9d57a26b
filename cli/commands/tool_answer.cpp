#include <memory>
#include <sstream>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include <lockstep/detail/tool_answer.hpp>
#include <lockstep/errors.hpp>
#include <lockstep/experiments/papers.hpp>
#include <lockstep/experiments/registry.hpp>

#include "command_line.hpp"
#include "commands.hpp"
#include "figure_command.hpp"
#include "measured_run.hpp"
#include "report/figure_json.hpp"
#include "report/report.hpp"
#include "system/failure.hpp"
#include "usage_error.hpp"

namespace lockstep::detail {

namespace {

using cli::exit_status;

/// Carries out the commands that have an answer for programs.
class answering {
 public:
  exit_status operator()(cli::list_command const& asked) { return cli::execute(asked, m_out); }
  exit_status operator()(cli::run_command const& asked) {
    return cli::run_and_print(asked, {}, m_ignored, [&](cli::report const& of) {
      cli::print(cli::as_json(of), m_out);
      m_answer.text = cli::as_text(of, asked.table);
      m_answer.record = std::make_shared<run_record const>(of.result.record);
    });
  }
  exit_status operator()(cli::sweep_command const& asked) {
    return cli::execute(asked, m_out, m_notes);
  }
  exit_status operator()(cli::paper_command const& asked) { return cli::execute(asked, m_out); }
  exit_status operator()(cli::figure_command const& asked) {
    auto const figure = cli::drawn_figure(asked);
    cli::print(cli::as_json(figure), m_out);
    return all_right(figure) ? exit_status::all_right : exit_status::wrong;
  }
  template <class Other>
  exit_status operator()(Other const& /*asked*/) {
    throw refused_command("only list, run, sweep, paper and figure have an answer for programs");
  }

  [[nodiscard]] tool_answer answer(exit_status status) && {
    m_answer.json = std::move(m_out).str();
    m_answer.notes = std::move(m_notes).str();
    m_answer.is_right = status == exit_status::all_right;
    return std::move(m_answer);
  }

 private:
  std::ostringstream m_out;
  std::ostringstream m_notes;
  std::ostringstream m_ignored;  ///< the JSON of an error, which is thrown, too
  tool_answer m_answer{};
};

}  // namespace

tool_answer answer_to(std::vector<std::string> const& words) {
  for (auto const& one : words)
    if (one.find('\0') != std::string::npos)
      throw refused_command("a zero byte within '" + one.substr(0, one.find('\0')) +
                            "...'; leave it out");
  cli::tool const of(experiments());
  std::vector<char const*> arguments{of.name.c_str()};
  for (auto const& one : words) arguments.push_back(one.c_str());
  try {
    answering commands;
    auto const status = std::visit(
        [&](auto const& asked) { return commands(asked); },
        cli::read_command_line(static_cast<int>(arguments.size()), arguments.data(), of));
    return std::move(commands).answer(status);
  } catch (bad_input const& problem) {
    throw refused_command(cli::message_of(problem));
  } catch (cli::usage_error const& problem) {
    throw refused_command(cli::message_of(problem));
  }
}

}  // namespace lockstep::detail
