#include <complex>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include "algorithms/prefix/prefix_samples.hpp"
#include "catch.hpp"
#include "collectives/collective_problem.hpp"
#include "exchange/transpose_matrix.hpp"
#include "experiments/requests.hpp"
#include "numeric/transform_problem.hpp"
#include "prefix/prefix_problem.hpp"

// Problems tell right results from wrong ones: the right ones are computed here once more.

namespace {

using word_values = std::vector<std::uint64_t>;

/// Right results are taken, and none that differ from them in a number, or have one more or fewer.
template <class Problem, class Number>
void check_judgement(Problem const& of, std::vector<std::vector<Number>> results) {
  CHECK(of.is_solved_by(results));
  for (auto& own : results) {
    for (auto& each : own) {
      ++each;
      CHECK_FALSE(of.is_solved_by(results));
      --each;
    }
    own.push_back(Number{1});
    CHECK_FALSE(of.is_solved_by(results));
    own.pop_back();
    if (own.empty()) continue;
    auto const last = own.back();
    own.pop_back();
    CHECK_FALSE(of.is_solved_by(results));
    // All are there, and one is at another processor.
    auto& next = &own == &results.back() ? results.front() : *(&own + 1);
    if (&next != &own) {
      next.insert(next.begin(), last);
      CHECK_FALSE(of.is_solved_by(results));
      next.erase(next.begin());
    }
    own.push_back(last);
  }
  CHECK(of.is_solved_by(results));
}

}  // namespace

TEST_CASE("several prefixes at once are judged one by one") {
  auto const asked = requests::make("pipelined-prefix", "hypercube:2");
  using number = std::int64_t;
  std::vector<std::vector<number>> const values{{3, 1, 4, 1}, {5, 9, 2, 6}, {5, 3, 5, 8}};
  lockstep::prefix_problem<number> of{
      .given = asked, .values = {}, .plus = lockstep::operator_at<number>(0), .instances = 3};
  std::vector<std::vector<number>> results(4);
  for (std::size_t rank = 0; rank < 4; ++rank)
    for (auto const& each : values) {
      of.values.push_back(each[rank]);
      auto const sums = scanned(each, lockstep::prefix_kind::inclusive, number{}, std::plus<>{});
      results[rank].push_back(sums[rank]);
    }
  check_judgement(of, results);
}

TEST_CASE("an exchange is judged block by block, a transpose number by number") {
  auto const asked = requests::make("all-to-all", "torus:3", {{"seed", 7}});
  std::vector<word_values> results(3);
  for (int to = 0; to < 3; ++to)
    for (int from = 0; from < 3; ++from)
      for (std::uint64_t i = 0; i < 2; ++i)
        results[static_cast<std::size_t>(to)].push_back(lockstep::generated_word(7, from, to, i));
  check_judgement(lockstep::exchange_problem(asked, 2), results);
  lockstep::square_matrix<std::int64_t> const matrix{3, {1, 2, 3, 4, 5, 6, 7, 8, 9}};
  using rows = std::vector<std::vector<std::int64_t>>;
  lockstep::transpose_problem<std::int64_t> const transposition{asked, matrix};
  check_judgement(transposition, rows{{1, 4, 7}, {2, 5, 8}, {3, 6, 9}});
}

TEST_CASE("collectives are judged processor by processor") {
  using enum lockstep::collective_kind;
  auto const asked = requests::make("reduce", "crossbar:3", {{"seed", 5}});
  auto const word = [](int owner, std::uint64_t i) {
    return lockstep::generated_word(5, owner, 0, i);
  };
  word_values const own[] = {
      {word(0, 0), word(0, 1)}, {word(1, 0), word(1, 1)}, {word(2, 0), word(2, 1)}};
  word_values const sums{own[0][0] + own[1][0] + own[2][0], own[0][1] + own[1][1] + own[2][1]};
  word_values const all{own[0][0], own[0][1], own[1][0], own[1][1], own[2][0], own[2][1]};
  auto const check = [&](lockstep::collective_kind kind, std::vector<word_values> const& results) {
    check_judgement(lockstep::collective_problem{kind, asked, 2, 1}, results);
  };
  check(transpose, {{}, {own[0][0], own[1][0], own[2][0]}, {own[0][1], own[1][1], own[2][1]}});
  check(broadcast, {own[1], own[1], own[1]});
  check(reduce, {{}, sums, {}});
  check(all_reduce, {sums, sums, sums});
  check(scatter, {own[0], own[1], own[2]});
  check(gather, {{}, all, {}});
  check(all_gather, {all, all, all});
}

TEST_CASE("a spectrum is right where each processor has its own part of it") {
  auto const asked = requests::make("fft", "crossbar:2");
  lockstep::arguments const given(asked);
  using numbers = std::vector<std::complex<double>>;
  lockstep::transform_problem<double> of(given, numbers{1, 0, 0, 0}, {});
  CHECK(of.is_solved_by({{1, 1}, {1, 1}}));
  for (std::vector<numbers> const& wrong : {std::vector<numbers>{{1, 1}, {1, 2}},
                                            {{1, 1, 1}, {1}},
                                            {{1, 1}, {1}},
                                            {{}, {}},
                                            {{1, 1}, {1, 1, 1}}})
    CHECK_FALSE(of.is_solved_by(wrong));
}
