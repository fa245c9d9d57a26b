#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include <lockstep/algorithms/random_access/bucket_layout.hpp>
#include <lockstep/algorithms/random_access/random_access_options.hpp>

#include "papers/told_run.hpp"

namespace lockstep {

/// A write with k = 2 in which each of 32 elements adds 1, and the record of the run.
struct drawn_write {
  bucket_layout layout;
  std::vector<std::size_t> pointers;
  told_run told;
};

/// The pointers of Figure 4.
[[nodiscard]] std::vector<std::size_t> pointers_of_figure_4();

/// Runs the write on four processors. Errors: those of machine::run; broken_invariant for a wrong
/// result.
[[nodiscard]] drawn_write told_write(std::vector<std::size_t> pointers, access_variant variant);

}  // namespace lockstep
