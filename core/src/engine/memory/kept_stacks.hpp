#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace lockstep::detail {

/// The stacks of the processors of one worker that wait, as far as they are used, where all of them
/// run on the one stack that the worker has (`stacks::copied`). They lie densely in memory for which
/// large pages are asked.
class kept_stacks {
 public:
  /// The used part of a stack. It begins with these eight bytes, so that whoever prefetches the
  /// address prefetches the copied bytes.
  struct kept {
    std::uint32_t used;        ///< bytes, up to the top of the stack
    std::uint32_t size_class;  ///< of the memory

    [[nodiscard]] std::byte* bytes() { return reinterpret_cast<std::byte*>(this + 1); }
    [[nodiscard]] std::byte const* bytes() const {
      return reinterpret_cast<std::byte const*>(this + 1);
    }
  };

  /// Bytes that a processor has on its stack while it waits whose program has a small frame.
  static constexpr std::size_t usual_waiting = 600;
  /// Computes the memory that keeps that many bytes of a stack. More than any stack has is as it is.
  [[nodiscard]] static std::size_t bytes_for(std::size_t waiting) {
    return waiting > most_bytes ? waiting : bytes_of(class_for(waiting));
  }

  kept_stacks() = default;
  kept_stacks(kept_stacks const&) = delete;
  kept_stacks& operator=(kept_stacks const&) = delete;
  ~kept_stacks();

  /// Copies what lies between two addresses of a stack into `old` (nullptr: nothing yet), or where
  /// that is too small into other memory. Result: where it is kept.
  /// Errors: std::bad_alloc, with `old` as it was; also where a stack has 2^32 bytes or more.
  [[nodiscard]] kept* keep(kept* old, std::byte const* left_at, std::byte const* top);
  /// Copies it back to the end of the stack. Result: where the stack was left.
  [[nodiscard]] static std::byte* bring_back(kept const& from, std::byte* top);
  /// Ends what was kept; nullptr is nothing.
  void give_back(kept* ended);

 private:
  /// Memory is asked for in pieces of this size, or larger ones for a larger stack.
  static constexpr std::size_t piece_bytes = std::size_t{32} << 20;
  /// Sizes are multiples of a cache line, with three significant bits beyond 512 bytes.
  static constexpr std::size_t unit = 64;
  static constexpr std::size_t size_classes = 256;  // far beyond most_bytes
  static constexpr std::size_t most_bytes = 0xFFFF'FFFF;

  struct free_memory {
    free_memory* next;
  };
  /// The fate of the stacks that were first kept in memory of a class.
  struct first_kept {
    std::uint32_t stacks = 0;
    std::uint32_t outgrown = 0;  ///< those for which it was too small later
    std::uint32_t then = 0;      ///< the least class that those took
  };
  struct piece {
    std::byte* begin;
    std::size_t bytes;
  };

  [[nodiscard]] static std::uint32_t class_of(std::size_t bytes);
  /// Finds the class for a stack: the next wait may be a few calls deeper.
  [[nodiscard]] static std::uint32_t class_for(std::size_t used) {
    auto const wanted = used + sizeof(kept);
    return class_of(wanted + wanted / 16);
  }
  [[nodiscard]] static std::size_t bytes_of(std::uint32_t size_class);
  [[nodiscard]] std::uint32_t class_to_begin_with(std::uint32_t least);
  void note_outgrown(std::uint32_t size_class, std::uint32_t then);
  [[nodiscard]] kept* take(std::uint32_t size_class);
  void ask_for_piece(std::size_t bytes);

  std::array<free_memory*, size_classes> m_free{};
  std::array<first_kept, size_classes> m_first{};
  std::byte* m_next = nullptr;  ///< of the last piece: what was not used yet
  std::byte* m_end = nullptr;
  std::vector<piece> m_pieces;
};

}  // namespace lockstep::detail
