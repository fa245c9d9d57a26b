// Processors that pass different layouts, each right by itself, make a mistake that no processor sees alone.
// It ends in an error of lockstep or in a result, and never in memory that is not there.

#include <cstddef>
#include <cstdint>
#include <functional>
#include <random>
#include <set>
#include <span>
#include <string>
#include <vector>

#include <lockstep/algorithms/random_access/random_access_read.hpp>
#include <lockstep/algorithms/random_access/random_access_write.hpp>
#include <lockstep/errors.hpp>
#include <lockstep/machine.hpp>
#include <lockstep/topologies/parse.hpp>

#include "catch.hpp"
#include "experiments/refusal_of.hpp"

using lockstep::access_variant;
using lockstep::bucket_layout;
using lockstep::processor;
using lockstep::read_variant;

namespace {

/// An access with a layout for each processor.
struct mixed_access {
  std::vector<bucket_layout> layouts{};
  std::vector<std::vector<std::size_t>> pointers{};
  std::size_t elements_each = 1;

  [[nodiscard]] bucket_layout const& layout_of(processor const& me) const {
    return layouts[static_cast<std::size_t>(me.rank())];
  }
  [[nodiscard]] std::vector<std::size_t> const& pointers_of(processor const& me) const {
    return pointers[static_cast<std::size_t>(me.rank())];
  }
};

/// Makes one of as many buckets on all processors, of sizes that differ on one processor or on all.
mixed_access drawn_access(int p, std::mt19937& random) {
  auto const below = [&](std::size_t bound) { return static_cast<std::size_t>(random()) % bound; };
  mixed_access made{.elements_each = 1 + below(2)};
  auto const buckets_each = 1 + below(4);
  auto const least = 4 * static_cast<std::size_t>(p);  // four buckets have elements
  auto const usual = least + below(200);
  auto const other = least + below(200);
  auto const odd_one = static_cast<int>(below(static_cast<std::size_t>(p)));
  bool const is_one = below(2) == 0;
  for (int rank = 0; rank < p; ++rank) {
    auto const drawn = least + below(160);
    auto const n = is_one ? (rank == odd_one ? other : usual) : drawn;
    made.layouts.emplace_back(n, p, buckets_each);
    bool const is_hot = below(2) == 0;
    auto& pointers = made.pointers.emplace_back(below(60));
    for (auto& each : pointers) each = is_hot ? n - 1 - below(2) : below(n);
  }
  return made;
}

void read(processor& me, mixed_access const& access, read_variant variant) {
  auto const& layout = access.layout_of(me);
  std::vector<int> const array(layout.size_of(me.rank()) * access.elements_each, me.rank());
  static_cast<void>(
      random_access_read(me, layout, access.pointers_of(me), std::span(array),
                         {.variant = variant, .elements_each = access.elements_each}));
}

template <class Operator>
void write(processor& me, mixed_access const& access, access_variant variant,
           Operator const& plus) {
  auto const& layout = access.layout_of(me);
  auto const& pointers = access.pointers_of(me);
  std::vector<int> const values(pointers.size(), 1);
  std::vector<int> array(layout.size_of(me.rank()));
  random_access_write(me, layout, std::span(pointers), std::span(values), plus, std::span(array),
                      {.variant = variant});
}

/// Runs a program. Result: the class of the error that ends it; "right" if none does.
std::string came_of(lockstep::machine const& machine,
                    std::function<void(processor&)> const& program) {
  try {
    machine.run(program);
  } catch (lockstep::error const& thrown) {
    return std::string(class_name(thrown));
  }
  return "right";
}

}  // namespace

TEST_CASE("accesses by different layouts end in an error, or as any other",
          "[random_access][sanitize]") {
  auto const* const network = GENERATE("crossbar:2", "crossbar:5", "hypercube:2", "mesh:2x3");
  auto const parsed = lockstep::parse(network);
  lockstep::machine const machine(parsed, {.workers = 1});
  bool const is_crossbar = std::string(network).starts_with("crossbar");
  std::mt19937 random(20);
  std::set<std::string> met;
  for (int number = 0; number < 60; ++number) {
    auto const access = drawn_access(parsed->size(), random);
    INFO(network << ", access " << number);
    for (auto const variant :
         {read_variant::requested, read_variant::whole_buckets, read_variant::weighted,
          read_variant::hybrid, read_variant::automatic})
      if (is_crossbar || variant != read_variant::automatic)
        met.insert(came_of(machine, [&](processor& me) { read(me, access, variant); }));
    auto const in_order = [](int a, int b) { return a + b; };  // not known to commute
    met.insert(came_of(
        machine, [&](processor& me) { write(me, access, access_variant::arbitrary, in_order); }));
    for (auto const variant :
         {access_variant::arbitrary, access_variant::hybrid, access_variant::limited})
      if (is_crossbar || variant == access_variant::arbitrary)
        met.insert(
            came_of(machine, [&](processor& me) { write(me, access, variant, std::plus<int>{}); }));
  }
  CHECK(met.contains("processor_failed"));
  CHECK_FALSE(met.contains("broken_invariant"));
}
