#pragma once

#include <lockstep/topology.hpp>

namespace lockstep::detail {

/// A place in a picture of several dimensions: they take turns in going right and down, and each
/// steps over the block that those before it take up.
class block_layout {
 public:
  /// The distance between neighbours along the first dimension to the right, and the first down.
  block_layout(double width, double height) : m_stride{width, height} {}

  /// Moves along the next dimension, to `coordinate` of 0 to size - 1.
  void move(double coordinate, double size) {
    auto& stride = m_down ? m_stride.y : m_stride.x;
    (m_down ? m_at.y : m_at.x) += (m_down ? -coordinate : coordinate) * stride;
    stride = stride * size + between_blocks;
    m_down = !m_down;
  }
  [[nodiscard]] layout_point at() const { return m_at; }

 private:
  static constexpr double between_blocks = 0.6;
  layout_point m_at{};
  layout_point m_stride;
  bool m_down = false;
};

}  // namespace lockstep::detail
