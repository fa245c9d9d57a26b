#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <vector>

#include <lockstep/detail/payload_type.hpp>

#include "engine/call_place.hpp"

namespace lockstep::detail {

/// The memory of vectors that were moved into messages on a guarded machine, where the messages
/// carry copies. No program may touch it any more: its whole pages cannot be touched. The rest is
/// overwritten, and compared when it is given back, so reading it is not found. Under
/// AddressSanitizer all of it is poisoned.
class moved_payloads {
 public:
  /// Bytes that are held at a time; beyond them the oldest payloads are given back.
  static constexpr std::size_t most_bytes = std::size_t{64} << 20;

  /// The sender of a payload that was moved away, and its call.
  struct sender {
    int rank;
    std::uint64_t step;
    call_place where;
  };

  moved_payloads() = default;
  moved_payloads(moved_payloads const&) = delete;
  moved_payloads& operator=(moved_payloads const&) = delete;
  ~moved_payloads();

  /// Takes over the vector at that address.
  void add(void* vector, payload_type const& type, sender const& by);
  /// Gives back all payloads. Result: the senders of those that were written to.
  [[nodiscard]] std::vector<sender> give_back();

  // These may be called in a signal handler.
  /// Opens the payload whose pages the address lies in; nullptr without one.
  [[nodiscard]] sender const* open(std::byte const* address) noexcept;

 private:
  struct watched {
    alignas(std::max_align_t) std::byte vector[sizeof(std::vector<int>)];
    payload_type const* type;
    sender by;
    std::byte* begin;
    std::byte* pages_begin;  ///< these pages, which may be none, cannot be touched
    std::byte* pages_end;
    std::byte* end;
  };

  /// Computes the bytes that a payload holds.
  [[nodiscard]] static std::size_t held(watched const& one) {
    return sizeof(watched) +
           one.type->vector_capacity(static_cast<std::byte const*>(one.vector)) * one.type->size;
  }
  static void close(watched const& one);
  /// Opens a payload again. Result: whether it is unchanged.
  static bool reopen(watched const& one);
  bool release_first() noexcept;  ///< false: it was written to
  void note_first();

  std::deque<watched> m_watched;
  std::vector<sender> m_written;
  std::size_t m_bytes = 0;
};

}  // namespace lockstep::detail
