#pragma once

#include <cstdint>

#include <lockstep/run.hpp>

namespace lockstep {

/// Counts of the communications between sources, intermediate processors and destinations, without
/// those of vectors.
struct stage_counts {
  std::uint64_t startups = 0;
  std::uint64_t port_words = 0;  ///< of each phase by its busiest port
};

/// Counts the communications of a write: to intermediate processors, in two stages, and on from
/// them.
[[nodiscard]] stage_counts stages_in(run_record const& of);

/// Both communications of a read, as section 7 has them: of addresses, and of elements.
struct read_communications {
  stage_counts addresses;
  stage_counts elements;

  [[nodiscard]] std::uint64_t startups() const { return addresses.startups + elements.startups; }
};

/// Counts the communications of a read. `asks`: whether intermediate processors ask for elements, so
/// that addresses go on from them.
[[nodiscard]] read_communications communications_in(run_record const& of, bool asks);

}  // namespace lockstep
