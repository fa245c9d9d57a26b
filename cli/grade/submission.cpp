#include "submission.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <random>
#include <sstream>
#include <stdexcept>
#include <string_view>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <lockstep/detail/quoted.hpp>

namespace lockstep::cli {

namespace {

using nlohmann::json;

/// Makes a word that nobody guesses.
std::string secret_word() {
  std::random_device source;
  std::string word;
  for (int i = 0; i < 8; ++i) word += fmt::format("{:08x}", source());
  return word;
}

/// The account of a process, as far as it knew the word.
struct told {
  std::string not_loaded{};
  std::vector<checked> checks{};
  std::optional<std::size_t> begun{};  ///< the check that was last begun
  bool has_plan = false;
  bool has_ended = false;
  bool has_sandbox = true;
};

template <class Value>
std::optional<Value> value_in(json const& of, char const* name) {
  return of.contains(name) ? std::optional<Value>(of.at(name).get<Value>()) : std::nullopt;
}

void add_check(told& to, json const& line) {
  auto& one = to.checks.at(line.at("check").get<std::size_t>());
  one.passed = line.at("passed").get<bool>();
  one.rule = lockstep::detail::one_line(line.at("rule").get<std::string>());
  one.steps = value_in<std::uint64_t>(line, "steps");
  one.claimed = value_in<std::uint64_t>(line, "claimed");
  to.begun.reset();
}

void add_line(told& to, json const& line) {
  if (line.contains("sandbox")) to.has_sandbox = false;
  if (line.contains("not_loaded"))
    to.not_loaded = lockstep::detail::one_line(line.at("not_loaded").get<std::string>());
  if (line.contains("begin")) to.begun = line.at("begin").get<std::size_t>();
  if (line.contains("check")) add_check(to, line);
  if (line.contains("end")) to.has_ended = true;
  if (!line.contains("plan")) return;
  to.has_plan = true;
  for (auto const& one : line.at("plan"))
    to.checks.push_back(
        {.name = one.at("name").get<std::string>(), .points = one.at("points").get<int>()});
}

/// Reads the lines that begin with the word; all others are not of the test.
told read_told(std::string const& output, std::string const& word) {
  told found;
  std::istringstream lines(output);
  for (std::string line; std::getline(lines, line);)
    if (line.starts_with(word)) add_line(found, json::parse(line.substr(word.size())));
  return found;
}

std::string signal_text(int number) {
  char const* const text = ::sigdescr_np(number);
  return text == nullptr ? fmt::format("signal {}", number) : text;
}

/// Says how the process ended, where it was not the test that ended it.
std::pair<verdict, std::string> early_end(finished_child const& process,
                                          process_limits const& limits) {
  switch (process.end) {
    case child_end::too_late:
      return {verdict::timed_out, fmt::format("is not done after {:g} s", limits.seconds)};
    case child_end::signalled:
      return {verdict::crashed, fmt::format("crashes: {}", signal_text(process.number))};
    case child_end::ended:
      break;
  }
  return {verdict::ended_itself,
          fmt::format("ends the program, with status {}, before the test is over", process.number)};
}

/// Judges what was told. The first check that did not pass decides.
void judge(graded_submission& of, told const& from, finished_child const& process,
           process_limits const& limits) {
  of.checks = from.checks;
  if (!from.not_loaded.empty()) {
    of.rule = from.not_loaded;
    return;
  }
  auto [how, rule] = early_end(process, limits);
  if (from.begun) of.checks.at(*from.begun).rule = rule;
  auto const first =
      std::ranges::find_if(of.checks, [](checked const& one) { return !one.passed; });
  bool const is_over = from.has_ended && from.has_plan;
  if (is_over && first == of.checks.end()) {
    of.what = verdict::passed;
    return;
  }
  bool const was_run = first != of.checks.end() && !first->rule.empty();
  bool const is_broken_off =
      from.begun && first == of.checks.begin() + static_cast<long>(*from.begun);
  of.what = was_run && !is_broken_off ? verdict::failed : how;
  of.rule = was_run ? fmt::format("{}: {}", first->name, first->rule) : rule;
}

}  // namespace

std::string name_of(verdict one) {
  constexpr std::array names{"passed",  "failed",       "timed out",
                             "crashed", "ended itself", "not compiled"};
  return names.at(static_cast<std::size_t>(one));
}

int graded_submission::points() const {
  int sum = 0;
  for (auto const& one : checks)
    if (one.passed) sum += one.points;
  return sum;
}

int graded_submission::most_points() const {
  int sum = 0;
  for (auto const& one : checks) sum += one.points;
  return sum;
}

checked const* graded_submission::shown() const {
  checked const* last = nullptr;
  for (auto const& one : checks) {
    if (!one.passed) return &one;
    if (one.steps) last = &one;
  }
  return last;
}

graded_submission grade(std::filesystem::path const& source, std::string name,
                        std::filesystem::path const& test, source_compiler const& compiler,
                        process_limits const& limits, std::filesystem::path const& scratch,
                        std::size_t number) {
  graded_submission made{.name = std::move(name)};
  auto const library = scratch / fmt::format("{}.so", number);
  made.rule = lockstep::detail::one_line(compiler.compile(source, library, true));
  if (!made.rule.empty()) return made;
  auto const word = secret_word();
  auto const process = run_child({"/proc/self/exe", "grade-one", library.string(), test.string()},
                                 limits, child_channel::own, word + '\n');
  auto const from = read_told(process.output, word);
  if (!from.has_sandbox)
    throw std::runtime_error(
        "this system does not let a process close itself off (seccomp, on x86-64 and aarch64), "
        "without which submissions are not run");
  judge(made, from, process, limits);
  return made;
}

}  // namespace lockstep::cli
