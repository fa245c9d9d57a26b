#include <complex>
#include <cstddef>
#include <functional>
#include <span>
#include <utility>
#include <vector>

#include <lockstep/algorithms/numeric/cannon.hpp>
#include <lockstep/algorithms/numeric/fft.hpp>
#include <lockstep/machine.hpp>
#include <lockstep/topologies/crossbar.hpp>
#include <lockstep/topologies/torus.hpp>

#ifdef LOCKSTEP_WITH_FFTW
#include <lockstep/algorithms/numeric/libraries/fftw.hpp>
#endif
#ifdef LOCKSTEP_WITH_CBLAS
#include <lockstep/algorithms/numeric/libraries/cblas.hpp>
#endif

#include "algorithms/numeric/numeric_samples.hpp"
#include "catch.hpp"
#include "numeric/transform_problem.hpp"

// The libraries that the build has found; without them there is nothing to test.

using lockstep::machine;
using lockstep::processor;

[[maybe_unused]] constexpr std::size_t stack_for_libraries = std::size_t{256} * 1024;

#ifdef LOCKSTEP_WITH_FFTW

namespace {

template <class Real>
void check_fftw(std::size_t length, std::size_t sequences, double error) {
  lockstep::fftw const by_fftw;
  for (auto const direction :
       {lockstep::fft_direction::forward, lockstep::fft_direction::backward}) {
    auto const x = samples::signal<Real>(length * sequences);
    auto own = x;
    lockstep::local_fft{}(std::span(own), length, direction);
    // from memory that is aligned as FFTW likes it, and from other memory
    for (std::size_t const offset : {0U, 1U}) {
      std::vector<std::complex<Real>> memory(offset + x.size());
      std::ranges::copy(x, memory.begin() + static_cast<std::ptrdiff_t>(offset));
      by_fftw(std::span(memory).subspan(offset), length, direction);
      memory.erase(memory.begin(), memory.begin() + static_cast<std::ptrdiff_t>(offset));
      INFO(length << " x " << sequences);
      CHECK(samples::distance(memory, own) < error);
    }
  }
}

}  // namespace

TEST_CASE("transforms by FFTW are lockstep's", "[numeric]") {
  for (std::size_t const length : {0U, 1U, 2U, 12U, 64U, 101U})
    for (std::size_t const sequences : {1U, 2U, 7U}) {
      check_fftw<double>(length, sequences, 2e-15);
      check_fftw<float>(length, sequences, 1e-6);
    }
}

TEST_CASE("processors on several threads transform by FFTW at the same time", "[numeric]") {
  constexpr int p = 16;
  auto const x = samples::signal<double>(1024);
  auto const right = samples::summed_up(x, lockstep::fft_direction::forward);
  for (auto const engine : samples::engines) {
    lockstep::fftw const by_fftw;
    machine const on(
        lockstep::crossbar{p},
        {.strict = true, .engine = engine, .workers = 2, .stack = stack_for_libraries});
    auto const run = on.run(
        [&](processor& me) { return lockstep::fft(me, lockstep::column_of(x, me), {}, by_fftw); });
    CHECK(samples::distance(lockstep::spectrum_of(run.results(), lockstep::fft_layout::cyclic),
                            right) < 1e-15);
  }
}

#endif

#ifdef LOCKSTEP_WITH_CBLAS

TEST_CASE("products by BLAS are lockstep's, of other types by lockstep", "[numeric]") {
  auto const check = []<class T>(T) {
    for (auto const& of :
         {lockstep::product_shape{0, 0, 0}, {1, 1, 1}, {7, 5, 9}, {3, 0, 2}, {64, 64, 64}}) {
      auto const a = samples::matrix<T>(of.rows, of.inner, 3);
      auto const b = samples::matrix<T>(of.inner, of.columns, 4);
      auto c = samples::matrix<T>(of.rows, of.columns, 5);
      auto expected = c;
      lockstep::local_product{}(of, a.data(), b.data(), expected.data());
      lockstep::cblas_product{}(of, a.data(), b.data(), c.data());
      CHECK(c == expected);
    }
  };
  check(double{});
  check(float{});
  check(int{});
}

TEST_CASE("processors on several threads multiply by BLAS at the same time", "[numeric]") {
  constexpr int q = 3;
  lockstep::product_shape const blocks{40, 40, 40};
  for (auto const engine : samples::engines)
    samples::checked_product<double>(
        machine(lockstep::torus{{q, q}},
                {.strict = true, .engine = engine, .workers = 2, .stack = stack_for_libraries}),
        q, blocks, std::identity{}, [&](processor& me, auto left, auto right) {
          return lockstep::cannon(me, blocks, std::move(left), std::move(right),
                                  lockstep::cblas_product{});
        });
}

#endif
