// Long payloads of exchanges, which may stay where they are until the receiver copies them: no
// program can tell.

#include <algorithm>
#include <array>
#include <cstdint>
#include <numeric>
#include <span>
#include <string>
#include <vector>

#include <lockstep/machine.hpp>
#include <lockstep/topologies/crossbar.hpp>
#include <lockstep/topologies/torus.hpp>

#include "catch.hpp"
#include "core/machines.hpp"

namespace {

using lockstep::crossbar;
using lockstep::machine;
using lockstep::processor;
using reference::all_engines;
using reference::on;

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

TEST_CASE("payloads go around in any order, between blocks and workers",
          "[core][loans][sanitize][threads]") {
  auto const choice = GENERATE(from_range(all_engines()));
  auto const elements = GENERATE(std::size_t{1}, std::size_t{3}, std::size_t{257}, long_enough);
  constexpr int processors = 37;
  auto const run = machine{crossbar{processors}, on(choice)}.run([&](processor& me) {
    auto held = numbered(me.rank(), 0, elements);
    block in(elements);
    int from = me.rank();
    for (int round = 1; round < processors; ++round) {
      int const next = (me.rank() + round) % processors;
      int const previous = (me.rank() + processors - round) % processors;
      me.exchange_into(next, held, in, previous);
      std::swap(held, in);
      std::ranges::fill(in, -1);
      from = (from + processors - round) % processors;
      if (held != numbered(from, 0, elements)) return false;
    }
    return true;
  });
  CHECK(std::ranges::count(run.results(), true) == processors);
  CHECK(run.counts().steps == processors - 1);
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
  std::vector<char> right(30);
  auto const program = [&](processor& me) {
    int const first = me.rank() - me.rank() % 3;
    block in(long_enough);
    if (me.rank() == first) {
      auto out = numbered(first, 0);
      try {
        me.exchange_into(first + 1, out, in, first + 2);  // what comes in, in step 6, is shorter
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
      me.send(first, block(10));
    }
  };
  machine const thirty{crossbar{30}, on(choice)};
  CHECK_THROWS_AS(thirty.run(program), lockstep::size_mismatch);
  CHECK(std::ranges::count(right, 1) == 10);
}

TEST_CASE("long payloads end in the errors of short ones", "[core][loans][sanitize][threads]") {
  auto const choice = GENERATE(from_range(all_engines()));
  auto const error_of = [&](std::size_t elements, auto const& program) {
    block in(elements);
    try {
      (void)machine{crossbar{6}, on(choice)}.run([&](processor& me) { program(me, elements); });
    } catch (lockstep::error const& thrown) {
      return std::string(thrown.what());
    }
    return std::string();
  };
  SECTION("deadlock") {
    auto const program = [](processor& me, std::size_t elements) {
      block in(elements);
      me.exchange_into((me.rank() + 1) % 6, block(elements), in, (me.rank() + 2) % 6);
    };
    CHECK(error_of(long_enough, program) == error_of(1, program));
    CHECK_THAT(error_of(long_enough, program), has_text("in a cycle: 0 -> 2 -> 4 -> 0"));
  }
  SECTION("a message that nobody receives") {
    auto const program = [](processor& me, std::size_t elements) {
      block in(1);
      me.send((me.rank() + 1) % 6, 0);
      if (me.rank() == 0)
        me.exchange_into(1, block(elements), in, 5);
      else
        (void)me.receive_value<int>((me.rank() + 5) % 6);
    };
    CHECK_FALSE(error_of(long_enough, program).empty());
  }
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
