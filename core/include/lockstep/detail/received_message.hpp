#pragma once

#include <cstddef>
#include <utility>
#include <vector>

#include <lockstep/detail/debug_containers.hpp>

namespace lockstep::detail {

struct message;
struct processor_state;
class untyped_calls;

/// A message that was taken in, until its elements are copied or moved out.
class received_message {
 public:
  received_message() = default;
  received_message(processor_state& taker, message* taken) : m_taker(&taker), m_message(taken) {}
  received_message(received_message&& other) noexcept
      : m_taker(other.m_taker), m_message(std::exchange(other.m_message, nullptr)) {}
  received_message& operator=(received_message&&) = delete;
  ~received_message();

  /// Whether there is a message at all.
  [[nodiscard]] bool has_message() const { return m_message != nullptr; }

  /// The elements, moved out where the message carries a vector, copied otherwise.
  template <class T>
  [[nodiscard]] std::vector<T> to_vector() {
    if (m_message == nullptr) return {};
    if (void* vector = moved_vector()) return std::move(*static_cast<std::vector<T>*>(vector));
    auto const* first = reinterpret_cast<T const*>(data());
    return std::vector<T>(first, first + count());
  }

 private:
  friend class untyped_calls;
  [[nodiscard]] void* moved_vector() const;  ///< nullptr if the message holds a copy
  [[nodiscard]] std::byte const* data() const;
  [[nodiscard]] std::size_t count() const;

  processor_state* m_taker = nullptr;
  message* m_message = nullptr;
};

}  // namespace lockstep::detail
