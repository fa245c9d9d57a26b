#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <map>
#include <numeric>
#include <random>
#include <set>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include <lockstep/experiments/registry.hpp>
#include <lockstep/shown.hpp>

#include "catch.hpp"
#include "core/call_log.hpp"
#include "sorting/sort_input.hpp"

namespace {

/// Finds the largest of the numbers in what was shown, but for their signs; 0 without any.
struct largest_number {
  double operator()(lockstep::shown_number const& number) const {
    return std::visit([](auto one) { return std::abs(static_cast<double>(one)); }, number);
  }
  double operator()(lockstep::shown_numbers const& numbers) const {
    return std::visit(
        [&](auto const& all) {
          double largest = 0;
          for (auto const one : all)
            largest = std::max(largest, (*this)(lockstep::shown_number(one)));
          return largest;
        },
        numbers);
  }
  double operator()(lockstep::shown_matrix const& matrix) const { return (*this)(matrix.numbers); }
  /// Takes the least number of as many digits as the longest one in the text.
  double operator()(std::string const& text) const {
    double largest = 0;
    double digits = 0;
    for (char const letter : text) {
      digits = letter >= '0' && letter <= '9' ? digits + 1 : 0;
      largest = std::max(largest, digits > 0 ? std::pow(10.0, digits - 1) : 0);
    }
    return largest;
  }
  template <class Ranks>
  double operator()(Ranks const& /*ranks*/) const {
    return 0;
  }
};

}  // namespace

TEST_CASE("teaching runs show numbers of three digits at most", "[values]") {
  for (auto const& which : lockstep::experiments()) {
    auto asked = teaching_request(which);
    reference::call_log log;
    std::array<lockstep::observer*, 1> const observers{&log};
    asked.observers = observers;
    static_cast<void>(which.run(asked));
    double largest = 0;
    for (auto const& shown : log.shows)
      largest = std::max(largest, std::visit(largest_number(), shown.value));
    INFO(which.name << " on " << which.teaching.on);
    CHECK(largest < 1000);
  }
}

namespace {

/// The numbers that are shown as arrays.
struct listed_numbers {
  std::vector<double> operator()(lockstep::shown_numbers const& numbers) const {
    return std::visit([](auto const& all) { return std::vector<double>(all.begin(), all.end()); },
                      numbers);
  }
  template <class Other>
  std::vector<double> operator()(Other const& /*other*/) const {
    return {};
  }
};

/// Lists what all processors together show under one of these names after each step, sorted; before the
/// first step at [0].
[[nodiscard]] std::vector<std::vector<double>> shown_after_steps(
    reference::call_log const& log, std::set<std::string> const& names) {
  std::vector<std::vector<double>> after;
  std::map<std::pair<int, std::string>, std::vector<double>> held;
  auto shows = log.shows;
  std::ranges::stable_sort(shows, {}, &lockstep::shown_record::step);
  auto next = shows.begin();
  for (std::uint64_t step = 0; step <= log.counts.rounds; ++step) {
    for (; next != shows.end() && next->step <= step; ++next)
      if (names.contains(next->name))
        held[{next->rank, next->name}] = std::visit(listed_numbers(), next->value);
    auto& all = after.emplace_back();
    for (auto const& [whose, numbers] : held) all.insert(all.end(), numbers.begin(), numbers.end());
    std::ranges::sort(all);
  }
  return after;
}

}  // namespace

