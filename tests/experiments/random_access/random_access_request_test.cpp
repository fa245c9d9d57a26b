#include <algorithm>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include <lockstep/errors.hpp>
#include <lockstep/experiments/registry.hpp>
#include <lockstep/topologies/parse.hpp>

#include "catch.hpp"

namespace {

using access_parameters = std::map<std::string, lockstep::parameter_value>;

lockstep::parameter_value text(char const* value) { return std::string(value); }

lockstep::experiment_result run_access(std::string const& name, int p,
                                       access_parameters const& given) {
  auto const& which = *lockstep::find_experiment(name);
  lockstep::experiment_request asked{.network = lockstep::parse("crossbar:" + std::to_string(p))};
  for (auto const& taken : which.parameters) asked.parameters[taken.name] = taken.fallback;
  asked.parameters["seed"] = std::int64_t{1};
  for (auto const& [parameter, value] : given) {
    REQUIRE(asked.parameters.contains(parameter));
    asked.parameters[parameter] = value;
  }
  return which.run(asked);
}

std::int64_t figure_of_access(lockstep::experiment_result const& result, char const* name) {
  return std::get<std::int64_t>(result.figures.at(name));
}

void check_access(lockstep::experiment_result const& result) {
  CHECK(result.correct);
  CHECK(result.record.counts().queued == 0);
  for (auto const& claimed : result.claims) {
    INFO(claimed.figure << " " << symbol(claimed.bound) << " " << claimed.formula << " = "
                        << claimed.value() << ", measured " << measured_for(claimed, result));
    CHECK((holds(claimed, measured_for(claimed, result)) || !claimed.erratum.empty()));
  }
  for (auto const& bound : result.bounds) {
    INFO(bound.figure << " >= " << bound.formula << " = " << bound.value);
    CHECK(holds(bound, result.record.counts()));
  }
}

std::string refusal_of_write(int p, access_parameters const& given) {
  try {
    static_cast<void>(run_access("random-access-write", p, given));
  } catch (lockstep::invalid_argument const& refused) {
    CHECK(refused.message().find('\n') == std::string::npos);
    return refused.message();
  }
  return "not refused";
}

constexpr char const* patterns_of_writes[] = {"random", "monotonic",   "one-hot", "few-hot",
                                              "local",  "permutation", "singles"};

}  // namespace

TEST_CASE("every random access write is right and keeps its claims, for every pattern",
          "[random_access]") {
  int const p = GENERATE(1, 2, 3, 4, 7, 8, 13, 16);
  for (std::string const pattern : patterns_of_writes)
    for (std::int64_t const n : {0, 1, p - 1, 5 * p + 2, 600})
      for (std::int64_t const dots : {0, 40}) {
        access_parameters const given{{"n", n}, {"pattern", pattern}, {"dots", dots}};
        INFO(pattern << ", p = " << p << ", n = " << n << ", dots " << dots);
        for (auto const* const variant :
             {"arbitrary", "hybrid", "hybrid-plain", "limited", "auto"}) {
          auto of_variant = given;
          of_variant["variant"] = text(variant);
          check_access(run_access("random-access-write", p, of_variant));
        }
        for (auto const* const named : {"first", "concat"})
          for (auto const* const variant : {"arbitrary", "limited"}) {
            auto of_operator = given;
            of_operator["operator"] = text(named);
            of_operator["variant"] = text(variant);
            check_access(run_access("random-access-write", p, of_operator));
          }
      }
}

TEST_CASE("a write of values that have to agree counts as one that adds them", "[random_access]") {
  for (int const p : {1, 4, 7})
    for (auto const* const variant : {"arbitrary", "hybrid", "hybrid-plain", "limited", "auto"}) {
      access_parameters asked{
          {"n", std::int64_t{100}}, {"pattern", text("permutation")}, {"variant", text(variant)}};
      auto const added = run_access("random-access-write", p, asked);
      asked["operator"] = text("same");
      auto const agreed = run_access("random-access-write", p, asked);
      check_access(agreed);
      CHECK(agreed.record.counts() == added.record.counts());
    }
}

