#pragma once

#include <cstdint>

#include <lockstep/claim_list.hpp>

namespace lockstep {

/// Begins the claims of an algorithm whose messages are `monotone_sends` of at most ceil(n/p) words
/// to or from a processor.
[[nodiscard]] claim_list monotone_claims(int p, std::uint64_t n, std::uint64_t q);

}  // namespace lockstep
