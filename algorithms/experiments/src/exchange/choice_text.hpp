#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <lockstep/algorithms/exchange/exchange_schedule.hpp>

namespace lockstep {

/// "paper", "virtual" or "stride-2".
[[nodiscard]] std::string_view name_of(exchange_scheme scheme);

/// Groups of dimensions by their sizes: "4x4,8x8".
[[nodiscard]] std::string text_of(std::vector<std::vector<int>> const& groups,
                                  std::vector<int> const& sizes);

/// The dimensions that "4x4,8x8" means; of dimensions of one size the first that is left.
/// Errors: invalid_argument for a text that does not hold each dimension of these sizes once.
[[nodiscard]] std::vector<std::vector<int>> groups_in(std::string_view text,
                                                      std::vector<int> const& sizes);

}  // namespace lockstep
