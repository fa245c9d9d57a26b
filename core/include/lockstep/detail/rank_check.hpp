#pragma once

namespace lockstep {
class topology;
}

namespace lockstep::detail {

/// Errors: invalid_rank, always: says that `network` has no processor of that rank.
[[noreturn]] void throw_no_such_rank(topology const& network, int rank);

/// Whether 0 <= rank < size, in one comparison.
[[nodiscard]] constexpr bool has_rank(int size, int rank) noexcept {
  return static_cast<unsigned>(rank) < static_cast<unsigned>(size);
}

/// Errors: invalid_rank unless 0 <= rank < size, where `size` is that of `network`.
inline void check_rank(topology const& network, int size, int rank) {
  if (!has_rank(size, rank)) [[unlikely]]
    throw_no_such_rank(network, rank);
}

/// Errors: invalid_argument, always: says that `network` has no link of that number.
[[noreturn]] void throw_no_such_link(topology const& network, long long number);

}  // namespace lockstep::detail
