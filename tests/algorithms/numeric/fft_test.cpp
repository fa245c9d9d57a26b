#include <lockstep/algorithms/numeric/fft.hpp>

#include <complex>
#include <cstddef>
#include <set>
#include <span>
#include <string>
#include <vector>

#include <lockstep/errors.hpp>
#include <lockstep/machine.hpp>
#include <lockstep/topologies/crossbar.hpp>

#include "algorithms/numeric/numeric_samples.hpp"
#include "catch.hpp"
#include "experiments/refusal_of.hpp"
#include "index.hpp"
#include "numeric/transform_problem.hpp"

using lockstep::column_of;
using lockstep::fft_direction;
using lockstep::fft_layout;
using lockstep::fft_options;
using lockstep::machine;
using lockstep::processor;

namespace {

template <class Real>
struct measured_spectrum {
  std::vector<std::complex<Real>> spectrum;
  lockstep::counts counts;
};

template <class Real>
measured_spectrum<Real> transform(std::vector<std::complex<Real>> const& x, int p,
                                  fft_options const& options, std::uint64_t packet = 1,
                                  lockstep::engine engine = lockstep::engine::fibers) {
  machine const on(lockstep::crossbar{p}, {.strict = true, .packet = packet, .engine = engine});
  auto const run = on.run([&](processor& me) { return fft(me, column_of(x, me), options); });
  return {lockstep::spectrum_of(run.results(), options.layout), run.counts()};
}

constexpr fft_layout layouts[] = {fft_layout::cyclic, fft_layout::block};
constexpr fft_direction directions[] = {fft_direction::forward, fft_direction::backward};

}  // namespace

TEST_CASE("fft is the sum of the definition, backward divided by n", "[numeric][sanitize]") {
  for (int const p : {1, 2, 3, 5, 8, 16})
    for (std::size_t const each : {0U, 1U, 2U, 3U, 7U, 16U})
      for (auto const layout : layouts)
        for (auto const direction : directions) {
          INFO("p " << p << ", n/p " << each);
          auto const x = samples::signal<double>(each * index(p));
          auto right = samples::summed_up(x, direction);
          if (direction == fft_direction::backward)
            for (auto& y : right) y /= static_cast<long double>(x.size());
          auto const measured = transform(x, p, {direction, layout});
          CHECK(samples::distance(measured.spectrum, right) < 3e-15);
        }
}

TEST_CASE("fft of floats, and on 27 and 64 processors", "[numeric]") {
  for (int const p : {4, 27, 64})
    for (auto const layout : layouts) {
      auto const x = samples::signal<float>(index(p) * 8);
      auto const right = samples::summed_up(x, fft_direction::forward);
      INFO(p);
      CHECK(samples::distance(transform(x, p, {fft_direction::forward, layout}).spectrum, right) <
            2e-6);
    }
}

TEST_CASE("fft counts one start-up and (p - 1)m ceil(n/(p^2 m)) words, on both engines",
          "[numeric][threads]") {
  for (auto const engine : samples::engines)
    for (int const p : {1, 2, 3, 8})
      for (std::size_t const each : {0U, 1U, 3U, 8U, 20U})
        for (std::uint64_t const packet : {1U, 3U, 16U})
          for (auto const layout : layouts) {
            auto const x = samples::signal<double>(each * index(p));
            auto const counts =
                transform(x, p, {fft_direction::forward, layout}, packet, engine).counts;
            auto const rows = (each + index(p) - 1) / index(p);
            auto const others = index(p) - 1;
            INFO("p " << p << ", n/p " << each << ", packet " << packet);
            CHECK(counts.words == others * ((rows + packet - 1) / packet * packet));
            CHECK(counts.startups == (p > 1 && each > 0 ? 1U : 0U));
            CHECK(counts.rounds == others);
            CHECK(counts.queued == 0);
            samples::check_claims(lockstep::fft_claims({p, 3 * packet, packet}, x.size()), counts);
          }
}

