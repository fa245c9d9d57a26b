// The Fourier transform and the matrix product on emulated processors, beside one call of what their
// processors call.

#include <complex>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include <fmt/format.h>

#include <lockstep/algorithms/numeric/fft.hpp>
#include <lockstep/algorithms/numeric/matrix_product.hpp>
#include <lockstep/topologies/crossbar.hpp>

#ifdef LOCKSTEP_WITH_FFTW
#include <lockstep/algorithms/numeric/libraries/fftw.hpp>
#endif
#ifdef LOCKSTEP_WITH_CBLAS
#include <lockstep/algorithms/numeric/libraries/cblas.hpp>
#endif

#include "kept_memory.hpp"
#include "measure.hpp"
#include "themes.hpp"

namespace bench {

namespace {

using number = std::complex<double>;
using numbers = std::vector<number>;

constexpr int processors = 64;
constexpr int side = 4;
constexpr int repetitions = 5;

lockstep::machine machine_with_room() {
  return lockstep::machine{lockstep::crossbar{processors},
                           {.workers = 1, .stack = std::size_t{256} * 1024}};
}

numbers generated_signal(std::size_t n) {
  numbers made(n);
  std::uint32_t state = 1;
  for (auto& each : made) {
    state = state * 1'664'525 + 1'013'904'223;
    each = {static_cast<double>(state >> 8U) / (1U << 24U), static_cast<double>(state & 0xFFU)};
  }
  return made;
}

std::vector<numbers> columns_of(numbers const& signal) {
  std::vector<numbers> columns(processors);
  for (std::size_t i = 0; i < signal.size(); ++i) columns[i % processors].push_back(signal[i]);
  return columns;
}

/// The whole spectrum and those of the processors differ by a rounding each.
bool are_same(numbers const& whole, std::vector<numbers> const& parts) {
  double off = 0;
  double length = 0;
  for (int rank = 0; rank < processors; ++rank)
    for (std::size_t i = 0; i < parts[static_cast<std::size_t>(rank)].size(); ++i) {
      auto const at =
          lockstep::fft_index(lockstep::fft_layout::cyclic, whole.size(), processors, rank, i);
      off += std::norm(whole[at] - parts[static_cast<std::size_t>(rank)][i]);
      length += std::norm(whole[at]);
    }
  return off <= 1e-28 * length;
}

/// The signal on processors, and in one call, whose plan, if it has one, is made before.
template <class Transform>
void measure_transform(benchmark::State& state, std::size_t n, Transform const& transform) {
  keep_memory();
  auto const signal = generated_signal(n);
  auto const on = machine_with_room();
  auto whole = signal;
  transform(std::span(whole), n, lockstep::fft_direction::forward);
  least alone;
  least emulated;
  for ([[maybe_unused]] auto _ : state)
    for (int repetition = 0; repetition < repetitions; ++repetition) {
      whole = signal;
      alone.add(
          seconds_of([&] { transform(std::span(whole), n, lockstep::fft_direction::forward); }));
      auto columns = columns_of(signal);
      std::vector<numbers> parts(processors);
      emulated.add(seconds_of([&] {
        on.run([&](lockstep::processor& me) {
          auto const rank = static_cast<std::size_t>(me.rank());
          parts[rank] = lockstep::fft(me, std::move(columns[rank]), {}, transform);
        });
      }));
      if (!are_same(whole, parts)) return state.SkipWithError("not the spectrum");
    }
  state.counters[run_seconds] = emulated.seconds();
  state.counters[one_call_seconds] = alone.seconds();
}

using matrix = std::vector<double>;

matrix generated_matrix(std::size_t n, std::uint32_t state) {
  matrix made(n * n);
  for (auto& each : made) {
    state = state * 1'664'525 + 1'013'904'223;
    each = static_cast<double>(state >> 24U);
  }
  return made;
}

/// Block (i, j) of side x side.
matrix block_of(matrix const& whole, std::size_t n, int rank) {
  auto const b = n / side;
  auto const row = static_cast<std::size_t>(rank / side / side) * b;
  auto const column = static_cast<std::size_t>(rank / side % side) * b;
  matrix block;
  block.reserve(b * b);
  for (std::size_t i = 0; i < b; ++i) {
    auto const* const from = whole.data() + (row + i) * n + column;
    block.insert(block.end(), from, from + b);
  }
  return block;
}

/// All numbers are whole, and so small that products and sums are exact.
template <class Product>
void measure_product(benchmark::State& state, std::size_t n, Product const& multiply) {
  keep_memory();
  auto const a = generated_matrix(n, 1);
  auto const b = generated_matrix(n, 2);
  auto const on = machine_with_room();
  auto const size = n / side;
  least alone;
  least emulated;
  for ([[maybe_unused]] auto _ : state)
    for (int repetition = 0; repetition < 3; ++repetition) {
      matrix c(n * n);
      alone.add(seconds_of([&] { multiply({n, n, n}, a.data(), b.data(), c.data()); }));
      std::vector<matrix> left(processors);
      std::vector<matrix> right(processors);
      std::vector<matrix> products(processors);
      for (int rank = 0; rank < processors; rank += side) {
        left[static_cast<std::size_t>(rank)] = block_of(a, n, rank);
        right[static_cast<std::size_t>(rank)] = block_of(b, n, rank);
      }
      emulated.add(seconds_of([&] {
        on.run([&](lockstep::processor& me) {
          auto const rank = static_cast<std::size_t>(me.rank());
          products[rank] = lockstep::matrix_product<double>(me, {size, size, size}, left[rank],
                                                            right[rank], {.k = side}, multiply);
        });
      }));
      for (int rank = 0; rank < processors; rank += side)
        if (products[static_cast<std::size_t>(rank)] != block_of(c, n, rank))
          return state.SkipWithError("not the product");
    }
  state.counters[run_seconds] = emulated.seconds();
  state.counters[one_call_seconds] = alone.seconds();
}

}  // namespace

void add_numeric(scope const& of) {
  std::size_t const n = std::size_t{1} << (of.quick ? 16U : 22U);
  std::size_t const rows = of.quick ? 256 : 2048;
  add(fmt::format("fft/{} by lockstep", n), 1,
      [=](benchmark::State& state) { measure_transform(state, n, lockstep::local_fft{}); });
  add(fmt::format("matrix product/{} by lockstep", rows), 1,
      [=](benchmark::State& state) { measure_product(state, rows, lockstep::local_product{}); });
#ifdef LOCKSTEP_WITH_FFTW
  add(fmt::format("fft/{} by FFTW", n), 1,
      [=](benchmark::State& state) { measure_transform(state, n, lockstep::fftw{}); });
#endif
#ifdef LOCKSTEP_WITH_CBLAS
#ifdef OPENBLAS_CONFIG_H
  openblas_set_num_threads(1);
#endif
  add(fmt::format("matrix product/{} by BLAS", rows), 1,
      [=](benchmark::State& state) { measure_product(state, rows, lockstep::cblas_product{}); });
#endif
}

}  // namespace bench
