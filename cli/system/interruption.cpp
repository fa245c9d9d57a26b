#include "interruption.hpp"

#include <algorithm>
#include <array>
#include <csignal>

#include <lockstep/experiments/output_file.hpp>

#include "report/progress.hpp"

namespace lockstep::cli {

namespace {

/// The signal has its default action again: it waits until this returns, and then ends the process.
void clean_up_and_end(int signal) {
  output_file::remove_incomplete();
  erase_progress();
  std::raise(signal);
}

/// Whether the default action of a signal ends the process, and may be replaced. SIGXFSZ is ignored.
bool ends_process(int signal) {
  constexpr std::array others{SIGKILL, SIGSTOP, SIGCHLD, SIGCONT,  SIGTSTP,
                              SIGTTIN, SIGTTOU, SIGURG,  SIGWINCH, SIGXFSZ};
  return std::ranges::find(others, signal) == others.end();
}

}  // namespace

void clean_up_when_interrupted() noexcept {
  std::signal(SIGXFSZ, SIG_IGN);
  struct sigaction cleaning {};
  cleaning.sa_handler = clean_up_and_end;
  cleaning.sa_flags = static_cast<int>(SA_RESETHAND | SA_ONSTACK);  // a fiber's stack may be full
  sigemptyset(&cleaning.sa_mask);
  for (int signal = 1; signal <= SIGRTMAX; ++signal) {
    if (!ends_process(signal)) continue;
    struct sigaction before {};
    if (::sigaction(signal, nullptr, &before) == 0 && before.sa_handler == SIG_DFL)
      ::sigaction(signal, &cleaning, nullptr);
  }
}

}  // namespace lockstep::cli
