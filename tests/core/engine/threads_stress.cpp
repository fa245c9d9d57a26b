// Sends many messages between threads with random delays, so that every order occurs in which a message
// can meet a receiver that is about to wait. A lost wake-up would hang it, or show as a deadlock.
// Arguments: messages, and processors.

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <stdexcept>
#include <string>
#include <thread>

#include <fmt/format.h>

#include <lockstep/machine.hpp>
#include <lockstep/topologies/crossbar.hpp>

namespace {

/// A number that depends on both and looks random.
std::uint64_t mixed(std::uint64_t left, std::uint64_t right) {
  auto bits = (left + 1) * 0x9E37'79B9'7F4A'7C15U + right;
  bits = (bits ^ (bits >> 30U)) * 0xBF58'476D'1CE4'E5B9U;
  bits = (bits ^ (bits >> 27U)) * 0x94D0'49BB'1331'11EBU;
  return bits ^ (bits >> 31U);
}

/// Does nothing for a while, mostly a very short one.
void wait_a_little(std::uint64_t chance) {
  auto const kind = chance % 1024;
  if (kind == 0) std::this_thread::sleep_for(std::chrono::microseconds(chance / 1024 % 50));
  if (kind < 16) return std::this_thread::yield();
  if (kind > 256) return;
  volatile std::uint64_t turns = chance / 1024 % 512;
  while (turns > 0) turns = turns - 1;
}

/// Exchanges bursts of messages with another partner in each round. Now and then all meet in a
/// barrier.
void exchange_with_delays(lockstep::processor& me, int rank, std::uint64_t rounds) {
  for (std::uint64_t round = 0; round < rounds; ++round) {
    int const mask = 1 + static_cast<int>(mixed(round, 1) % static_cast<unsigned>(me.size() - 1));
    int const partner = rank ^ mask;
    auto const burst = 1 + mixed(round, 2) % 4;
    bool const first = rank < partner || mixed(round, 3) % 2 == 0;
    auto const send = [&] {
      for (std::uint64_t at = 0; at < burst; ++at) {
        wait_a_little(mixed(round * 4 + at, static_cast<std::uint64_t>(rank)));
        me.send(partner, mixed(round + at, static_cast<std::uint64_t>(rank)));
      }
    };
    auto const receive = [&] {
      for (std::uint64_t at = 0; at < burst; ++at) {
        wait_a_little(mixed(round * 4 + at, static_cast<std::uint64_t>(me.size() + rank)));
        if (me.receive_value<std::uint64_t>(partner) !=
            mixed(round + at, static_cast<std::uint64_t>(partner)))
          throw std::runtime_error("a message has a wrong value, or the wrong place");
      }
    };
    if (first) send();
    receive();
    if (!first) send();
    if (mixed(round, 4) % 32 == 0) me.barrier();
  }
}

std::uint64_t messages_of(std::uint64_t rounds, std::uint64_t processors) {
  std::uint64_t messages = 0;
  for (std::uint64_t round = 0; round < rounds; ++round)
    messages += processors * (1 + mixed(round, 2) % 4);
  return messages;
}

}  // namespace

int main(int count, char** arguments) {
  auto const wanted = count > 1 ? std::strtoull(arguments[1], nullptr, 10) : 400'000U;
  auto const processors = count > 2 ? std::strtoull(arguments[2], nullptr, 10) : 16U;
  std::uint64_t rounds = 1;
  while (messages_of(rounds, processors) < wanted) rounds += 1 + rounds / 64;
  lockstep::machine const machine{
      lockstep::crossbar{static_cast<int>(processors)},
      {.engine = lockstep::engine::threads, .max_steps = std::uint64_t{1} << 40U}};
  auto const begin = std::chrono::steady_clock::now();
  auto const run =
      machine.run([&](lockstep::processor& me) { exchange_with_delays(me, me.rank(), rounds); });
  std::chrono::duration<double> const took = std::chrono::steady_clock::now() - begin;
  auto const sent = messages_of(rounds, processors);
  fmt::print("{} messages between {} threads in {:.1f} s: {:.2g} a second\n", run.counts().messages,
             processors, took.count(), static_cast<double>(sent) / took.count());
  if (run.counts().messages == sent && run.counts().volume == sent) return 0;
  fmt::print(stderr, "{} messages were sent\n", sent);
  return 1;
}