TEST_CASE("random access writes by all routes keep their claims", "[random_access]") {
  int const p = GENERATE(1, 3, 8, 13);
  for (auto const* const pattern : {"random", "one-hot", "few-hot", "local", "singles"})
    for (auto const* const variant : {"arbitrary", "hybrid", "hybrid-plain", "limited", "auto"})
      for (auto const* const stage_1 : {"transportation", "direct"})
        for (auto const* const stage_2 : {"sends", "linear", "transportation"})
          for (std::int64_t const tau : {0, 1000}) {
            INFO(pattern << ", p = " << p << ", " << variant << ", " << stage_1 << ", " << stage_2);
            check_access(run_access("random-access-write", p,
                                    {{"n", std::int64_t{500}},
                                     {"pattern", text(pattern)},
                                     {"variant", text(variant)},
                                     {"stage-1", text(stage_1)},
                                     {"stage-2", text(stage_2)},
                                     {"tau", tau}}));
          }
}

namespace {

/// The value that is claimed for a figure; -1 if nothing is.
double claimed_value_of(lockstep::experiment_result const& result, std::string const& figure) {
  for (auto const& claimed : result.claims)
    if (claimed.figure == figure) return claimed.value();
  return -1;
}

}  // namespace

TEST_CASE("each part of a random access write is claimed", "[random_access]") {
  auto const result =
      run_access("random-access-write", 4, {{"pattern", text("figure-4")}, {"k", text("2")}});
  CHECK(claimed_value_of(result, "combine_words") == 12);
  CHECK(claimed_value_of(result, "scan_words") == 12);
  CHECK(claimed_value_of(result, "dealt_words") == 6);
  CHECK(claimed_value_of(result, "segmented_scan_words") == 6);
  CHECK(claimed_value_of(result, "one_to_one_words") == 4);
  CHECK(claimed_value_of(result, "sends_steps") == 1);
  CHECK(figure_of_access(result, "sends_steps") == 1);
  for (int const p : {4, 5})
    for (auto const* const stage_2 : {"sends", "transportation"})
      CHECK(claimed_value_of(run_access("random-access-write", p, {{"stage-2", text(stage_2)}}),
                             "port_words") > 0);
  for (auto const* const figure : {"figure-3b", "figure-3c"})
    CHECK(claimed_value_of(run_access("random-access-write", 4,
                                      {{"pattern", text(figure)}, {"variant", text("limited")}}),
                           "words") > 0);
}

TEST_CASE("monotonic writes keep the claims of theirs, and take pointers in order only",
          "[random_access]") {
  for (int const p : {1, 2, 5, 8, 16})
    for (auto const* const pattern : {"monotonic", "one-hot", "singles"})
      for (auto const* const named : {"add", "first", "concat"})
        check_access(run_access("random-access-write", p,
                                {{"n", std::int64_t{300}},
                                 {"dots", std::int64_t{10}},
                                 {"pattern", text(pattern)},
                                 {"operator", text(named)},
                                 {"variant", text("monotonic")}}));
  CHECK_THAT(refusal_of_write(4, {{"variant", text("monotonic")}}), has_text("in order"));
}

TEST_CASE("few hot addresses take what the page says in stage 2", "[random_access]") {
  auto const result =
      run_access("random-access-write", 16,
                 {{"n", std::int64_t{4096}}, {"k", text("1")}, {"pattern", text("few-hot")}});
  check_access(result);
  CHECK(figure_of_access(result, "stage_2_words") == 588);
  CHECK(figure_of_access(result, "stage_2_port_words") == 377);
}

TEST_CASE("the figures of a random access write are those of Figure 4", "[random_access]") {
  auto const result =
      run_access("random-access-write", 4, {{"pattern", text("figure-4")}, {"k", text("2")}});
  CHECK(result.record.counts().startups == 20);
  CHECK(result.record.counts().words == 54);
  CHECK(figure_of_access(result, "buckets_full") == 5);
  CHECK(figure_of_access(result, "buckets_partial") == 3);
  CHECK(figure_of_access(result, "largest_bucket") == 7);
  CHECK(figure_of_access(result, "q") == 1);
  CHECK(figure_of_access(result, "stage_1_words") == 16);
  CHECK(figure_of_access(result, "stage_2_words") == 4);
  CHECK(result.parameters.at("k") == lockstep::parameter_value(std::int64_t{2}));
  CHECK(result.parameters.at("n") == lockstep::parameter_value(std::int64_t{32}));
}

