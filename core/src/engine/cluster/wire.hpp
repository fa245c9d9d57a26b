#pragma once

#include <cstddef>
#include <cstring>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include <lockstep/cluster.hpp>
#include <lockstep/detail/gathered.hpp>
#include <lockstep/errors.hpp>

namespace lockstep::detail {

/// Writes values one after another, as the processes of a cluster send them to each other.
class byte_writer {
 public:
  template <class Value>
    requires std::is_trivially_copyable_v<Value>
  void put(Value const& value) {
    put_bytes(&value, sizeof(value));
  }
  void put_bytes(void const* from, std::size_t size) { append_bytes(m_bytes, from, size); }
  void put_text(std::string_view text) {
    put(text.size());
    put_bytes(text.data(), text.size());
  }
  template <class Value>
    requires std::is_trivially_copyable_v<Value>
  void put_all(std::span<Value const> values) {
    put(values.size());
    put_bytes(values.data(), values.size_bytes());
  }

  [[nodiscard]] bool empty() const { return m_bytes.empty(); }
  [[nodiscard]] cluster::bytes take() { return std::exchange(m_bytes, {}); }

 private:
  cluster::bytes m_bytes;
};

/// Reads them in the same order. Errors: process_lost after the last.
class byte_reader {
 public:
  byte_reader() = default;
  explicit byte_reader(std::span<std::byte const> from) : m_left(from) {}

  template <class Value>
    requires std::is_trivially_copyable_v<Value>
  [[nodiscard]] Value get() {
    Value value{};
    std::memcpy(&value, get_bytes(sizeof(Value)), sizeof(Value));
    return value;
  }
  [[nodiscard]] std::byte const* get_bytes(std::size_t size) {
    if (size > m_left.size())
      throw process_lost(
          "a process of the cluster sent less than it said: do all run the same executable?");
    auto const* const first = m_left.data();
    m_left = m_left.subspan(size);
    return first;
  }
  [[nodiscard]] std::string get_text() {
    auto const size = get<std::size_t>();
    return {reinterpret_cast<char const*>(get_bytes(size)), size};
  }
  template <class Value>
    requires std::is_trivially_copyable_v<Value>
  [[nodiscard]] std::vector<Value> get_all() {
    auto const size = get<std::size_t>();
    if (size > m_left.size() / sizeof(Value)) static_cast<void>(get_bytes(m_left.size() + 1));
    std::vector<Value> values(size);
    if (size > 0) std::memcpy(values.data(), get_bytes(size * sizeof(Value)), size * sizeof(Value));
    return values;
  }
  [[nodiscard]] bool empty() const { return m_left.empty(); }

 private:
  std::span<std::byte const> m_left;
};

}  // namespace lockstep::detail
