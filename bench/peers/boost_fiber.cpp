// A fiber of Boost.Fiber for each processor, on one thread, and its barrier.

#include <cstddef>
#include <memory>
#include <vector>

#include <boost/fiber/all.hpp>

#include "measurement.hpp"
#include "shared_slots.hpp"
#include "workloads.hpp"

int main(int argc, char** argv) {
  auto const asked = peers::request_from(argc, argv);
  if (!asked) return 2;

  peers::shared_slots slots(*asked);
  boost::fibers::barrier everybody(static_cast<std::size_t>(asked->processors));
  auto wait = [&] { everybody.wait(); };
  using processor = peers::slot_processor<decltype(wait)>;
  auto const program = peers::program_for<processor>(*asked);
  if (program == nullptr) return 2;
  std::vector<peers::outcome> found(static_cast<std::size_t>(asked->processors));
  // Stacks from a pool: one mapping of memory for each would be more than Linux gives.
  boost::fibers::pooled_fixedsize_stack stacks(std::size_t{16} * 1024);
  std::vector<boost::fibers::fiber> fibers;
  for (int rank = 0; rank < asked->processors; ++rank)
    fibers.emplace_back(std::allocator_arg, stacks, [&, rank] {
      processor me(rank, asked->processors, slots, wait);
      found[static_cast<std::size_t>(rank)] = program(me, *asked);
    });
  for (auto& fiber : fibers) fiber.join();

  return peers::report(*asked, peers::outcome_of_all(found), peers::peak_memory());
}
