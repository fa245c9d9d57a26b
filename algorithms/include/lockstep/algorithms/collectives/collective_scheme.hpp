#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include <lockstep/algorithms/collectives/access.hpp>

namespace lockstep {

/// How a block goes from one processor to all, or the sum of all blocks to one or all.
enum class collective_scheme : std::uint8_t {
  transpose,  ///< cut into p pieces: one phase that deals them out, one that brings them together
  direct,     ///< whole, from or to each other processor, in one phase
  k_ary       ///< one element by a k-ary tree; more in pieces, ceil(log_k p) phases there and back
};

inline constexpr std::array all_collective_schemes{
    collective_scheme::transpose, collective_scheme::direct, collective_scheme::k_ary};

/// "transpose", "direct", "k-ary".
[[nodiscard]] std::string_view name_of(collective_scheme scheme);

/// How `broadcast`, `reduce` and `all_reduce` go about it. All processors say the same.
struct collective_options {
  collective_scheme scheme = collective_scheme::transpose;
  int k = 2;     ///< of the scheme k_ary: `tree_arity(tau, m)` is the paper's
  int root = 0;  ///< of `broadcast` and `reduce`
  access how = access::messages;
};

}  // namespace lockstep
