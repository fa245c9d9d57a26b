// A std::thread for each processor, and std::barrier.

#include <barrier>
#include <cstdio>
#include <cstdlib>
#include <system_error>
#include <thread>
#include <vector>

#include "measurement.hpp"
#include "shared_slots.hpp"
#include "workloads.hpp"

int main(int argc, char** argv) {
  auto const asked = peers::request_from(argc, argv);
  if (!asked) return 2;

  peers::shared_slots slots(*asked);
  std::barrier everybody(asked->processors);
  auto wait = [&] { everybody.arrive_and_wait(); };
  using processor = peers::slot_processor<decltype(wait)>;
  auto const program = peers::program_for<processor>(*asked);
  if (program == nullptr) return 2;
  std::vector<peers::outcome> found(static_cast<std::size_t>(asked->processors));
  std::vector<std::thread> threads;
  try {
    for (int rank = 0; rank < asked->processors; ++rank)
      threads.emplace_back([&, rank] {
        processor me(rank, asked->processors, slots, wait);
        found[static_cast<std::size_t>(rank)] = program(me, *asked);
      });
  } catch (std::system_error const& failure) {
    std::fprintf(stderr, "thread %zu cannot start: %s\n", threads.size(), failure.what());
    std::_Exit(3);
  }
  for (auto& thread : threads) thread.join();

  return peers::report(*asked, peers::outcome_of_all(found), peers::peak_memory());
}