TEST_CASE("every element of the spectrum has one place, in both layouts", "[numeric]") {
  for (int const p : {1, 2, 3, 8})
    for (std::size_t const each : {1U, 3U, 8U, 11U})
      for (auto const layout : layouts) {
        std::set<std::size_t> seen;
        for (int rank = 0; rank < p; ++rank) {
          auto const rows = lockstep::fft_rows_of(layout, each, p, rank).count;
          for (std::size_t place = 0; place < rows * index(p); ++place)
            seen.insert(lockstep::fft_index(layout, each * index(p), p, rank, place));
        }
        INFO("p " << p << ", n/p " << each);
        CHECK(seen.size() == each * index(p));
        CHECK(*seen.rbegin() == each * index(p) - 1);
      }
}

TEST_CASE("the cyclic layout ends as it begins where p^2 divides n: back is the signal",
          "[numeric]") {
  constexpr int p = 4;
  auto const x = samples::signal<double>(64);
  machine const on(lockstep::crossbar{p}, {.strict = true});
  auto const run = on.run([&](processor& me) {
    auto const there = fft(me, column_of(x, me));
    return samples::distance(fft(me, there, {fft_direction::backward}), column_of(x, me));
  });
  for (auto const off : run.results()) CHECK(off < 1e-15);
  CHECK(run.counts().startups == 2);
}

TEST_CASE("fft in the subset of the even ranks", "[numeric]") {
  auto const x = samples::signal<double>(12);
  machine const on(lockstep::crossbar{6});
  auto const run = on.run([&](processor& me) -> std::vector<std::complex<double>> {
    if (me.rank() % 2 == 1) return {};
    std::vector<int> const members{0, 2, 4};
    auto group = me.subset(members);
    return fft(group, column_of(x, group));
  });
  auto const& all = run.results();
  CHECK(
      samples::distance(lockstep::spectrum_of<double>({all[0], all[2], all[4]}, fft_layout::cyclic),
                        samples::summed_up(x, fft_direction::forward)) < 1e-15);
}

TEST_CASE("fft by a transform that it is given", "[numeric]") {
  auto const x = samples::signal<double>(32);
  int const p = 4;
  auto const called = [](std::span<std::complex<double>> elements, std::size_t length,
                         fft_direction direction) {
    std::vector<std::complex<double>> const copy(elements.begin(), elements.end());
    auto const sequences = elements.size() / length;
    for (std::size_t s = 0; s < sequences; ++s) {
      std::vector<std::complex<double>> one;
      for (std::size_t i = 0; i < length; ++i) one.push_back(copy[i * sequences + s]);
      auto const sums = samples::summed_up(one, direction);
      for (std::size_t i = 0; i < length; ++i)
        elements[i * sequences + s] = std::complex<double>(sums[i]);
    }
  };
  machine const on(lockstep::crossbar{p});
  auto const by_sums = on.run([&](processor& me) { return fft(me, column_of(x, me), {}, called); });
  auto const by_own = on.run([&](processor& me) { return fft(me, column_of(x, me)); });
  for (int rank = 0; rank < p; ++rank)
    CHECK(samples::distance(by_sums.results()[index(rank)], by_own.results()[index(rank)]) < 1e-15);
}

TEST_CASE("fft refuses columns of different lengths, and claims that p does not divide n",
          "[numeric]") {
  machine const on(lockstep::crossbar{2});
  CHECK_THROWS_AS(on.run([](processor& me) {
    return fft(me, std::vector<std::complex<double>>(me.rank() == 0 ? 8 : 4));
  }),
                  lockstep::error);
  CHECK_THROWS_AS(lockstep::fft_claims({4, 16, 1}, 10), lockstep::invalid_argument);
  CHECK_THROWS_AS(lockstep::fft_rows_of(static_cast<fft_layout>(7), 4, 2, 0),
                  lockstep::invalid_argument);
}
