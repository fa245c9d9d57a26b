#pragma once

#include <cstdint>
#include <source_location>
#include <string_view>
#include <vector>

#include <lockstep/detail/debug_containers.hpp>

#include <lockstep/algorithms/detail/size_checks.hpp>

namespace lockstep {

/// The limits of an h-relation: at most `sent` elements from any processor (h1), at most
/// `received` for any (h2).
struct h_limits {
  std::uint64_t sent = 0;
  std::uint64_t received = 0;
};

/// The sizes of the blocks in which the deterministic algorithm sends its bins.
enum class block_rule : std::uint8_t {
  real,      ///< as many elements as there are
  bound,     ///< floor(x/p + (p-1)/2) elements, and a slot for their number: every bin fits
  text,      ///< floor(x/p + p/2) elements, as in the paper's section 3; nothing for the number
  appendix,  ///< as in the paper's Appendix B: a slot for the number in both, room for it in one
  exact      ///< the largest bin that there can be, and a slot for the number: every bin fits
};

/// "real", "bound", "text", "appendix", "exact".
[[nodiscard]] std::string_view name_of(block_rule rule);

/// No bin of the deterministic algorithm holds more, if x elements are dealt out to p bins:
/// floor(x/p + (p-1)/2), for any x and p.
/// Errors: invalid_argument for p < 1.
/// Source: Bader, Helman and JaJa 1996, equations (4) and (5).
[[nodiscard]] constexpr std::uint64_t largest_bin(
    std::uint64_t elements, int processors,
    std::source_location where = std::source_location::current()) {
  detail::require_processors("largest_bin", processors, where);
  auto const p = static_cast<std::uint64_t>(processors);
  return elements / p + (elements % p + p * (p - 1) / 2) / p;
}

/// The largest bin that there can be if `elements` are dealt out to the bins, where one deck
/// (those for one destination in Step 2, those of one source in Step 4) has `deck` at most: decks
/// begin with different bins, so that the k-th of them to reach a bin needs k elements, and p for
/// each further element there. For deck >= elements it is floor(x/p + (p-1)/2) unless x < p(p-1)/2,
/// then floor((sqrt(8x+1)-1)/2).
/// Errors: invalid_argument for p < 1.
/// Source: lockstep, of Bader, Helman and JaJa 1996, equations (1) to (5).
[[nodiscard]] std::uint64_t exact_largest_bin(
    std::uint64_t elements, std::uint64_t deck, int processors,
    std::source_location where = std::source_location::current());

/// A row n_ij, j = 0 .. p-1, of that many elements of processor `rank` in Step 1 for which its bin
/// 0 reaches the largest size that there can be.
/// Errors: invalid_argument for p < 1 or p > 2^25.
/// Source: lockstep; Bader, Helman and JaJa 1996, equation (3).
[[nodiscard]] std::vector<std::uint64_t> tight_row(
    int rank, std::uint64_t elements, int processors,
    std::source_location where = std::source_location::current());

/// Slots of an element's size in the blocks of the two phases; 0 with real sizes.
struct block_sizes {
  std::uint64_t out = 0;      ///< b1, of Step 2
  std::uint64_t through = 0;  ///< b2, of Step 4
};

/// The blocks in which an h-relation of these limits goes.
/// Errors: invalid_argument for p < 1, and where a size passes 64 bits.
/// Source: Bader, Helman and JaJa 1996, section 3 (text) and Appendix B, 3 and 5; the others are
/// lockstep's.
[[nodiscard]] block_sizes blocks_of(block_rule rule, h_limits const& limits, int processors,
                                    std::source_location where = std::source_location::current());

/// Whether the first slot of a block holds the number of its elements.
[[nodiscard]] bool has_number_slot(block_rule rule);

/// Elements for which there is room in that many slots.
[[nodiscard]] std::uint64_t room_in(block_rule rule, std::uint64_t slots);

}  // namespace lockstep
