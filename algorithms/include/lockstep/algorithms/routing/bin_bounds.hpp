#pragma once

#include <cstdint>
#include <string_view>

namespace lockstep {

/// What an h-relation is limited to: at most `sent` elements from any processor (h1), at most
/// `received` for any (h2).
struct h_limits {
  std::uint64_t sent = 0;
  std::uint64_t received = 0;
};

/// The sizes of the blocks in which the deterministic algorithm sends its bins.
enum class block_rule : std::uint8_t {
  real,     ///< as many elements as there are
  bound,    ///< floor(x/p + (p-1)/2) elements, and a slot for their number: every bin fits
  text,     ///< floor(x/p + p/2) elements, as in the paper's section 3; nothing for the number
  appendix  ///< as in the paper's Appendix B: a slot for the number in both, room for it in one
};

/// "real", "bound", "text", "appendix".
[[nodiscard]] std::string_view name_of(block_rule rule);

/// No bin of the deterministic algorithm holds more, if x elements are dealt out to p bins:
/// floor(x/p + (p-1)/2), for any x and p.
/// Source: Bader, Helman and JaJa 1996, equations (4) and (5).
[[nodiscard]] constexpr std::uint64_t largest_bin(std::uint64_t elements, int processors) {
  auto const p = static_cast<std::uint64_t>(processors);
  return (2 * elements + p * (p - 1)) / (2 * p);
}

}  // namespace lockstep
