#include "claimed_price.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <string>
#include <string_view>

#include "sweep_report.hpp"

namespace lockstep::cli {

bool set_count(counts& of, std::string_view name, double value) {
  constexpr double end = 0x1p63;
  if (!(value >= 0 && value < end)) return false;
  struct named_count {
    std::string_view name;
    std::uint64_t counts::*count;
  };
  constexpr std::array all{named_count{"steps", &counts::steps},
                           named_count{"rounds", &counts::rounds},
                           named_count{"startups", &counts::startups},
                           named_count{"words", &counts::words},
                           named_count{"hops", &counts::hops},
                           named_count{"barriers", &counts::barriers},
                           named_count{"rearranged", &counts::rearranged},
                           named_count{"work", &counts::work}};
  auto const found = std::ranges::find(all, name, &named_count::name);
  if (found != all.end()) of.*(found->count) = static_cast<std::uint64_t>(std::llround(value));
  return true;
}

std::optional<double> price_of_claims(nlohmann::ordered_json const& row, counts const& counted,
                                      chosen_model const& model, int processors) {
  auto claimed = counted;
  bool const is_step_by_step = claimed.steps == claimed.startups;
  auto const startups = claim_in(row, "startups");
  auto const steps = claim_in(row, "steps");
  if (!claim_in(row, "words") || !(startups || (steps && is_step_by_step))) return std::nullopt;
  bool are_counts = true;
  for_each_figure(counted, [&](std::string_view name, std::uint64_t) {
    if (auto const claim = claim_in(row, std::string(name)))
      are_counts = set_count(claimed, name, claim->value) && are_counts;
  });
  if (!are_counts) return std::nullopt;
  if (!startups) claimed.startups = claimed.steps;
  return model.time(claimed, processors);
}

}  // namespace lockstep::cli
