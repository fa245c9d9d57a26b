#pragma once

#include <array>
#include <vector>

#include <lockstep/experiments/papers.hpp>

namespace lockstep {

/// Makes an entry of `papers` and `figures`, one function for each paper.
[[nodiscard]] paper_entry suh_shin_entry();
[[nodiscard]] paper_entry mayr_plaxton_entry();
[[nodiscard]] paper_entry bader_helman_jaja_entry();
[[nodiscard]] paper_entry jaja_ryu_entry();
[[nodiscard]] paper_entry shankar_ranka_entry();
[[nodiscard]] std::array<figure_entry, 4> suh_shin_figure_entries();
[[nodiscard]] figure_entry mayr_plaxton_figure_entry();
[[nodiscard]] std::array<figure_entry, 4> bader_helman_jaja_figure_entries();
[[nodiscard]] std::array<figure_entry, 3> jaja_ryu_figure_entries();
[[nodiscard]] std::array<figure_entry, 3> shankar_ranka_figure_entries();

/// Lists what a paper states and nothing here runs.
[[nodiscard]] std::vector<missing_statement> missing_of_suh_shin();
[[nodiscard]] std::vector<missing_statement> missing_of_mayr_plaxton();
[[nodiscard]] std::vector<missing_statement> missing_of_bader_helman_jaja();
[[nodiscard]] std::vector<missing_statement> missing_of_jaja_ryu();
[[nodiscard]] std::vector<missing_statement> missing_of_shankar_ranka();

}  // namespace lockstep
