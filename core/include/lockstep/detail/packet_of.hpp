#pragma once

#include <cstdint>

#include <lockstep/processor.hpp>

namespace lockstep::detail {

/// Tells how many words a packet of a processor's machine has (`machine_options::packet`).
[[nodiscard]] std::uint64_t packet_of(processor const& me) noexcept;

}  // namespace lockstep::detail
