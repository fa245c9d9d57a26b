#pragma once

#include <array>
#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <source_location>
#include <string>

#include <lockstep/errors.hpp>

namespace lockstep::detail {

/// Whether two lines are one place of the program's text, as the compiler has written it down.
[[nodiscard]] inline bool same_line(std::source_location left, std::source_location right) {
  static_assert(sizeof(std::source_location) == sizeof(std::uintptr_t));
  return std::bit_cast<std::uintptr_t>(left) == std::bit_cast<std::uintptr_t>(right);
}

/// The call of a program by which a processor is in a library.
struct library_entry {
  std::source_location program;    ///< the call
  std::source_location algorithm;  ///< the function that it calls

  [[nodiscard]] bool is(library_entry const& other) const {
    return same_line(program, other.program) && same_line(algorithm, other.algorithm);
  }
};

/// A call of a processor that stands in a library, which a program has called (`library_call`).
struct place_inside {
  library_entry entry;
  std::source_location call;  ///< the processor's call
  place_inside const* next;

  /// Whether it is that call of a processor.
  [[nodiscard]] bool is_call(std::source_location where) const { return same_line(call, where); }
  /// Whether it is that call, in a library that was entered so.
  [[nodiscard]] bool is(library_entry const& entered, std::source_location where) const {
    return is_call(where) && entry.is(entered);
  }
};

/// The place of a processor's call: a line of the program, or one of a library that the program
/// calls, and then that line of the program as well. It takes no more than a source_location, which
/// is a pointer to what the compiler has written down: the lowest bit says which of the two it is.
class call_place {
 public:
  call_place() = default;
  // NOLINTNEXTLINE(google-explicit-constructor): a line is a place
  call_place(std::source_location where) : m_bits(std::bit_cast<std::uintptr_t>(where)) {}
  explicit call_place(place_inside const& place)
      : m_bits(reinterpret_cast<std::uintptr_t>(&place) | inside_bit) {}

  /// Whether it is that call of a processor, in a library.
  [[nodiscard]] bool is_call(std::source_location call) const {
    auto const* const inside = place();
    return inside != nullptr && inside->is_call(call);
  }
  /// Whether it is in a library.
  [[nodiscard]] bool is_inside() const { return (m_bits & inside_bit) != 0; }
  /// The line of the program.
  [[nodiscard]] std::source_location in_program() const {
    auto const* const inside = place();
    return inside == nullptr ? std::bit_cast<std::source_location>(m_bits) : inside->entry.program;
  }
  /// Gives where it is kept: the bits of a source_location may be written there.
  [[nodiscard]] std::uintptr_t* bits() { return &m_bits; }
  /// The place inside the library, where it is in one.
  [[nodiscard]] std::optional<library_place> in_library() const;

 private:
  static constexpr std::uintptr_t inside_bit = 1;
  static_assert(alignof(place_inside) > inside_bit);

  [[nodiscard]] place_inside const* place() const {
    if (!is_inside()) return nullptr;
    return reinterpret_cast<place_inside const*>(m_bits & ~inside_bit);
  }

  std::uintptr_t m_bits = 0;
};

/// Writes "FILE:LINE", and in brackets the place inside a library.
[[nodiscard]] std::string place_text(call_place const& where);

/// The places inside libraries that a run has come to, each once: there are no more than the
/// program's text has. Anybody may ask at any time, and nobody waits.
class places_inside {
 public:
  places_inside() = default;
  places_inside(places_inside const&) = delete;
  places_inside& operator=(places_inside const&) = delete;
  ~places_inside();

  /// Finds the place of a call in a library; nullptr without memory for a new one.
  [[nodiscard]] place_inside const* find(library_entry const& entry,
                                         std::source_location call) noexcept {
    auto& list = list_of(entry, call);
    auto const* const first = list.load(std::memory_order_acquire);
    if (first != nullptr && first->is(entry, call)) [[likely]]
      return first;
    return find_among_others(list, first, entry, call);
  }

 private:
  using list_of_places = std::atomic<place_inside const*>;

  [[nodiscard]] list_of_places& list_of(library_entry const& entry, std::source_location call) {
    // What lies apart in memory is some multiple of 32 bytes.
    auto const bits = [](std::source_location line) { return std::bit_cast<std::uintptr_t>(line); };
    return m_first[((bits(call) >> 5) ^ (bits(entry.program) >> 9)) % lists];
  }
  /// Finds the place behind the first of its list, or adds it.
  [[nodiscard]] static place_inside const* find_among_others(list_of_places& list,
                                                             place_inside const* first,
                                                             library_entry const& entry,
                                                             std::source_location call) noexcept;

  static constexpr std::size_t lists = 256;
  std::array<list_of_places, lists> m_first{};
};

/// Gives a place in a library; without one the line of the program that called it.
[[nodiscard]] inline call_place place_in(library_entry const& entry, place_inside const* place) {
  return place != nullptr ? call_place(*place) : entry.program;
}

}  // namespace lockstep::detail
