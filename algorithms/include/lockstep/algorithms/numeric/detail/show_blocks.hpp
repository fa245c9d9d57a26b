#pragma once

#include <source_location>
#include <span>

#include <lockstep/algorithms/numeric/local_product.hpp>
#include <lockstep/detail/library_frame.hpp>
#include <lockstep/processor.hpp>
#include <lockstep/shown.hpp>

namespace lockstep::detail {

/// Shows the blocks of a product A B = C that a processor has; none that is empty, nor of numbers
/// that `show` does not take.
template <class T>
void show_blocks(processor& me, product_shape const& shape, std::span<T const> a,
                 std::span<T const> b, std::span<T const> c,
                 std::source_location where = std::source_location::current()) {
  if (!me.is_shown()) [[likely]]
    return;
  library_frame const frame(me, where);
  if constexpr (showable<matrix_view<T>>) {
    if (!a.empty()) me.show("A", matrix_view(shape.inner, a));
    if (!b.empty()) me.show("B", matrix_view(shape.columns, b));
    if (!c.empty()) me.show("C", matrix_view(shape.columns, c));
  }
}

}  // namespace lockstep::detail
