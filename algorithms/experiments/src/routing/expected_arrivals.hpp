#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include <lockstep/algorithms/routing/h_relation_inputs.hpp>

#include "routing/h_relation_run.hpp"

namespace lockstep {

/// The elements that come to each processor, and their order, by a plain loop over all elements.
class expected_arrivals {
 public:
  [[nodiscard]] std::span<labelled const> at(int rank) const;
  /// Phases in which anything is sent to another processor.
  [[nodiscard]] int phases_with_words() const { return m_phases_with_words; }

  /// By source, within it in the source's order.
  [[nodiscard]] static expected_arrivals by_source(h_relation_input const& input);
  /// By the processor through which the m-th element from i for j goes, (i + j + m) mod p, within
  /// it by source, within it in the source's order.
  [[nodiscard]] static expected_arrivals through_bins(h_relation_input const& input);

 private:
  std::vector<labelled> m_elements;   ///< by destination
  std::vector<std::size_t> m_begins;  ///< of each destination's
  int m_phases_with_words = 0;
};

}  // namespace lockstep
