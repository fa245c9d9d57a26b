#include "numeric_libraries.hpp"

#ifdef LOCKSTEP_WITH_FFTW
#include <lockstep/algorithms/numeric/libraries/fftw.hpp>
#endif
#ifdef LOCKSTEP_WITH_CBLAS
#include <lockstep/algorithms/numeric/libraries/cblas.hpp>
#endif

#ifdef OPENBLAS_CONFIG_H
// lockstep's workers share the computer already. OpenBLAS calls this while it is loaded, in place of
// its own: it would start threads at once, and end the process where none is to be had.
// NOLINTNEXTLINE(readability-identifier-naming)
extern "C" int openblas_num_threads_env() { return 1; }
#endif

namespace lockstep::cli {

numeric_libraries linked_libraries() {
  numeric_libraries linked;
#ifdef LOCKSTEP_WITH_FFTW
  fftw const by_fftw;
  linked.transforms = "FFTW";
  linked.transform_doubles = by_fftw;
  linked.transform_floats = by_fftw;
#endif
#ifdef LOCKSTEP_WITH_CBLAS
#ifdef OPENBLAS_CONFIG_H
  openblas_set_num_threads(1);  // should it not have asked
#endif
  linked.products = "BLAS";
  linked.multiply_doubles = cblas_product{};
  linked.multiply_floats = cblas_product{};
#endif
  return linked;
}

}  // namespace lockstep::cli
