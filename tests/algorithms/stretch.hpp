#pragma once

#include <cstdint>

/// An interval of ranks, which joins only with the next one: it tells in which order, and of what.
struct stretch {
  std::int32_t first = -2;
  std::int32_t last = -2;
  bool is_torn = false;

  friend bool operator==(stretch const&, stretch const&) = default;
};

/// Joins intervals; it has no identity.
struct join_stretches {
  stretch operator()(stretch const& a, stretch const& b) const {
    return {a.first, b.last, a.is_torn || b.is_torn || a.last + 1 != b.first};
  }
};
