// Processors that share memory: a slot for each, and a barrier of all.
#pragma once

#include <cstddef>
#include <cstring>
#include <span>
#include <vector>

#include "measurement.hpp"

namespace peers {

/// A slot for each processor, twice, so that one barrier a step is enough.
class shared_slots {
 public:
  explicit shared_slots(request const& asked)
      : m_stride(stride_of(asked)),
        m_words(2 * static_cast<std::size_t>(asked.processors) * m_stride) {}

  [[nodiscard]] word* slot(std::size_t turn, int processor) {
    auto const half = m_words.size() / 2;
    return m_words.data() + turn * half + static_cast<std::size_t>(processor) * m_stride;
  }

 private:
  /// The longest message, and no two slots in one cache line.
  [[nodiscard]] static std::size_t stride_of(request const& asked) {
    int const longest = asked.workload == "exchange" ? asked.processors : asked.words;
    return (static_cast<std::size_t>(longest) + 7) / 8 * 8;
  }

  std::size_t m_stride;
  std::vector<word> m_words;
};

/// One of them. An exchange writes into the receiver's slot, waits for all, and reads its own.
/// `Wait` is the rival's barrier.
template <class Wait>
class slot_processor {
 public:
  static constexpr bool exchange_is_barrier = true;

  slot_processor(int rank, int size, shared_slots& slots, Wait& wait)
      : m_rank(rank), m_size(size), m_slots(slots), m_wait(wait) {}

  [[nodiscard]] int rank() const { return m_rank; }
  [[nodiscard]] int size() const { return m_size; }
  void barrier() { m_wait(); }

  void exchange(int to, std::span<word const> out, std::span<word> in, int /*from*/) {
    std::memcpy(m_slots.slot(m_turn, to), out.data(), out.size_bytes());
    m_wait();
    std::memcpy(in.data(), m_slots.slot(m_turn, m_rank), in.size_bytes());
    m_turn = 1 - m_turn;
  }

 private:
  int m_rank;
  int m_size;
  shared_slots& m_slots;
  Wait& m_wait;
  std::size_t m_turn = 0;
};

}  // namespace peers
