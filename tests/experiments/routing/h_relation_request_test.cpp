#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include <lockstep/errors.hpp>
#include <lockstep/experiments/registry.hpp>
#include <lockstep/topologies/parse.hpp>

#include "catch.hpp"

namespace {

using parameters = std::map<std::string, lockstep::parameter_value>;

constexpr char const* two_phase = "h-relation";
constexpr char const* direct = "h-relation-direct";
constexpr char const* randomized = "randomized-routing";
constexpr char const* patterns[] = {"family", "ramp",       "g-group",     "tight",   "lcg",
                                    "skew",   "all-to-one", "permutation", "general", "orth"};

lockstep::experiment_result run(std::string const& name, int p, parameters const& given,
                                lockstep::machine_options const& options = {}) {
  auto const& which = *lockstep::find_experiment(name);
  lockstep::experiment_request asked{.network = lockstep::parse("crossbar:" + std::to_string(p))};
  asked.options = options;
  asked.options.workers = 1;
  for (auto const& taken : which.parameters) asked.parameters[taken.name] = taken.fallback;
  asked.parameters["seed"] = std::int64_t{1};
  for (auto const& [parameter, value] : given) {
    REQUIRE(asked.parameters.contains(parameter));
    asked.parameters[parameter] = value;
  }
  return which.run(asked);
}

void check_right(lockstep::experiment_result const& result) {
  CHECK(result.correct);
  CHECK(result.claims.size() >= 3);
  CHECK(result.record.counts().queued == 0);
  for (auto const& claimed : result.claims) {
    INFO(claimed.figure << " " << symbol(claimed.bound) << " " << claimed.formula << " = "
                        << claimed.value() << ", measured " << measured_for(claimed, result));
    CHECK((holds(claimed, measured_for(claimed, result)) || !claimed.erratum.empty()));
  }
}

std::int64_t figure(lockstep::experiment_result const& result, std::string const& name) {
  return std::get<std::int64_t>(result.figures.at(name));
}

std::string refusal_of_h_relation(std::string const& name, int p, parameters const& given) {
  try {
    static_cast<void>(run(name, p, given));
  } catch (lockstep::invalid_argument const& refused) {
    CHECK(refused.step() == 0);  // before anything ran
    return refused.message();
  }
  return "not refused";
}

/// A number of elements for which the pattern is defined on p processors, or -1.
std::int64_t elements_for(std::string const& pattern, std::int64_t p, std::int64_t about) {
  bool const power = (p & (p - 1)) == 0;
  if (pattern == "family") return about / p * p;
  if (pattern == "tight") return p * (p * (p - 1) / 2 + about / (p * p) * p);
  if (pattern == "orth") return power && p >= 4 ? about : -1;
  if (pattern != "g-group") return about;
  std::int64_t n = 1;
  while (n < about) n *= 2;
  return power && n >= p * p ? n : -1;
}

}  // namespace

