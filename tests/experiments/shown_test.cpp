#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <set>
#include <string>
#include <variant>

#include <lockstep/experiments/registry.hpp>
#include <lockstep/shown.hpp>

#include "catch.hpp"
#include "core/call_log.hpp"

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
  /// The length of the longest run of digits stands for a number: 10^digits.
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

TEST_CASE("keys of small values are in the order of real ones", "[values]") {
  for (auto const* const name : {"bitonic-sort", "column-sort", "merge-sort"}) {
    auto const* const which = lockstep::find_experiment(name);
    auto asked = teaching_request(*which);
    auto const small = which->run(asked);
    asked.values = lockstep::input_values::real;
    auto const real = which->run(asked);
    CHECK(small.correct);
    CHECK(real.correct);
    CHECK(small.record.counts() == real.record.counts());
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
