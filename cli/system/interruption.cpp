#include "interruption.hpp"

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

}  // namespace

void clean_up_when_interrupted() noexcept {
  std::signal(SIGXFSZ, SIG_IGN);
  struct sigaction cleaning {};
  cleaning.sa_handler = clean_up_and_end;
  cleaning.sa_flags = static_cast<int>(SA_RESETHAND | SA_ONSTACK);  // a fiber's stack may be full
  sigemptyset(&cleaning.sa_mask);
  for (int const signal : {SIGHUP, SIGINT, SIGQUIT, SIGPIPE, SIGTERM, SIGXCPU}) {
    struct sigaction before {};
    if (::sigaction(signal, nullptr, &before) == 0 && before.sa_handler == SIG_DFL)
      ::sigaction(signal, &cleaning, nullptr);
  }
}

}  // namespace lockstep::cli
