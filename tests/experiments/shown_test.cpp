#include <array>
#include <cstddef>
#include <set>

#include <lockstep/experiments/registry.hpp>

#include "catch.hpp"
#include "core/call_log.hpp"

TEST_CASE("every algorithm shows what each processor holds, and counts as without a view") {
  for (auto const& which : lockstep::experiments()) {
    INFO(which.name << " on " << which.teaching.on);
    auto asked = teaching_request(which);
    auto const plain = which.run(asked);
    reference::call_log log;
    std::array<lockstep::observer*, 1> const observers{&log};
    asked.observers = observers;
    auto const watched = which.run(asked);
    CHECK(watched.correct);
    CHECK(watched.record.counts() == plain.record.counts());
    std::set<int> ranks;
    std::set<int> later;
    for (auto const& shown : log.shows) {
      ranks.insert(shown.rank);
      if (shown.step > 0) later.insert(shown.rank);
    }
    auto const p = static_cast<std::size_t>(asked.network->size());
    CHECK(ranks.size() == p);
    CHECK(later.size() == p);
  }
}
