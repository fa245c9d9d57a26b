#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
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

 private:
  std::vector<std::uint64_t> m_words;  ///< by link
  std::vector<std::size_t> m_used;     ///< links with words
};

}  // namespace lockstep::detail
