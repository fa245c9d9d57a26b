#include <lockstep/experiments/registry.hpp>

#ifdef LOCKSTEP_WITH_MPI
#include <lockstep/mpi/cluster.hpp>
#endif

#include "commands/tool.hpp"
#include "system/interruption.hpp"
#include "system/numeric_libraries.hpp"

int main(int count, char** arguments) {
#ifdef LOCKSTEP_WITH_MPI
  if (lockstep::mpi::cluster::is_launched()) {
    lockstep::mpi::cluster processes(count, arguments, {.names_signals = false});
    lockstep::cli::clean_up_when_interrupted();
    processes.name_signals();
    lockstep::cli::tool shared(lockstep::experiments(), "lockstep", true,
                               lockstep::cli::linked_libraries());
    if (processes.processes() > 1) shared.processes = &processes;
    return lockstep::cli::run_tool(count, arguments, shared);
  }
#endif
  return lockstep::cli::run_tool(
      count, arguments,
      {lockstep::experiments(), "lockstep", true, lockstep::cli::linked_libraries()});
}
