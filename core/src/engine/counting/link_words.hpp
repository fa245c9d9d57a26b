#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include <lockstep/topology.hpp>

namespace lockstep::detail {

/// The words that messages bring over each directed link.
class link_words {
 public:
  /// Adds words on each of these links.
  void add(std::span<link_number const> links, std::uint64_t words, std::size_t links_of_network);
  /// Finds the most on any link, and forgets all.
  [[nodiscard]] std::uint64_t take_most();
  /// Calls visit(link, words) for each link with words, and forgets all.
  template <class Visitor>
  void take_all(Visitor const& visit) {
    for (auto const link : m_used) visit(link, std::exchange(m_words[link], 0));
    m_used.clear();
  }

 private:
  std::vector<std::uint64_t> m_words;  ///< by link
  std::vector<std::size_t> m_used;     ///< links with words
};

}  // namespace lockstep::detail
