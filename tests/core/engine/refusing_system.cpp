// A system that gives no more threads, or no more memory to keep copied stacks in: the run ends with an
// error that says so, all other processors are unwound, and the next run is as ever. Fibers do with fewer
// workers. Exit status 0 if all of that holds; what does not is printed.

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>

#include <dlfcn.h>
#include <pthread.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <tbb/global_control.h>

#include <lockstep/errors.hpp>
#include <lockstep/machine.hpp>
#include <lockstep/topologies/crossbar.hpp>

#include "engine/tuning.hpp"

// In place of the library's: small machines have four workers, whatever the cores.
lockstep::detail::tuning const lockstep::detail::usual_tuning{
    .processors_per_block = 4,
    .processors_per_worker = 4,
    .available_memory = [] { return std::uint64_t{1} << 40U; },
    .cores = [] { return 4; },
    .patience = std::chrono::milliseconds(5)};

namespace {

constexpr int unlimited = -1;

/// What the system still gives; `unlimited` until a test says otherwise. A thread that ends gives its
/// place to the next.
std::atomic<int> threads_left = unlimited;
std::atomic<int> pieces_left = unlimited;

/// Whether one more is given.
bool takes_one(std::atomic<int>& left) {
  if (left == unlimited) return true;
  if (left == 0) return false;
  --left;
  return true;
}

}  // namespace

namespace {

/// The work of a thread that takes a place while it runs.
struct counted_thread {
  void* (*run)(void*);
  void* data;

  static void* start(void* started) {
    auto const self = *static_cast<counted_thread*>(started);
    delete static_cast<counted_thread*>(started);
    auto* const result = self.run(self.data);
    if (threads_left != unlimited) ++threads_left;
    return result;
  }
};

}  // namespace

extern "C" int pthread_create(pthread_t* made, pthread_attr_t const* attributes,
                              void* (*run)(void*), void* data) noexcept {
  static auto* const real =
      reinterpret_cast<decltype(&pthread_create)>(::dlsym(RTLD_NEXT, "pthread_create"));
  if (!takes_one(threads_left)) return EAGAIN;
  return real(made, attributes, counted_thread::start, new counted_thread{run, data});
}

/// Refuses memory to keep stacks in, which is asked for in large pieces.
extern "C" void* mmap(void* wanted, std::size_t bytes, int protection, int flags, int file,
                      off_t offset) noexcept {
  bool const keeps_stacks =
      bytes >= std::size_t{32} << 20 && (flags & MAP_NORESERVE) != 0 && (flags & MAP_STACK) == 0;
  if (keeps_stacks && !takes_one(pieces_left)) {
    errno = ENOMEM;
    return MAP_FAILED;
  }
  return reinterpret_cast<void*>(
      ::syscall(SYS_mmap, wanted, bytes, protection, flags, file, offset));
}

namespace {

using lockstep::machine;
using lockstep::processor;

/// Counts the programs that have begun and not ended.
class running_program {
 public:
  explicit running_program(std::atomic<int>& running) : m_running(&running) { ++running; }
  running_program(running_program const&) = delete;
  running_program& operator=(running_program const&) = delete;
  ~running_program() { --*m_running; }

