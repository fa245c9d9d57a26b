#pragma once

#include <cstddef>
#include <mutex>
#include <optional>

#include "engine/memory/stack_slab.hpp"

namespace lockstep::detail {

/// The stacks that a machine keeps between its runs, so that the next one finds them mapped, guarded
/// and touched. Copies of a machine share them: one run at a time has them, and another that begins
/// meanwhile maps its own.
class kept_slab {
 public:
  /// Bytes of stacks that are kept as they are. Of more than these the system may take the memory
  /// back when it is short of it.
  static constexpr std::size_t most_held = std::size_t{64} << 20;

  /// Takes out stacks of that number and size, or maps new ones. Errors: std::bad_alloc.
  [[nodiscard]] stack_slab take(std::size_t stacks, std::size_t bytes);
  /// Keeps stacks that did not overflow, unless less memory or address space is left than another
  /// machine like this one takes, or something keeps track of what lies on them.
  void keep(stack_slab&& used) noexcept;
  /// Unmaps the kept memory. Result: whether there was anything.
  bool give_up() noexcept;

 private:
  [[nodiscard]] std::optional<stack_slab> take_out() noexcept;

  std::mutex m_guard;
  std::optional<stack_slab> m_kept;
};

}  // namespace lockstep::detail
