// Runs in which one request for memory fails, each of a small run in turn, or all from that one on:
// the run ends, well or with an error that says so, everything is freed, and the next run is as
// ever. Exit status 0 if all of that holds; what does not is printed.
//
//   lockstep_failing_memory [ENGINE [SCENARIO [NUMBER]]]   one of them only

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <new>
#include <numeric>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <lockstep/errors.hpp>
#include <lockstep/machine.hpp>
#include <lockstep/topologies/crossbar.hpp>
#include <lockstep/topologies/torus.hpp>

#include "small_tuning.hpp"

lockstep::detail::tuning const lockstep::detail::usual_tuning = [] {
  auto of = reference::small_tuning([] { return std::uint64_t{1} << 40U; });
  of.patience = std::chrono::milliseconds(5);
  return of;
}();

// --- memory that fails ---

namespace {

std::atomic<long> blocks = 0;             // that are not freed
std::atomic<long> asked = 0;              // requests so far, while they are counted
std::atomic<long> failing_from = -1;      // the number of the first that fails
std::atomic<long> failing_until = -1;     // and of the first after them that does not
thread_local bool of_the_library = true;  // programs get all that they ask for

void* allocate(std::size_t bytes, std::size_t alignment) {
  if (of_the_library && failing_until.load() >= 0) {
    long const number = asked++;
    if (number >= failing_from && number < failing_until) return nullptr;
  }
  bytes = (bytes + alignment - 1) / alignment * alignment;
  void* const block = std::aligned_alloc(alignment, std::max(bytes, alignment));
  if (block != nullptr) ++blocks;
  return block;
}

void* allocate_or_throw(std::size_t bytes, std::size_t alignment) {
  if (void* const block = allocate(bytes, alignment)) return block;
  throw std::bad_alloc();
}

void release(void* block) noexcept {
  if (block != nullptr) --blocks;
  std::free(block);
}

constexpr std::size_t usual = alignof(std::max_align_t);

}  // namespace

void* operator new(std::size_t bytes) { return allocate_or_throw(bytes, usual); }
void* operator new[](std::size_t bytes) { return allocate_or_throw(bytes, usual); }
void* operator new(std::size_t bytes, std::align_val_t alignment) {
  return allocate_or_throw(bytes, static_cast<std::size_t>(alignment));
}
void* operator new[](std::size_t bytes, std::align_val_t alignment) {
  return allocate_or_throw(bytes, static_cast<std::size_t>(alignment));
}
void* operator new(std::size_t bytes, std::nothrow_t const&) noexcept {
  return allocate(bytes, usual);
}
void* operator new[](std::size_t bytes, std::nothrow_t const&) noexcept {
  return allocate(bytes, usual);
}
void operator delete(void* block) noexcept { release(block); }
void operator delete[](void* block) noexcept { release(block); }
void operator delete(void* block, std::size_t) noexcept { release(block); }
void operator delete[](void* block, std::size_t) noexcept { release(block); }
void operator delete(void* block, std::align_val_t) noexcept { release(block); }
void operator delete[](void* block, std::align_val_t) noexcept { release(block); }
void operator delete(void* block, std::size_t, std::align_val_t) noexcept { release(block); }
void operator delete[](void* block, std::size_t, std::align_val_t) noexcept { release(block); }
void operator delete(void* block, std::nothrow_t const&) noexcept { release(block); }
void operator delete[](void* block, std::nothrow_t const&) noexcept { release(block); }

// --- programs ---

