#include <lockstep/judgement.hpp>

#include "experiments/default_request.hpp"
#include "random_access/access_requests.hpp"

namespace {

constexpr auto of_write = "random-access-write";
constexpr std::initializer_list<char const*> variants_of_write{"arbitrary", "hybrid",
                                                               "hybrid-plain", "limited", "auto"};

std::string refusal_of_write(access_parameters const& given) {
  try {
    static_cast<void>(run_access(of_write, 4, given));
  } catch (lockstep::invalid_argument const& refused) {
    CHECK(refused.message().find('\n') == std::string::npos);
    return refused.message();
  }
  return "not refused";
}

/// The values that are claimed for figures; -1 if nothing is.
std::vector<double> claimed_values_of(lockstep::experiment_result const& result,
                                      std::vector<std::string> const& figures) {
  std::vector<double> values(figures.size(), -1);
  for (std::size_t i = 0; i < figures.size(); ++i)
    if (auto const found = std::ranges::find(result.claims, figures[i], &lockstep::claim::figure);
        found != result.claims.end())
      values[i] = found->value();
  return values;
}

}  // namespace

TEST_CASE("every random access write is right and keeps its claims, for every pattern",
          "[random_access]") {
  int const p = GENERATE(1, 2, 3, 4, 7, 8, 13, 16);
  varied const pattern{
      "pattern", {"random", "monotonic", "one-hot", "few-hot", "local", "permutation", "singles"}};
  varied const n{"n", {0, 1, p - 1, 5 * p + 2, 600}};
  varied const dots{"dots", {0, 40}};
  check_each(of_write, p, {pattern, n, dots, {"variant", variants_of_write}});
  check_each(
      of_write, p,
      {pattern, n, dots, {"variant", {"arbitrary", "limited"}}, {"operator", {"first", "concat"}}});
}

TEST_CASE("a write of values that have to agree counts as one that adds them", "[random_access]") {
  for (int const p : {1, 4, 7}) {
    std::vector<varied> const all{
        {"n", {100}}, {"pattern", {"permutation"}}, {"variant", variants_of_write}};
    for_each_run(of_write, p, all, [p](auto const& added, access_parameters asked) {
      asked["operator"] = text("same");
      auto const agreed = run_access(of_write, p, asked);
      check_access(agreed);
      CHECK(agreed.record.counts() == added.record.counts());
    });
  }
}

TEST_CASE("random access writes by all routes keep their claims", "[random_access]") {
  int const p = GENERATE(1, 3, 8, 13);
  check_each(of_write, p,
             {{"n", {500}},
              {"pattern", {"random", "one-hot", "few-hot", "local", "singles"}},
              {"variant", variants_of_write},
              {"stage-1", {"transportation", "direct"}},
              {"stage-2", {"sends", "linear", "transportation"}},
              {"tau", {0, 1000}}});
}

TEST_CASE("each part of a random access write of Figure 4 is counted and claimed",
          "[random_access]") {
  auto const result = run_access(of_write, 4, {{"pattern", text("figure-4")}, {"k", text("2")}});
  CHECK(claimed_values_of(result, {"combine_words", "scan_words", "dealt_words",
                                   "segmented_scan_words", "one_to_one_words", "sends_steps"}) ==
        std::vector<double>{12, 12, 6, 6, 4, 1});
  CHECK(figures_of(result, {"sends_steps", "buckets_full", "buckets_partial", "largest_bucket", "q",
                            "stage_1_words", "stage_2_words"}) ==
        std::vector<std::int64_t>{1, 5, 3, 7, 1, 16, 4});
  CHECK(result.record.counts().startups == 20);
  CHECK(result.record.counts().words == 54);
  CHECK(result.parameters.at("k") == lockstep::parameter_value(std::int64_t{2}));
  CHECK(result.parameters.at("n") == lockstep::parameter_value(std::int64_t{32}));
}

TEST_CASE("words of a random access write are claimed, by all stages and choices",
          "[random_access]") {
  for (int const p : {4, 5})
    for (auto const* const stage_2 : {"sends", "transportation"})
      CHECK(claimed_values_of(run_access(of_write, p, {{"stage-2", text(stage_2)}}),
                              {"port_words"})[0] > 0);
  for (auto const* const figure : {"figure-3b", "figure-3c"})
    CHECK(claimed_values_of(
              run_access(of_write, 4, {{"pattern", text(figure)}, {"variant", text("limited")}}),
              {"words"})[0] > 0);
}

TEST_CASE("monotonic writes keep the claims of theirs, and take pointers in order only",
          "[random_access]") {
  for (int const p : {1, 2, 5, 8, 16})
    check_each(of_write, p,
               {{"n", {300}},
                {"dots", {10}},
                {"pattern", {"monotonic", "one-hot", "singles"}},
                {"operator", {"add", "first", "concat"}},
                {"variant", {"monotonic"}}});
  CHECK_THAT(refusal_of_write({{"variant", text("monotonic")}}), has_text("in order"));
}

