#include "engine/memory/kept_slab.hpp"

#include <utility>

#include <lockstep/memory.hpp>

#include "engine/memory/known_stacks.hpp"
#include "engine/memory/sanitizer.hpp"

namespace lockstep::detail {

namespace {

/// The part of a limited address space that stacks may take while no run needs them.
constexpr std::uint64_t part_of_address_space = 4;

/// Whether a tool keeps track of stacks, and would take what an earlier run left for this one's.
bool is_watched() { return address_sanitizer() || thread_sanitizer() || known_stacks::wanted(); }

}  // namespace

std::optional<stack_slab> kept_slab::take_out() noexcept {
  std::scoped_lock const lock(m_guard);
  auto taken = std::move(m_kept);
  m_kept.reset();
  return taken;
}

stack_slab kept_slab::take(std::size_t stacks, std::size_t bytes) {
  if (auto kept = take_out(); kept && kept->has(stacks, bytes)) return *std::move(kept);
  return {stacks, bytes};
}

void kept_slab::keep(stack_slab&& used) noexcept {
  if (is_watched() || used.mapped_bytes() > available_address_space() / part_of_address_space)
    return;
  if (used.mapped_bytes() > most_held) {
    if (used.least_touched() > available_memory()) return;
    used.lend_memory();
  }
  std::scoped_lock const lock(m_guard);
  if (!m_kept) m_kept.emplace(std::move(used));
}

bool kept_slab::give_up() noexcept { return take_out().has_value(); }

}  // namespace lockstep::detail
