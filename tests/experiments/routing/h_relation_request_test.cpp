#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>
#include <utility>

#include "catch.hpp"
#include "experiments/requests.hpp"

using requests::values;

namespace {

constexpr char const* two_phase = "h-relation";
constexpr char const* direct = "h-relation-direct";
constexpr char const* randomized = "randomized-routing";
constexpr char const* all_ways[] = {two_phase, direct, randomized};
constexpr char const* patterns[] = {"family", "ramp",       "g-group",     "tight",   "lcg",
                                    "skew",   "all-to-one", "permutation", "general", "orth"};

lockstep::experiment_request request_on(std::string const& name, int p, values const& given,
                                        lockstep::machine_options options = {}) {
  auto asked = requests::make(name, "crossbar:" + std::to_string(p), given);
  options.workers = 1;
  asked.options = options;
  return asked;
}

lockstep::experiment_result run_on(std::string const& name, int p, values const& given,
                                   lockstep::machine_options const& options = {}) {
  return requests::run(name, request_on(name, p, given, options));
}

lockstep::experiment_result checked_on(std::string const& name, int p, values given,
                                       values const& more = {},
                                       lockstep::machine_options const& options = {}) {
  given.insert(more.begin(), more.end());
  auto result = run_on(name, p, given, options);
  requests::check(result);
  CHECK(result.claims.size() >= 3);
  return result;
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
  auto const words = [](char const* blocks, std::uint64_t packet) {
    auto const result =
        run_on(randomized, 16, {{"n", 16'384}, {"blocks", blocks}}, {.packet = packet});
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
      values const given{{"n", n}, {"pattern", pattern}};
      INFO(pattern << ", p = " << p << ", n = " << n);
      for (auto const* const blocks : {"real", "padded", "text", "exact"})
        checked_on(two_phase, p, given, {{"blocks", blocks}});
      for (auto const* const blocks : {"real", "padded", "exact"})
        checked_on(two_phase, p, given, {{"blocks", blocks}, {"balanced", true}});
      for (auto const* const order : {"pex", "lp"})
        for (auto const* const timing : {"stepwise", "pipelined"})
          checked_on(direct, p, given, {{"order", order}, {"timing", timing}});
      // Few elements need more room than the theorem's, which is for many.
      checked_on(randomized, p, given, {{"c", 1.0 * p * p}});
    }
}

TEST_CASE("the entries count packets as their claims do", "[routing]") {
  values const given{{"n", 1000}, {"pattern", "lcg"}};
  for (auto const* const name : all_ways) checked_on(name, 6, given, {}, {.packet = 7});
  checked_on(two_phase, 6, given, {{"blocks", "padded"}}, {.packet = 7});
  for (auto const* const blocks : {"real", "padded"})
    checked_on(two_phase, 6, given, {{"blocks", blocks}, {"balanced", true}}, {.packet = 7});
  checked_on(direct, 6, given, {{"timing", "pipelined"}}, {.packet = 7});
}

TEST_CASE("the settings of Tables I and II cost what an independent simulation says", "[routing]") {
  struct problem_instance {
    std::int64_t c, g, t;
    std::uint64_t text, real, pex, pex_startups, lp, pipelined;
  };
  constexpr int p = 64;
  constexpr std::int64_t n = 1 << 20;
  for (auto const& of : {problem_instance{1, 8, 8, 36288, 32256, 129024, 63, 126976, 16384},
                         problem_instance{2, 8, 4, 52416, 48384, 131072, 32, 221184, 32768},
                         problem_instance{4, 16, 4, 84672, 80640, 258048, 63, 253952, 65536},
                         problem_instance{8, 16, 2, 149184, 145152, 262144, 32, 385024, 131072}}) {
    INFO("c = " << of.c);
    values const given{
        {"n", n}, {"h", of.c * n / p}, {"pattern", "g-group"}, {"g", of.g}, {"t", of.t}};
    auto const counts_of = [&](char const* name, values const& more = {}) {
      return checked_on(name, p, given, more).record.counts();
    };
    CHECK(counts_of(two_phase, {{"blocks", "text"}}).words == of.text);
    CHECK(counts_of(two_phase).words == of.real);
    auto const pex = counts_of(direct);
    CHECK(pex.words == of.pex);
    CHECK(pex.startups == of.pex_startups);
    CHECK(pex.rounds == 63);
    CHECK(counts_of(direct, {{"order", "lp"}}).words == of.lp);
    CHECK(counts_of(direct, {{"timing", "pipelined"}}).words == of.pipelined);
  }
}

TEST_CASE("words of the worst case of pairwise exchange, and of the family", "[routing]") {
  auto const words = [](char const* name, int p, values const& given) {
    return run_on(name, p, given).record.counts().words;
  };
  values const orth{{"n", 65536}, {"pattern", "orth"}};
  CHECK(words(direct, 64, orth) == 64512);
  CHECK(words(two_phase, 64, orth) == 2016);
  // The family shows no superiority of two phases.
  constexpr std::int64_t p = 16;
  constexpr std::int64_t n = 1 << 16;
  constexpr std::int64_t h = 4 * n / p;
  CHECK(words(direct, p, {{"n", n}, {"h", h}}) == h - h / p);
  CHECK(words(two_phase, p, {{"n", n}, {"h", h}}) >= h + n / p - (h + n / p) / p);
}

TEST_CASE("tight inputs meet both bounds and fill an intermediate processor", "[routing]") {
  constexpr std::int64_t p = 16;
  constexpr std::int64_t a = 8;
  constexpr std::int64_t h = p * (p - 1) / 2 + p * a;
  auto const result = checked_on(two_phase, p, {{"n", p * h}, {"pattern", "tight"}});
  CHECK(requests::figure(result, "bin1") == 23);
  CHECK(requests::figure(result, "bin2") == 23);
  CHECK(requests::figure(result, "intermediate") == h + p * (p - 1) / 2);
  CHECK(result.record.counts().words == 2 * (p - 1) * 23);
}

TEST_CASE("of one overloaded source, balancing first leaves n/p elements to route", "[routing]") {
  constexpr std::int64_t p = 16;
  constexpr std::int64_t n = 4096;
  values const given{{"n", n}, {"pattern", "general"}, {"h1", n}, {"h", n / p}};
  auto const plain = checked_on(two_phase, p, given);
  auto const balanced = checked_on(two_phase, p, given, {{"balanced", true}});
  // The source sends all that it does not keep; in the second phase each takes in h2 = n/p.
  CHECK(plain.record.counts().words == (p - 1) * (n / p + n / p / p));
  auto const routing = requests::figure(balanced, "words_of_routing");
  CHECK(routing >= 2 * (p - 1) * n / p / p);
  CHECK(routing <= (p - 1) * (2 * n / p / p + p - 1));
  CHECK(requests::figure(balanced, "words_of_balancing") >= (p - 1) * n / p);
  CHECK(balanced.record.counts().words ==
        static_cast<std::uint64_t>(routing + requests::figure(balanced, "words_of_balancing")));
  CHECK(balanced.record.counts().words > plain.record.counts().words);
  CHECK_THAT(requests::refusal(two_phase,
                               request_on(two_phase, 4, {{"balanced", true}, {"textbook", true}})),
             has_text("leave out --balanced"));
}

TEST_CASE("the entries say what they used", "[routing]") {
  auto const group = run_on(two_phase, 64, {{"n", 1 << 14}, {"pattern", "g-group"}}).parameters;
  for (auto const& [name, used] : values{{"h", 256}, {"g", 8}, {"t", 8}})
    CHECK(group.at(name) == used);
  auto const to_one = checked_on(randomized, 4, {{"n", 800}, {"pattern", "all-to-one"}});
  CHECK(to_one.parameters.at("h") == lockstep::parameter_value(800));
  CHECK_THAT(std::get<double>(to_one.figures.at("c")),
             Catch::Matchers::WithinRel(1.5 * (4 + std::sqrt(2.0)), 1e-12));
  for (auto const& [name, value] : values{{"slot", 407}, {"attempts", 1}, {"redrawn", 0}})
    CHECK(to_one.figures.at(name) == value);
}

TEST_CASE("randomized routing says how often all drew", "[routing]") {
  std::int64_t attempts = 0;
  for (std::int64_t seed = 1; seed <= 10; ++seed) {
    auto const result =
        checked_on(randomized, 8, {{"n", 4096}, {"c", 1.3}, {"seed", seed}, {"pattern", "lcg"}});
    attempts = std::max(attempts, requests::figure(result, "attempts"));
  }
  CHECK(attempts > 1);
}

TEST_CASE("the paper's own blocks are too small for some inputs", "[routing]") {
  CHECK_THROWS_AS(run_on(two_phase, 3, {{"n", 27}, {"pattern", "tight"}, {"blocks", "appendix"}}),
                  lockstep::invalid_argument);
  checked_on(two_phase, 16, {{"n", 4096}, {"pattern", "family"}, {"blocks", "appendix"}});
}

TEST_CASE("the entries refuse what they cannot do, before anything runs", "[routing]") {
  auto const refusal = [](char const* name, values const& given,
                          lockstep::machine_options const& options = {}) {
    return requests::refusal(name, request_on(name, 4, given, options));
  };
  for (auto const* const name : all_ways) {
    INFO(name);
    CHECK_THAT(refusal(name, {{"n", 4097}}), has_text("or the pattern ramp"));
    CHECK_THAT(refusal(name, {{"n", 64}}, {.ports = lockstep::ports::all}),
               has_text("leave out --ports all"));
  }
  CHECK_THAT(refusal(randomized, {{"c", -1.0}}), has_text("c has to be positive"));
  CHECK_THAT(refusal(randomized, {{"c", 0.5}}), has_text("have room for fewer"));
  CHECK_THROWS_AS(run_on(randomized, 16, {{"n", 4096}, {"c", 1.05}}), lockstep::invalid_argument);
  CHECK_THROWS_AS(run_on(randomized, 4, {{"c", 1e9}}), lockstep::out_of_memory);
  CHECK_THROWS_AS(run_on(two_phase, 1'000'000, {{"n", 2'000'000'000}}), lockstep::out_of_memory);
}

TEST_CASE("blocks are made for the limits that are given", "[routing]") {
  auto const result =
      checked_on(two_phase, 16,
                 {{"n", 4096}, {"pattern", "lcg"}, {"h", 512}, {"h1", 320}, {"blocks", "padded"}});
  CHECK(result.record.counts().words == 15 * (320 / 16 + 8 + 512 / 16 + 8));
  CHECK(requests::figure(result, "bin2") <= 512 / 16);
}

TEST_CASE("randomized routing has room in its slots by default", "[routing]") {
  for (int const p : {2, 16, 64})
    for (std::int64_t const n : {1, 256, 4096})
      for (auto const* const pattern : {"lcg", "skew", "all-to-one"}) {
        INFO("p = " << p << ", n = " << n << ", " << pattern);
        checked_on(randomized, p, {{"n", n}, {"pattern", pattern}});
      }
}
