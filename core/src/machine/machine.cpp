#include <lockstep/machine.hpp>

#include <pthread.h>

#include <algorithm>
#include <exception>
#include <limits>
#include <new>

#include <fmt/format.h>

#include <lockstep/detail/stop_request.hpp>
#include <lockstep/memory.hpp>

#include "checked_topology.hpp"
#include "engine/cluster/process_team.hpp"
#include "engine/memory/kept_slab.hpp"
#include "engine/memory/sanitizer.hpp"
#include "engine/scheduling/cluster_fibers.hpp"
#include "engine/scheduling/fibers.hpp"
#include "engine/scheduling/threads.hpp"
#include "engine/watched.hpp"
#include "option_choices.hpp"

namespace lockstep {

namespace detail {

/// Makes what records the runs of a test case. It is there in programs with lockstep/catch2.hpp only, and
/// no function's address elsewhere.
[[gnu::weak]] std::shared_ptr<observer> recording_of_test(machine const& on);
/// Tells whether a test case runs, whose assertions may stand in the machine's program. It is there as the
/// function above.
[[gnu::weak]] bool asserts_in_programs();

}  // namespace detail

namespace {

// Throwing an exception takes more than 5 KiB of a stack.
constexpr std::size_t smallest_stack = std::size_t{16} * 1024;
constexpr std::size_t largest_stack = std::size_t{1} << 40;
constexpr std::uint64_t largest_packet = std::uint64_t{1} << 32;
constexpr std::uint64_t most_steps = std::uint64_t{1} << 62;

/// Refuses fibers in a program whose stacks are compiled to be those of threads.
void check_stacks_of_program(machine_options const& options) {
  if (options.engine != engine::fibers) return;
  bool const split = detail::split_stack();
  if (!split && !detail::safe_stack()) return;
  throw invalid_argument(
      fmt::format("machine_options::engine is engine::fibers in a program that is compiled with "
                  "{}, whose stacks "
                  "are a thread's: take engine::threads, or compile the program without it",
                  split ? "-fsplit-stack" : "-fsanitize=safe-stack"));
}

void check(machine_options const& options) {
  detail::check_choices(options);
  auto const refuse = [](std::string const& what) {
    throw invalid_argument("machine_options::" + what);
  };
  if (options.packet == 0 || options.packet > largest_packet)
    refuse(fmt::format("packet is {}: a packet has 1 to {} words", options.packet, largest_packet));
  if (options.workers < 0 || options.workers > detail::most_workers)
    refuse(fmt::format("workers is {}: give a number from 1 to {}, or 0 for one a core",
                       options.workers, detail::most_workers));
  if (options.max_steps == 0) refuse("max_steps is 0: a machine needs one step at least");
  if (options.word_bytes == 0) refuse("word_bytes is 0: a word has one byte at least");
  if (auto const* const page = options.view_failure.file(); page != nullptr && page->empty())
    refuse("view_failure is an empty name: name the file for the page of a run that fails");
  if (options.guarded && options.engine == engine::threads)
    refuse(
        "guarded with engine::threads: what runs at the same time cannot be told apart; take "
        "engine::fibers");
  if (options.stacks == stacks::copied && options.engine == engine::threads)
    refuse(
        "stacks is stacks::copied with engine::threads: each thread has a stack of its own; take "
        "engine::fibers");
  if (options.cluster != nullptr && options.engine == engine::threads)
    refuse("cluster with engine::threads: take engine::fibers");
  auto const refuse_on_cluster = [&](bool asked, std::string_view what) {
    if (options.cluster == nullptr || !asked) return;
    refuse(fmt::format(
        "cluster with {}, which machines of several processes do not have yet: run this on one "
        "process",
        what));
  };
  refuse_on_cluster(options.workers == detail::most_workers, "256 workers");
  refuse_on_cluster(options.guarded, "guarded");
  refuse_on_cluster(options.clocked, "clocked");
  refuse_on_cluster(static_cast<bool>(options.recorded), "recorded");
  refuse_on_cluster(options.view_failure.file() != nullptr, "view_failure");
  if (options.stack < smallest_stack || options.stack > largest_stack)
    refuse(fmt::format("stack is {} bytes: a fiber takes {} to {}", options.stack, smallest_stack,
                       largest_stack));
}

std::string in_mebibytes(std::uint64_t bytes) { return fmt::format("{} MiB", bytes >> 20); }

/// The memory of a run.
struct memory_needs {
  std::uint64_t touched;  ///< bytes of memory
  std::uint64_t mapped;   ///< bytes of address space: stacks take more of that than they touch
};

/// Finds the address space of a thread's stack.
std::uint64_t stack_of_a_thread() {
  pthread_attr_t defaults{};
  std::size_t bytes = 0;
  if (::pthread_attr_init(&defaults) != 0) return 0;
  static_cast<void>(::pthread_attr_getstacksize(&defaults, &bytes));
  static_cast<void>(::pthread_attr_destroy(&defaults));
  return bytes;
}

/// Adds and multiplies sizes; a result that is too large becomes the largest.
std::uint64_t sum_of(std::uint64_t one, std::uint64_t other) {
  std::uint64_t sum = 0;
  return __builtin_add_overflow(one, other, &sum) ? std::numeric_limits<std::uint64_t>::max() : sum;
}
std::uint64_t times(std::uint64_t one, std::uint64_t other) {
  std::uint64_t product = 0;
  return __builtin_mul_overflow(one, other, &product) ? std::numeric_limits<std::uint64_t>::max()
                                                      : product;
}

/// Computes what a processor's stack takes that has so much on it while it waits.
memory_needs stack_needs(machine_options const& options, std::size_t waiting) {
  constexpr std::uint64_t of_a_thread =
      std::uint64_t{24} * 1024;  // its first pages of stack, and the kernel's
  if (detail::fibers::copies_stacks(options)) {
    auto const kept = detail::kept_stacks::bytes_for(waiting);
    return {kept, kept};
  }
  if (options.engine == engine::threads)
    return {std::max<std::uint64_t>(of_a_thread, waiting), stack_of_a_thread()};
  return {detail::stack_slab::touched_bytes(std::min(waiting, options.stack)),
          detail::stack_slab::stride(options.stack)};
}

/// Computes what a run takes whose processors have `waiting` bytes on their stacks while they wait, and
/// hold `bytes_each` besides.
memory_needs needs_of(int processors, rank_range here, machine_options const& options,
                      std::size_t bytes_each, std::size_t waiting) {
  // A message under way, and places in lists: of messages that are handed over, of processors that can
  // go on, that have come to a barrier, and that are counted.
  constexpr std::uint64_t under_way = sizeof(detail::message) + 16 * sizeof(void*);
  constexpr std::uint64_t of_each = sizeof(detail::processor_state) +
                                    sizeof(detail::processor_details) + sizeof(processor_record);
  auto const stack =
      stack_needs(options, waiting == 0 ? detail::kept_stacks::usual_waiting : waiting);
  auto const all = [&](std::uint64_t of_stack) {
    return sum_of(times(static_cast<std::uint64_t>(processors), of_each),
                  times(static_cast<std::uint64_t>(here.size()),
                        sum_of(sum_of(under_way, of_stack), bytes_each)));
  };
  return {all(stack.touched), all(stack.mapped)};
}

/// Refuses a machine with more fibers than ThreadSanitizer can follow, which would end the process.
void check_followed(topology const& network) {
  constexpr int most_followed = 8'000;
  if (!detail::thread_sanitizer() || network.size() <= most_followed) return;
  throw out_of_memory(fmt::format(
      "{} has {} processors, and ThreadSanitizer follows {} at most: take a smaller machine, or a "
      "program that is built without it",
      network.spec(), network.size(), most_followed));
}

/// Bytes that are there on any computer: finding out how much is available takes as long as making a
/// hundred processors.
constexpr std::uint64_t always_there = std::uint64_t{1} << 20;

/// Checks that there is memory, for which stacks that are kept are given up.
void check_memory(topology const& network, memory_needs const& needed, detail::kept_slab& kept) {
  auto const is_short = [&](std::uint64_t bytes, std::uint64_t (*available)()) {
    return bytes > available() && (!kept.give_up() || bytes > available());
  };
  if (needed.touched > always_there && is_short(needed.touched, available_memory))
    throw out_of_memory(fmt::format(
        "{} has {} processors, which need {} at least, and {} are available: take a smaller "
        "machine",
        network.spec(), network.size(), in_mebibytes(needed.touched),
        in_mebibytes(available_memory())));
  if (is_short(needed.mapped, available_address_space))
    throw out_of_memory(fmt::format(
        "{} has {} processors, whose stacks need {} of address space at least, and {} are left of "
        "its limit: raise that (ulimit -v), or take a smaller machine",
        network.spec(), network.size(), in_mebibytes(needed.mapped),
        in_mebibytes(available_address_space())));
}

/// Makes the error of a run that got no memory, if there is memory for that again.
std::exception_ptr failure_of_memory(topology const& network) noexcept {
  try {
    return std::make_exception_ptr(out_of_memory(fmt::format(
        "the run of {} on {} processors took more memory than there is ({} are available now): "
        "take a smaller machine, or one whose processors hold less",
        network.spec(), network.size(), in_mebibytes(available_memory()))));
  } catch (...) {
    return std::current_exception();
  }
}

/// Makes what records a run, if anything asks for that.
std::shared_ptr<observer> recording_of(machine const& on) {
  auto const& options = on.options();
  if (options.view_failure.file() != nullptr) return options.view_failure.begin(on);
  if (options.recorded) return options.recorded.begin(on);
  return detail::recording_of_test == nullptr ? nullptr : detail::recording_of_test(on);
}

/// The options that a run takes: in a test case one worker, since test frameworks take assertions from
/// one thread at a time.
machine_options options_of_run(machine_options options) {
  if (detail::asserts_in_programs != nullptr && options.workers != 1 &&
      options.engine == engine::fibers && detail::asserts_in_programs())
    options.workers = 1;
  return options;
}

std::unique_ptr<detail::runtime> make_engine(std::shared_ptr<topology const> const& network,
                                             machine_options const& options,
                                             std::span<observer* const> observers,
                                             std::shared_ptr<detail::kept_slab> const& keeper) {
  if (options.cluster != nullptr) {
    if (!observers.empty())
      throw invalid_argument(
          "an observer of a machine that several processes run together, which do not have any "
          "yet: run this on one process");
    return std::make_unique<detail::cluster_fibers>(network, options, observers, keeper);
  }
  if (std::ranges::any_of(observers, &observer::wants_calls))
    return detail::make_watched(network, options, observers, keeper);
  if (options.engine == engine::threads)
    return std::make_unique<detail::threads>(network, options, observers);
  return std::make_unique<detail::fibers>(network, options, observers, keeper);
}

/// Calls prepare(), before a run. Where processes run the machine together, all of them call this, and where
/// one of them cannot, none does.
template <class Prepare>
void in_all_processes(cluster* processes, Prepare const& prepare) {
  if (processes == nullptr) return prepare();
  std::exception_ptr refusal;
  try {
    prepare();
  } catch (...) {
    refusal = std::current_exception();
  }
  detail::agree_to_run(*processes, refusal);
}

/// Refuses a run of several processes inside another's program, where they do not meet.
void check_not_nested(machine_options const& options) {
  if (options.cluster != nullptr && detail::fibers::is_nested())
    throw invalid_argument(
        "a machine with a cluster inside the program of another machine: give it no cluster");
}

}  // namespace

machine::machine(std::shared_ptr<lockstep::topology const> network, machine_options const& options)
    : m_topology(std::move(network)),
      m_stacks(std::make_shared<detail::kept_slab>()),
      m_options(options) {
  m_options.max_steps = std::min(m_options.max_steps, most_steps);
  if (m_topology == nullptr) throw invalid_argument("machine without a topology: give it one");
  check(m_options);
  check_stacks_of_program(m_options);
  m_network = detail::checked(m_topology, m_options.switching);
  m_size = m_network->size();
  m_own = detail::own_share(m_size, m_options);
  if (m_options.guarded && m_size > detail::private_pages::most_processors)
    throw invalid_argument(
        fmt::format("machine_options::guarded with {} processors: a guarded machine has {} at most",
                    m_size, detail::private_pages::most_processors));
}

void machine::refuse_shared_results() const {
  if (m_options.cluster == nullptr || !m_options.cluster->shares_results()) return;
  throw invalid_argument(
      "the cluster shares results, and the program's are neither plain data nor made of such: "
      "return such, give their class `auto members() { return std::tie(...); }`, or take a cluster "
      "whose processes have their own");
}

void machine::require_memory(std::size_t bytes_each, std::size_t waiting) const {
  check_followed(*m_network);
  in_all_processes(m_options.cluster, [&] {
    check_memory(*m_network, needs_of(m_size, m_own, m_options, bytes_each, waiting), *m_stacks);
  });
}

std::uint64_t machine::memory_needed(std::size_t bytes_each, std::size_t waiting) const {
  return needs_of(m_size, m_own, m_options, bytes_each, waiting).touched;
}

run_record machine::execute(detail::erased_program program,
                            std::span<observer* const> observers) const {
  detail::stop_scope::check();
  run_record record;
  std::exception_ptr failure;
  std::vector<observer*> all(observers.begin(), observers.end());
  auto recording = recording_of(*this);
  if (recording != nullptr) all.push_back(recording.get());
  detail::threads::nested_run_scope const aside;
  // A machine inside another's program needs more stack than a fiber has.
  detail::fibers::run_on_worker_stack([&] {
    try {
      check_not_nested(m_options);
      std::unique_ptr<detail::runtime> engine;
      in_all_processes(m_options.cluster, [&] {
        engine = make_engine(m_network, options_of_run(m_options), all, m_stacks);
      });
      record = engine->execute(program);
    } catch (std::bad_alloc const&) {
      failure = failure_of_memory(*m_network);
    } catch (...) {
      failure = std::current_exception();
    }
  });
  if (failure != nullptr) std::rethrow_exception(failure);
  record.m_evidence.recording = std::move(recording);
  return record;
}

}  // namespace lockstep
