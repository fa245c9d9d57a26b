#pragma once

#include <lockstep/processor.hpp>

namespace lockstep::detail {

/// The place that a processor has for one pointer to what each of its calls of the collectives asks for, and
/// which follows from its network and its machine (`derived_values`), so that it is looked up once. It is
/// nullptr at first; a processor of a subset has another one. Nobody deletes what it points to.
class known_place {
 public:
  [[nodiscard]] static void const*& of(processor const& me) { return me.m_known; }
};

}  // namespace lockstep::detail
