#include "tool.hpp"

#include <malloc.h>

#include <algorithm>
#include <array>
#include <exception>
#include <iostream>
#include <set>
#include <stdexcept>
#include <string_view>
#include <variant>

#include <fmt/format.h>

#include <lockstep/main.hpp>

#include "command_line.hpp"
#include "commands.hpp"
#include "system/failure.hpp"
#include "system/interruption.hpp"
#include "usage_error.hpp"

namespace lockstep {

namespace cli {

namespace {

template <class Command>
exit_status executed(Command const& command) {
  return execute(command, std::cout);
}
exit_status executed(view_command const& command) { return execute(command, std::cout, std::cerr); }
exit_status executed(figure_command const& command) {
  return execute(command, std::cout, std::cerr);
}

exit_status do_what_is_asked(int count, char const* const* arguments, tool const& of) {
  require_distinct(of);
  auto const asked = read_command_line(count, arguments, of);
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

void require_name(std::string_view name, std::string_view what) {
  bool const is_word = !name.empty() && name.front() != '-' &&
                       name.find_first_of(" \t\n=") == std::string_view::npos;
  if (!is_word)
    throw usage_error(
        fmt::format("'{}' cannot be the name of {}; take a word without blanks, = and a leading -",
                    name, what));
}

/// The options of all algorithms, whose names parameters cannot have. Blocks and seeds are their own.
constexpr std::array options_of_all{"on",         "input",  "output", "json",   "table",
                                    "model",      "trace",  "ports",  "strict", "engine",
                                    "workers",    "stacks", "help",   "beside", "gallery",
                                    "processors", "steps",  "show",   "seed"};

void require_parameters(experiment const& of) {
  std::set<std::string_view> names;
  for (auto const& [name, help, fallback, made, least, most, texts, told] : of.parameters) {
    require_name(name, fmt::format("a parameter of {}", of.name));
    if (std::ranges::find(options_of_all, name) != options_of_all.end())
      throw usage_error(fmt::format(
          "{} has a parameter '{}', which is an option of every algorithm; give it another name",
          of.name, name));
    if (!names.insert(name).second)
      throw usage_error(
          fmt::format("{} has two parameters '{}'; give one another name", of.name, name));
    if (std::holds_alternative<bool>(fallback) && std::get<bool>(fallback))
      throw usage_error(fmt::format(
          "{} has a flag '{}' that is set by default; name it for what it changes", of.name, name));
  }
}

}  // namespace

void require_distinct(tool const& of) {
  if (of.known.empty())
    throw usage_error("there is no algorithm; give lockstep::main at least one");
  std::set<std::string_view> names;
  for (auto const& one : of.known) {
    require_name(one.name, "an algorithm");
    if (!one.run)
      throw usage_error(fmt::format("{} has nothing to run; give it a program", one.name));
    if (!names.insert(one.name).second)
      throw usage_error(
          fmt::format("there are two algorithms '{}'; give one another name", one.name));
    require_parameters(one);
  }
}

int run_tool(int count, char const* const* arguments, tool const& of) noexcept {
  keep_memory_that_is_given_back();
  clean_up_when_interrupted();
  try {
    return static_cast<int>(do_what_is_asked(count, arguments, of));
  } catch (std::exception const& problem) {
    std::cout.flush();
    std::cerr << of.name << ": " << message_of(problem) << '\n';
    return static_cast<int>(status_of(problem));
  }
}

}  // namespace cli

int main(int count, char const* const* arguments, std::vector<experiment> const& algorithms) {
  return cli::run_tool(count, arguments,
                       {algorithms, count > 0 ? arguments[0] : "this program", false});
}

}  // namespace lockstep
