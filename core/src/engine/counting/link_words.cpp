#include "engine/counting/link_words.hpp"

#include <algorithm>

namespace lockstep::detail {

void link_words::add(std::span<link_number const> links, std::uint64_t words,
                     std::size_t links_of_network) {
  if (words == 0) return;
  m_words.resize(links_of_network);
  for (auto const number : links) {
    auto const link = static_cast<std::size_t>(number);
    if (m_words[link] == 0) m_used.push_back(link);
    m_words[link] += words;
  }
}

std::uint64_t link_words::take_most() {
  std::uint64_t most = 0;
  take_all([&](std::size_t, std::uint64_t words) { most = std::max(most, words); });
  return most;
}

}  // namespace lockstep::detail
