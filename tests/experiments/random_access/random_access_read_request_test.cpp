#include "random_access/access_requests.hpp"

namespace {

constexpr auto of_read = "random-access-read";
constexpr std::initializer_list<char const*> variants_of_read{"1", "2", "weighted", "hybrid",
                                                              "auto"};

void check_reads(int p, std::vector<varied> all) {
  all.emplace_back("variant", variants_of_read);
  for_each_run(of_read, p, all, [](lockstep::experiment_result const& result, auto const&) {
    check_judged(result);
    CHECK(result.claims.size() >= 3);
  });
}

}  // namespace

TEST_CASE("random access reads keep their claims, for all patterns", "[random_access]") {
  for (int const p : {1, 2, 4, 7, 8, 16}) {
    check_reads(p,
                {{"pattern",
                  {"random", "monotonic", "one-hot", "few-hot", "local", "singles", "permutation"}},
                 {"n", {512}},
                 {"words", {1, 5}}});
    check_reads(p, {{"pattern", {"figure-3a", "figure-3b", "figure-3c", "figure-4"}},
                    {"n", {32}},
                    {"words", {1, 5}}});
  }
}

TEST_CASE("random access reads keep their claims, for few elements, many buckets and dots",
          "[random_access]") {
  for (int const p : {1, 2, 5, 8, 16}) {
    varied const pattern{"pattern", {"few-hot"}};
    varied const dots{"dots", {0, 50, 100}};
    check_reads(p, {pattern, dots, {"n", {0, 1, p - 1, 3 * p, 5 * p + 2}}, {"k", {"1", "auto"}}});
    check_reads(p, {pattern, dots, {"n", {3 * p, 5 * p + 2}}, {"k", {"3"}}});
  }
}

TEST_CASE("Figure 4 as a random access read, asked for by name", "[random_access]") {
  auto const figure_4 = [](std::string const& variant) {
    return run_access(of_read, "crossbar:4",
                      {{"pattern", text("figure-4")},
                       {"k", text("2")},
                       {"words", std::int64_t{4}},
                       {"variant", variant}});
  };
  auto const first = figure_4("1");
  CHECK(first.record.counts().startups == 32);
  CHECK(first.record.counts().words == 174);
  CHECK(figures_of(first, {"buckets_full", "buckets_partial", "largest_bucket", "q", "sends_steps",
                           "dealt_words", "answer_scan_words", "one_to_one_words", "stage_1_words",
                           "stage_2_words"}) ==
        std::vector<std::int64_t>{5, 3, 7, 1, 2, 6 + 24, 24, 4 + 16, 16 + 64, 4 + 16});
  for (auto const* const figure :
       {"combine_words", "scan_words", "dealt_words", "answer_scan_words", "one_to_one_words"})
    CHECK(std::ranges::count(first.claims, figure, &lockstep::claim::figure) == 1);
  CHECK(std::get<std::int64_t>(first.parameters.at("n")) == 32);
  CHECK(std::get<std::int64_t>(first.parameters.at("k")) == 2);
  CHECK(figure_4("2").record.counts().words == 160);
  CHECK(figure_4("hybrid").record.counts().startups == 25);
  CHECK(figure_4("hybrid").record.counts().words == 124);
}

TEST_CASE("cells of 4 words are copied by words, which costs less than whole cells",
          "[random_access]") {
  auto const result =
      run_access(of_read, "crossbar:64",
                 {{"n", std::int64_t{64}}, {"words", std::int64_t{4}}, {"variant", text("2")}});
  check_judged(result);
  CHECK(figure_of(result, "buckets_partial") > 0);
  CHECK(figure_of(result, "answer_scan_words") == 2 * (2 + 1 + 1 + 1 + 1 + 1));  // 48 uncut
  CHECK(result.record.counts().words == 470);                                    // 504 uncut
}

TEST_CASE("whole buckets have to keep the paper's bounds where all of them are few",
          "[random_access]") {
  auto const reasons = [](std::string const& pattern) {
    auto const result =
        run_access(of_read, "crossbar:16", {{"pattern", pattern}, {"variant", text("2")}});
    return std::ranges::count_if(result.claims, [](lockstep::claim const& claimed) {
      return !claimed.erratum.empty() || !claimed.evidence.empty();
    });
  };
  CHECK(reasons("one-hot") == 0);
  CHECK(reasons("singles") == 2);
}

