// Long payloads of exchanges, which may stay where they are until the receiver copies them: no
// program can tell.

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdint>
#include <numeric>
#include <span>
#include <string>
#include <vector>

#include <lockstep/machine.hpp>
#include <lockstep/topologies/crossbar.hpp>

#include "catch.hpp"
#include "core/usual_names.hpp"

namespace {

using namespace usual_names;

using block = std::vector<std::int64_t>;

constexpr std::size_t long_enough = 1'000;

block numbered(int rank, int round, std::size_t elements = long_enough) {
  block made(elements);
  std::iota(made.begin(), made.end(), std::int64_t{1'000'000} * rank + 10'000 * round);
  return made;
}

/// Waits until all processors of that parity have come.
void meet_half(processor& me) {
  std::vector<int> half;
  for (int rank = me.rank() % 2; rank < me.size(); rank += 2) half.push_back(rank);
  me.subset(half).barrier();
}

/// A round: the ranks that a block goes to and comes from, as many away as the round's number.
struct turn {
  int number = 0;
  int next = 0;
  int previous = 0;
};

/// Sends blocks around, and checks after each round that the right ones have come;
/// `exchange(me, round, held, in)` leaves in `held` what came.
template <class Exchange>
void check_going_around(lockstep::machine_options const& options, std::size_t elements,
                        Exchange const& exchange) {
  constexpr int processors = 37;
  auto const run = machine{crossbar{processors}, options}.run([&](processor& me) {
    auto held = numbered(me.rank(), 0, elements);
    block in(elements);
    int from = me.rank();
    for (int round = 1; round < processors; ++round) {
      int const next = (me.rank() + round) % processors;
      int const previous = (me.rank() + processors - round) % processors;
      exchange(me, turn{round, next, previous}, held, in);
      from = (from + processors - round) % processors;
      if (held != numbered(from, 0, elements)) return false;
    }
    return true;
  });
  CHECK(std::ranges::count(run.results(), true) == processors);
  CHECK(run.counts().steps == processors - 1);
}

}  // namespace

TEST_CASE("a payload is as it was sent, though its sender goes on before it is received",
          "[core][loans][sanitize][threads]") {
  auto const choice = GENERATE(from_range(all_engines()));
  auto const run = machine{crossbar{40}, on(choice)}.run([](processor& me) {
    int const partner = me.rank() ^ 1;
    block in(long_enough);
    for (int round = 0; round < 5; ++round) {
      auto out = numbered(me.rank(), round);
      if (me.rank() % 2 == 0) {
        me.exchange_into(partner, out, in, partner);
        std::ranges::fill(out, -1);
        me.barrier();
      } else {
        me.send(partner, out);
        meet_half(me);  // while the other waits or has gone on
        me.barrier();
        me.receive_into(partner, in);
      }
      if (in != numbered(partner, round)) return false;
    }
    return true;
  });
  CHECK(std::ranges::count(run.results(), true) == 40);
  CHECK(run.counts().messages == 5 * 40);
}

TEST_CASE("a vector that an exchange gives is as it was sent", "[core][loans][sanitize][threads]") {
  auto const choice = GENERATE(from_range(all_engines()));
  auto const elements = GENERATE(std::size_t{1}, std::size_t{257}, long_enough);
  check_going_around(on(choice), elements,
                     [](processor& me, turn const& round, block& held, block& in) {
                       in = me.exchange(round.next, held, round.previous);
                       if (round.number % 5 == 0) me.barrier();
                       std::ranges::fill(held, -1);
                       held = std::move(in);
                     });
}

TEST_CASE("payloads go around in any order, between blocks and workers",
          "[core][loans][sanitize][threads]") {
  auto const choice = GENERATE(from_range(all_engines()));
  auto const elements = GENERATE(std::size_t{1}, std::size_t{3}, std::size_t{257}, long_enough);
  check_going_around(on(choice), elements,
                     [](processor& me, turn const& round, block& held, block& in) {
                       me.exchange_into(round.next, held, in, round.previous);
                       std::swap(held, in);
                       std::ranges::fill(in, -1);
                     });
}

TEST_CASE("a payload may overlap the memory that the exchange receives into",
          "[core][loans][sanitize][threads]") {
  auto const choice = GENERATE(from_range(all_engines()));
  auto const shift = GENERATE(std::size_t{0}, std::size_t{1}, long_enough - 1);
  auto const run = machine{crossbar{9}, on(choice)}.run([&](processor& me) {
    int const next = (me.rank() + 1) % 9;
    int const previous = (me.rank() + 8) % 9;
    block memory(long_enough + shift);
    std::span const out = std::span(memory).first(long_enough);
    std::span const in = std::span(memory).subspan(shift);
    bool right = true;
    for (int round = 0; round < 3; ++round) {
      std::ranges::copy(numbered(me.rank(), round), out.begin());
      me.exchange_into(next, out, in, previous);
      right = right && std::ranges::equal(in, numbered(previous, round));
      std::ranges::copy(numbered(me.rank(), round), in.begin());
      me.exchange_into(next, in, out, previous);
      right = right && std::ranges::equal(out, numbered(previous, round));
    }
    return right;
  });
  CHECK(std::ranges::count(run.results(), true) == 9);
}

TEST_CASE("a payload on the stack of a processor that waits is as it was sent",
          "[core][loans][sanitize][threads]") {
  auto const choice = GENERATE(from_range(all_engines()));
  auto const run = machine{crossbar{16}, on(choice)}.run([](processor& me) {
    std::array<std::int64_t, 300> out{};
    std::array<std::int64_t, 300> in{};
    for (int distance = 1; distance < 16; ++distance) {
      out.fill(100 * me.rank() + distance);
      int const previous = (me.rank() + 16 - distance) % 16;
      me.exchange_into((me.rank() + distance) % 16, out, in, previous);
      if (std::ranges::count(in, 100 * previous + distance) != 300) return false;
    }
    return true;
  });
  CHECK(std::ranges::count(run.results(), true) == 16);
}

TEST_CASE("an exchange that fails has sent its payload all the same",
          "[core][loans][sanitize][threads]") {
  auto const choice = GENERATE(from_range(all_engines()));
  bool const into = GENERATE(false, true);
  std::vector<char> right(30);
  auto const program = [&](processor& me) {
    int const first = me.rank() - me.rank() % 3;
    block in(long_enough);
    if (me.rank() == first) {
      auto out = numbered(first, 0);
      try {
        // What comes in, in step 6, is shorter, or of another type.
        if (into)
          me.exchange_into(first + 1, out, in, first + 2);
        else
          (void)me.exchange(first + 1, out, first + 2);
      } catch (lockstep::error const&) {
        std::ranges::fill(out, -1);
        throw;
      }
    } else if (me.rank() == first + 1) {
      (void)me.receive_value<int>(first + 2);
      me.receive_into(first, in);  // in step 6
      right[static_cast<std::size_t>(me.rank())] = in == numbered(first, 0) ? 1 : 0;
    } else {
      me.idle(4);
      me.send(first + 1, 1);
      if (into)
        me.send(first, block(10));
      else
        me.send(first, 10);
    }
  };
  machine const thirty{crossbar{30}, on(choice)};
  if (into)
    CHECK_THROWS_AS(thirty.run(program), lockstep::size_mismatch);
  else
    CHECK_THROWS_AS(thirty.run(program), lockstep::type_mismatch);
  CHECK(std::ranges::count(right, 1) == 10);
}

TEST_CASE("long payloads end in the errors of short ones", "[core][loans][sanitize][threads]") {
  auto const choice = GENERATE(from_range(all_engines()));
  machine const six{crossbar{6}, on(choice)};
  SECTION("deadlock") {
    auto const program = [](processor& me) {
      block in(long_enough);
      me.exchange_into((me.rank() + 1) % 6, block(long_enough), in, (me.rank() + 2) % 6);
    };
    CHECK_THROWS_AS(six.run(program), lockstep::deadlock);
    CHECK_THROWS_WITH(six.run(program), has_text("in a cycle: 0 -> 2 -> 4 -> 0"));
  }
  SECTION("a message that nobody receives") {
    auto const program = [](processor& me) {
      block in(1);
      if (me.rank() == 0) me.exchange_into(1, block(long_enough), in, 5);
      if (me.rank() == 5) me.send(0, block(1));
    };
    CHECK_THROWS_AS(six.run(program), lockstep::unreceived_message);
    CHECK_THROWS_WITH(
        six.run(program),
        has_text("the message of 1000 elements that processor 0 sent to processor 1 in "
                 "step 1"));
  }
}

namespace {

[[gnu::noinline]] void touch(std::span<char volatile> memory) {
  for (auto& byte : memory) byte = 1;
}

/// Calls a function whose frame is larger than a stack, and writes to its lower end.
[[gnu::noinline]] void overflow(processor& me) {
  std::array<char volatile, 66 * 1024> frame;  // NOLINT(*-member-init): only some is touched
  touch(std::span(frame).first(8'000));
  me.idle();
}

}  // namespace

TEST_CASE("what is lent is as it was sent, though a stack beside it overflows", "[core][loans]") {
#if defined(__SANITIZE_ADDRESS__) || defined(LOCKSTEP_TEST_THREAD_SANITIZER)
  return;  // they look after stacks themselves
#endif
  bool right = false;
  auto const program = [&](processor& me) {
    std::array<std::int64_t, long_enough> out{};
    std::array<std::int64_t, long_enough> in{};
    out.fill(42);
    if (me.rank() == 0) me.exchange_into(2, out, in, 2);
    if (me.rank() == 1) {
      me.idle(5);
      overflow(me);
    }
    if (me.rank() == 2) {
      me.receive_into(0, in);
      right = std::ranges::count(in, 42) == long_enough;
      me.idle(4);
      me.send(0, out);
    }
  };
  machine const three{crossbar{3}, {.workers = 1, .stack = 64 * 1024}};
  CHECK_THROWS_AS(three.run(program), lockstep::stack_overflow);
  CHECK(right);
}

TEST_CASE("a processor that lends goes on while others send to it",
          "[core][loans][sanitize][threads]") {
  auto const choice = GENERATE(from_range(all_engines()));
  constexpr int messages = 100'000;
  constexpr int lender = 0;
  constexpr int receiver = 1;
  constexpr int sender = 17;
  std::atomic<int> sent = 0;
  auto const program = [&](processor& me) {
    block held(long_enough);
    block in(long_enough);
    int so_far = 0;
    if (me.rank() == lender) {
      me.exchange_into(receiver, held, in, receiver);
      so_far = sent;
      for (int message = 0; message < messages; ++message)
        static_cast<void>(me.receive_value<int>(sender));
    } else if (me.rank() == receiver) {
      me.send(lender, held);
      me.idle(messages);
      static_cast<void>(me.receive_value<int>(sender));
      me.receive_into(lender, in);
    } else if (me.rank() == sender) {
      for (; sent < messages; ++sent) me.send(lender, 1);
      me.send(receiver, 1);
    }
    return so_far;
  };
  auto const run = machine{crossbar{18}, on(choice, {.max_steps = 1'000'000})}.run(program);
  CHECK(run.results()[lender] < messages);
}

TEST_CASE("a payload is received late again and again", "[core][loans][sanitize][threads]") {
  auto const choice = GENERATE(from_range(all_engines()));
  constexpr int rounds = 200;
  auto const run = machine{crossbar{20}, on(choice)}.run([](processor& me) {
    if (me.rank() > 1) return std::int64_t{0};
    int const partner = 1 - me.rank();
    block in(long_enough);
    std::int64_t sum = 0;
    int const pair[] = {0, 1};
    auto both = me.subset(pair);
    for (int round = 0; round < rounds; ++round) {
      auto const out = numbered(me.rank(), round);
      if (me.rank() == 0) {
        me.exchange_into(1, out, in, 1);
        both.barrier();
      } else {
        me.send(0, out);
        both.barrier();
        me.receive_into(0, in);
      }
      sum += in.front() - numbered(partner, round).front();
    }
    return sum;
  });
  CHECK(run.results()[0] == 0);
  CHECK(run.results()[1] == 0);
  CHECK(run.counts().messages == 2 * rounds);
}
