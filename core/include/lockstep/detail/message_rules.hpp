#pragma once

#include <cstdint>

#include <lockstep/options.hpp>
#include <lockstep/processor.hpp>
#include <lockstep/topology.hpp>

namespace lockstep::detail {

/// How messages travel on a processor's machine, as far as a schedule depends on it.
struct message_rules {
  lockstep::switching switching;
  lockstep::ports ports;
  std::uint64_t packet;  ///< words in one (`machine_options::packet`)
};
[[nodiscard]] message_rules message_rules_of(processor const& me) noexcept;

/// Finds the network of a processor's machine; its own may be a part of that.
[[nodiscard]] topology const& network_of_machine(processor const& me) noexcept;

}  // namespace lockstep::detail
