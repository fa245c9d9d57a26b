#pragma once

#include <array>
#include <cstddef>
#include <utility>
#include <vector>

#include <lockstep/detail/debug_containers.hpp>

namespace lockstep::detail {

/// Small buffers that were used and are used again: asking for memory anew takes as long as filling
/// them. Larger ones are given back, for keeping them would cost memory that others need.
template <class T>
class spare_buffers {
 public:
  /// Makes a buffer of that many elements, in one that is kept where it is large enough.
  [[nodiscard]] std::vector<T> take(std::size_t elements) {
    auto taken = take_empty(elements);
    taken.resize(elements);
    return taken;
  }
  /// Makes an empty buffer with room for that many.
  [[nodiscard]] std::vector<T> take_empty(std::size_t elements) {
    std::vector<T> taken;
    std::vector<T>* fitting = nullptr;  // the least that is large enough
    for (auto& each : m_kept)
      if (each.capacity() >= elements &&
          (fitting == nullptr || each.capacity() < fitting->capacity()))
        fitting = &each;
    if (fitting != nullptr) std::swap(taken, *fitting);
    taken.clear();
    taken.reserve(elements);
    return taken;
  }
  /// Keeps a buffer that nobody needs any more, or gives its memory back.
  void keep(std::vector<T> unused) {
    auto const bytes = unused.capacity() * sizeof(T);
    if (bytes == 0 || bytes > most_bytes) return;
    for (auto& each : m_kept)
      if (each.capacity() < unused.capacity()) std::swap(each, unused);
  }

 private:
  static constexpr std::size_t most_bytes = std::size_t{2} << 10;

  std::array<std::vector<T>, 4> m_kept;
};

}  // namespace lockstep::detail
