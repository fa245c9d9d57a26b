#include "report/bound_drawing.hpp"

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include <lockstep/topology.hpp>

namespace lockstep::cli {

namespace {

using nlohmann::ordered_json;

constexpr int most_searched = 1'024;  // processors, whose pairs are a million

/// Finds the processor with most words in or out.
int busiest(run_record const& run, std::uint64_t processor_record::*words) {
  auto const& all = run.processors();
  return static_cast<int>(std::ranges::max_element(all, {}, words) - all.begin());
}

/// Finds the processor that the bound names, if it names one: 5 of "12 words into processor 5".
std::optional<int> named_processor(lower_bound const& bound) {
  constexpr std::string_view before = "into processor ";
  auto const at = bound.formula.find(before);
  if (at == std::string::npos) return std::nullopt;
  auto const* const first = bound.formula.data() + at + before.size();
  int rank = 0;
  auto const read = std::from_chars(first, bound.formula.data() + bound.formula.size(), rank);
  return read.ec == std::errc() ? std::optional(rank) : std::nullopt;
}

/// Finds two processors at that distance, and the way between them.
ordered_json path_of(topology const& network, std::uint64_t distance) {
  if (network.size() > most_searched) return nullptr;
  for (int from = 0; from < network.size(); ++from)
    for (int to = 0; to < network.size(); ++to) {
      if (from == to || static_cast<std::uint64_t>(network.hops(from, to)) != distance) continue;
      auto ranks = network.route(from, to);
      ranks.insert(ranks.begin(), from);
      return {{"kind", "path"}, {"ranks", ranks}};
    }
  return nullptr;
}

/// Counts the links from one side to the other.
std::int64_t crossing(topology const& network, std::vector<bool> const& side) {
  std::int64_t links = 0;
  for (int from = 0; from < network.size(); ++from)
    for (auto const& to : network.neighbours(from))
      if (side[static_cast<std::size_t>(from)] && !side[static_cast<std::size_t>(to.rank)]) ++links;
  return links;
}

/// Marks the first half of the processors, in the order of their coordinate `which`, or of their
/// ranks where it is -1.
std::vector<bool> first_half(topology const& network, int which) {
  auto const p = static_cast<std::size_t>(network.size());
  std::vector<std::pair<int, int>> order;
  order.reserve(p);
  for (int rank = 0; rank < network.size(); ++rank)
    order.emplace_back(
        which < 0 ? rank : network.coordinates(rank)[static_cast<std::size_t>(which)], rank);
  std::ranges::sort(order);
  std::vector<bool> side(p);
  for (std::size_t at = 0; at < p / 2; ++at)
    side[static_cast<std::size_t>(order[at].second)] = true;
  return side;
}

/// Finds halves with as few links between them as there can be.
ordered_json cut_of(topology const& network) {
  auto const width = network.bisection_width();
  if (!width || network.size() > most_searched) return nullptr;
  auto const axes = static_cast<int>(network.coordinates(0).size());
  for (int which = -1; which < axes; ++which) {
    auto const side = first_half(network, which);
    if (crossing(network, side) != *width) continue;
    std::vector<int> ranks;
    for (int rank = 0; rank < network.size(); ++rank)
      if (side[static_cast<std::size_t>(rank)]) ranks.push_back(rank);
    return {{"kind", "cut"}, {"side", ranks}};
  }
  return nullptr;
}

}  // namespace

ordered_json drawing_of(lower_bound const& bound, run_record const& run) {
  if (run.network() == nullptr || run.processors().empty()) return nullptr;
  switch (bound.reason) {
    case bound_reason::distance:
      return path_of(*run.network(), bound.value);
    case bound_reason::in_port:
      if (bound.formula.find(" through ") != std::string::npos)
        return nullptr;  // of many processors
      if (auto const named = named_processor(bound)) return {{"kind", "port"}, {"rank", *named}};
      return {{"kind", "port"}, {"rank", busiest(run, &processor_record::words_received)}};
    case bound_reason::out_port:
      return {
          {"kind", "port"}, {"rank", busiest(run, &processor_record::words_sent)}, {"out", true}};
    case bound_reason::halves:
      return cut_of(*run.network());
    case bound_reason::spreading:
    case bound_reason::links:
    case bound_reason::moved:
      break;
  }
  return nullptr;
}

}  // namespace lockstep::cli
