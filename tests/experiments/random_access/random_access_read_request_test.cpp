#include <algorithm>
#include <cstdint>
#include <map>
#include <string>
#include <variant>

#include <lockstep/errors.hpp>
#include <lockstep/experiments/registry.hpp>
#include <lockstep/judgement.hpp>
#include <lockstep/topologies/parse.hpp>

#include "catch.hpp"

namespace {

using parameters = std::map<std::string, lockstep::parameter_value>;

lockstep::experiment_result run_read(std::string const& on, parameters const& with) {
  auto const& which = *lockstep::find_experiment("random-access-read");
  lockstep::experiment_request asked{.network = lockstep::parse(on)};
  for (auto const& taken : which.parameters) asked.parameters[taken.name] = taken.fallback;
  asked.parameters["seed"] = std::int64_t{1};
  for (auto const& [called, value] : with) asked.parameters[called] = value;
  return which.run(asked);
}

std::string refusal_of_read(std::string const& on, parameters const& with) {
  try {
    static_cast<void>(run_read(on, with));
  } catch (lockstep::invalid_argument const& refused) {
    CHECK(refused.step() == 0);  // before anything ran
    return refused.message();
  }
  return "not refused";
}

std::int64_t figure_of_read(lockstep::experiment_result const& result, std::string const& name) {
  return std::get<std::int64_t>(result.figures.at(name));
}

constexpr char const* variants_of_read[] = {"1", "2", "weighted", "hybrid", "auto"};
constexpr char const* patterns_of_read[] = {"random",    "monotonic", "one-hot",     "few-hot",
                                            "local",     "singles",   "permutation", "figure-3a",
                                            "figure-3b", "figure-3c", "figure-4"};

void check_claims(lockstep::experiment_result const& result) {
  CHECK(result.correct);
  CHECK(result.claims.size() >= 3);
  for (auto const& claimed : result.claims) {
    INFO(claimed.figure << " <= " << claimed.formula << " = " << claimed.value() << ", measured "
                        << measured_for(claimed, result));
    CHECK_FALSE(judge(claimed, measured_for(claimed, result)).is_fault);
  }
  for (auto const& bound : result.bounds) {
    INFO(bound.figure << " >= " << bound.value << ": " << result.record.counts());
    CHECK(holds(bound, result.record.counts()));
  }
  CHECK(result.record.counts().queued == 0);
}

}  // namespace

TEST_CASE("random access reads keep their claims, for all patterns", "[random_access]") {
  for (auto const* const variant : variants_of_read)
    for (auto const* const pattern : patterns_of_read)
      for (int const p : {1, 2, 4, 7, 8, 16})
        for (std::int64_t const words : {1, 5}) {
          INFO(variant << ", " << pattern << ", p = " << p << ", m = " << words);
          std::int64_t const n = std::string(pattern).starts_with("figure") ? 32 : 512;
          check_claims(run_read("crossbar:" + std::to_string(p), {{"n", n},
                                                                  {"variant", std::string(variant)},
                                                                  {"pattern", std::string(pattern)},
                                                                  {"words", words}}));
        }
}

TEST_CASE("random access reads keep their claims, for few elements, many buckets and dots",
          "[random_access]") {
  for (auto const* const variant : variants_of_read)
    for (int const p : {1, 2, 5, 8, 16})
      for (std::int64_t const n : {0, 1, p - 1, 3 * p, 5 * p + 2})
        for (std::int64_t const dots : {0, 50, 100})
          for (auto const* const k : {"1", "auto", "3"}) {
            if (k == std::string("3") && n < 3 * p) continue;
            INFO(variant << ", p = " << p << ", n = " << n << ", dots " << dots << ", k " << k);
            check_claims(
                run_read("crossbar:" + std::to_string(p), {{"n", n},
                                                           {"variant", std::string(variant)},
                                                           {"pattern", std::string("few-hot")},
                                                           {"k", std::string(k)},
                                                           {"dots", dots}}));
          }
}

TEST_CASE("Figure 4 as a random access read, asked for by name", "[random_access]") {
  auto const figure_4 = [](std::string const& variant) {
    return run_read("crossbar:4", {{"pattern", std::string("figure-4")},
                                   {"k", std::string("2")},
                                   {"words", std::int64_t{4}},
                                   {"variant", variant}});
  };
  auto const first = figure_4("1");
  CHECK(first.record.counts().startups == 32);
  CHECK(first.record.counts().words == 174);
  CHECK(figure_of_read(first, "buckets_full") == 5);
  CHECK(figure_of_read(first, "buckets_partial") == 3);
  CHECK(figure_of_read(first, "largest_bucket") == 7);
  CHECK(figure_of_read(first, "q") == 1);
  CHECK(figure_of_read(first, "sends_steps") == 2);
  CHECK(figure_of_read(first, "dealt_words") == 6 + 24);
  CHECK(figure_of_read(first, "answer_scan_words") == 24);
  CHECK(figure_of_read(first, "one_to_one_words") == 4 + 16);
  for (auto const* const figure :
       {"combine_words", "scan_words", "dealt_words", "answer_scan_words", "one_to_one_words"})
    CHECK(std::ranges::count(first.claims, figure, &lockstep::claim::figure) == 1);
  CHECK(figure_of_read(first, "stage_1_words") == 16 + 64);
  CHECK(figure_of_read(first, "stage_2_words") == 4 + 16);
  CHECK(std::get<std::int64_t>(first.parameters.at("n")) == 32);
  CHECK(std::get<std::int64_t>(first.parameters.at("k")) == 2);
  CHECK(figure_4("2").record.counts().words == 160);
  CHECK(figure_4("hybrid").record.counts().startups == 25);
  CHECK(figure_4("hybrid").record.counts().words == 124);
}

