#include "data_array.hpp"

#include <cstdint>
#include <numeric>

#include "catch.hpp"
#include "index.hpp"
#include "simulation.hpp"

// Fig. 5, Phase 1, R != C: all nodes send columns 4s to C - 1 for s = 1 to C/4 - 1, those too whose
// ring has R/4 members.

using namespace as_printed;

namespace {

network const torus_8x16{{8, 16}, true};

enum class bounds { as_printed, put_right };

/// Node x in Phase 1. Its array is ordered by the submeshes on the way along the dimension of Phase
/// 1, so that what is sent is the end of it: R(C - 4s) blocks as printed.
array_program phase_1_of(node const& x, bounds given) {
  auto const [dimension, offset] = lockstep::textbook::ring_in_2d(x, 1);
  int const processors = torus_8x16.processors();
  int const submeshes = torus_8x16.sizes[index(dimension)] / 4;
  array_program program;
  for (int away = 0; away < submeshes; ++away)
    for (int rank = 0; rank < processors; ++rank) {
      int const to = torus_8x16.at(rank)[index(dimension)] / 4;
      if ((offset / 4 * (to - x[index(dimension)] / 4) + submeshes) % submeshes == away)
        program.initial.push_back({torus_8x16.rank_of(x), rank});
    }
  int const size =
      given == bounds::as_printed ? torus_8x16.sizes[1] : torus_8x16.sizes[index(dimension)];
  for (int s = 1; s <= size / 4 - 1; ++s) {
    int const sent = processors / size * (size - 4 * s);
    places end(index(sent));
    std::iota(end.begin(), end.end(), index(processors - sent));
    program.steps.push_back({1, dimension, offset, -offset, end});
  }
  return program;
}

/// Words that node x sends, step by step.
std::vector<std::size_t> words_of(node const& x, bounds given) {
  std::vector<std::size_t> words;
  for (auto const& step : phase_1_of(x, given).steps) words.push_back(step.sent.size());
  return words;
}

/// Blocks of nodes with an odd r + c that are in a wrong row of submeshes after Phase 1.
int in_wrong_rows(std::vector<block_list> const& held) {
  int found = 0;
  for (int rank = 0; rank < torus_8x16.processors(); ++rank) {
    auto const x = torus_8x16.at(rank);
    if ((x[0] + x[1]) % 2 == 0) continue;
    for (auto const& one : held[index(rank)])
      if (torus_8x16.at(one.destination)[0] / 4 != x[0] / 4) ++found;
  }
  return found;
}

}  // namespace

TEST_CASE("erratum 3: printed bounds send blocks too far round the shorter rings", "[errata]") {
  CHECK(words_of({0, 1}, bounds::as_printed) == std::vector<std::size_t>{96, 64, 32});
  auto const run =
      run_arrays(torus_8x16, [](node const& x) { return phase_1_of(x, bounds::as_printed); });
  CHECK(run.processors()[1].words_sent == 96 + 64 + 32);
  CHECK(in_wrong_rows(run.results()) == 64 * 64);  // of 64 nodes with 128 blocks each
}

TEST_CASE("erratum 3: R/4 - 1 steps from column 4s on are right for the shorter rings",
          "[errata]") {
  CHECK(words_of({0, 0}, bounds::put_right) == std::vector<std::size_t>{96, 64, 32});
  CHECK(words_of({0, 1}, bounds::put_right) == std::vector<std::size_t>{64});
  auto const run =
      run_arrays(torus_8x16, [](node const& x) { return phase_1_of(x, bounds::put_right); });
  CHECK(run.processors()[1].words_sent == 64);
  CHECK(in_wrong_rows(run.results()) == 0);
}
