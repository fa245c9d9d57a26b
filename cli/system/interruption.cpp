#include "interruption.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <csignal>

#include <lockstep/experiments/output_file.hpp>

#include "report/progress.hpp"

namespace lockstep::cli {

namespace {

constexpr std::array from_people{SIGINT, SIGTERM, SIGHUP, SIGQUIT};

/// The request of the scope that lives, or nullptr, and the signal that came first, or 0.
std::atomic<detail::stop_request*> request_of_scope = nullptr;
std::atomic<int> first_signal = 0;
static_assert(std::atomic<detail::stop_request*>::is_always_lock_free &&
              std::atomic<int>::is_always_lock_free);

/// The signal has its default action again: it waits until this returns, and then ends the process.
void clean_up_and_end(int signal) {
  output_file::remove_incomplete();
  erase_progress();
  std::raise(signal);
}

void ask_to_stop(int signal) {
  int none = 0;
  first_signal.compare_exchange_strong(none, signal);
  if (auto* const request = request_of_scope.load()) request->ask();
}

/// Has the signal handled once; system calls go on. One that is ignored stays so, and one that has another
/// handler than `instead_of` keeps it.
void handle(int signal, void (*handler)(int), void (*instead_of)(int)) noexcept {
  struct sigaction handling {};
  handling.sa_handler = handler;
  // A fiber's stack may be full.
  handling.sa_flags = static_cast<int>(SA_RESETHAND | SA_ONSTACK | SA_RESTART);
  sigemptyset(&handling.sa_mask);
  struct sigaction before {};
  if (::sigaction(signal, nullptr, &before) == 0 && before.sa_handler == instead_of)
    ::sigaction(signal, &handling, nullptr);
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
  for (int signal = 1; signal <= SIGRTMAX; ++signal)
    if (ends_process(signal)) handle(signal, clean_up_and_end, SIG_DFL);
}

interruption_scope::interruption_scope() noexcept {
  first_signal = 0;
  request_of_scope = &m_request;
  for (int const signal : from_people) handle(signal, ask_to_stop, clean_up_and_end);
}

interruption_scope::~interruption_scope() {
  for (int const signal : from_people) handle(signal, clean_up_and_end, ask_to_stop);
  request_of_scope = nullptr;
}

void interruption_scope::end_process() const noexcept {
  if (int const signal = first_signal; signal != 0) std::raise(signal);
}

}  // namespace lockstep::cli