 private:
  std::atomic<int>* m_running;
};

/// What came of a run.
struct outcome {
  bool right = false;         ///< it ended well, with the right results
  std::string out_of_memory;  ///< the error, if it is this one
  int begun = 0;              ///< programs that began
  int left = 0;               ///< and never ended
};

/// Waits twice with `Bytes` on the stack of each processor.
template <std::size_t Bytes>
outcome run(machine const& on) {
  std::atomic<int> begun = 0;
  std::atomic<int> running = 0;
  outcome did;
  try {
    auto const ended = on.run([&](processor& me) {
      ++begun;
      running_program const here(running);
      std::array<char volatile, Bytes> held{};
      for (auto& byte : held) byte = static_cast<char>(me.rank());
      int const next = (me.rank() + 1) % me.size();
      int const previous = (me.rank() + me.size() - 1) % me.size();
      int const got = me.exchange(next, me.rank(), previous);
      me.barrier();
      return got == previous && std::ranges::count(held, static_cast<char>(me.rank())) ==
                                    static_cast<std::ptrdiff_t>(Bytes);
    });
    did.right = std::ranges::count(ended.results(), true) == on.size();
  } catch (lockstep::out_of_memory const& refused) {
    did.out_of_memory = refused.what();
  }
  did.begun = begun;
  did.left = running;
  return did;
}

bool tells(outcome const& did, std::string_view what) {
  return did.out_of_memory.find(what) != std::string::npos;
}

bool check(bool holds, char const* what, int given, outcome const& did) {
  if (!holds)
    std::printf("%s, %d given: right %d, begun %d, never ended %d, error: %s\n", what, given,
                did.right, did.begun, did.left, did.out_of_memory.c_str());
  return holds;
}

/// Where the system gives fewer threads than there are processors, no program begins.
bool refuses_threads() {
  machine const sixteen{lockstep::crossbar{16}, {.engine = lockstep::engine::threads}};
  bool well = true;
  for (int const given : {0, 1, 15}) {
    threads_left = given;
    auto const refused = run<64>(sixteen);
    threads_left = unlimited;
    auto const text = "the system gave " + std::to_string(given) + " threads of the 16 that";
    well = check(tells(refused, text) && tells(refused, "use engine::fibers") && refused.begun == 0,
                 "threads", given, refused) &&
           well;
    auto const after = run<64>(sixteen);
    well = check(after.right && after.left == 0, "the run after it", given, after) && well;
  }
  return well;
}

/// Whether `holds()` in a process of its own, in which oneTBB has no threads yet.
template <class Question>
bool holds_apart(Question const& holds) {
  auto const process = ::fork();
  if (process == 0) {
    bool const so = holds();
    std::fflush(stdout);
    ::_exit(so ? 0 : 1);
  }
  int status = 1;
  return process > 0 && ::waitpid(process, &status, 0) == process && status == 0;
}

/// Where the system gives fewer threads than there are workers, those that come do all the work.
bool does_with_fewer_workers(lockstep::stacks kind) {
  machine const four{lockstep::crossbar{64}, {.workers = 4, .stacks = kind}};
  bool well = true;
  for (int const given : {0, 1, 2, 3})
    well = holds_apart([&] {
             tbb::global_control const all(tbb::global_control::max_allowed_parallelism, 4);
             threads_left = given;
             for (int time = 0; time < 3; ++time)
               if (auto const did = run<64>(four);
                   !check(did.right && did.begun == 64 && did.left == 0, "threads for workers",
                          given, did))
                 return false;
             threads_left = unlimited;
             auto const after = run<64>(four);
             return check(after.right, "the run after it", given, after);
           }) &&
           well;
  if (!well) std::printf("workers without threads: a process did not end well\n");
  return well;
}

/// The stacks that wait take two pieces of memory. A processor whose stack cannot be kept ends, and is
/// unwound as all others are.
bool refuses_pieces() {
  constexpr int processors = 900;
  constexpr std::size_t bytes = 48'000;
  machine const copied{lockstep::crossbar{processors},
                       {.workers = 1, .stacks = lockstep::stacks::copied}};
  bool well = true;
  for (int const given : {0, 1}) {
    pieces_left = given;
    auto const refused = run<bytes>(copied);
    pieces_left = unlimited;
    well = check(tells(refused, "no memory to keep the stack of a processor that waits") &&
                     refused.left == 0,
                 "copied stacks", given, refused) &&
           well;
    auto const after = run<bytes>(copied);
    well = check(after.right && after.left == 0, "the run after it", given, after) && well;
  }
  return well;
}

}  // namespace

int main() {
  bool const workers_well = does_with_fewer_workers(lockstep::stacks::own) &&
                            does_with_fewer_workers(lockstep::stacks::copied);
  bool const threads_well = refuses_threads();
  bool const pieces_well = refuses_pieces();
  return workers_well && threads_well && pieces_well ? EXIT_SUCCESS : EXIT_FAILURE;
}
