#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <ostream>
#include <span>
#include <string_view>
#include <variant>
#include <vector>

#include <lockstep/memory.hpp>

namespace lockstep {

/// The types of keys.
enum class key_type : std::uint8_t { int32, uint32, int64, uint64, float32, float64 };

/// "int32", "uint32", "int64", "uint64", "float32", "float64".
[[nodiscard]] std::string_view name_of(key_type type);

/// Calls `call` with a value of the type.
template <class Call>
[[nodiscard]] auto with_key_type(key_type type, Call const& call) {
  switch (type) {
    case key_type::int32:
      return call(std::int32_t{});
    case key_type::uint32:
      return call(std::uint32_t{});
    case key_type::int64:
      return call(std::int64_t{});
    case key_type::uint64:
      return call(std::uint64_t{});
    case key_type::float32:
      return call(float{});
    case key_type::float64:
      break;
  }
  return call(double{});
}

/// Keys of one type.
using key_vector =
    std::variant<std::vector<std::int32_t>, std::vector<std::uint32_t>, std::vector<std::int64_t>,
                 std::vector<std::uint64_t>, std::vector<float>, std::vector<double>>;

/// Which keys a sort takes.
enum class keys_taken : std::uint8_t {
  whole_numbers,  ///< which have digits
  numbers         ///< whatever `<` compares
};

/// Reads the keys of a file. `format`: nothing for a text, one number in each line, with or without
/// an end of the last; else their type, little-endian, one after the other. `type`: that of a
/// text's keys; if nothing, the first of int32, int64 and uint64 that has room for all, or, of
/// `taken` numbers that are not all whole, float64. An empty file has no keys.
/// Errors: bad_input for a file that cannot be read, a line that is not such a number, bytes that
/// are not a whole number of keys, or more keys than there is memory for.
[[nodiscard]] key_vector read_keys(std::filesystem::path const& file,
                                   std::optional<key_type> format, std::optional<key_type> type,
                                   std::uint64_t (*available)() = available_memory,
                                   keys_taken taken = keys_taken::whole_numbers);

/// Writes them in that format.
template <class Key>
void write_keys(std::ostream& out, std::span<Key const> keys, std::optional<key_type> format);

}  // namespace lockstep