namespace {

using lockstep::machine;
using lockstep::machine_options;
using lockstep::processor;
using word = std::uint64_t;
using block = std::vector<word>;

/// Makes the program's own data, whatever fails.
template <class Make>
auto own(Make const& make) {
  of_the_library = false;
  auto made = make();
  of_the_library = true;
  return made;
}

block block_of(int rank) {
  return own([&] { return block(100, static_cast<word>(rank)); });
}

/// How a program takes an error of a call.
enum class attitude { ends, goes_on };

/// Calls that got no memory and left the run as it was, in programs that went on.
std::atomic<int> calls_lost = 0;

/// A call of the machine. A program that goes on takes every exception as nothing.
template <class Call>
void attempt(attitude of, Call const& call) {
  if (of == attitude::ends) return call();
  try {
    call();
  } catch (std::bad_alloc const&) {
    ++calls_lost;
  } catch (...) {
  }
}

/// All send to processor 0, moved vectors and copies, between blocks and workers. It asks for the
/// last first, so that its inbox is sorted.
word many_to_one(processor& me, attitude of) {
  word sum = 0;
  if (me.rank() > 0) {
    auto moved = block_of(me.rank());
    auto const copied = block_of(me.rank());
    attempt(of, [&] { me.send(0, std::move(moved)); });
    attempt(of, [&] { me.send(0, copied); });
    attempt(of, [&] { me.send(0, static_cast<word>(me.rank())); });
    return 0;
  }
  for (int from = me.size(); --from > 0;) {
    attempt(of, [&] { sum += me.receive<word>(from).back(); });
    attempt(of, [&] { sum += me.receive<word>(from).back(); });
    attempt(of, [&] { sum += me.receive_value<word>(from); });
  }
  return sum;
}

/// Exchanges around a ring, of words, copies, moved vectors, in phases, in a pipelined run, in
/// parts of the machine.
word exchanges(processor& me, attitude of) {
  int const next = (me.rank() + 1) % me.size();
  int const previous = (me.rank() + me.size() - 1) % me.size();
  word sum = 0;
  auto held = block_of(me.rank());
  attempt(of, [&] { me.phase("words"); });
  for (int round = 0; round < 3; ++round)
    attempt(of, [&] { sum += me.exchange(next, static_cast<word>(me.rank()), previous); });
  attempt(of, [&] { me.phase("blocks"); });
  attempt(of, [&] { held = me.exchange(next, held, previous); });
  attempt(of, [&] { held = me.exchange(next, std::move(held), previous); });
  attempt(of, [&] { me.barrier(); });
  attempt(of, [&] {
    me.pipelined([&] {
      for (int round = 0; round < 3; ++round) sum += me.exchange(next, word{1}, previous);
    });
  });
  attempt(of, [&] {
    auto const partner = me.rank() ^ 1;
    int const pair[] = {std::min(me.rank(), partner), std::max(me.rank(), partner)};
    auto part = me.subset(pair);
    part.barrier();
    sum += part.exchange(1 - part.rank(), word{2});
  });
  attempt(of, [&] { me.rearrange(10); });
  return sum + held.size();
}

/// Exchanges of blocks that may stay with their senders. Half of them are received late, after
/// a barrier.
word loans(processor& me, attitude of) {
  int const partner = me.rank() ^ 1;
  word sum = 0;
  auto const out = block_of(me.rank());
  auto in = block_of(me.rank());
  for (int round = 0; round < 3; ++round) {
    if (me.rank() % 2 == 0) {
      attempt(of, [&] { me.exchange_into(partner, out, in, partner); });
      attempt(of, [&] { me.barrier(); });
    } else {
      attempt(of, [&] { me.send(partner, out); });
      attempt(of, [&] { me.barrier(); });
      attempt(of, [&] { me.receive_into(partner, in); });
    }
    sum += in.back();
    int const next = (me.rank() + 1) % me.size();
    int const previous = (me.rank() + me.size() - 1) % me.size();
    attempt(of, [&] { me.exchange_into(next, out, in, previous); });
    sum += in.front();
  }
  return sum;
}

/// Reads, writes and serves.
word one_sided(processor& me, attitude of) {
  auto mine = block_of(me.rank());
  int const next = (me.rank() + 1) % me.size();
  word sum = 0;
  attempt(of, [&] { sum += me.read(next, 1, 3, mine).front(); });
  attempt(of, [&] {
    if (me.rank() % 2 == 0)
      me.write(next, 0, std::span(mine).first(50), mine);
    else
      me.serve(mine);
  });
  attempt(of, [&] { me.barrier(); });
  return sum + mine.front();
}

/// Supersteps, of the machine and of pairs.
word supersteps(processor& me, attitude of) {
  word sum = 0;
  auto const deliver = [&](processor& on, bool announced) {
    attempt(of, [&] {
      for (auto const& [from, values] : on.deliver<word>({.announced = announced}))
        sum += values.size();
    });
  };
  for (int round = 0; round < 2; ++round) {
    for (int to = 0; to < me.size(); to += 1 + round)
      attempt(of, [&] { me.post(to, static_cast<word>(me.rank())); });
    deliver(me, round == 1);
  }
  attempt(of, [&] {
    auto const partner = me.rank() ^ 1;
    int const pair[] = {std::min(me.rank(), partner), std::max(me.rank(), partner)};
    auto part = me.subset(pair);
    attempt(of, [&] { part.post(1 - part.rank(), std::span<word const>(block_of(1)).first(9)); });
    deliver(part, false);
  });
  return sum;
}

/// Processor 0 serves the others in the order in which they come, and they look whether it has answered.
word first_come(processor& me, attitude of) {
  word sum = 0;
  if (me.rank() > 0) {
    attempt(of, [&] { me.idle(static_cast<word>(me.rank() % 3)); });
    attempt(of, [&] { me.send(0, static_cast<word>(me.rank())); });
    attempt(of, [&] { sum += me.pending(0); });
    for (int tries = 0; tries < 40; ++tries)
      attempt(of, [&] {
        if (auto const came = me.try_receive<word>(0)) sum += came->front(), tries = 40;
      });
    return sum;
  }
  int const last[] = {me.size() - 1};
  attempt(of, [&] { sum += me.receive_any<word>(last).values.front(); });
  attempt(of, [&] { me.send(me.size() - 1, word{1}); });
  for (int others = 2; others < me.size(); ++others)
    attempt(of, [&] {
      auto const [from, values] = me.receive_any<word>();
      sum = sum * 3 + values.front();
      me.send(from, word{1});
    });
  return sum;
}

/// Works between messages, in phases, in pipelined runs, and beside a subset.
word working(processor& me, attitude of) {
  int const next = (me.rank() + 1) % me.size();
  int const previous = (me.rank() + me.size() - 1) % me.size();
  word sum = 0;
  for (int round = 0; round < 3; ++round) {
    attempt(of, [&] { me.work(static_cast<word>(me.rank() + round)); });
    attempt(of, [&] { sum += me.exchange(next, word{1}, previous); });
  }
  attempt(of, [&] { me.phase("in a run"); });
  attempt(of, [&] {
    me.pipelined([&] {
      for (int round = 0; round < 2; ++round) {
        attempt(of, [&] { me.work(5); });
        attempt(of, [&] { sum += me.exchange(next, word{1}, previous); });
      }
    });
  });
  return sum;
}

/// An observer that looks at everything and keeps nothing.
class watching final : public lockstep::observer {
 public:
  void message(lockstep::message_record const& seen) override { words += seen.words; }
  word words = 0;
};

struct scenario {
  std::string_view name;
  int processors;
  word (*program)(processor& me, attitude of);
  void (*change)(machine_options& options);
  bool observed;
};

constexpr scenario scenarios[] = {
    {"many-to-one", 20, many_to_one, [](machine_options&) {}, false},
    {"exchanges", 8, exchanges, [](machine_options&) {}, false},
    {"observed", 8, exchanges, [](machine_options&) {}, true},
    {"strict", 8, exchanges, [](machine_options& of) { of.strict = true; }, false},
    {"ports", 8, exchanges, [](machine_options& of) { of.ports = lockstep::ports::all; }, false},
    {"loans", 8, loans, [](machine_options&) {}, false},
    {"one-sided", 8, one_sided, [](machine_options&) {}, false},
    {"supersteps", 8, supersteps, [](machine_options&) {}, false},
    {"supersteps-observed", 8, supersteps, [](machine_options&) {}, true},
    {"first-come", 8, first_come, [](machine_options&) {}, false},
    {"first-come-observed", 8, first_come, [](machine_options&) {}, true},
    {"working", 8, working, [](machine_options&) {}, false},
    {"guarded", 8, exchanges, [](machine_options& of) { of.guarded = true; }, false},
    {"copied-stacks", 8, exchanges,
     [](machine_options& of) { of.stacks = lockstep::stacks::copied; }, false},
};

/// Those that engine::threads refuses.
bool is_for_fibers(scenario const& of) {
  return of.name == "guarded" || of.name == "copied-stacks";
}

/// What a run came to.
struct outcome {
  std::vector<word> results;  ///< empty after an error
  lockstep::counts counts;
  std::string error;           ///< empty if there is none
  bool out_of_memory = false;  ///< what the error says
  bool broken = false;         ///< or that lockstep is wrong
};

/// Whether the exception says that memory ran out, itself or the one nested in it.
bool tells_of_memory(std::exception const& thrown) {
  if (dynamic_cast<lockstep::out_of_memory const*>(&thrown) != nullptr) return true;
  if (dynamic_cast<std::bad_alloc const*>(&thrown) != nullptr) return true;
  try {
    std::rethrow_if_nested(thrown);
  } catch (std::exception const& nested) {
    return tells_of_memory(nested);
  }
  return false;
}

outcome run(scenario const& of, machine_options options, attitude attitude_of_programs) {
  of.change(options);
  auto const program = [&](processor& me) { return of.program(me, attitude_of_programs); };
  outcome did;
  try {
    machine const tried{lockstep::torus{{of.processors}}, options};
    watching watcher;
    auto ended = of.observed ? tried.run(program, watcher) : tried.run(program);
    failing_until = -1;
    did.counts = ended.counts();
    did.results.assign(ended.results().begin(), ended.results().end());
  } catch (std::exception const& thrown) {
    failing_until = -1;
    did.out_of_memory = tells_of_memory(thrown);
    did.broken = dynamic_cast<lockstep::broken_invariant const*>(&thrown) != nullptr;
    did.error = thrown.what();
  }
  return did;
}

// --- what has to hold ---

/// How many requests fail, from the first that does.
enum class shortage { once, lasting };

struct trial {
  scenario const& of;
  machine_options options;
  attitude attitude_of_programs;
  shortage how;
  outcome undisturbed;
};

/// What is wrong with a run in which that request fails; empty if nothing is.
std::string complaint(trial const& at, long number) {
  long const before = blocks;
  asked = 0;
  calls_lost = 0;
  failing_from = number;
  failing_until = at.how == shortage::once ? number + 1 : number + 1'000'000'000;
  {
    auto const did = run(at.of, at.options, at.attitude_of_programs);
    bool const as_ever =
        did.results == at.undisturbed.results && did.counts == at.undisturbed.counts;
    // What a program that goes on makes of a lost call is its own affair.
    if (did.error.empty() && !as_ever && calls_lost == 0)
      return "other results or counts, and no error";
    if (!did.error.empty() && !did.out_of_memory && (did.broken || calls_lost == 0))
      return "another error: " + did.error;
  }
  if (blocks != before) return std::to_string(blocks - before) + " blocks are not freed";
  return {};
}

/// Lets each request fail in turn, until a run asks for no more. Result: whether all is well.
bool all_well(trial const& at, std::string const& name, std::optional<long> only) {
  constexpr long most = 100'000;
  for (long number = only.value_or(0); number < most; ++number) {
    if (auto const wrong = complaint(at, number); !wrong.empty()) {
      std::printf("%s, request %ld: %s\n", name.c_str(), number, wrong.c_str());
      return false;
    }
    if (only || asked <= number) {
      std::printf("%s: %ld requests\n", name.c_str(), number);
      return number > 0;
    }
  }
  std::printf("%s: more than %ld requests\n", name.c_str(), most);
  return false;
}

struct engine_setting {
  std::string_view name;
  lockstep::engine engine;
  int workers;
};

constexpr engine_setting engines[] = {
    {"1-worker", lockstep::engine::fibers, 1},
    {"2-workers", lockstep::engine::fibers, 2},
    {"4-workers", lockstep::engine::fibers, 4},
    {"threads", lockstep::engine::threads, 0},
};

bool try_out(engine_setting const& engine, scenario const& of, std::optional<long> only) {
  if (is_for_fibers(of) && engine.engine == lockstep::engine::threads) return true;
  bool well = true;
  for (auto const attitude_of_programs : {attitude::ends, attitude::goes_on}) {
    machine_options options;
    options.engine = engine.engine;
    options.workers = engine.workers;
    for (int warm_up = 0; warm_up < 2; ++warm_up) (void)run(of, options, attitude_of_programs);
    auto const undisturbed = run(of, options, attitude_of_programs);
    if (!undisturbed.error.empty()) std::printf("%s\n", undisturbed.error.c_str());
    for (auto const how : {shortage::once, shortage::lasting}) {
      auto const name = std::string(engine.name) + ", " + std::string(of.name) +
                        (attitude_of_programs == attitude::ends ? "" : ", programs go on") +
                        (how == shortage::once ? "" : ", lasting");
      well = all_well({of, options, attitude_of_programs, how, undisturbed}, name, only) && well;
    }
  }
  return well;
}

}  // namespace

int main(int argc, char** argv) {
  std::setvbuf(stdout, nullptr, _IOLBF, 0);
  std::span<char* const> const given(argv, static_cast<std::size_t>(argc));
  std::string_view const engine_asked = given.size() > 1 ? given[1] : "all";
  std::string_view const scenario_asked = given.size() > 2 ? given[2] : "all";
  std::optional<long> only;
  if (given.size() > 3) only = std::atol(given[3]);
  bool well = true;
  for (auto const& engine : engines)
    for (auto const& of : scenarios)
      if ((engine_asked == "all" || engine_asked == engine.name) &&
          (scenario_asked == "all" || scenario_asked == of.name))
        well = try_out(engine, of, only) && well;
  return well ? EXIT_SUCCESS : EXIT_FAILURE;
}
