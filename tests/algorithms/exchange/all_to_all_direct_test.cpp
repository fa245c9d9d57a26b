#include <lockstep/algorithms/exchange/all_to_all_direct.hpp>

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "catch.hpp"
#include "check_claims.hpp"
#include "experiments/refusal_of.hpp"
#include "experiments/requests.hpp"

TEST_CASE("the direct exchange on meshes and tori, with its contention") {
  auto const [spec, steps, with_contention, serialised] =
      GENERATE(table<std::string, std::uint64_t, int, std::uint64_t>({
          {"mesh:2x2", 3, 0, 3},
          {"mesh:2x4", 7, 4, 11},
          {"mesh:4x4", 15, 12, 27},
          {"mesh:4x8", 31, 28, 91},
          {"mesh:8x8", 63, 60, 219},
          {"mesh:8x16", 127, 124, 731},
          {"mesh:16x16", 255, 252, 1755},
          {"torus:4x4", 15, -1, 22},
          {"torus:4x8", 31, -1, 65},
          {"torus:8x8", 63, -1, 153},
      }));
  auto const result = requests::run("all-to-all-direct", spec);
  INFO(spec);
  reference::check_result(result);
  auto const& all = result.record.counts();
  CHECK(all.steps == steps);
  CHECK(all.serialised_steps == serialised);
  CHECK(all.queued == 0);
  auto const measured = std::ranges::count_if(result.record.steps(),
                                              [](auto const& step) { return step.contention > 1; });
  if (with_contention >= 0) CHECK(measured == with_contention);
}

TEST_CASE("the contention of every step on a 2 x 4 mesh") {
  std::vector<std::uint64_t> contention;
  for (auto const& step : requests::run("all-to-all-direct", "mesh:2x4").record.steps())
    contention.push_back(step.contention);
  CHECK(contention == std::vector<std::uint64_t>{1, 2, 2, 1, 1, 2, 2});
}

TEST_CASE("direct exchanges of larger blocks, and in other dimensions", "[sanitize]") {
  std::string const spec = GENERATE("mesh:8", "mesh:1", "torus:2x2x4", "mesh:2x4x2");
  INFO(spec);
  reference::check_result(requests::run("all-to-all-direct", spec, {{"words", 5}}));
}

TEST_CASE("what the direct exchange cannot work with is refused") {
  CHECK_THAT(requests::refusal("all-to-all-direct", "hypercube:3"),
             has_text("neither a torus nor a mesh"));
  auto const refused = [](std::string const& on, std::size_t elements) {
    return refusal_of<lockstep::invalid_argument>(
        lockstep::machine{lockstep::parse(on)}, [elements](lockstep::processor& me) {
          return lockstep::all_to_all_direct(me, std::vector<int>(elements)).size();
        });
  };
  CHECK_THAT(refused("mesh:2x2", 5), has_text("5 elements") && has_text("4 processors"));
  CHECK_THAT(refused("mesh:3", 3), has_text("powers of two"));
}
