#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include <lockstep/algorithms/collectives/transpose.hpp>
#include <lockstep/processor.hpp>

namespace as_printed {

using ranks = std::vector<std::uint64_t>;

/// Lines 1 to 10 of Bader, Helman and JaJa's Algorithm 2: the ranks (Addr) of this processor's keys,
/// below `range`, which p divides. Where `own_counts_included`, the scan of 4.1.1 is what is printed.
inline ranks ranks_of(lockstep::processor& me, std::span<int const> keys, int range,
                      bool own_counts_included) {
  auto const p = static_cast<std::size_t>(me.size());
  auto const values = static_cast<std::size_t>(range);
  auto const q = values / p;
  ranks index(values);                                                // 1
  for (int const key : keys) ++index[static_cast<std::size_t>(key)];  // 2
  auto const own = index;
  auto scan = transpose_blocks(me, index);  // 3
  for (std::size_t j = 0; j < q; ++j)       // 4
    for (std::size_t k = 1; k < p; ++k) scan[k * q + j] += scan[(k - 1) * q + j];
  ranks interleaved(2 * values);
  for (std::size_t j = 0; j < p; ++j)  // 5
    for (std::size_t k = 0; k < q; ++k) {
      interleaved[2 * (j * q + k)] = scan[j * q + k];
      interleaved[2 * (j * q + k) + 1] = scan[(p - 1) * q + k];
    }
  auto const scans = transpose_blocks(me, interleaved);  // 6
  std::uint64_t offset = 0;                              // 8
  for (std::size_t k = 0; k < values; ++k) {             // 7, 9
    index[k] = scans[2 * k] + offset - (own_counts_included ? 0 : own[k]);
    offset += scans[2 * k + 1];
  }
  ranks addresses;
  for (int const key : keys) addresses.push_back(index[static_cast<std::size_t>(key)]++);  // 10
  return addresses;
}

}  // namespace as_printed
