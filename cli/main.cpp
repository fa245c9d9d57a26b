#include <malloc.h>

#include <exception>
#include <iostream>
#include <stdexcept>
#include <variant>

#include <lockstep/experiments/registry.hpp>

#include "commands/command_line.hpp"
#include "commands/commands.hpp"
#include "system/failure.hpp"
#include "system/interruption.hpp"

namespace {

using namespace lockstep;

template <class Command>
cli::exit_status execute(Command const& command) {
  return cli::execute(command, std::cout);
}
cli::exit_status execute(cli::view_command const& command) {
  return cli::execute(command, std::cout, std::cerr);
}
cli::exit_status execute(cli::figure_command const& command) {
  return cli::execute(command, std::cout, std::cerr);
}

cli::exit_status do_what_is_asked(int count, char const* const* arguments) {
  auto const asked = cli::read_command_line(count, arguments, experiments());
  auto const status = std::visit([](auto const& command) { return execute(command); }, asked);
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

}  // namespace

int main(int count, char** arguments) {
  keep_memory_that_is_given_back();
  cli::clean_up_when_interrupted();
  try {
    return static_cast<int>(do_what_is_asked(count, arguments));
  } catch (std::exception const& problem) {
    std::cout.flush();
    std::cerr << "lockstep: " << cli::message_of(problem) << '\n';
    return static_cast<int>(cli::status_of(problem));
  }
}
