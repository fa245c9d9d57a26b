#include "sorting/key_file.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <filesystem>
#include <istream>
#include <iterator>
#include <limits>
#include <string>
#include <system_error>
#include <type_traits>
#include <utility>

#include <fmt/format.h>

#include <lockstep/errors.hpp>
#include <lockstep/experiments/registry.hpp>

#include "files/input_file.hpp"
#include "harness/stages.hpp"
#include "sorting/key_collector.hpp"
#include "sorting/key_lines.hpp"

namespace lockstep {

namespace {

constexpr std::size_t chunk_bytes = std::size_t{1} << 20U;  // read or written at a time

/// The unsigned number that has a key's bits.
template <class Key>
using bits_of =
    std::conditional_t<sizeof(Key) == sizeof(std::uint32_t), std::uint32_t, std::uint64_t>;

template <class Key>
[[nodiscard]] Key key_in(char const* bytes) {
  bits_of<Key> key = 0;
  for (std::size_t at = 0; at < sizeof(Key); ++at)
    key |= bits_of<Key>{static_cast<unsigned char>(bytes[at])} << (8 * at);
  return std::bit_cast<Key>(key);
}

template <class Key>
void write_key(Key key, char* bytes) {
  auto const bits = std::bit_cast<bits_of<Key>>(key);
  for (std::size_t at = 0; at < sizeof(Key); ++at)
    bytes[at] = static_cast<char>(bits >> (8 * at) & 0xFFU);
}

template <class Key>
[[nodiscard]] std::vector<Key> raw_keys(std::istream& in, std::string const& file, key_type type,
                                        std::uint64_t (*available)()) {
  if (auto const size = facts_of_input(file).bytes)
    require_room_for_keys(*size / sizeof(Key) * bytes_to_sort_a_key, file, available);
  std::vector<Key> keys;
  std::vector<char> bytes(chunk_bytes);
  while (in.read(bytes.data(), std::ssize(bytes)), in.gcount() > 0) {
    auto const count = static_cast<std::size_t>(in.gcount());
    if (count % sizeof(Key) != 0)
      throw bad_input(fmt::format(
          "{}: its {} bytes are not a whole number of {} keys of {} bytes; give one with "
          "whole keys, or another --format",
          file, keys.size() * sizeof(Key) + count, name_of(type), sizeof(Key)));
    if (keys.size() + count / sizeof(Key) > keys.capacity())
      require_room_for_keys(keys.size() * bytes_to_sort_a_key, file, available);
    for (std::size_t at = 0; at < count; at += sizeof(Key))
      keys.push_back(key_in<Key>(bytes.data() + at));
  }
  return keys;
}

template <class Key>
void write_text(std::ostream& out, std::span<Key const> keys) {
  fmt::memory_buffer lines;
  std::uint64_t keys_in_lines = 0;
  auto const write_out = [&] {
    out.write(lines.data(), std::ssize(lines));
    lines.clear();
    note_done(std::exchange(keys_in_lines, 0));
  };
  for (auto const key : keys) {
    fmt::format_to(std::back_inserter(lines), "{}\n", key);
    ++keys_in_lines;
    if (lines.size() >= chunk_bytes) write_out();
  }
  write_out();
}

template <class Key>
void write_raw(std::ostream& out, std::span<Key const> keys) {
  std::vector<char> bytes(chunk_bytes);
  constexpr auto at_once = chunk_bytes / sizeof(Key);
  for (std::size_t first = 0; first < keys.size(); first += at_once) {
    auto const now = keys.subspan(first, std::min(at_once, keys.size() - first));
    for (std::size_t i = 0; i < now.size(); ++i) write_key(now[i], &bytes[i * sizeof(Key)]);
    out.write(bytes.data(), static_cast<std::streamsize>(now.size_bytes()));
    note_done(now.size());
  }
}

}  // namespace

std::string_view name_of(key_type type) {
  constexpr std::array<std::string_view, 6> names{"int32",  "uint32",  "int64",
                                                  "uint64", "float32", "float64"};
  return names.at(static_cast<std::size_t>(type));
}

key_vector read_keys(std::filesystem::path const& file, std::optional<key_type> format,
                     std::optional<key_type> type, std::uint64_t (*available)(), keys_taken taken) {
  auto const* const wanted = taken == keys_taken::whole_numbers ? "name a file of whole numbers"
                                                                : "name a file of numbers";
  return read_input(file, wanted, [&](std::istream& in) -> key_vector {
    if (!format) return keys_in_lines(in, file.string(), type, available, taken);
    return with_key_type(*format, [&]<class Key>(Key /*of_type*/) -> key_vector {
      return raw_keys<Key>(in, file.string(), *format, available);
    });
  });
}

template <class Key>
void write_keys(std::ostream& out, std::span<Key const> keys, std::optional<key_type> format) {
  if (format)
    write_raw(out, keys);
  else
    write_text(out, keys);
}

template void write_keys(std::ostream&, std::span<std::int32_t const>, std::optional<key_type>);
template void write_keys(std::ostream&, std::span<std::uint32_t const>, std::optional<key_type>);
template void write_keys(std::ostream&, std::span<std::int64_t const>, std::optional<key_type>);
template void write_keys(std::ostream&, std::span<std::uint64_t const>, std::optional<key_type>);
template void write_keys(std::ostream&, std::span<float const>, std::optional<key_type>);
template void write_keys(std::ostream&, std::span<double const>, std::optional<key_type>);

}  // namespace lockstep
