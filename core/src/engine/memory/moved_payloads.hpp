#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <source_location>
#include <vector>

#include <lockstep/detail/payload_type.hpp>

namespace lockstep::detail {

/// On a guarded machine, the memory of vectors that were moved into messages (which carry a copy):
/// nobody may touch it any more. Its whole pages cannot be touched; the rest is overwritten, and
/// looked at when it is given back, so that reading it is not found; under AddressSanitizer all of it
/// is poisoned.
class moved_payloads {
 public:
  /// Bytes that are held at a time: then the oldest payloads are given back.
  static constexpr std::size_t most_bytes = std::size_t{64} << 20;

  /// Who moved a payload away, and where.
  struct sender {
    int rank;
    std::uint64_t step;
    std::source_location where;
  };

  moved_payloads() = default;
  moved_payloads(moved_payloads const&) = delete;
  moved_payloads& operator=(moved_payloads const&) = delete;
  ~moved_payloads();

  /// Takes over the vector at that address.
  void add(void* vector, payload_type const& type, sender const& by);
  /// Gives back what is watched. Result: the senders of what was written to.
  [[nodiscard]] std::vector<sender> give_back();

  // These may be called in a signal handler.
  /// Lets the payload be touched whose pages the address lies in; nullptr if there is none.
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

  /// Bytes that it holds.
  [[nodiscard]] static std::size_t held(watched const& one) {
    return sizeof(watched) +
           one.type->vector_capacity(static_cast<std::byte const*>(one.vector)) * one.type->size;
  }
  static void close(watched const& one);
  /// Whether it is as it was left.
  static bool reopen(watched const& one);
  void release_first();

  std::deque<watched> m_watched;
  std::vector<sender> m_written;
  std::size_t m_bytes = 0;
};

}  // namespace lockstep::detail
