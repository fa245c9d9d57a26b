#pragma once

#include <span>
#include <string>

#include <lockstep/experiments/papers.hpp>

namespace lockstep {

/// Makes Table 1: the formulas of the proposed exchange beside a run on each of these networks, all of
/// one kind (torus or mesh), and all of two dimensions or all of more.
[[nodiscard]] paper_table suh_shin_table_1(std::string title,
                                           std::span<std::string const> networks);

/// Makes Table 2: formulas on the 2^d x 2^d torus or mesh, d = least_d .. largest_d, those of the
/// proposed exchange and of [16] beside a run. d is at least 2, as on the smallest torus.
[[nodiscard]] paper_table suh_shin_table_2(bool wraps, int least_d, int largest_d);

}  // namespace lockstep
