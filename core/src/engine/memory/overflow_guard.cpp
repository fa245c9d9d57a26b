#include "engine/memory/overflow_guard.hpp"

#include <signal.h>  // NOLINT(modernize-deprecated-headers): POSIX's, with sigaction
#include <ucontext.h>

#include <mutex>

#include "engine/memory/sanitizer.hpp"

namespace lockstep::detail {

namespace {

// A signal handler can reach nothing but what lies at a fixed place: these are the exception to "no
// globals".
thread_local guarded_stacks* watched = nullptr;

struct handlers {
  std::mutex guard;
  int users = 0;
  struct sigaction previous_fault {};
  struct sigaction previous_bus {};
};

handlers& installed() {
  static handlers all;
  return all;
}

void on_fault(int signal, siginfo_t* info, void* context) {
  auto const* const address = static_cast<std::byte const*>(info->si_addr);
  if (watched != nullptr && watched->running && address >= watched->begin &&
      address < watched->end) {
    watched->running = false;
    if (watched->home_bottom != nullptr)
      leave_stack(nullptr, watched->home_bottom, watched->home_bytes);
    go_to_fiber(watched->home_fiber);
    // ThreadSanitizer blocks all signals while a handler runs.
    ::pthread_sigmask(SIG_SETMASK, &static_cast<ucontext_t const*>(context)->uc_sigmask, nullptr);
    siglongjmp(watched->way_out, 1);
  }
  for (auto* machine = watched; machine != nullptr; machine = machine->outer)
    if (machine->memory != nullptr &&
        machine->memory->touch(address, machine->running || machine->on_errand))
      return;
  auto const& previous = signal == SIGSEGV ? installed().previous_fault : installed().previous_bus;
  if ((previous.sa_flags & SA_SIGINFO) != 0) {
    previous.sa_sigaction(signal, info, context);
  } else if (previous.sa_handler != SIG_DFL && previous.sa_handler != SIG_IGN) {
    previous.sa_handler(signal);
  } else {
    ::signal(signal, SIG_DFL);  // the instruction is tried again, and ends the process
  }
}

void install() {
  auto& all = installed();
  std::scoped_lock const lock(all.guard);
  if (all.users++ > 0) return;
  struct sigaction action {};
  action.sa_sigaction = on_fault;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER;
  sigemptyset(&action.sa_mask);
  ::sigaction(SIGSEGV, &action, &all.previous_fault);
  ::sigaction(SIGBUS, &action, &all.previous_bus);
}

void restore(int signal, struct sigaction const& previous) {
  struct sigaction current {};
  ::sigaction(signal, nullptr, &current);
  if ((current.sa_flags & SA_SIGINFO) != 0 && current.sa_sigaction == on_fault)
    ::sigaction(signal, &previous, nullptr);
}

void uninstall() {
  auto& all = installed();
  std::scoped_lock const lock(all.guard);
  if (--all.users > 0) return;
  restore(SIGSEGV, all.previous_fault);
  restore(SIGBUS, all.previous_bus);
}

constexpr std::size_t signal_stack_bytes = std::size_t{64} * 1024;

}  // namespace

overflow_guard::overflow_guard()
    : m_outer(watched),
      m_signal_stack(std::make_unique_for_overwrite<std::byte[]>(signal_stack_bytes)) {
  install();
  stack_t mine{};
  stack_t previous{};
  mine.ss_sp = m_signal_stack.get();
  mine.ss_size = signal_stack_bytes;
  if (::sigaltstack(&mine, &previous) == 0) {
    m_previous_stack = previous.ss_sp;
    m_previous_bytes = previous.ss_size;
    m_previous_flags = previous.ss_flags;
  }
}

overflow_guard::~overflow_guard() {
  watched = m_outer;
  stack_t previous{};
  previous.ss_sp = m_previous_stack;
  previous.ss_size = m_previous_bytes;
  previous.ss_flags =
      m_previous_flags == 0 && m_previous_stack == nullptr ? SS_DISABLE : m_previous_flags;
  ::sigaltstack(&previous, nullptr);
  uninstall();
}

void overflow_guard::watch(guarded_stacks& stacks) {
  stacks.outer = m_outer;
  watched = &stacks;
}

bool guarded_memory::touch(std::byte const* address, bool program_runs) noexcept {
  if (auto const owner = pages->owner_of(address); owner != private_pages::nobody) {
    if (program_runs) touched_pages_of = owner;
    return pages->open(owner);
  }
  auto const* const payload = moved.open(address);
  if (program_runs && payload != nullptr) touched_payload = payload;
  return payload != nullptr;
}

}  // namespace lockstep::detail
