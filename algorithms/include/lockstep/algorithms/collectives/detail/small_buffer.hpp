#pragma once

#include <algorithm>
#include <cstddef>
#include <span>
#include <vector>

#include <lockstep/payload.hpp>

namespace lockstep::detail {

/// Elements that are received; one alone takes no memory of its own.
template <payload_element T>
class small_buffer {
 public:
  explicit small_buffer(std::size_t elements) : m_elements(elements) {
    if (elements > 1) m_many.resize(elements);
  }
  /// A copy of these.
  explicit small_buffer(std::span<T const> of) : small_buffer(of.size()) {
    std::ranges::copy(of, all().begin());
  }

  [[nodiscard]] std::span<T> all() {
    return m_elements > 1 ? std::span<T>(m_many) : std::span<T>(&m_one, m_elements);
  }

 private:
  std::size_t m_elements;
  T m_one{};
  std::vector<T> m_many;
};

}  // namespace lockstep::detail
