#include "engine/counting/section.hpp"

#include <algorithm>

namespace lockstep::detail {

void section::open(std::size_t of_workers) {
  auto const size = static_cast<std::size_t>(members->size());
  workers = of_workers;
  received.assign(size, 0);
  sent.assign(workers, std::vector<std::uint64_t>(size, 0));
  sent_from_outside.resize(workers);
}

std::size_t section::bytes() const {
  return sizeof(section) +
         static_cast<std::size_t>(members->size()) * sizeof(std::uint64_t) * (1 + workers);
}

void section::count(std::size_t worker, int from, int to, std::uint64_t words) {
  if (words == 0 || received.empty()) return;
  if (auto const member = members->in_group(to); member >= 0)
    received[static_cast<std::size_t>(member)] += words;
  if (auto const member = members->in_group(from); member >= 0)
    sent[worker][static_cast<std::size_t>(member)] += words;
  else
    sent_from_outside[worker][from] += words;
}

std::uint64_t section::sent_by(std::size_t member) const {
  std::uint64_t total = 0;
  for (auto const& by_member : sent) total += by_member[member];
  return total;
}

void section::sum_up() {
  for (std::size_t member = 0; member < received.size(); ++member)
    port_words = std::max({port_words, received[member], sent_by(member)});
  received = {};
  sent = {};
}

}  // namespace lockstep::detail
