#pragma once

#include <cstdint>
#include <vector>

#include <lockstep/processor.hpp>

namespace lockstep {

/// The keys of a processor after a sort by buckets, and what it took.
template <payload_element T>
struct bucket_sorted {
  std::vector<T> elements;    ///< its part of the sorted elements
  std::uint64_t bucket = 0;   ///< elements that were routed to it, before they were evened out
  int attempts = 1;           ///< of all processors together, where buckets go by random processors
  std::uint64_t redrawn = 0;  ///< times that this one drew again before it sent anything
};

}  // namespace lockstep
