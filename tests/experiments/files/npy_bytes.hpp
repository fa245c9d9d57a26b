#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

/// A .npy file byte by byte: version, the dictionary as it stands, the data.
inline std::string npy_bytes(std::string_view dictionary, std::string_view data, int major = 1,
                             int minor = 0) {
  std::string bytes = "\x93NUMPY";
  bytes += static_cast<char>(major);
  bytes += static_cast<char>(minor);
  for (std::size_t i = 0; i < (major == 1 ? 2U : 4U); ++i)
    bytes += static_cast<char>(dictionary.size() >> 8U * i & 0xFFU);
  return bytes + std::string(dictionary) + std::string(data);
}

/// The dictionary of an array of that type and shape: "<f8", "(2, 2)".
inline std::string npy_dictionary(std::string_view type, std::string_view shape) {
  return "{'descr': '" + std::string(type) +
         "', 'fortran_order': False, 'shape': " + std::string(shape) + ", }\n";
}

/// The bytes of these numbers.
template <class Number>
std::string bytes_of(std::vector<Number> const& numbers) {
  return {reinterpret_cast<char const*>(numbers.data()), numbers.size() * sizeof(Number)};
}
