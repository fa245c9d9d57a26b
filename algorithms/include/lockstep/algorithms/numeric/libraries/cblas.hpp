#pragma once

#if __has_include(<cblas.h>)

#include <cblas.h>

#include <type_traits>

#include <lockstep/algorithms/numeric/local_product.hpp>

namespace lockstep {

/// Local products by BLAS, for `matrix_product`, `cannon` and `summa` in place of `local_product`; of
/// other elements than double and float by that. A program that includes this header links a BLAS with
/// its C interface itself; without <cblas.h> there is nothing in it.
///
/// A BLAS with threads of its own should be told to take one, for example by
/// openblas_set_num_threads(1). Give the machine a stack of 256 KiB.
/// **Source** Lawson and others, Basic linear algebra subprograms for Fortran usage, 1979.
struct cblas_product {
  template <class T>
  void operator()(product_shape const& of, T const* a, T const* b, T* c) const {
    auto const rows = static_cast<int>(of.rows);
    auto const inner = static_cast<int>(of.inner);
    auto const columns = static_cast<int>(of.columns);
    if (rows == 0 || inner == 0 || columns == 0) return;
    if constexpr (std::is_same_v<T, double>)
      cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, rows, columns, inner, 1, a, inner, b,
                  columns, 1, c, columns);
    else if constexpr (std::is_same_v<T, float>)
      cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, rows, columns, inner, 1, a, inner, b,
                  columns, 1, c, columns);
    else
      local_product{}(of, a, b, c);
  }
};

}  // namespace lockstep

#endif