TEST_CASE("few hot addresses take what the page says in stage 2", "[random_access]") {
  auto const result = run_access(
      of_write, 16, {{"n", std::int64_t{4096}}, {"k", text("1")}, {"pattern", text("few-hot")}});
  check_access(result);
  CHECK(figures_of(result, {"stage_2_words", "stage_2_port_words"}) ==
        std::vector<std::int64_t>{588, 377});
}

TEST_CASE("the choice is said, and the reason for it", "[random_access]") {
  auto const limited =
      run_access(of_write, 4, {{"pattern", text("figure-3c")}, {"variant", text("limited")}});
  CHECK(limited.figures.at("choice") == text("transportation"));
  CHECK_FALSE(limited.figures.contains("reason"));
  auto const cheapest = run_access(of_write, 16, {{"variant", text("auto")}});
  CHECK(cheapest.figures.at("choice") == text("complete-exchange"));
  CHECK_THAT(std::get<std::string>(cheapest.figures.at("reason")),
             has_text("complete-exchange: 15 start-ups and "));
  auto const in_order = run_access(of_write, 16,
                                   {{"variant", text("auto")},
                                    {"pattern", text("monotonic")},
                                    {"operator", text("concat")},
                                    {"tau", std::int64_t{0}}});
  check_access(in_order);
  CHECK(in_order.figures.at("choice") == text("monotonic"));
  CHECK(figure_of(in_order, "q") > 0);
  CHECK(figure_of(in_order, "q") == figure_of(in_order, "sends_steps"));
  CHECK_THAT(std::get<std::string>(in_order.figures.at("reason")),
             has_text("monotonic: 35 start-ups and "));
}

TEST_CASE("random access writes refuse in one line what cannot be", "[random_access]") {
  CHECK_THAT(refusal_of_write({{"k", text("0")}}), has_text("k = 0 buckets"));
  CHECK_THAT(refusal_of_write({{"n", std::int64_t{30}}, {"k", text("9")}}),
             has_text("take 1 to 8"));
  CHECK(refusal_of_write({{"n", std::int64_t{100}}, {"pattern", text("figure-4")}}) ==
        "pattern figure-4 has n = 32 elements, not 100; leave out n");
  CHECK(refusal_of_write({{"n", std::int64_t{32}}, {"pattern", text("figure-4")}}) ==
        "not refused");
  CHECK_THAT(refusal_of_write({{"k", text("many")}}), has_text("is not a number of buckets"));
  CHECK_THAT(refusal_of_write({{"pattern", text("one-hot")}, {"operator", text("same")}}),
             has_text("elements write different values to address 2048"));
  for (auto const* const variant : {"hybrid", "hybrid-plain"})
    for (auto const* const named : {"first", "concat"})
      CHECK_THAT(refusal_of_write({{"variant", text(variant)}, {"operator", text(named)}}),
                 has_text("not known to commute"));
}

TEST_CASE("traffic by way of all processors costs what the errata say", "[random_access]") {
  auto const words = [](int p, char const* traffic, std::int64_t t) {
    auto const result = run_access("transportation", p, {{"traffic", text(traffic)}, {"t", t}});
    check_access(result);
    return result.record.counts().words;
  };
  CHECK(words(16, "hot", 1024) == 2880);
  CHECK(words(32, "adversary", 64) == 693);
  CHECK(words(32, "adversary", 1088) == 2677);
}

TEST_CASE("first middles are drawn only where elements go by way of processors",
          "[random_access]") {
  access_parameters asked{{"first", text("random")}};
  CHECK(refusal_of_access("transportation", "crossbar:4", asked) == "not refused");
  asked["route"] = text("direct");
  CHECK_THAT(refusal_of_access("transportation", "crossbar:4", asked),
             has_text("--first random") && has_text("take --route transportation"));
}

TEST_CASE("more stages take fewer start-ups on q^2 and q^3 processors, and nothing else",
          "[random_access]") {
  auto const startups = [](int p, std::int64_t stages) {
    auto const result =
        run_access("transportation", p, {{"stages", stages}, {"t", std::int64_t{64}}});
    check_access(result);
    return result.record.counts().startups;
  };
  CHECK(startups(64, 2) == 126);
  CHECK(startups(64, 4) == 28);
  CHECK(startups(64, 6) == 18);
  access_parameters asked{{"stages", std::int64_t{4}}};
  CHECK_THAT(refusal_of_access("transportation", "crossbar:12", asked), has_text("take 9 or 16"));
  CHECK_THAT(refusal_of_access("transportation", "hypercube:4", asked),
             has_text("is not a crossbar"));
  asked["first"] = text("random");
  CHECK_THAT(refusal_of_access("transportation", "crossbar:16", asked),
             has_text("--stages 4") && has_text("take --stages 2"));
}

