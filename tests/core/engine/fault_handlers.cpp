// Faults that belong to the program reach its own handler, whatever machines begin and end
// meanwhile in other threads, and signals of faults that are sent end a process whose handler is for one of them.
// Exit status 0 if all of them did.

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <thread>
#include <vector>

#include <dlfcn.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <lockstep/errors.hpp>
#include <lockstep/machine.hpp>
#include <lockstep/topologies/crossbar.hpp>

namespace {

/// A page that its owner may not touch until the program's handler opens it.
class closed_page {
 public:
  closed_page() : m_bytes(static_cast<std::size_t>(::sysconf(_SC_PAGESIZE))) {
    void* const page = ::mmap(nullptr, m_bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (page == MAP_FAILED) std::abort();
    m_first = static_cast<char*>(page);
  }
  closed_page(closed_page const&) = delete;
  closed_page& operator=(closed_page const&) = delete;
  ~closed_page() { ::munmap(m_first, m_bytes); }

  void touch() {
    ::mprotect(m_first, m_bytes, PROT_NONE);
    own = this;
    *static_cast<char volatile*>(m_first) = 1;
    own = nullptr;
  }
  static void open(void const* address) {
    if (own == nullptr || address != own->m_first) std::_Exit(3);
    ::mprotect(own->m_first, own->m_bytes, PROT_READ | PROT_WRITE);
  }

 private:
  static thread_local closed_page* volatile own;  ///< that this thread touches

  std::size_t m_bytes;
  char* m_first;
};

thread_local closed_page* volatile closed_page::own = nullptr;

std::atomic<int> handled = 0;

/// The program's own handler.
void on_fault(int /*signal*/, siginfo_t* info, void* /*context*/) {
  closed_page::open(info->si_addr);
  ++handled;
}

/// Touched while a handler is being installed.
std::atomic<closed_page*> touched_then = nullptr;

}  // namespace

/// Lets a fault happen as soon as the new action holds, before the old one is told.
extern "C" int sigaction(int signal, struct sigaction const* action,
                         struct sigaction* old) noexcept {
  static auto* const real = reinterpret_cast<decltype(&sigaction)>(::dlsym(RTLD_NEXT, "sigaction"));
  struct sigaction previous {};
  int const result = real(signal, action, &previous);
  if (action != nullptr)
    if (auto* const page = touched_then.load()) page->touch();
  if (old != nullptr) *old = previous;
  return result;
}

namespace {

void handle_faults() {
  struct sigaction action {};
  action.sa_sigaction = on_fault;
  action.sa_flags = SA_SIGINFO;
  ::sigaction(SIGSEGV, &action, nullptr);
}

void run_a_machine() {
  lockstep::machine const two{lockstep::crossbar{2}, {.workers = 1}};
  (void)two.run([](lockstep::processor& me) { return me.exchange(1 - me.rank(), 1); });
}

[[gnu::noinline]] int call(int levels) {
  char volatile pad[256];
  pad[0] = 1;
  return levels == 0 ? pad[0] : call(levels - 1) + pad[0];
}

/// Whether a processor that uses up its stack ends its run with that error.
bool overflows() {
  lockstep::machine const two{lockstep::crossbar{2}, {.workers = 1}};
  try {
    (void)two.run([](lockstep::processor& me) { return me.rank() == 0 ? 0 : call(1'000'000); });
  } catch (lockstep::stack_overflow const& found) {
    return found.rank() == 1;
  }
  return false;
}

/// A fault in the moment in which a machine begins to handle them, and in which it ends to.
bool while_installed() {
  closed_page page;
  handled = 0;
  touched_then = &page;
  run_a_machine();
  touched_then = nullptr;
  return handled == 4;  // two signals, at the beginning and at the end
}

/// Faults of two threads, the program's and overflows, while two others make machines.
bool in_other_threads() {
  constexpr int faults = 20'000;
  constexpr int overflowing_runs = 200;
  std::atomic<bool> over = false;
  std::atomic<int> wrong = 0;
  handled = 0;
  {
    std::vector<std::jthread> running;
    for (int thread = 0; thread < 2; ++thread)
      running.emplace_back([&] {
        while (!over) run_a_machine();
      });
    {
      std::jthread const own([&] {
        closed_page page;
        for (int fault = 0; fault < faults; ++fault) page.touch();
      });
      std::jthread const overflowing([&] {
        for (int run = 0; run < overflowing_runs; ++run) wrong += overflows() ? 0 : 1;
      });
    }
    over = true;
  }
  return handled == faults && wrong == 0;
}

/// Whether a process ends by the signal that comes while a machine runs, and that its handler, which is for one signal
/// only, raises again.
bool ends_by(int signal) {
  auto const child = ::fork();
  if (child == 0) {
    struct sigaction action {};
    action.sa_handler = [](int again) { ::raise(again); };
    action.sa_flags = static_cast<int>(SA_RESETHAND | SA_ONSTACK);
    ::sigaction(signal, &action, nullptr);
    lockstep::machine const two{lockstep::crossbar{2}, {.workers = 1}};
    (void)two.run([signal](lockstep::processor&) { ::raise(signal); });
    std::_Exit(EXIT_SUCCESS);
  }
  int status = 0;
  return ::waitpid(child, &status, 0) == child && WIFSIGNALED(status) && WTERMSIG(status) == signal;
}

}  // namespace

int main() {
  // SIGSEGV is also how a handler that is called without end comes to its end.
  if (!ends_by(SIGBUS)) {
    std::puts("a handler for one signal was called again");
    return EXIT_FAILURE;
  }
  handle_faults();
  if (!while_installed()) {
    std::puts("a fault was lost while a handler was installed");
    return EXIT_FAILURE;
  }
  if (!in_other_threads()) {
    std::puts("a fault was lost while other threads ran machines");
    return EXIT_FAILURE;
  }
}
