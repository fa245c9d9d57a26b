#include <lockstep/algorithms/exchange/exchange_orders.hpp>

#include <algorithm>
#include <map>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <lockstep/errors.hpp>

namespace lockstep {

std::vector<exchange_send> sends_of(exchange_schedule const& schedule,
                                    exchange_schedule::coordinates const& at) {
  std::vector<exchange_send> sends;
  int part = 0;
  auto const& phases = schedule.phases();
  for (std::size_t phase = 0; phase < phases.size(); ++phase) {
    bool const in_rings = phases[phase].in_rings;
    int const steps = in_rings ? schedule.ring_length(schedule.way(at, {phase, 1}).dimension) - 1
                               : phases[phase].steps;
    for (int step = 1; step <= steps; ++step)
      sends.push_back({{phase, step}, in_rings ? part : part++});
    if (in_rings) ++part;
  }
  return sends;
}

bool one_order_serves(std::span<exchange_send const> sends) {
  std::map<int, int> sends_of_part;
  for (auto const& send : sends) ++sends_of_part[send.part];
  if (sends_of_part.size() < 2) return true;
  if (sends_of_part.size() > 2) return false;
  return std::min(sends_of_part.begin()->second, sends_of_part.rbegin()->second) == 1;
}

std::vector<send_range> fewest_orders(std::span<exchange_send const> sends) {
  std::vector<send_range> ranges;
  for (auto end = sends.size(); end > 0;) {
    auto first = end - 1;
    while (first > 0 && one_order_serves(sends.subspan(first - 1, end - first + 1))) --first;
    ranges.push_back({first, end - 1});
    end = first;
  }
  std::ranges::reverse(ranges);
  return ranges;
}

order_certificate fewest_rearrangements(exchange_schedule const& schedule,
                                        std::source_location where) {
  auto const& choice = schedule.choice();
  if (schedule.has_virtual_nodes() || !choice.groups.empty() ||
      choice.scheme == exchange_scheme::stride_2)
    throw invalid_argument(
        "the fewest rearrangements are known for the paper's sizes, in one group: multiples of "
        "four on a "
        "torus, even ones on a mesh, of two dimensions or more; for example torus:8x8x8 or "
        "mesh:6x6",
        where);
  order_certificate most;
  auto const classes = std::size_t{1} << static_cast<unsigned>(schedule.dimensions());
  for (std::size_t parities = 0; parities < classes; ++parities) {
    exchange_schedule::coordinates at{};
    for (int a = 0; a < schedule.dimensions(); ++a)
      at[static_cast<std::size_t>(a)] = (parities >> static_cast<unsigned>(a)) & 1U ? 1 : 0;
    auto sends = sends_of(schedule, at);
    auto const ranges = fewest_orders(sends);
    if (parities > 0 && ranges.size() <= most.ranges.size() + 1) continue;
    most = {at, std::move(sends), {}};
    for (std::size_t i = 1; i < ranges.size(); ++i)
      most.ranges.push_back({ranges[i].first - 1, ranges[i].last});
  }
  return most;
}

std::string text_of(order_certificate const& certificate, exchange_schedule const& schedule) {
  if (certificate.ranges.empty()) return "0 at least";
  std::vector<std::string> ranges;
  ranges.reserve(certificate.ranges.size());
  for (auto const& [first, last] : certificate.ranges)
    ranges.push_back(fmt::format("{} to {}", first + 1, last + 1));
  auto const at = std::span(certificate.at).first(static_cast<std::size_t>(schedule.dimensions()));
  return fmt::format(
      "{} at least, with messages stored as they come: no order serves sends {} of node ({})",
      certificate.ranges.size(), fmt::join(ranges, ", "), fmt::join(at, ", "));
}

}  // namespace lockstep
