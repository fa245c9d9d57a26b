#pragma once

#include <lockstep/payload.hpp>

namespace lockstep::detail {

/// x0 + x1 = x1: the latest stays.
template <payload_element T>
struct latest_operator {
  [[nodiscard]] T operator()(T const& /*earlier*/, T const& later) const { return later; }
};

}  // namespace lockstep::detail