TEST_CASE("randomized routing sends real sizes where these are fewer packets") {
  auto const words = [](std::string const& blocks, std::uint64_t packet) {
    auto const result =
        run(randomized, 16, {{"n", std::int64_t{16'384}}, {"blocks", blocks}}, {.packet = packet});
    CHECK(result.correct);
    return std::pair(std::get<std::string>(result.figures.at("blocks")),
                     result.record.counts().words);
  };
  for (std::uint64_t const packet : {1U, 8U, 48U}) {
    auto const [taken, fewest] = words("auto", packet);
    CHECK(taken == "real");
    CHECK(fewest == words("real", packet).second);
    CHECK(fewest < words("padded", packet).second);
  }
  CHECK(words("auto", 1024).first == "padded");  // one packet either way
}

TEST_CASE("every way of routing is right and keeps its claims, for every pattern", "[routing]") {
  int const p = GENERATE(1, 2, 3, 5, 8, 16);
  for (std::string const pattern : patterns)
    for (std::int64_t const about : {0, 1, p - 1, p, 37, 700}) {
      auto const n = elements_for(pattern, p, about);
      if (n < 0) continue;
      parameters const given{{"n", n}, {"pattern", pattern}};
      INFO(pattern << ", p = " << p << ", n = " << n);
      for (std::string const blocks : {"real", "padded", "text", "exact"}) {
        auto with_blocks = given;
        with_blocks["blocks"] = blocks;
        check_right(run(two_phase, p, with_blocks));
      }
      for (std::string const order : {"pex", "lp"})
        for (std::string const timing : {"stepwise", "pipelined"}) {
          auto scheduled = given;
          scheduled["order"] = order;
          scheduled["timing"] = timing;
          check_right(run(direct, p, scheduled));
        }
      // Few elements need more room than the theorem's, which is for many.
      auto with_c = given;
      with_c["c"] = 1.0 * p * p;
      check_right(run(randomized, p, with_c));
    }
}

TEST_CASE("the entries count packets as their claims do", "[routing]") {
  lockstep::machine_options options;
  options.packet = 7;
  parameters const given{{"n", std::int64_t{1000}}, {"pattern", std::string("lcg")}};
  for (auto const* const name : {two_phase, direct, randomized})
    check_right(run(name, 6, given, options));
  auto padded = given;
  padded["blocks"] = std::string("padded");
  check_right(run(two_phase, 6, padded, options));
  auto pipelined = given;
  pipelined["timing"] = std::string("pipelined");
  check_right(run(direct, 6, pipelined, options));
}

TEST_CASE("the settings of Tables I and II cost what an independent simulation says", "[routing]") {
  struct problem_instance {
    std::int64_t c, g, t;
    std::uint64_t text, real, pex, pex_startups, lp, pipelined;
  };
  constexpr std::int64_t p = 64;
  constexpr std::int64_t n = 1 << 20;
  for (auto const& of : {problem_instance{1, 8, 8, 36288, 32256, 129024, 63, 126976, 16384},
                         problem_instance{2, 8, 4, 52416, 48384, 131072, 32, 221184, 32768},
                         problem_instance{4, 16, 4, 84672, 80640, 258048, 63, 253952, 65536},
                         problem_instance{8, 16, 2, 149184, 145152, 262144, 32, 385024, 131072}}) {
    INFO("c = " << of.c);
    parameters const given{{"n", n},
                           {"h", of.c * n / p},
                           {"pattern", std::string("g-group")},
                           {"g", of.g},
                           {"t", of.t}};
    auto const counts_of = [&](char const* name, parameters const& more) {
      auto all = given;
      all.insert(more.begin(), more.end());
      auto const result = run(name, static_cast<int>(p), all);
      check_right(result);
      return result.record.counts();
    };
    auto const text = [](char const* value) {
      return lockstep::parameter_value(std::string(value));
    };
    CHECK(counts_of(two_phase, {{"blocks", text("text")}}).words == of.text);
    CHECK(counts_of(two_phase, {}).words == of.real);
    auto const pex = counts_of(direct, {});
    CHECK(pex.words == of.pex);
    CHECK(pex.startups == of.pex_startups);
    CHECK(pex.rounds == 63);
    CHECK(counts_of(direct, {{"order", text("lp")}}).words == of.lp);
    CHECK(counts_of(direct, {{"timing", text("pipelined")}}).words == of.pipelined);
  }
}

TEST_CASE("the worst case of pairwise exchange", "[routing]") {
  parameters const given{{"n", std::int64_t{65536}}, {"pattern", std::string("orth")}};
  CHECK(run(direct, 64, given).record.counts().words == 64512);
  CHECK(run(two_phase, 64, given).record.counts().words == 2016);
}

TEST_CASE("tight inputs meet both bounds and fill an intermediate processor", "[routing]") {
  constexpr std::int64_t p = 16;
  constexpr std::int64_t a = 8;
  constexpr std::int64_t h = p * (p - 1) / 2 + p * a;
  auto const result = run(two_phase, p, {{"n", p * h}, {"pattern", std::string("tight")}});
  check_right(result);
  CHECK(figure(result, "bin1") == 23);
  CHECK(figure(result, "bin2") == 23);
  CHECK(figure(result, "intermediate") == h + p * (p - 1) / 2);
  CHECK(result.record.counts().words == 2 * (p - 1) * 23);
}

TEST_CASE("the family shows no superiority of two phases", "[routing]") {
  constexpr std::int64_t p = 16;
  constexpr std::int64_t n = 1 << 16;
  constexpr std::int64_t h = 4 * n / p;
  parameters const given{{"n", n}, {"h", h}};
  CHECK(run(direct, p, given).record.counts().words == h - h / p);
  auto const both = run(two_phase, p, given).record.counts().words;
  CHECK(both >= static_cast<std::uint64_t>(h + n / p - (h + n / p) / p));
}

TEST_CASE("the entries say what they used", "[routing]") {
  auto const group =
      run(two_phase, 64, {{"n", std::int64_t{1 << 14}}, {"pattern", std::string("g-group")}});
  CHECK(group.parameters.at("h") == lockstep::parameter_value(std::int64_t{256}));
  CHECK(group.parameters.at("g") == lockstep::parameter_value(std::int64_t{8}));
  CHECK(group.parameters.at("t") == lockstep::parameter_value(std::int64_t{8}));
  auto const to_one =
      run(randomized, 4, {{"n", std::int64_t{800}}, {"pattern", std::string("all-to-one")}});
  check_right(to_one);
  CHECK(to_one.parameters.at("h") == lockstep::parameter_value(std::int64_t{800}));
  CHECK_THAT(std::get<double>(to_one.figures.at("c")),
             Catch::Matchers::WithinRel(1.5 * (4 + std::sqrt(2.0)), 1e-12));
  CHECK(figure(to_one, "slot") == 407);
  CHECK(figure(to_one, "attempts") == 1);
  CHECK(figure(to_one, "redrawn") == 0);
}

TEST_CASE("randomized routing says how often all drew", "[routing]") {
  int attempts = 0;
  for (std::int64_t seed = 1; seed <= 10; ++seed) {
    auto const result = run(
        randomized, 8,
        {{"n", std::int64_t{4096}}, {"c", 1.3}, {"seed", seed}, {"pattern", std::string("lcg")}});
    check_right(result);
    attempts = std::max(attempts, static_cast<int>(figure(result, "attempts")));
  }
  CHECK(attempts > 1);
}

TEST_CASE("the paper's own blocks are too small for some inputs", "[routing]") {
  parameters const given{{"n", std::int64_t{27}},
                         {"pattern", std::string("tight")},
                         {"blocks", std::string("appendix")}};
  CHECK_THROWS_AS(run(two_phase, 3, given), lockstep::invalid_argument);
  parameters const even{{"n", std::int64_t{4096}},
                        {"pattern", std::string("family")},
                        {"blocks", std::string("appendix")}};
  check_right(run(two_phase, 16, even));
}

TEST_CASE("the entries refuse what they cannot do, before anything runs", "[routing]") {
  for (auto const* const name : {two_phase, direct, randomized}) {
    INFO(name);
    auto const& which = *lockstep::find_experiment(name);
    lockstep::experiment_request asked{.network = lockstep::parse("torus:4x4")};
    CHECK_THROWS_AS(which.run(asked), lockstep::invalid_argument);
    auto const refusal = [&](parameters const& given) {
      return refusal_of_h_relation(name, 16, given);
    };
    CHECK(refusal({{"n", std::int64_t{-1}}}) == "n has to be at least 0, not -1");
    CHECK(refusal({{"n", std::int64_t{1} << 31U}}) ==
          "n has to be at most 2147483647, not 2147483648");
    CHECK_THAT(refusal({{"pattern", std::string("none")}}),
               has_text("pattern: 'none' is not one of family, ramp"));
    CHECK_THAT(refusal({{"n", std::int64_t{4097}}}), has_text("or the pattern ramp"));
  }
  CHECK_THAT(refusal_of_h_relation(two_phase, 4, {{"blocks", std::string("whole")}}),
             has_text("blocks: 'whole' is not one of real, padded, text"));
  CHECK_THAT(refusal_of_h_relation(direct, 4, {{"order", std::string("xor")}}),
             has_text("order: 'xor' is not one of pex, lp"));
  CHECK_THAT(refusal_of_h_relation(direct, 4, {{"timing", std::string("asap")}}),
             has_text("timing: 'asap' is not one of stepwise, pipelined"));
  CHECK_THAT(refusal_of_h_relation(randomized, 4, {{"c", -1.0}}), has_text("c has to be positive"));
  CHECK_THAT(refusal_of_h_relation(randomized, 4, {{"c", 0.5}}), has_text("have room for fewer"));
  CHECK_THROWS_AS(run(randomized, 4, {{"c", 1e9}}), lockstep::out_of_memory);
  CHECK_THROWS_AS(run(two_phase, 1'000'000, {{"n", std::int64_t{2'000'000'000}}}),
                  lockstep::out_of_memory);
}

TEST_CASE("blocks are made for the limits that are given", "[routing]") {
  parameters const given{{"n", std::int64_t{4096}},
                         {"pattern", std::string("lcg")},
                         {"h", std::int64_t{512}},
                         {"h1", std::int64_t{320}},
                         {"blocks", std::string("padded")}};
  auto const result = run(two_phase, 16, given);
  check_right(result);
  CHECK(result.record.counts().words == 15 * (320 / 16 + 8 + 512 / 16 + 8));
  CHECK(std::get<std::int64_t>(result.figures.at("bin2")) <= 512 / 16);
}

TEST_CASE("randomized routing has room in its slots by default", "[routing]") {
  for (int const p : {2, 16, 64})
    for (std::int64_t const n : {1, 256, 4096})
      for (auto const* const pattern : {"lcg", "skew", "all-to-one"}) {
        INFO("p = " << p << ", n = " << n << ", " << pattern);
        check_right(run(randomized, p, {{"n", n}, {"pattern", std::string(pattern)}}));
      }
}

TEST_CASE("what cannot be drawn, and all ports at once, are refused", "[routing]") {
  CHECK_THROWS_AS(run(randomized, 16, {{"n", std::int64_t{4096}}, {"c", 1.05}}),
                  lockstep::invalid_argument);
  lockstep::machine_options options;
  options.ports = lockstep::ports::all;
  for (auto const* const name : {two_phase, direct, randomized})
    CHECK_THROWS_WITH(run(name, 4, {{"n", std::int64_t{64}}}, options),
                      has_text("leave out --ports all"));
}
