#pragma once

#include <Python.h>

#include <cstdint>
#include <string>
#include <vector>

#include <lockstep/detail/payload_type.hpp>
#include <lockstep/detail/untyped_calls.hpp>

namespace lockstep::python {

/// Bytes of a word, where words are counted by bytes.
inline constexpr std::uint64_t word_bytes = 8;

/// The kinds of payloads. An exchange gives what it takes: a number for a number, and so on.
enum class payload_kind : std::uint8_t {
  nothing,  ///< None
  number,
  numbers,  ///< a list or tuple
  text,     ///< str
  bytes,    ///< bytes or bytearray
  array,    ///< of numpy, or anything else with the buffer protocol
  object    ///< anything else, pickled
};

[[nodiscard]] char const* name_of(payload_kind kind);

/// The type of an array's elements: a letter of their kind ('i', 'u', 'f', 'c', '?', ...), and their bytes. All
/// that is not a number is of kind 'x'. 0: not an array.
struct element_type {
  std::uint32_t code = 0;
  bool operator==(element_type const&) const = default;
};
[[nodiscard]] std::string name_of(payload_kind kind, element_type element);

/// A Python value under way: what its receiver gets, which is no other's.
struct payload_value {
  PyObject* object = nullptr;  ///< owned
  std::uint64_t words = 0;
  payload_kind kind = payload_kind::nothing;
  element_type element{};
};

/// The payloads of a run that are under way, each in a place of its own. A message carries the number of
/// that place: the engine copies and drops messages where Python must not be called.
class payload_store {
 public:
  payload_store() = default;
  payload_store(payload_store const&) = delete;
  payload_store& operator=(payload_store const&) = delete;
  /// Gives up what was never received.
  ~payload_store();

  /// Copies a Python value. `bytes_count`: words are bytes, eight to a word. False: a Python error is set.
  [[nodiscard]] bool add(PyObject* value, bool bytes_count, std::uint64_t& place);
  [[nodiscard]] payload_value const& at(std::uint64_t place) const { return m_values[place]; }
  /// Takes a value out. Result: a new reference; nullptr: a Python error is set.
  [[nodiscard]] PyObject* take(std::uint64_t place);
  /// Gives up a value that was not sent.
  void drop(std::uint64_t place);
  /// Counts the values that had to be pickled.
  [[nodiscard]] std::uint64_t pickled() const { return m_pickled; }

 private:
  std::vector<payload_value> m_values;
  std::vector<std::uint64_t> m_free;
  std::uint64_t m_pickled = 0;
};

/// Sends the value of a place, and receives one, on the processor's own stack.
void send_payload(processor& me, destination to, std::uint64_t place, std::uint64_t words,
                  std::source_location where);
[[nodiscard]] std::uint64_t receive_payload(processor& me, int from, std::source_location where);
/// Receives a payload of that many words. Errors: size_mismatch for another number.
[[nodiscard]] std::uint64_t receive_payload(processor& me, int from, std::size_t words,
                                            std::source_location where);
[[nodiscard]] std::uint64_t place_in(detail::received_message const& taken);
/// The type of all payloads, as receivers ask for it.
[[nodiscard]] detail::payload_type const& type_of_payloads();

/// Whether a Python object is a number of one word: of 64 bits at most.
[[nodiscard]] bool is_number(PyObject* value);

}  // namespace lockstep::python
