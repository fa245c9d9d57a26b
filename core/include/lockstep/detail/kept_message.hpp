#pragma once

#include <cstdint>

#include <lockstep/observer.hpp>

namespace lockstep::detail {

/// A message of a run's first steps, as the run keeps it, in half of the memory of a
/// message_record.
struct kept_message {
  std::uint64_t words;
  std::uint32_t step;
  std::uint32_t waited;  ///< steps
  std::int32_t from;
  std::int32_t to;
  std::uint32_t hops;
  std::uint8_t pass;
  std::uint8_t dimension;  ///< of the way that its sender chose
  std::int8_t direction;   ///< along it; 0 if it chose none

  [[nodiscard]] message_record record(std::size_t phase) const {
    auto const offset = direction * static_cast<int>(hops);
    return {.step = step,
            .sent = step - waited,
            .from = from,
            .to = to,
            .words = words,
            .hops = hops,
            .pass = pass,
            .phase = phase,
            .way = {offset == 0 ? 0 : dimension, offset}};
  }
};
static_assert(sizeof(kept_message) == 32);

}  // namespace lockstep::detail
