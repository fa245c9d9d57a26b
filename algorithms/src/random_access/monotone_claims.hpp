#pragma once

#include <cstdint>
#include <string>

#include <lockstep/claim_list.hpp>

namespace lockstep {

/// Begins the claims of an algorithm whose messages are `monotone_sends` of at most ceil(n/p) words
/// to or from a processor. `source`: of its start-ups and of these words.
[[nodiscard]] claim_list monotone_claims(
    int p, std::uint64_t n, std::uint64_t q,
    std::string const& source = "Shankar and Ranka 1997, section 6");

/// Start-ups of one that makes five scans and all-gathers.
inline constexpr char const* startups_with_five_scans = "q + 5 ceil(log2 p)";

}  // namespace lockstep
