#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include <lockstep/experiments/papers.hpp>

namespace lockstep {

/// The keys that end on each processor, of the inputs with h = n/p, 2n/p, 4n/p and 8n/p.
using keys_of_four_inputs = std::array<std::vector<std::uint64_t>, 4>;

/// Whether that is what equation (7) says, computed apart from the generator, and section 3.1 of Figure 1 in
/// words: processor 0 gets h keys, others 0 to h, and for h = 8n/p about 3p/4 processors get none.
[[nodiscard]] bool is_as_section_3_1_says(keys_of_four_inputs const& ended);

/// The sources of the blocks that end on each processor, in the order of their places.
using block_sources = std::vector<std::vector<int>>;

/// Whether that is what section 3.2.1 says in words of Figure 3, and what equations (8) and (9), the latter
/// corrected (number 3), say of its blocks, computed apart from the generator: all keys end on half of the
/// processors, on each of these 2n/p, which are 8 blocks of n/(pt), each of 16 sources has 4 blocks, and each
/// block lies where it belongs.
[[nodiscard]] bool is_as_section_3_2_1_says(block_sources const& ended);

/// Draws Figures 1 and 3 of Bader, Helman and JaJa as text, from runs on 16 processors; none for fewer. Our
/// text of the paper lacks both drawings. They are compared with its equations, and with its words on them.
/// Errors: those of machine::run.
[[nodiscard]] std::vector<printed_figure> printed_figures_of_bader_helman_jaja(int most_processors);

}  // namespace lockstep
