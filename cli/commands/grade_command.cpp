#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <exception>
#include <filesystem>
#include <ostream>
#include <string>
#include <system_error>
#include <thread>
#include <vector>

#include <fmt/format.h>

#include <lockstep/detail/quoted.hpp>
#include <lockstep/detail/stop_request.hpp>

#include "commands.hpp"
#include "grade/compiler.hpp"
#include "grade/submission.hpp"
#include "measured_run.hpp"
#include "report/grade_report.hpp"
#include "report/progress.hpp"
#include "system/interruption.hpp"
#include "usage_error.hpp"

namespace lockstep::cli {

namespace {

namespace fs = std::filesystem;

bool is_source(fs::path const& file) {
  auto const ending = file.extension();
  return ending == ".cpp" || ending == ".cc" || ending == ".cxx";
}

/// Lists the sources of a folder and those below, sorted, without the test; or the one file, which is a source.
/// Errors: usage_error.
std::vector<fs::path> sources_in(fs::path const& place, std::string const& test) {
  std::error_code unknown;
  if (fs::is_regular_file(place, unknown)) {
    if (is_source(place)) return {place};
    throw usage_error(
        fmt::format("{} is not a submission; they are files that end in .cpp, .cc or .cxx",
                    lockstep::detail::one_line(place.string())));
  }
  if (!fs::is_directory(place, unknown))
    throw usage_error(fmt::format("there is no folder {}; name one with submissions, .cpp files",
                                  place.string()));
  std::vector<fs::path> sources;
  auto const skipping = fs::directory_options::skip_permission_denied;
  for (auto file = fs::recursive_directory_iterator(place, skipping, unknown);
       !unknown && file != fs::recursive_directory_iterator(); file.increment(unknown))
    if (is_source(file->path()) && file->is_regular_file(unknown) &&
        !fs::equivalent(file->path(), test, unknown))
      sources.push_back(file->path());
  if (sources.empty())
    throw usage_error(
        fmt::format("there is no submission in {}; they are files that end in .cpp, "
                    ".cc or .cxx",
                    place.string()));
  std::ranges::sort(sources);
  return sources;
}

/// Finds the test: a file, or that of a lesson. Errors: usage_error.
fs::path test_from(std::string const& name) {
  std::error_code unknown;
  if (fs::is_regular_file(name, unknown)) return name;
  if (auto const of_lesson = hidden_test_of(name); !of_lesson.empty()) return of_lesson;
  throw usage_error(fmt::format(
      "--test: there is neither a file nor a lesson '{}'; name the file of a test", name));
}

/// Grades submissions, several at a time, in threads that live as long as their processes.
class class_grader {
 public:
  explicit class_grader(grade_command const& asked)
      : m_asked(asked),
        m_sources(sources_in(asked.folder, asked.test)),
        m_compiler(asked.compiler),
        m_test(m_scratch.path() / "test.so"),
        m_graded(m_sources.size()) {
    auto const problem = m_compiler.compile(test_from(asked.test), m_test, false);
    if (!problem.empty())
      throw usage_error(fmt::format("--test: {} does not compile: {}", asked.test, problem));
    if (auto const why = why_no_test(m_test); !why.empty())
      throw usage_error(fmt::format(
          "--test: {} {}; add checks to lockstep_test(lockstep::grading&)", asked.test, why));
  }

  /// Errors: those of `grade`; detail::work_stopped where this thread is asked to stop.
  [[nodiscard]] std::vector<graded_submission> graded() {
    auto* const board = progress_scope::board();
    if (board != nullptr) board->begin_stage("running", m_sources.size());
    {
      std::vector<std::jthread> threads;
      for (std::size_t i = 0; i < threads_wanted(); ++i)
        threads.emplace_back([this, board, stop = detail::stop_scope::current()] {
          detail::stop_scope const heeding(stop);
          grade_what_is_left(board);
        });
    }
    for (auto const& problem : m_problems)
      if (problem) std::rethrow_exception(problem);
    return std::move(m_graded);
  }

 private:
  [[nodiscard]] std::size_t threads_wanted() const {
    auto const asked = m_asked.parallel > 0 ? static_cast<std::size_t>(m_asked.parallel)
                                            : std::thread::hardware_concurrency();
    return std::clamp<std::size_t>(asked, 1, m_sources.size());
  }

  void grade_what_is_left(work_progress* board) {
    for (auto i = m_next++; i < m_sources.size(); i = m_next++) {
      try {
        m_graded[i] = grade(m_sources[i], name_of(m_sources[i]), m_test, m_compiler, m_asked.limits,
                            m_scratch.path(), i);
      } catch (...) {
        m_problems[i] = std::current_exception();
      }
      if (board != nullptr) board->add(1);
    }
  }

  [[nodiscard]] std::string name_of(fs::path const& source) const {
    auto const name =
        source == m_asked.folder ? source.filename() : source.lexically_relative(m_asked.folder);
    return lockstep::detail::one_line(name.string());
  }

  grade_command const& m_asked;
  std::vector<fs::path> m_sources;
  temporary_folder m_scratch;
  source_compiler m_compiler;
  fs::path m_test;
  std::vector<graded_submission> m_graded;
  std::vector<std::exception_ptr> m_problems{m_graded.size()};
  std::atomic<std::size_t> m_next = 0;
};

/// Grades them. Where somebody ends the process, compilers and submissions are ended, and what they have
/// written is removed.
std::vector<graded_submission> grades_of(grade_command const& asked) {
  interruption_scope const interruption;
  try {
    progress const shown(STDERR_FILENO, "grade");
    auto graded = class_grader(asked).graded();
    detail::stop_scope::check();
    return graded;
  } catch (detail::work_stopped const&) {
    interruption.end_process();
    throw;
  }
}

}  // namespace

exit_status execute(grade_command const& asked, std::ostream& out) {
  grade_report const of{
      .version = LOCKSTEP_VERSION, .test = asked.test, .submissions = grades_of(asked)};
  if (asked.form == grade_form::table) out << grades_as_text(of);
  if (asked.form == grade_form::csv) out << grades_as_csv(of);
  if (asked.form == grade_form::json) print(grades_as_json(of), out);
  bool const have_passed = std::ranges::all_of(
      of.submissions, [](auto const& one) { return one.what == verdict::passed; });
  return have_passed ? exit_status::all_right : exit_status::wrong;
}

exit_status execute(grade_one_command const& asked, std::ostream& /*out*/) {
  run_test(asked.submission, asked.test);
}

}  // namespace lockstep::cli