TEST_CASE("transportation of much traffic has to keep the paper's bound", "[random_access]") {
  auto const reasons = [](std::int64_t t) {
    auto const result = run_access("transportation", 4, {{"traffic", text("uniform")}, {"t", t}});
    return std::ranges::count_if(
        result.claims, [](lockstep::claim const& claimed) { return !claimed.erratum.empty(); });
  };
  CHECK(reasons(8) == 1);
  CHECK(reasons(1000) == 0);
}

TEST_CASE("the paper's bound on transportation is for p^2 elements, + lower order terms",
          "[random_access]") {
  using enum lockstep::claim_verdict;
  auto const verdict_on = [](int p, char const* traffic, std::int64_t t) {
    auto const result = run_access("transportation", p, {{"traffic", text(traffic)}, {"t", t}});
    auto const bound = std::ranges::find(result.claims, "r + c", &lockstep::claim::formula);
    REQUIRE(bound != result.claims.end());
    CHECK(bound->source == "Shankar and Ranka 1997, sections 2 and 5 (number 1)");
    return lockstep::judge(*bound, static_cast<double>(result.record.counts().words)).verdict;
  };
  CHECK(verdict_on(16, "random", 16) == outside_the_claim);
  CHECK(verdict_on(32, "adversary", 0) == outside_the_claim);
  CHECK(verdict_on(16, "random", 256) == decides_nothing);
  CHECK(verdict_on(16, "hot", 1024) == holds);
}

TEST_CASE("random accesses count their local work", "[random_access]") {
  auto const counts_on = [](std::string const& name, int p, access_parameters const& given) {
    auto const result = run_access(name, p, given);
    check_access(result);
    return result.record;
  };
  auto const phase = [](lockstep::run_record const& of, std::string_view name) {
    std::uint64_t work = 0;
    for (auto const& one : of.phases())
      if (one.name == name) work += one.work;
    return work;
  };
  // n/p = 8 elements, kp = 8 buckets.
  auto const write =
      counts_on("random-access-write", 4,
                {{"n", std::int64_t{32}}, {"k", text("2")}, {"pattern", text("figure-4")}});
  CHECK(phase(write, "combine bucket hits") == 4 + 2);  // half of the vector, then a quarter
  CHECK(phase(write, "scan bucket hits") >= 4 + 2 + 3 * 8);
  CHECK(phase(write, "stage 1") == 8);
  CHECK(phase(write, "sends") >= 8);            // processors are done in different steps
  CHECK(phase(write, "stage 2") >= 8 + 8 + 8);  // sent on, and put in buckets
  auto const moved =
      counts_on("transportation", 4, {{"t", std::int64_t{12}}, {"traffic", text("shift")}});
  CHECK(moved.counts().operations == 3 * 4 * 12);  // to middles, on, and in order
  auto const straight =
      counts_on("transportation", 4,
                {{"t", std::int64_t{12}}, {"traffic", text("shift")}, {"route", text("direct")}});
  CHECK(straight.counts().operations == 2 * 4 * 12);
  auto const in_order = counts_on(
      "random-access-write", 4,
      {{"n", std::int64_t{64}}, {"pattern", text("monotonic")}, {"variant", text("monotonic")}});
  CHECK(phase(in_order, "equal pointers") >= 16);
  CHECK(phase(in_order, "equal pointers") <= 2 * 16 + 4 * 2);  // and put in messages
  CHECK(counts_on("random-access-read", 4, {{"n", std::int64_t{32}}}).counts().operations > 0);
}

TEST_CASE("vectors count additions", "[random_access]") {
  auto const counts = [](std::string const& name, std::string const& on, std::int64_t words) {
    auto const& known = *lockstep::find_experiment(name);
    return known.run(default_request(known, on, {{"words", words}})).record.counts();
  };
  auto const totals = counts("vector-combine", "crossbar:4", 4);
  CHECK(totals.work == 2 + 1);  // half of the vector, then a quarter
  CHECK(totals.operations == 4 * 3);
  CHECK(counts("vector-combine", "hypercube:2", 4).operations == 4 * 3);
  CHECK(counts("vector-combine", "crossbar:1", 4).operations == 0);
  CHECK(counts("vector-scan", "crossbar:2", 8).work == 4);  // each processor adds half a vector
  CHECK(counts("vector-combine-scan", "crossbar:4", 16).operations >= 16 * 3);
}

TEST_CASE("vectors of any length are combined at the claimed counts", "[random_access]") {
  for (int const p : {1, 2, 3, 5, 8, 16, 17}) {
    varied const words{"words", {0, 1, p - 1, 2 * p, 100}};
    for (auto const* const name : {"vector-combine", "vector-scan", "vector-combine-scan"})
      check_each(name, p, {words, {"method", {"auto", "fold", "exchange"}}});
    check_each("vector-combine", p, {words, {"method", {"circulant"}}});
  }
}
