#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <ostream>
#include <span>
#include <string_view>
#include <variant>
#include <vector>

#include <lockstep/memory.hpp>

namespace lockstep {

/// How a file holds keys.
enum class key_format : std::uint8_t { text, int32, uint32, int64, uint64 };

inline constexpr std::array key_formats{key_format::text, key_format::int32, key_format::uint32,
                                        key_format::int64, key_format::uint64};

/// "text", "int32", "uint32", "int64", "uint64".
[[nodiscard]] std::string_view name_of(key_format format);

/// The types of keys.
enum class key_type : std::uint8_t {
  smallest,  ///< the first of int32, int64 and uint64 that has room for all
  int32,
  uint32,
  int64,
  uint64
};

inline constexpr std::array key_types{key_type::smallest, key_type::int32, key_type::uint32,
                                      key_type::int64, key_type::uint64};

/// "auto", "int32", "uint32", "int64", "uint64".
[[nodiscard]] std::string_view name_of(key_type type);

/// Keys of one type.
using key_vector = std::variant<std::vector<std::int32_t>, std::vector<std::uint32_t>,
                                std::vector<std::int64_t>, std::vector<std::uint64_t>>;

/// The keys of a file: as text, one whole number in each line, with or without an end of the last;
/// else little-endian, one after the other. `type`: for text; another format tells it. An empty
/// file has no keys.
/// Errors: bad_input for a file that cannot be read, a line that is not such a number, bytes that
/// are not a whole number of keys, or more keys than there is memory for.
[[nodiscard]] key_vector read_keys(std::filesystem::path const& file, key_format format,
                                   key_type type, std::uint64_t (*available)() = available_memory);

/// Writes them as text, or little-endian.
template <class Key>
void write_keys(std::ostream& out, std::span<Key const> keys, key_format format);

}  // namespace lockstep
