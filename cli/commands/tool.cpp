#include "tool.hpp"

#include <malloc.h>

#include <algorithm>
#include <exception>
#include <iostream>
#include <map>
#include <optional>
#include <set>
#include <stdexcept>
#include <streambuf>
#include <string_view>
#include <variant>

#include <fmt/format.h>

#include <lockstep/experiments/shared_inputs.hpp>
#include <lockstep/main.hpp>

#include "command_line.hpp"
#include "commands.hpp"
#include "system/failure.hpp"
#include "system/interruption.hpp"
#include "system/silent_buffer.hpp"
#include "usage_error.hpp"

namespace lockstep {

namespace cli {

namespace {

template <class Command>
exit_status executed(Command const& command) {
  return execute(command, std::cout);
}
exit_status executed(view_command const& command) { return execute(command, std::cout, std::cerr); }
exit_status executed(sweep_command const& command) {
  return execute(command, std::cout, std::cerr);
}

/// Lets all processes execute a command. Errors: usage_error where they cannot.
void share_among(lockstep::cluster& processes, command& asked) {
  if (std::holds_alternative<show_text>(asked) || std::holds_alternative<list_command>(asked))
    return;
  auto* const run = std::get_if<run_command>(&asked);
  if (run == nullptr)
    throw usage_error(
        "several processes have the command 'run' alone; type the others without mpirun");
  if (run->trace)
    throw usage_error(
        fmt::format("several processes write no {}; leave it out, or run it without mpirun",
                    run->trace_option));
  run->options.cluster = &processes;
}

/// Lets process 0 alone write results.
class one_writer {
 public:
  explicit one_writer(lockstep::cluster const* processes) {
    if (processes != nullptr && processes->process() > 0) m_before = std::cout.rdbuf(&m_silence);
  }
  one_writer(one_writer const&) = delete;
  one_writer& operator=(one_writer const&) = delete;
  ~one_writer() {
    if (m_before != nullptr) std::cout.rdbuf(m_before);
  }

 private:
  silent_buffer m_silence;
  std::streambuf* m_before = nullptr;
};

/// Whether this process names the error: all have the same one, or are told of it, unless one of them is gone.
bool says_problems(tool const& of, std::exception const& problem) {
  return of.processes == nullptr || of.processes->process() == 0 ||
         (dynamic_cast<process_lost const*>(&problem) != nullptr && !of.processes->was_told_why());
}

exit_status do_what_is_asked(int count, char const* const* arguments, tool const& of) {
  if (!of.has_papers) require_distinct(of);  // lockstep's own are tested
  std::optional<shared_inputs> inputs;
  if (of.processes != nullptr) inputs.emplace(*of.processes);
  auto asked = read_command_line(count, arguments, of);
  if (of.processes != nullptr) share_among(*of.processes, asked);
  auto const status = std::visit([](auto const& command) { return executed(command); }, asked);
  if (!std::cout.flush())
    throw std::runtime_error("cannot write the results to the standard output");
  return status;
}

/// Memory that an exchange gives back it wants again at once; the system would clear it each time.
void keep_memory_that_is_given_back() {
#if defined(__GLIBC__)
  mallopt(M_MMAP_THRESHOLD, 32 << 20);
  mallopt(M_TRIM_THRESHOLD, 1 << 30);
#endif
}

/// Names become options, and files of pages.
void require_name(std::string_view name, std::string_view what) {
  constexpr std::string_view letters =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_";
  bool const is_word = !name.empty() && name.front() != '-' && name.front() != '_' &&
                       name.find_first_not_of(letters) == std::string_view::npos;
  if (!is_word)
    throw usage_error(
        fmt::format("'{}' cannot be the name of {}; take letters, digits, - and _", name, what));
}

/// Requires names of parameters that the options of every run leave free, among which are `taken`.
void require_parameters(experiment const& of, std::set<std::string> const& taken) {
  std::set<std::string_view> names;
  for (auto const& one : of.parameters) {
    require_name(one.name, fmt::format("a parameter of {}", of.name));
    if (taken.contains("--" + one.name))
      throw usage_error(fmt::format(
          "{} has a parameter '{}', which is an option of every algorithm; give it another name",
          of.name, one.name));
    if (one.name == "p")
      throw usage_error(fmt::format(
          "{} has a parameter 'p', which is the number of processors; give it another name",
          of.name));
    if (!names.insert(one.name).second)
      throw usage_error(
          fmt::format("{} has two parameters '{}'; give one another name", of.name, one.name));
    if (std::holds_alternative<bool>(one.fallback) && std::get<bool>(one.fallback))
      throw usage_error(
          fmt::format("{} has a flag '{}' that is set by default; name it for what it changes",
                      of.name, one.name));
  }
}

/// Requires parameters of one name to be flags of all algorithms that have them, or of none.
void require_same_kinds(std::span<experiment const> known) {
  std::map<std::string_view, std::pair<experiment const*, bool>> kinds;
  for (auto const& of : known)
    for (auto const& one : of.parameters) {
      bool const is_flag = std::holds_alternative<bool>(one.fallback);
      auto const [before, is_new] = kinds.try_emplace(one.name, &of, is_flag);
      if (!is_new && before->second.second != is_flag)
        throw usage_error(fmt::format(
            "'{}' is a flag of one of {} and {}, and takes a value of the other; give one another "
            "name",
            one.name, before->second.first->name, of.name));
    }
}

/// Lists the options that every run has.
std::set<std::string> options_of_all(tool const& of) {
  std::set<std::string> names{"--help", "--version", "--seed"};
  tool without_algorithms = of;
  without_algorithms.known = {};
  for (auto const& command : known_commands(without_algorithms))
    for (auto const& option : command.options)
      if (command.argument == "ALGORITHM" && option.name != "--words")
        names.insert(option.name);  // blocks are an algorithm's own
  return names;
}

}  // namespace

void require_distinct(tool const& of) {
  if (of.known.empty())
    throw usage_error("there is no algorithm; give lockstep::main at least one");
  auto const taken = options_of_all(of);
  std::set<std::string_view> names;
  for (auto const& one : of.known) {
    require_name(one.name, "an algorithm");
    if (!one.run)
      throw usage_error(fmt::format("{} has nothing to run; give it a program", one.name));
    if (!names.insert(one.name).second)
      throw usage_error(
          fmt::format("there are two algorithms '{}'; give one another name", one.name));
    require_parameters(one, taken);
  }
  require_same_kinds(of.known);
}

int run_tool(int count, char const* const* arguments, tool const& of) noexcept {
  keep_memory_that_is_given_back();
  one_writer const writer(of.processes);
  clean_up_when_interrupted();
  try {
    return static_cast<int>(do_what_is_asked(count, arguments, of));
  } catch (std::exception const& problem) {
    std::cout.flush();
    if (says_problems(of, problem)) std::cerr << of.name << ": " << message_of(problem) << '\n';
    if (of.processes != nullptr) of.processes->leave(message_of(problem));
    return static_cast<int>(status_of(problem));
  } catch (...) {
    std::cerr << of.name << ": something was thrown that is not a std::exception\n";
    return static_cast<int>(exit_status::wrong);
  }
}

}  // namespace cli

int main(int count, char const* const* arguments, std::vector<experiment> const& algorithms) {
  bool const has_name = count > 0 && arguments[0] != nullptr && *arguments[0] != '\0';
  char const* const no_words[] = {"this program", nullptr};
  return cli::run_tool(std::max(count, 1), count > 0 ? arguments : no_words,
                       {algorithms, has_name ? arguments[0] : no_words[0], false});
}

}  // namespace lockstep
