#include <complex>
#include <cstddef>
#include <span>
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
#include "index.hpp"

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
    auto const run = on.run([&](processor& me) {
      std::vector<std::complex<double>> column;
      for (auto at = index(me.rank()); at < x.size(); at += p) column.push_back(x[at]);
      return lockstep::fft(me, column, {}, by_fftw);
    });
    for (int rank = 0; rank < p; ++rank) {
      auto const& mine = run.results()[index(rank)];
      for (std::size_t i = 0; i < mine.size(); ++i) {
        auto const at = lockstep::fft_index(lockstep::fft_layout::cyclic, x.size(), p, rank, i);
        REQUIRE(std::abs(std::complex<long double>(mine[i]) - right[at]) < 1e-13L);
      }
    }
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
  samples::blocked_matrices<double> const matrices(q, {40, 40, 40});
  for (auto const engine : samples::engines) {
    machine const on(
        lockstep::torus{{q, q}},
        {.strict = true, .engine = engine, .workers = 2, .stack = stack_for_libraries});
    auto const run = on.run([&](processor& me) {
      int const i = me.rank() / q;
      int const j = me.rank() % q;
      return lockstep::cannon(me, matrices.blocks, matrices.left(i, j), matrices.right(i, j),
                              lockstep::cblas_product{});
    });
    for (int rank = 0; rank < q * q; ++rank)
      CHECK(run.results()[index(rank)] == matrices.result(rank / q, rank % q));
  }
}

#endif
