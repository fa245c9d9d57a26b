#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include <lockstep/algorithms/collectives/pieces.hpp>
#include <lockstep/detail/debug_containers.hpp>

namespace lockstep::detail {

/// The places of the blocks of all processors in a vector, one after another, where each has as many
/// elements. `pieces` is another such layout.
class equal_blocks {
 public:
  explicit equal_blocks(std::size_t elements) : m_elements(elements) {}
  [[nodiscard]] std::size_t before(int block) const {
    return static_cast<std::size_t>(block) * m_elements;
  }

 private:
  std::size_t m_elements;
};

/// The same where sizes are listed, one for each processor.
class listed_blocks {
 public:
  explicit listed_blocks(std::span<std::size_t const> sizes) : m_before(sizes.size() + 1) {
    for (std::size_t i = 0; i < sizes.size(); ++i) m_before[i + 1] = m_before[i] + sizes[i];
  }
  [[nodiscard]] std::size_t before(int block) const {
    return m_before[static_cast<std::size_t>(block)];
  }

 private:
  std::vector<std::size_t> m_before;
};

/// Counts the elements of blocks [first, last) of a layout.
template <class Layout>
[[nodiscard]] std::size_t elements_of_blocks(Layout const& of, int first, int last) {
  return of.before(last) - of.before(first);
}

/// The elements of blocks [first, last).
template <class T, class Layout>
[[nodiscard]] std::span<T> blocks_in(std::span<T> all, Layout const& of, int first, int last) {
  return all.subspan(of.before(first), elements_of_blocks(of, first, last));
}

}  // namespace lockstep::detail