TEST_CASE("cells of 4 words are copied by words, which costs less than whole cells",
          "[random_access]") {
  auto const result = run_read(
      "crossbar:64",
      {{"n", std::int64_t{64}}, {"words", std::int64_t{4}}, {"variant", std::string("2")}});
  check_claims(result);
  CHECK(figure_of_read(result, "buckets_partial") > 0);
  CHECK(figure_of_read(result, "answer_scan_words") == 2 * (2 + 1 + 1 + 1 + 1 + 1));  // 48 uncut
  CHECK(result.record.counts().words == 470);                                         // 504 uncut
}

TEST_CASE("whole buckets have to keep the paper's bounds where all of them are few",
          "[random_access]") {
  auto const reasons = [](std::string const& pattern) {
    auto const result =
        run_read("crossbar:16", {{"pattern", pattern}, {"variant", std::string("2")}});
    return std::ranges::count_if(result.claims, [](lockstep::claim const& claimed) {
      return !claimed.erratum.empty() || !claimed.evidence.empty();
    });
  };
  CHECK(reasons("one-hot") == 0);
  CHECK(reasons("singles") == 2);
}

TEST_CASE("a run of whole buckets is judged as the paper's tables judge it", "[random_access]") {
  auto const verdict = [](std::string const& variant, std::int64_t n, char const* k = "4") {
    auto const result = run_read("crossbar:16", {{"n", n},
                                                 {"k", std::string(k)},
                                                 {"words", std::int64_t{4}},
                                                 {"variant", variant},
                                                 {"pattern", std::string("singles")}});
    auto const found = std::ranges::find(result.claims, "port_words", &lockstep::claim::figure);
    REQUIRE(found != result.claims.end());
    return lockstep::judge(*found, measured_for(*found, result)).verdict;
  };
  using enum lockstep::claim_verdict;
  CHECK(verdict("2", 4096) == refuted);  // section 7's own program
  CHECK(verdict("2", 1024) == refuted);  // nm = p^3
  CHECK(verdict("2", 1008) == outside_the_claim);
  CHECK(verdict("2", 1024, "8") == outside_the_claim);  // n < kp^2
  CHECK(verdict("hybrid", 4096) == holds);
}

TEST_CASE("the messages between the stages are counted, both ways", "[random_access]") {
  for (auto const* const variant : variants_of_read) {
    auto const result = run_read("crossbar:8", {{"variant", std::string(variant)}});
    auto const ways = std::get<std::string>(result.figures.at("choice")) == "1" ? 2 : 1;
    CHECK(figure_of_read(result, "sends_steps") == ways * figure_of_read(result, "q"));
    CHECK(std::ranges::count(result.claims, "sends_steps", &lockstep::claim::figure) == 1);
  }
}

TEST_CASE("auto says what it took, and why", "[random_access]") {
  auto const result = run_read("crossbar:8", {{"variant", std::string("auto")}});
  auto const choice = std::get<std::string>(result.figures.at("choice"));
  auto const reason = std::get<std::string>(result.figures.at("reason"));
  CHECK(reason.starts_with(choice + ": "));
  CHECK_THAT(reason, has_text("start-ups and"));
  CHECK(reason.ends_with("; all besides the choice"));
  CHECK_FALSE(run_read("crossbar:8", {}).figures.contains("reason"));
}

TEST_CASE("random access reads refuse what they cannot do, before anything runs",
          "[random_access]") {
  CHECK(refusal_of_read("crossbar:4", {{"n", std::int64_t{32}}, {"k", std::string("0")}}) ==
        "k = 0 buckets for the ceil(n/p) = 8 elements of a processor: take 1 to 8");
  CHECK(refusal_of_read("crossbar:4", {{"n", std::int64_t{32}}, {"k", std::string("9")}}) ==
        "k = 9 buckets for the ceil(n/p) = 8 elements of a processor: take 1 to 8");
  for (auto const* const k : {"-1", "two", "2.5", "2 "})
    CHECK(refusal_of_read("crossbar:4", {{"k", std::string(k)}}) ==
          "k: '" + std::string(k) + "' is not a number of buckets; take 1 to ceil(n/p), or auto");
  CHECK_THAT(refusal_of_read("hypercube:3", {}), has_text("hypercube:3 is not a crossbar"));
  CHECK(refusal_of_read("crossbar:4", {{"words", std::int64_t{0}}}) ==
        "words has to be at least 1, not 0");
  CHECK(refusal_of_read("crossbar:4", {{"n", std::int64_t{-5}}}) ==
        "n has to be at least 0, not -5");
  CHECK_THAT(refusal_of_read("crossbar:4", {{"variant", std::string("3")}}),
             has_text("variant: '3' is not one of 1, 2, weighted, hybrid, auto"));
  CHECK_THROWS_AS(run_read("crossbar:2", {{"n", std::int64_t{2'000'000'000}}}),
                  lockstep::out_of_memory);
  CHECK_THROWS_AS(
      run_read("crossbar:1024", {{"n", std::int64_t{4'000'000}}, {"k", std::string("3900")}}),
      lockstep::out_of_memory);
}
