#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace lockstep {

/// The fields of a column, each as it stands in a file, byte for byte.
class field_texts {
 public:
  void append(std::string_view field) {
    m_text += field;
    m_ends.push_back(m_text.size());
  }
  [[nodiscard]] std::size_t size() const { return m_ends.size(); }
  [[nodiscard]] std::string_view operator[](std::size_t row) const {
    auto const begin = row == 0 ? 0 : m_ends[row - 1];
    return std::string_view(m_text).substr(begin, m_ends[row] - begin);
  }
  /// Computes the bytes that one more field of that size takes, where the memory held has to grow.
  [[nodiscard]] std::size_t bytes_to_grow(std::size_t field_size) const {
    auto const text = m_text.size() + field_size > m_text.capacity() ? 2 * m_text.capacity() : 0;
    auto const ends = m_ends.size() == m_ends.capacity() ? 2 * m_ends.capacity() : 0;
    return text + ends * sizeof(std::uint64_t);
  }

 private:
  std::string m_text;
  std::vector<std::uint64_t> m_ends;
};

}  // namespace lockstep
