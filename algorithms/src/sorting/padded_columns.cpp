#include <lockstep/algorithms/sorting/detail/padded_columns.hpp>

#include <fmt/format.h>

#include <lockstep/errors.hpp>

namespace lockstep::detail {

void require_column(char const* name, processor const& me, std::size_t here,
                    column_shape const& shape) {
  if (here > shape.rows)
    throw invalid_argument(
        fmt::format("{}: processor {} holds {} of {} elements, more than the {} that a column has "
                    "room for; deal them out evenly, or give options.rows",
                    name, me.rank(), here, shape.elements, shape.rows));
  bool const full = shape.elements == shape.rows * static_cast<std::size_t>(me.size());
  if (full && here != shape.rows)
    throw invalid_argument(fmt::format(
        "{}: processor {} holds {} of {} elements, but n/p is {}; deal them out evenly, or give "
        "more than n/p as options.rows, to have columns filled up",
        name, me.rank(), here, shape.elements, shape.rows));
}

}  // namespace lockstep::detail
