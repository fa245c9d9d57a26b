#pragma once

#include <algorithm>
#include <cstddef>
#include <span>
#include <vector>

#include <lockstep/payload.hpp>

namespace lockstep::detail {

/// Elements that are received; one alone takes no memory of its own. `Extent`: their number, where the
/// compiler knows it.
template <payload_element T, std::size_t Extent = std::dynamic_extent>
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

template <payload_element T>
class small_buffer<T, 1> {
 public:
  explicit small_buffer(std::size_t /*elements*/) {}
  explicit small_buffer(std::span<T const, 1> of) : m_one(of.front()) {}

  [[nodiscard]] std::span<T, 1> all() { return std::span<T, 1>(&m_one, 1); }

 private:
  T m_one{};
};

/// Elements on which a processor works: one alone in a copy, others where they are.
template <payload_element T, std::size_t Extent>
class working_copy {
 public:
  explicit working_copy(std::span<T, Extent> of) : m_all(of) {}
  [[nodiscard]] std::span<T, Extent> all() { return m_all; }
  void put_back(std::span<T, Extent> /*of*/) const {}

 private:
  std::span<T, Extent> m_all;
};

template <payload_element T>
class working_copy<T, 1> {
 public:
  explicit working_copy(std::span<T const, 1> of) : m_one(of.front()) {}
  [[nodiscard]] std::span<T, 1> all() { return std::span<T, 1>(&m_one, 1); }
  void put_back(std::span<T, 1> of) const { of.front() = m_one; }

 private:
  T m_one;
};

}  // namespace lockstep::detail
