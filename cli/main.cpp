#include <lockstep/experiments/registry.hpp>

#include "commands/tool.hpp"
#include "system/numeric_libraries.hpp"

int main(int count, char** arguments) {
  return lockstep::cli::run_tool(
      count, arguments,
      {lockstep::experiments(), "lockstep", true, lockstep::cli::linked_libraries()});
}