TEST_CASE("the choice is said, and the reason for it", "[random_access]") {
  auto const limited = run_access("random-access-write", 4,
                                  {{"pattern", text("figure-3c")}, {"variant", text("limited")}});
  CHECK(limited.figures.at("choice") == text("transportation"));
  CHECK_FALSE(limited.figures.contains("reason"));
  auto const cheapest = run_access("random-access-write", 16, {{"variant", text("auto")}});
  CHECK(cheapest.figures.at("choice") == text("complete-exchange"));
  CHECK_THAT(std::get<std::string>(cheapest.figures.at("reason")),
             has_text("complete-exchange: 15 start-ups and "));
  auto const in_order = run_access("random-access-write", 16,
                                   {{"variant", text("auto")},
                                    {"pattern", text("monotonic")},
                                    {"operator", text("concat")},
                                    {"tau", std::int64_t{0}}});
  check_access(in_order);
  CHECK(in_order.figures.at("choice") == text("monotonic"));
  CHECK(figure_of_access(in_order, "q") > 0);
  CHECK(figure_of_access(in_order, "q") == figure_of_access(in_order, "sends_steps"));
  CHECK_THAT(std::get<std::string>(in_order.figures.at("reason")),
             has_text("monotonic: 35 start-ups and "));
}

TEST_CASE("random access writes refuse in one line what cannot be", "[random_access]") {
  CHECK_THAT(refusal_of_write(4, {{"k", text("0")}}), has_text("k = 0 buckets"));
  CHECK_THAT(refusal_of_write(4, {{"n", std::int64_t{30}}, {"k", text("9")}}),
             has_text("take 1 to 8"));
  CHECK(refusal_of_write(4, {{"n", std::int64_t{100}}, {"pattern", text("figure-4")}}) ==
        "pattern figure-4 has n = 32 elements, not 100; leave out n");
  CHECK(refusal_of_write(4, {{"n", std::int64_t{32}}, {"pattern", text("figure-4")}}) ==
        "not refused");
  CHECK_THAT(refusal_of_write(4, {{"k", text("many")}}), has_text("is not a number of buckets"));
  CHECK_THAT(refusal_of_write(4, {{"pattern", text("one-hot")}, {"operator", text("same")}}),
             has_text("elements write different values to address 2048"));
  for (auto const* const variant : {"hybrid", "hybrid-plain"})
    for (auto const* const named : {"first", "concat"})
      CHECK_THAT(refusal_of_write(4, {{"variant", text(variant)}, {"operator", text(named)}}),
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

TEST_CASE("transportation of much traffic has to keep the paper's bound", "[random_access]") {
  auto const reasons = [](std::int64_t t) {
    auto const result = run_access("transportation", 4, {{"traffic", text("uniform")}, {"t", t}});
    return std::ranges::count_if(
        result.claims, [](lockstep::claim const& claimed) { return !claimed.erratum.empty(); });
  };
  CHECK(reasons(8) == 1);
  CHECK(reasons(1000) == 0);
}

TEST_CASE("vectors of any length are combined at the claimed counts", "[random_access]") {
  for (auto const* const name : {"vector-combine", "vector-scan", "vector-combine-scan"})
    for (int const p : {1, 2, 3, 5, 8, 16, 17})
      for (std::int64_t const words : {0, 1, p - 1, 2 * p, 100})
        for (auto const* const method : {"auto", "fold", "exchange", "circulant"}) {
          if (std::string(method) == "circulant" && std::string(name) != "vector-combine") continue;
          INFO(name << ", p = " << p << ", m = " << words << ", " << method);
          check_access(run_access(name, p, {{"words", words}, {"method", text(method)}}));
        }
}
