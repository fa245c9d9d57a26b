#include "engine/memory/overflow_guard.hpp"

#include <signal.h>  // NOLINT(modernize-deprecated-headers): POSIX's, with sigaction
#include <ucontext.h>

#include <atomic>
#include <mutex>
#include <new>

#include "engine/memory/sanitizer.hpp"

namespace lockstep::detail {

namespace {

// A signal handler can reach nothing but what lies at a fixed place: these are the exception to "no
// globals".
thread_local guarded_stacks* watched = nullptr;

/// The action of a signal before lockstep handled it. A handler may read it at any time, in any
/// thread: so it never changes, and is never freed.
struct kept_action {
  struct sigaction action;
  kept_action const* older;

  [[nodiscard]] bool is(struct sigaction const& other) const {
    return action.sa_flags == other.sa_flags && action.sa_handler == other.sa_handler;
  }
};

/// A signal that lockstep handles while a machine runs.
class handled_signal {
 public:
  explicit constexpr handled_signal(int number) : m_number(number) {}

  /// Lets `handler` handle the signal; without memory, nothing changes.
  void take(void (*handler)(int, siginfo_t*, void*)) noexcept;
  /// Lets it do again what it did before, unless `handler` was replaced meanwhile.
  void give_back(void (*handler)(int, siginfo_t*, void*)) const noexcept;
  /// Finds what it did before, to be called. May be called in the handler.
  [[nodiscard]] struct sigaction const& previous() const noexcept {
    return m_previous.load(std::memory_order_acquire)->action;
  }

 private:
  /// Keeps an action as the previous one. False: there is no memory.
  bool keep(struct sigaction const& action) noexcept;

  int m_number;
  struct sigaction m_given_back {};    ///< the previous action, with its mask
  kept_action const* m_all = nullptr;  ///< every action that it ever had, once
  std::atomic<kept_action const*> m_previous = nullptr;
};

bool handled_signal::keep(struct sigaction const& action) noexcept {
  auto const* known = m_all;
  while (known != nullptr && !known->is(action)) known = known->older;
  if (known == nullptr) {
    known = new (std::nothrow) kept_action{action, m_all};
    if (known == nullptr) return false;
    m_all = known;
  }
  m_previous.store(known, std::memory_order_release);
  return true;
}

void handled_signal::take(void (*handler)(int, siginfo_t*, void*)) noexcept {
  ::sigaction(m_number, nullptr, &m_given_back);
  if (!keep(m_given_back)) return;  // before `handler` can be called
  struct sigaction action {};
  action.sa_sigaction = handler;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER;
  sigemptyset(&action.sa_mask);
  ::sigaction(m_number, &action, nullptr);
}

void handled_signal::give_back(void (*handler)(int, siginfo_t*, void*)) const noexcept {
  struct sigaction current {};
  ::sigaction(m_number, nullptr, &current);
  if ((current.sa_flags & SA_SIGINFO) != 0 && current.sa_sigaction == handler)
    ::sigaction(m_number, &m_given_back, nullptr);
}

struct handlers {
  std::mutex guard;  ///< of all but handled_signal::previous
  int users = 0;
  handled_signal fault{SIGSEGV};
  handled_signal bus{SIGBUS};
};

handlers& installed() {
  static constinit handlers all;
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
  auto const& previous = (signal == SIGSEGV ? installed().fault : installed().bus).previous();
  // As the system does: else a handler that raises its signal again would be called without end.
  if ((previous.sa_flags & static_cast<int>(SA_RESETHAND)) != 0) ::signal(signal, SIG_DFL);
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
  if (all.users == 0) {
    all.fault.take(on_fault);
    all.bus.take(on_fault);
  }
  ++all.users;
}

void uninstall() {
  auto& all = installed();
  std::scoped_lock const lock(all.guard);
  if (--all.users > 0) return;
  all.fault.give_back(on_fault);
  all.bus.give_back(on_fault);
}

constexpr std::size_t signal_stack_bytes = std::size_t{64} * 1024;

}  // namespace

overflow_guard::overflow_guard() noexcept
    : m_outer(watched), m_signal_stack(new(std::nothrow) std::byte[signal_stack_bytes]) {
  install();
  if (m_signal_stack == nullptr) return;
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
  uninstall();
  if (m_signal_stack == nullptr) return;
  stack_t previous{};
  previous.ss_sp = m_previous_stack;
  previous.ss_size = m_previous_bytes;
  previous.ss_flags =
      m_previous_flags == 0 && m_previous_stack == nullptr ? SS_DISABLE : m_previous_flags;
  ::sigaltstack(&previous, nullptr);
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
