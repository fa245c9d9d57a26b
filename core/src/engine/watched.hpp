#pragma once

#include <memory>
#include <span>

#include "engine/memory/kept_slab.hpp"
#include "engine/runtime.hpp"

namespace lockstep::detail {

/// Makes an engine that keeps the calls of its processors, and what they show, for observers that
/// want them.
[[nodiscard]] std::unique_ptr<runtime> make_watched(std::shared_ptr<topology const> const& network,
                                                    machine_options const& options,
                                                    std::span<observer* const> observers,
                                                    std::shared_ptr<kept_slab> const& keeper);

}  // namespace lockstep::detail
