#pragma once

#include <lockstep/processor.hpp>

namespace lockstep::detail {

/// The network and the machine of a processor, as far as the collectives, which define it, have looked at them.
struct collectives_memo;

/// The memo of a processor: nullptr until the collectives write it. A processor of a subset has its own. What
/// it points to stays with the network (`derived_values`).
class memo_of_processor {
 public:
  [[nodiscard]] static collectives_memo const* read(processor const& me) { return me.m_memo; }
  static void write(processor const& me, collectives_memo const* memo) { me.m_memo = memo; }
};

}  // namespace lockstep::detail
