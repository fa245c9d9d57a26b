#pragma once

#include <cstdint>
#include <memory>
#include <source_location>
#include <vector>

#include "engine/refusals.hpp"

namespace lockstep::detail {

/// Where a message goes and which ports it takes, as far as the topology has to be asked (rules 3
/// and 4).
class routes : public refusals {
 public:
  using refusals::refusals;

 protected:
  struct way_end {
    int rank;
    std::uint32_t hops;
    way_taken way;
  };
  /// The end of the way that the sender named, or refuses `to`, a rank that it cannot send to.
  [[nodiscard, gnu::cold]] way_end end_of(processor_state& me, int to, std::source_location where);
  /// Length of a route of which `me` is one end and `other` the other.
  [[nodiscard]] std::uint32_t look_up(int from, int to, processor_state& me, int other,
                                      std::source_location where);

  // Ports other than one. Envelopes are taken by value, so that the caller's may stay in registers.
  /// The last step in which that port was used.
  [[nodiscard, gnu::cold]] static std::uint64_t& port(std::unique_ptr<port_table>& table,
                                                      std::int64_t which);
  [[nodiscard, gnu::cold]] std::int64_t out_port(processor_state& me, int to, envelope sent);
  [[nodiscard, gnu::cold]] std::int64_t in_port(processor_state& me, envelope message);

 private:
  [[nodiscard]] std::vector<int> route(int from, int to, envelope const& of) const;
};

}  // namespace lockstep::detail
