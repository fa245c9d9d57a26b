#pragma once

#include <algorithm>
#include <cstddef>
#include <span>
#include <utility>
#include <vector>

#include <lockstep/payload.hpp>

namespace lockstep::detail {

/// Sums of many blocks, element by element, in the order in which they are added. An operator needs
/// no identity for that.
template <payload_element T>
class element_sums {
 public:
  explicit element_sums(std::size_t elements) { m_sums.reserve(elements); }

  /// Summands of the first elements.
  template <class Operator>
  void add(Operator const& plus, std::span<T const> summands) {
    auto const old = std::min(m_sums.size(), summands.size());
    for (std::size_t i = 0; i < old; ++i) m_sums[i] = plus(m_sums[i], summands[i]);
    m_sums.insert(m_sums.end(), summands.begin() + static_cast<std::ptrdiff_t>(old),
                  summands.end());
  }

  [[nodiscard]] std::vector<T> const& sums() const& { return m_sums; }
  [[nodiscard]] std::vector<T> sums() && { return std::move(m_sums); }

 private:
  std::vector<T> m_sums;
};

}  // namespace lockstep::detail
