#pragma once

#include <cstddef>
#include <functional>

namespace lockstep::detail {

/// Runs `run(piece)` for each piece 0, 1, ..., pieces - 1, begun in this order, and some of them side by side:
/// `members` at a time, 0 for as many as the computer has cores, which a TBB arena of that many threads does.
/// With one member they run one after the other, on the caller's thread. The caller's board of progress has a
/// stage "running", in which each piece counts one, and nothing of what pieces note; its request to stop is
/// heeded. Errors: the first that a piece throws; after it no more begin, and those that have begun come to their end.
void run_side_by_side(std::size_t pieces, int members, std::function<void(std::size_t)> const& run);

/// The number of pieces at a time for that request: of cores for 0.
[[nodiscard]] int members_for(int asked);

/// The workers of a machine in a piece, where `asked` are asked for: one instead of 0, as many as there are
/// cores, if pieces run side by side, for these take the cores.
[[nodiscard]] int workers_beside(int members, int asked);

}  // namespace lockstep::detail
