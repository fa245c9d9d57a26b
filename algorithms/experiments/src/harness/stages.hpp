#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <string>
#include <utility>

#include <lockstep/claim.hpp>
#include <lockstep/progress.hpp>

namespace lockstep {

/// Says what the experiment does from here on, where somebody looks. `total`: the pieces that this
/// work has, 0 where that is not known.
inline void begin_stage(std::string name, std::uint64_t total = 0) {
  if (auto* const board = progress_scope::board()) board->begin_stage(std::move(name), total);
}

/// Says that pieces of the stage's work are done. Call it on the thread that began the stage.
inline void note_done(std::uint64_t pieces) noexcept {
  if (auto* const board = progress_scope::board()) board->add(pieces);
}

/// Says how many steps the next run is to take, if that is claimed of it.
inline void expect_steps(std::span<claim const> claims) {
  auto* const board = progress_scope::board();
  if (board == nullptr) return;
  auto const exact = std::ranges::find_if(claims, [](claim const& one) {
    return (one.figure == "steps" || one.figure == "rounds") && one.bound == comparison::equal &&
           one.erratum.empty();
  });
  if (exact != claims.end()) board->expect_steps(static_cast<std::uint64_t>(exact->value()));
}

}  // namespace lockstep
