#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include <lockstep/claim_list.hpp>

namespace lockstep {

/// Begins claims of a product of n x n matrices on a torus of q x q.
/// Errors: invalid_argument for q < 1, or packets of 0 words.
[[nodiscard]] claim_list claims_on_torus(int side, std::uint64_t packet, std::size_t n);

/// Counts the words of a message in whole packets.
[[nodiscard]] double packets_of(std::size_t elements, std::uint64_t packet);

/// Steps of single messages from neighbour to neighbour, half of them with blocks of A, half of B.
struct torus_steps {
  std::string formula;
  double steps = 0;
  double left_words = 0;  ///< of a message with a block of A
  double right_words = 0;
  std::string words = "sum over the steps of their largest messages' packets";  ///< formula
};

/// Writes the steps of SUMMA with s panels of a processor on q x q.
[[nodiscard]] constexpr char const* steps_of_summa(int side) {
  return side == 1 ? "0" : side == 2 ? "2s q" : "2(s q + 2q - 3)";
}

/// Adds what all figures of counts come to that depend on the number of steps.
void add_steps(claim_list& claims, torus_steps const& of);

}  // namespace lockstep
