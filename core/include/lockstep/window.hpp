#pragma once

#include <concepts>
#include <cstddef>
#include <ranges>
#include <source_location>
#include <span>
#include <type_traits>
#include <vector>

#include <lockstep/payload.hpp>
#include <lockstep/processor.hpp>

namespace lockstep {

/// Memory of a processor that its one-sided rounds give to others, named once: `processor::window`
/// makes it. Its calls are those of `processor`, with that memory as `mine`: each takes part in a round,
/// collective with the calls of all that meet in it (counting rule 10). T is const where others may
/// only read. Valid as long as the memory, in the call of the processor's program; it may outlive the
/// subset through which it was made.
template <class T>
class window {
 public:
  using element = std::remove_const_t<T>;

  window(processor& of, std::span<T> memory) : m_processor(of.same()), m_memory(memory) {}
  window(window const&) = delete;
  window& operator=(window const&) = delete;

  /// Reads `count` elements of `owner`'s memory, from element `offset` on.
  /// Errors, cost: those of `processor::read`.
  [[nodiscard]] std::vector<element> read(
      int owner, std::size_t offset, std::size_t count,
      std::source_location where = std::source_location::current()) const {
    return m_processor.read(owner, offset, count, m_memory, where);
  }
  /// Reads one element. Errors, cost: the same.
  [[nodiscard]] element read(int owner, std::size_t offset,
                             std::source_location where = std::source_location::current()) const {
    auto const values = m_processor.read(owner, offset, 1, m_memory, where);
    return values.empty() ? element() : values.front();  // empty while an exception unwinds it
  }

  /// Writes a range of values, or one, to `owner`'s memory, from element `offset` on.
  /// Errors, cost: those of `processor::write`.
  template <payload_range Values>
    requires std::is_same_v<std::ranges::range_value_t<Values>, element>
  void write(int owner, std::size_t offset, Values const& values,
             std::source_location where = std::source_location::current()) const
    requires(!std::is_const_v<T>)
  {
    m_processor.write(owner, offset, values, m_memory, where);
  }
  template <std::same_as<element> Value>
  void write(int owner, std::size_t offset, Value const& value,
             std::source_location where = std::source_location::current()) const
    requires(!std::is_const_v<T>)
  {
    m_processor.write(owner, offset, std::span<element const>(&value, 1), m_memory, where);
  }

  /// Takes part in a round without asking for anything.
  /// Errors, cost: those of `processor::serve`.
  void sync(std::source_location where = std::source_location::current()) const {
    m_processor.serve(m_memory, where);
  }

  [[nodiscard]] std::span<T> memory() const { return m_memory; }

 private:
  mutable processor m_processor;  ///< whose calls change the machine, not the window
  std::span<T> m_memory;
};

template <payload_range Memory>
  requires std::is_lvalue_reference_v<Memory> || std::ranges::borrowed_range<Memory>
[[nodiscard]] auto processor::window(Memory&& memory) {
  using element = std::remove_reference_t<std::ranges::range_reference_t<Memory>>;
  return lockstep::window<element>(*this, std::span<element>(memory));
}

}  // namespace lockstep