// Of sorts by merges and by ranks some keys are on their way after a step.
TEST_CASE("after each step of a sort all keys are shown at the processors", "[shown]") {
  std::set<std::string> const with_keys_on_their_way{"merge-sort", "multiway-merge-sort",
                                                     "nassimi-sahni-sort"};
  for (auto const& which : lockstep::experiments()) {
    auto const& name = which.name;
    if (!name.ends_with("-sort") || with_keys_on_their_way.contains(name)) continue;
    for (char const* const option : {"", "textbook", "even", "random"}) {
      auto asked = teaching_request(which);
      if (option == std::string("random")) {
        if (which.name != "median-sort") continue;
        asked.parameters.at("way") = std::string(option);
      } else if (*option != '\0') {
        if (!asked.parameters.contains(option)) continue;
        asked.parameters[option] = asked.parameters[option] == lockstep::parameter_value(false);
      }
      reference::call_log log;
      std::array<lockstep::observer*, 1> const observers{&log};
      asked.observers = observers;
      REQUIRE(which.run(asked).correct);
      auto const after = shown_after_steps(log, {"keys"});
      CHECK_FALSE(after.front().empty());
      for (std::size_t step = 1; step < after.size(); ++step) {
        INFO(name << ' ' << option << ", step " << step);
        CHECK(after[step] == after.front());
      }
      for (auto const& shown : log.shows) CHECK(shown.name != "elements");  // one word for them
    }
  }
}

TEST_CASE("sets that have left their processor for a merge are not shown there", "[shown]") {
  for (char const* const name : {"merge", "merge-sort"})
    for (char const* const option : {"", "textbook", "fused"}) {
      auto const& which = *lockstep::find_experiment(name);
      auto asked = teaching_request(which);
      asked.parameters["textbook"] = option == std::string("textbook");
      asked.parameters["fused"] = option == std::string("fused");
      if (asked.parameters.contains("lists")) asked.parameters["lists"] = std::string("whole");
      reference::call_log log;
      std::array<lockstep::observer*, 1> const observers{&log};
      asked.observers = observers;
      REQUIRE(which.run(asked).correct);
      auto const held = shown_after_steps(log, {"keys", "X", "Y"});
      auto const moved = shown_after_steps(log, {"records", "set", "slots"});
      INFO(name << ' ' << option);
      CHECK(std::ranges::any_of(held, [](auto const& all) { return all.empty(); }));
      for (std::size_t step = 0; step < held.size(); ++step) {
        INFO("step " << step);
        CHECK((!held[step].empty() || !moved[step].empty()));
      }
    }
}

TEST_CASE("a transpose shows pieces, which its explanation calls so", "[shown]") {
  auto const& which = *lockstep::find_experiment("transpose");
  auto asked = teaching_request(which);
  reference::call_log log;
  std::array<lockstep::observer*, 1> const observers{&log};
  asked.observers = observers;
  REQUIRE(which.run(asked).correct);
  CHECK_FALSE(log.shows.empty());
  for (auto const& shown : log.shows) CHECK(shown.name == "pieces");
  CHECK(which.explanation.find("pieces") != std::string::npos);
  CHECK(which.explanation.find("block") == std::string::npos);
}

TEST_CASE("small keys are in the order of others, and have few digits", "[values]") {
  std::vector<std::int32_t> const keys{2'000'000'000, -7, 41, -7, 0, 1'999'999'999};
  CHECK(lockstep::small_keys(keys) == std::vector<std::int32_t>{82, 10, 46, 10, 28, 64});
  CHECK(lockstep::small_keys({}).empty());
  std::mt19937 random(1);
  for (std::size_t const different : {1, 90, 91, 900, 901}) {
    std::vector<std::int32_t> drawn(different);
    std::iota(drawn.begin(), drawn.end(), -450);
    std::ranges::shuffle(drawn, random);
    auto const small = lockstep::small_keys(drawn);
    auto const [least, largest] = std::ranges::minmax(small);
    CHECK(least == (different <= 90 ? 10 : different <= 900 ? 100 : 1000));
    CHECK(largest < 10 * least);
    for (std::size_t i = 0; i < different; ++i)
      for (std::size_t j = 0; j < i; ++j)
        if ((drawn[i] < drawn[j]) != (small[i] < small[j])) FAIL(drawn[i] << ", " << drawn[j]);
  }
}

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
