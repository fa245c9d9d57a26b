#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <fmt/format.h>

namespace lockstep {

/// Says why `auto` chose what it did. `prices`: the cheapest first. `what`: the member that a price
/// is of.
template <class Price, class What>
[[nodiscard]] std::string reason_for(std::vector<Price> const& prices, What Price::*what,
                                     std::uint64_t startup_words) {
  std::string reason;
  for (auto const& price : prices)
    reason +=
        fmt::format("{}: {} start-ups and {} words at most, {} in words; ", name_of(price.*what),
                    price.startups, price.words, price.in_words(startup_words));
  return reason + "all besides the choice";
}

}  // namespace lockstep