TEST_CASE("a run of whole buckets is judged as the paper's tables judge it", "[random_access]") {
  auto const verdict = [](std::string const& variant, std::int64_t n, char const* k = "4") {
    auto const result = run_access(of_read, "crossbar:16",
                                   {{"n", n},
                                    {"k", text(k)},
                                    {"words", std::int64_t{4}},
                                    {"variant", variant},
                                    {"pattern", text("singles")}});
    auto const found = std::ranges::find(result.claims, "port_words", &lockstep::claim::figure);
    REQUIRE(found != result.claims.end());
    return lockstep::judge(*found, measured_for(*found, result)).verdict;
  };
  using enum lockstep::claim_verdict;
  CHECK(verdict("2", 4096) == our_program_exceeds);  // section 7's change, for all buckets
  CHECK(verdict("2", 1024) == our_program_exceeds);  // nm = p^3
  CHECK(verdict("2", 1008) == outside_the_claim);
  CHECK(verdict("2", 1024, "8") == outside_the_claim);  // n < kp^2
  CHECK(verdict("hybrid", 4096) == holds);
}

TEST_CASE("the messages between the stages are counted, both ways", "[random_access]") {
  for (auto const* const variant : variants_of_read) {
    auto const result = run_access(of_read, "crossbar:8", {{"variant", text(variant)}});
    auto const ways = std::get<std::string>(result.figures.at("choice")) == "1" ? 2 : 1;
    CHECK(figure_of(result, "sends_steps") == ways * figure_of(result, "q"));
    CHECK(std::ranges::count(result.claims, "sends_steps", &lockstep::claim::figure) == 1);
  }
}

TEST_CASE("auto says what it took, and why", "[random_access]") {
  auto const result = run_access(of_read, "crossbar:8", {{"variant", text("auto")}});
  auto const choice = std::get<std::string>(result.figures.at("choice"));
  auto const reason = std::get<std::string>(result.figures.at("reason"));
  CHECK(reason.starts_with(choice + ": "));
  CHECK_THAT(reason, has_text("start-ups and"));
  CHECK(reason.ends_with("; all besides the choice"));
  CHECK_FALSE(run_access(of_read, "crossbar:8", {}).figures.contains("reason"));
}

TEST_CASE("random access reads refuse what they cannot do, before anything runs",
          "[random_access]") {
  CHECK(refusal_of_access(of_read, "crossbar:4", {{"n", std::int64_t{32}}, {"k", text("0")}}) ==
        "k = 0 buckets for the ceil(n/p) = 8 elements of a processor: take 1 to 8");
  CHECK(refusal_of_access(of_read, "crossbar:4", {{"n", std::int64_t{32}}, {"k", text("9")}}) ==
        "k = 9 buckets for the ceil(n/p) = 8 elements of a processor: take 1 to 8");
  for (auto const* const k : {"-1", "two", "2.5", "2 "})
    CHECK(refusal_of_access(of_read, "crossbar:4", {{"k", text(k)}}) ==
          "k: '" + std::string(k) + "' is not a number of buckets; take 1 to ceil(n/p), or auto");
  CHECK_THAT(refusal_of_access(of_read, "tree:3", {}),
             has_text("tree:3 is neither a crossbar nor a hypercube"));
  CHECK(refusal_of_access(of_read, "crossbar:4", {{"words", std::int64_t{0}}}) ==
        "words has to be at least 1, not 0");
  CHECK(refusal_of_access(of_read, "crossbar:4", {{"n", std::int64_t{-5}}}) ==
        "n has to be at least 0, not -5");
  CHECK_THAT(refusal_of_access(of_read, "crossbar:4", {{"variant", text("3")}}),
             has_text("variant: '3' is not one of 1, 2, weighted, hybrid, auto"));
  CHECK_THROWS_AS(run_access(of_read, "crossbar:2", {{"n", std::int64_t{2'000'000'000}}}),
                  lockstep::out_of_memory);
  CHECK_THROWS_AS(
      run_access(of_read, "crossbar:1024", {{"n", std::int64_t{4'000'000}}, {"k", text("3900")}}),
      lockstep::out_of_memory);
}
