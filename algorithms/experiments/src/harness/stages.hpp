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

/// Says that the next of several runs begins, for example of a paper's table, and with what.
inline void begin_run(std::string stage, std::uint64_t total = 0) {
  if (auto* const board = progress_scope::board()) board->begin_part();
  begin_stage(std::move(stage), total);
}

/// Says how many steps the next run is to take: for one whose program begins anew by chance, the steps
/// of a single attempt.
inline void expect_steps(std::uint64_t steps) {
  if (auto* const board = progress_scope::board()) board->expect_steps(steps);
}

/// The same, if that is claimed of it.
inline void expect_steps(std::span<claim const> claims) {
  auto* const board = progress_scope::board();
  if (board == nullptr) return;
  auto const exact = std::ranges::find_if(claims, [](claim const& one) {
    return (one.figure == "steps" || one.figure == "rounds") && one.bound == comparison::equal &&
           one.erratum.empty();
  });
  if (exact != claims.end()) board->expect_steps(static_cast<std::uint64_t>(exact->value()));
}

/// Says that a run is over, and its result is checked: `pieces` of work, 0 where that is not known.
inline void begin_check(std::uint64_t pieces = 0) {
  begin_stage("checking the result", pieces);
  expect_steps(std::uint64_t{0});
}

}  // namespace lockstep
