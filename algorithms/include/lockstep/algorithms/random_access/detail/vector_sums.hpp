#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include <lockstep/algorithms/random_access/detail/operand_order.hpp>
#include <lockstep/payload.hpp>
#include <lockstep/processor.hpp>

namespace lockstep::detail {

/// Which sums are made.
struct wanted_sums {
  bool totals = false;
  bool prefixes = false;

  /// The pieces of a vector that travel, one of them on the way there.
  [[nodiscard]] int copies() const { return 1 + (totals ? 1 : 0) + (prefixes ? 1 : 0); }
};

/// A processor's sums, element by element: of all vectors, and of those before its own.
template <payload_element T>
struct vector_sums {
  std::vector<T> totals{};
  std::vector<T> prefixes{};  ///< without a meaning on the first processor of the scan
};

/// Sets `later[i]` to the combination of `earlier[i]` and `later[i]`.
template <payload_element T, class Operator>
void combine_into_later(operand_order const& order, Operator const& plus,
                        std::span<T const> earlier, std::span<T> later) {
  for (std::size_t i = 0; i < later.size(); ++i)
    later[i] = order.combined<T>(plus, earlier[i], later[i]);
}

/// Sets `earlier[i]` to the combination of `earlier[i]` and `later[i]`.
template <payload_element T, class Operator>
void combine_into_earlier(operand_order const& order, Operator const& plus, std::span<T> earlier,
                          std::span<T const> later) {
  for (std::size_t i = 0; i < earlier.size(); ++i)
    earlier[i] = order.combined<T>(plus, earlier[i], later[i]);
}

/// Goes through a step in which a processor sends to one other, receives from one, or idles: all
/// are in the next step afterwards.
template <class Action>
void in_one_step(processor& me, bool takes_part, Action const& action) {
  auto const step = me.now();
  if (takes_part) action();
  if (me.now() == step) me.idle();
}

}  // namespace lockstep::detail
