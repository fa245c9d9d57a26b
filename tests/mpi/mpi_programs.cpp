// Programs that the processes of an MPI job run together, each compared with what one process makes of it.
//
//   mpiexec -n N mpi_programs random COUNT [FIRST]   random programs, on one worker and on two
//   mpiexec -n N mpi_programs leave                  process 1 leaves while the others run
//   mpiexec -n N mpi_programs die                    process 1 is killed while the others run
//   mpiexec -n N mpi_programs differ                 process 1 runs another machine
//   mpiexec -n N mpi_programs gather                 results, on process 0
//   mpiexec -n N mpi_programs gather-lists           the same of lists, texts and what is made of them
//   mpiexec -n N mpi_programs go-on                  for some minutes, after a line that says so
//   mpiexec -n N mpi_programs fit                    with too little address space for one process
//   mpiexec -n N mpi_programs short                  the last process has no memory for its messages
//   mpiexec -n N mpi_programs memory                 what a process needs, most of whose machine is elsewhere

#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <fstream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <lockstep/machine.hpp>
#include <lockstep/mpi/cluster.hpp>
#include <lockstep/topologies.hpp>

#include "core/cluster/cluster_programs.hpp"
#include "core/random_programs/random_generator.hpp"

namespace {

using namespace reference;

/// Runs random programs. Result: how many of them differ here from what one process gives.
int run_random(lockstep::mpi::cluster& all, std::uint64_t count, std::uint64_t first) {
  std::uint64_t ran = 0;
  int differ = 0;
  int errors = 0;
  for (auto seed = first; ran < count; ++seed) {
    auto const made = random_program(seed);
    ++ran;
    for (int const workers : {1, 2}) {
      auto options = made.options;
      options.workers = workers;
      auto const alone = account_of(made, options);
      options.cluster = &all;
      auto const together = account_of(made, options);
      if (workers == 1 && !alone.starts_with("counts")) ++errors;
      if (alone == together) continue;
      ++differ;
      fmt::print(stderr, "process {} of {}, seed {}, workers {}\n{}", all.process(),
                 all.processes(), seed, workers, first_other_line(alone, together));
    }
  }
  if (all.process() == 0)
    fmt::print("{} processes, {} programs, {} of them with an error: {} differ\n", all.processes(),
               ran, errors, differ);
  return differ;
}

/// Limits the address space of this process to what it has and as many bytes.
void leave_memory(std::size_t bytes) {
  std::ifstream statistics("/proc/self/statm");
  std::size_t pages = 0;
  statistics >> pages;
  auto const limit = pages * static_cast<std::size_t>(::sysconf(_SC_PAGESIZE)) + bytes;
  rlimit const most{limit, limit};
  ::setrlimit(RLIMIT_AS, &most);
}

void go_round(lockstep::processor& me) {
  int value = 0;
  for (int step = 0; step < 100'000; ++step)
    value =
        me.exchange((me.rank() + 1) % me.size(), value, (me.rank() + me.size() - 1) % me.size());
}

/// Sends the last process more than it has memory for. Another run comes after that.
int run_short(lockstep::mpi::cluster& all) {
  constexpr std::size_t bytes_sent = std::size_t{64} << 20;
  bool const is_last = all.process() == all.processes() - 1;
  lockstep::machine const machine(lockstep::crossbar(2 * all.processes()), {.cluster = &all});
  machine.run(
      [](lockstep::processor& me) { me.barrier(); });  // stacks are there, and buffers of MPI
  if (is_last) leave_memory(bytes_sent / 2);
  machine.run([](lockstep::processor& me) {
    auto const to = me.size() - 1;
    if (me.rank() == 0) me.send(to, std::vector<std::byte>(bytes_sent));
    if (me.rank() == to) static_cast<void>(me.receive<std::byte>(0));
    me.barrier();
  });
  return 0;
}

/// Finds how much memory the process has had so far, in bytes.
std::size_t most_memory() {
  rusage used{};
  ::getrusage(RUSAGE_SELF, &used);
  return static_cast<std::size_t>(used.ru_maxrss) << 10U;
}

/// Runs phases, pipelined rounds and a superstep of a machine of 2^17 processors, of which each process has few.
/// Result: 0 where it needed memory for these alone, beside a few bytes for each of the others.
int run_large(lockstep::mpi::cluster& all) {
  constexpr std::size_t of_each_own = 6'000;  // the stack, the state, the mailbox
  constexpr std::size_t of_each_other = 160;  // its record, as it comes and as it is kept
  lockstep::machine const large(lockstep::hypercube(17), {.cluster = &all});
  auto const before = most_memory();
  auto const run = large.run([](lockstep::processor& me) {
    me.phase("exchange");
    auto value = me.exchange(me.rank() ^ 1, me.rank());
    me.pipelined([&] { value = me.exchange(me.rank() ^ 2, value); });
    me.phase("barrier");
    me.barrier();
    me.post(me.rank() ^ 4, value);
    for (auto const& [from, values] : me.deliver<int>()) value += from - values.front();
    return value;
  });
  auto const own = static_cast<std::size_t>(large.own_ranks().size());
  auto const others = static_cast<std::size_t>(large.size()) - own;
  auto const took = most_memory() - before;
  auto const may_take = own * of_each_own + others * of_each_other;
  fmt::print("process {} of {}: {} processors, {} KiB, may take {} KiB, {} steps\n", all.process(),
             all.processes(), own, took >> 10U, may_take >> 10U, run.counts().steps);
  return took <= may_take ? 0 : 1;
}

/// Runs processors that hold 512 MiB together, with 400 MiB of address space for each process.
int run_fit(lockstep::mpi::cluster& all) {
  constexpr std::size_t bytes_each = std::size_t{512} << 10;
  lockstep::machine const machine(lockstep::ring(1'024), {.cluster = &all});
  machine.run([](lockstep::processor& me) { me.barrier(); });  // stacks are there
  leave_memory(std::size_t{400} << 20);
  auto const run = machine.run([](lockstep::processor& me) {
    std::vector<char> const held(bytes_each, 'x');
    me.barrier();
    return std::ranges::count(held, 'x');
  });
  for (auto const held : run.results())
    if (held != bytes_each) return 1;
  if (all.process() == 0) fmt::print("{} processes hold it\n", all.processes());
  return 0;
}

/// Compares results that are lists, texts, and pairs of them with those of one process.
int run_lists(lockstep::mpi::cluster& all) {
  struct found {
    std::vector<std::string> names{};
    int rank = 0;
    auto members() { return std::tie(names, rank); }
    bool operator==(found const&) const = default;
  };
  auto const of = [](lockstep::processor const& me) { return static_cast<std::size_t>(me.rank()); };
  int wrong = 0;
  auto const compare = [&](auto const& program) {
    auto const alone = lockstep::machine(lockstep::ring(10)).run(program).results();
    auto const gathered =
        lockstep::machine(lockstep::ring(10), {.cluster = &all}).run(program).gather_results();
    if (all.process() == 0 ? gathered != alone : !gathered.empty()) ++wrong;
  };
  compare([&](lockstep::processor& me) {
    return std::vector<std::vector<int>>(of(me), std::vector<int>(3, me.rank()));
  });
  compare([&](lockstep::processor& me) {
    return std::vector<std::string>(2, std::string(of(me), 'a'));
  });
  compare([&](lockstep::processor& me) {
    return std::pair{me.rank(), std::vector<double>(of(me), 0.5)};
  });
  compare([&](lockstep::processor& me) {
    return found{{std::string(of(me), 'b'), ""}, me.rank()};
  });
  if (all.process() == 0) fmt::print("4 kinds of results: {} differ\n", wrong);
  return wrong;
}

int run(lockstep::mpi::cluster& all, int argc, char** argv) {
  std::string_view const what = argc > 1 ? argv[1] : "random";
  auto const number = [&](int at, std::uint64_t otherwise) {
    return at < argc ? std::strtoull(argv[at], nullptr, 10) : otherwise;
  };
  if (what == "random") return run_random(all, number(2, 200), number(3, 1)) == 0 ? 0 : 1;
  if (what == "short") return run_short(all);
  if (what == "memory") return run_large(all);
  if (what == "fit") return run_fit(all);
  if (what == "gather-lists") return run_lists(all) == 0 ? 0 : 1;
  bool const odd_one = all.process() == 1;
  if (what == "leave-why" && odd_one) {
    all.leave("it has no disk");
    return 1;
  }
  if (what == "leave" && odd_one) throw std::runtime_error("process 1 leaves");
  if (what == "gather") {
    lockstep::machine const ten(lockstep::ring(10), {.cluster = &all});
    auto const results =
        ten.run([](lockstep::processor& me) { return me.rank() * me.rank(); }).gather_results();
    fmt::print("{}", all.process() == 0 ? fmt::format("{}\n", fmt::join(results, " ")) : "");
    return results.empty() == (all.process() == 0) ? 1 : 0;
  }
  lockstep::machine const machine(lockstep::ring(what == "differ" && odd_one ? 65 : 64),
                                  {.max_steps = 1'000'000'000, .cluster = &all});
  static_cast<void>(machine.run([&](lockstep::processor& me) {
    if (what == "die" && odd_one) {
      me.idle(1);
      if (me.rank() == machine.own_ranks().first) std::raise(SIGKILL);
    }
    if (what == "go-on" && me.rank() == 0) {
      fmt::print("goes on\n");
      std::fflush(stdout);
    }
    for (int time = 0; time < (what == "go-on" ? 1'000 : 1); ++time) go_round(me);
  }));
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  lockstep::mpi::cluster all(argc, argv);
  try {
    return run(all, argc, argv);
  } catch (std::exception const& thrown) {
    auto const* const of_lockstep = dynamic_cast<lockstep::error const*>(&thrown);
    fmt::print(stderr, "process {}: {}: {}\n", all.process(),
               of_lockstep == nullptr ? "" : lockstep::class_name(*of_lockstep), thrown.what());
    return 3;
  }
}
