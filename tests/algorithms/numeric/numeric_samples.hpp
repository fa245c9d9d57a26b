#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <complex>
#include <cstddef>
#include <cstdint>
#include <numbers>
#include <random>
#include <vector>

#include <lockstep/algorithms/numeric/local_fft.hpp>
#include <lockstep/algorithms/numeric/local_product.hpp>
#include <lockstep/claim.hpp>
#include <lockstep/machine.hpp>

#include "catch.hpp"
#include "index.hpp"

namespace samples {

inline constexpr std::array engines{lockstep::engine::fibers, lockstep::engine::threads};

template <class Real>
std::vector<std::complex<Real>> signal(std::size_t n, unsigned seed = 1) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<Real> number(-1, 1);
  std::vector<std::complex<Real>> made(n);
  for (auto& each : made) each = {number(random), number(random)};
  return made;
}

/// The sums of the definition, in long double.
template <class Real>
std::vector<std::complex<long double>> summed_up(std::vector<std::complex<Real>> const& x,
                                                 lockstep::fft_direction direction) {
  auto const n = x.size();
  auto const sign = direction == lockstep::fft_direction::forward ? -1 : 1;
  std::vector<std::complex<long double>> roots(n);
  for (std::size_t k = 0; k < n; ++k)
    roots[k] = std::polar(1.0L, sign * 2 * std::numbers::pi_v<long double> *
                                    static_cast<long double>(k) / static_cast<long double>(n));
  std::vector<std::complex<long double>> sums(n);
  for (std::size_t j = 0; j < n; ++j)
    for (std::size_t k = 0; k < n; ++k)
      sums[j] += lockstep::detail::times(std::complex<long double>(x[k]), roots[j * k % n]);
  return sums;
}

/// The length of the difference by that of what is right.
template <class Real, class Exact>
double distance(std::vector<std::complex<Real>> const& measured, std::vector<Exact> const& right) {
  long double off = 0;
  long double length = 0;
  for (std::size_t i = 0; i < right.size(); ++i) {
    off += std::norm(std::complex<long double>(measured[i]) - std::complex<long double>(right[i]));
    length += std::norm(std::complex<long double>(right[i]));
  }
  return length == 0 ? static_cast<double>(off) : static_cast<double>(std::sqrt(off / length));
}

inline void check_claims(std::vector<lockstep::claim> const& claims,
                         lockstep::counts const& counts) {
  for (auto const& claimed : claims) {
    INFO(claimed.figure << " " << claimed.formula << " = " << claimed.value() << ", measured "
                        << measured_for(claimed, counts));
    CHECK(holds(claimed, measured_for(claimed, counts)));
  }
}

/// A matrix of small whole numbers, of which products are exact in every type.
template <class T>
std::vector<T> matrix(std::size_t rows, std::size_t columns, unsigned seed) {
  std::mt19937 random(seed);
  std::vector<T> made(rows * columns);
  for (auto& each : made) each = static_cast<T>(random() % 7);
  return made;
}

template <class T>
std::vector<T> product(lockstep::product_shape const& of, std::vector<T> const& a,
                       std::vector<T> const& b) {
  std::vector<T> c(of.result());
  for (std::size_t i = 0; i < of.rows; ++i)
    for (std::size_t j = 0; j < of.columns; ++j)
      for (std::size_t k = 0; k < of.inner; ++k)
        c[i * of.columns + j] =
            static_cast<T>(c[i * of.columns + j] + a[i * of.inner + k] * b[k * of.columns + j]);
  return c;
}

/// Block (i, j) of a matrix of blocks of that shape, row by row.
template <class T>
std::vector<T> block(std::vector<T> const& matrix, std::size_t columns, int i, int j,
                     std::size_t block_rows, std::size_t block_columns) {
  std::vector<T> cut;
  for (std::size_t row = 0; row < block_rows; ++row)
    for (std::size_t column = 0; column < block_columns; ++column)
      cut.push_back(
          matrix[(index(i) * block_rows + row) * columns + index(j) * block_columns + column]);
  return cut;
}

/// Matrices of q x q blocks, and their product.
template <class T>
struct blocked_matrices {
  blocked_matrices(int side, lockstep::product_shape const& of)
      : q(side),
        blocks(of),
        whole{of.rows * index(q), of.inner * index(q), of.columns * index(q)},
        a(matrix<T>(whole.rows, whole.inner, 1)),
        b(matrix<T>(whole.inner, whole.columns, 2)),
        c(product(whole, a, b)) {}

  [[nodiscard]] std::vector<T> left(int i, int j) const {
    return block(a, whole.inner, i, j, blocks.rows, blocks.inner);
  }
  [[nodiscard]] std::vector<T> right(int i, int j) const {
    return block(b, whole.columns, i, j, blocks.inner, blocks.columns);
  }
  [[nodiscard]] std::vector<T> result(int i, int j) const {
    return block(c, whole.columns, i, j, blocks.rows, blocks.columns);
  }

  int q;
  lockstep::product_shape blocks;
  lockstep::product_shape whole;
  std::vector<T> a;
  std::vector<T> b;
  std::vector<T> c;
};

/// Multiplies the blocks of two matrices by `multiply(me, left, right)`, and checks the product.
/// `place(rank)`: the number of a processor's blocks, row by row, or -1. Result: the counts.
template <class T, class Place, class Multiply>
lockstep::counts checked_product(lockstep::machine const& on, int q,
                                 lockstep::product_shape const& blocks, Place const& place,
                                 Multiply const& multiply) {
  blocked_matrices<T> const matrices(q, blocks);
  auto const run = on.run([&](lockstep::processor& me) {
    int const at = place(me.rank());
    return at < 0 ? multiply(me, std::vector<T>(), std::vector<T>())
                  : multiply(me, matrices.left(at / q, at % q), matrices.right(at / q, at % q));
  });
  INFO("q " << q << ", blocks " << blocks.rows << " x " << blocks.inner << " x " << blocks.columns);
  for (int rank = 0; rank < on.size(); ++rank) {
    int const at = place(rank);
    CHECK(run.results()[index(rank)] ==
          (at < 0 ? std::vector<T>() : matrices.result(at / q, at % q)));
  }
  CHECK(run.counts().queued == 0);
  return run.counts();
}

inline constexpr std::array<lockstep::product_shape, 7> shapes{
    {{0, 0, 0}, {1, 1, 1}, {2, 2, 2}, {3, 3, 3}, {1, 4, 2}, {5, 2, 3}, {2, 0, 3}}};

}  // namespace samples
