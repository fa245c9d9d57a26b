#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <unordered_map>
#include <vector>

#include "engine/messages/message.hpp"

namespace lockstep::detail {

/// The paths of work that lead through messages under way: a message has no room for the length of its
/// own. Any number of workers may ask at the same time.
class work_paths {
 public:
  /// Notes the operations on the longest path that the message continues.
  /// Errors: std::bad_alloc.
  void note(envelope const& sent, int to, std::uint64_t operations);
  /// Takes the path of a message that came in; 0 if none was noted. Errors: std::bad_alloc.
  [[nodiscard]] std::uint64_t take(envelope const& came, int to);

 private:
  /// The members that no two messages have in common, for a port sends one in a step.
  struct key {
    std::uint64_t stamp;
    int from;
    int to;
    std::uint8_t pass;
    way_taken way;

    bool operator==(key const&) const = default;
  };
  struct hash {
    [[nodiscard]] std::size_t operator()(key const& of) const;
  };
  using path_map = std::unordered_map<key, std::uint64_t, hash>;
  /// A part of the paths, so that workers seldom wait for each other, in cache lines of its own.
  struct alignas(64) share {
    std::mutex guard{};
    path_map paths{};
    std::vector<path_map::node_type> spare{};  ///< of messages that came in
  };

  [[nodiscard]] share& share_of(int to) { return m_shares[static_cast<std::size_t>(to) % shares]; }

  static constexpr std::size_t shares = 64;
  std::array<share, shares> m_shares{};
};

}  // namespace lockstep::detail
