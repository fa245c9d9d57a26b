#include <lockstep/algorithms/random_access/segmented_vector_scan.hpp>

#include <cstdint>
#include <functional>
#include <random>
#include <span>
#include <vector>

#include "catch.hpp"
#include "random_access/access_samples.hpp"

using lockstep::extended;
using lockstep::scan_direction;

namespace {

using vector_of_some = std::vector<extended<text_hash>>;

/// What processors have, and where segments end.
struct segments {
  std::vector<vector_of_some> vectors;
  std::vector<bool> ends;
};

segments random_segments(int p, std::size_t s, std::uint32_t seed) {
  std::mt19937 random(seed);
  segments made;
  for (int rank = 0; rank < p; ++rank) {
    vector_of_some mine(s);
    for (auto& one : mine)
      if (random() % 3 > 0) one = letter(random());
    made.vectors.push_back(mine);
    made.ends.push_back(random() % 3 == 0);
  }
  return made;
}

/// Combines what lies before a processor in its segment, one after another.
extended<text_hash> plain_sum(segments const& of, int rank, std::size_t i, bool upward) {
  extended<text_hash> sum;
  lockstep::extended_operator<text_hash, concatenation> const plus{};
  int const step = upward ? -1 : 1;
  for (int other = rank + step; other >= 0 && other < static_cast<int>(of.ends.size());
       other += step) {
    auto const at = static_cast<std::size_t>(other);
    if (of.ends[at]) break;
    sum = upward ? plus(of.vectors[at][i], sum) : plus(sum, of.vectors[at][i]);
  }
  return sum;
}

auto scanned(segments const& of, scan_direction direction,
             lockstep::engine engine = lockstep::engine::fibers) {
  return strict_crossbar_of(static_cast<int>(of.ends.size()), engine).run([&](processor& me) {
    auto const rank = static_cast<std::size_t>(me.rank());
    return segmented_vector_scan(me, concatenation{}, std::span(of.vectors[rank]), of.ends[rank],
                                 {.method = lockstep::vector_method::fold, .direction = direction});
  });
}

}  // namespace

TEST_CASE("vectors are scanned in segments, in rank order, in either direction",
          "[random_access]") {
  for (int p = 1; p <= 17; ++p)
    for (auto const direction : {scan_direction::downward, scan_direction::upward})
      for (std::size_t const s : {0U, 1U, 3U, 8U}) {
        auto const of = random_segments(p, s, static_cast<std::uint32_t>(100 * p + 1));
        auto const run = scanned(of, direction);
        INFO("p = " << p << ", s = " << s);
        for (int rank = 0; rank < p; ++rank)
          for (std::size_t i = 0; i < s; ++i) {
            auto const expected = plain_sum(of, rank, i, direction == scan_direction::upward);
            auto const& found = run.results()[static_cast<std::size_t>(rank)][i];
            CHECK(found.is_there == expected.is_there);
            if (expected.is_there) CHECK(found.value == expected.value);
          }
        auto const counts = lockstep::vector_counts_of(lockstep::vector_method::fold, p, s, 2);
        CHECK(run.counts().startups == counts.startups);
        CHECK(run.counts().words == counts.words);
      }
}

TEST_CASE("segmented scans of vectors are counted alike on both engines",
          "[random_access][threads][sanitize]") {
  auto const of = random_segments(6, 5, 77);
  auto const by_threads = scanned(of, scan_direction::downward, lockstep::engine::threads);
  CHECK(by_threads.counts() == scanned(of, scan_direction::downward).counts());
  CHECK(by_threads.results()[0][0].is_there == plain_sum(of, 0, 0, false).is_there);
}
