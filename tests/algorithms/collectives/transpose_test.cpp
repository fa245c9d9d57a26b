#include <lockstep/algorithms/collectives/transpose.hpp>

#include <cstdint>
#include <vector>

#include "catch.hpp"
#include "collectives/collective_samples.hpp"
#include "experiments/refusal_of.hpp"

using lockstep::access;
using lockstep::processor;

TEST_CASE("transpose_blocks exchanges a block between each two processors", "[threads][sanitize]") {
  int const p = GENERATE(1, 2, 3, 5, 8);
  int const m = GENERATE(0, 1, 3);
  auto const how = GENERATE(access::messages, access::reads, access::writes);
  INFO("p = " << p << ", m = " << m << ", " << name_of(how));
  /// Element k of the block from `source` to `destination`.
  auto const made = [](int source, int destination, int k) {
    return (source * 100 + destination) * 100 + k;
  };
  auto const run = reference::check_results(
      reference::strict_crossbar(p, 1, lockstep::engine::threads),
      [&](processor& me) {
        std::vector<int> blocks;
        for (int to = 0; to < p; ++to)
          for (int k = 0; k < m; ++k) blocks.push_back(made(me.rank(), to, k));
        return transpose_blocks(me, blocks, how);
      },
      [&](int rank) {
        std::vector<int> expected;
        for (int from = 0; from < p; ++from)
          for (int k = 0; k < m; ++k) expected.push_back(made(from, rank, k));
        return expected;
      });
  auto const rounds = static_cast<std::uint64_t>(p - 1);
  auto const words = static_cast<std::uint64_t>(m) * rounds;
  CHECK(run.counts().rounds == rounds);
  CHECK(run.counts().startups == (words > 0 ? 1U : 0U));
  CHECK(run.counts().words == words);
  CHECK(run.counts().volume == words * static_cast<std::uint64_t>(p));
  CHECK(run.counts().messages == (m > 0 ? rounds * static_cast<std::uint64_t>(p) : 0));
  CHECK(run.counts().queued == 0);
}

TEST_CASE("transpose_blocks wants blocks of one size") {
  lockstep::machine const machine{lockstep::crossbar{3}};
  CHECK_THAT(
      refusal_of<lockstep::invalid_argument>(
          machine,
          [](processor& me) { static_cast<void>(transpose_blocks(me, std::vector<int>(7))); }),
      has_text("7 elements cannot be divided evenly among 3 processors"));
}
