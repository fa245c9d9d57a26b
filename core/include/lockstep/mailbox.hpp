#pragma once

#include <cstddef>
#include <vector>

#include <lockstep/detail/debug_containers.hpp>

namespace lockstep {

/// A message and its sender, as `deliver` and `receive_any` give it.
template <class T>
struct message_from {
  int from = 0;             ///< rank of the sender, on this machine or subset
  std::vector<T> values{};  ///< in the order in which they were sent or posted

  friend bool operator==(message_from const&, message_from const&) = default;
};

/// Options of `processor::deliver`.
struct deliver_options {
  /// Counts how members learn their senders, too: each tells each other member by one word
  /// (counting rule 12).
  bool announced = false;
};

namespace detail {

/// The values that one member posted to another in a superstep, which stay where they are until it
/// ends.
struct delivered_mail {
  int from;  ///< rank of the sender, on the machine or subset that delivers
  std::byte const* data;
  std::size_t count;
};

}  // namespace detail
}  // namespace lockstep
