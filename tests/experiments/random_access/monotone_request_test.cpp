#include "random_access/access_requests.hpp"

namespace {

constexpr char const* monotone_names[] = {"generalize", "concentrate-elements",
                                          "distribute-elements"};

}  // namespace

TEST_CASE("monotone experiments are right and keep their claims, for any n and dots",
          "[random_access]") {
  for (auto const* const name : monotone_names)
    for (int p : {1, 2, 5, 8, 17}) {
      std::vector<varied> const all{
          {"n", {0, 1, p - 1, p, 300}}, {"dots", {0, 50, 100}}, {"seed", {1, 2}}};
      for_each_run(name, p, all, [](lockstep::experiment_result const& result, auto const&) {
        check_access(result);
        CHECK(result.claims.size() == 4);
        for (auto const& claimed : result.claims)
          CHECK(holds(claimed, measured_for(claimed, result)));
        CHECK(figure_of(result, "q") == figure_of(result, "sends_steps"));
      });
    }
}

TEST_CASE("each seed of a monotone experiment makes another input", "[random_access]") {
  for (auto const* const name : monotone_names) {
    auto const volume = [&](std::int64_t seed) {
      return run_access(name, 8, {{"seed", seed}, {"dots", std::int64_t{30}}})
          .record.counts()
          .volume;
    };
    CHECK(volume(1) == volume(1));
    CHECK(volume(1) != volume(2));
  }
}

TEST_CASE("monotone experiments in packets have counts without claims", "[random_access]") {
  for (auto const* const name : monotone_names) {
    auto const result = run_access(name, "crossbar:4", {}, 16);
    CHECK(result.correct);
    CHECK(result.claims.empty());
  }
}

TEST_CASE("monotone experiments refuse what they cannot do", "[random_access]") {
  for (auto const* const name : monotone_names) {
    CHECK_THAT(refusal_of_access(name, "tree:3", {}),
               has_text("tree:3 is neither a crossbar nor a hypercube"));
    CHECK(refusal_of_access(name, "crossbar:4", {{"n", std::int64_t{-1}}}) ==
          "n has to be at least 0, not -1");
    CHECK(refusal_of_access(name, "crossbar:4", {{"dots", std::int64_t{101}}}) ==
          "dots has to be at most 100, not 101");
    CHECK_THROWS_AS(run_access(name, 2, {{"n", std::int64_t{2'000'000'000}}}),
                    lockstep::out_of_memory);
  }
}
