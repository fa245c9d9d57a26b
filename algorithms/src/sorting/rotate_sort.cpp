#include <lockstep/algorithms/sorting/rotate_sort.hpp>

#include <algorithm>
#include <bit>

#include <fmt/format.h>

#include <lockstep/detail/enumerator_check.hpp>
#include <lockstep/errors.hpp>

namespace lockstep {

rotate_blocks rotate_sort_blocks(int processors) {
  auto const p = static_cast<std::size_t>(processors);
  std::size_t root = 1;
  while ((root + 1) * (root + 1) <= p) ++root;
  if (root * root == p) return {root, root};
  if (!std::has_single_bit(p))
    throw invalid_argument(
        fmt::format("rotate_sort: {} processors are neither a square nor a power of two, so they "
                    "have no blocks of about sqrt p rows and columns; take {} or {}",
                    processors, std::max(root * root, std::bit_floor(p)),
                    std::min((root + 1) * (root + 1), std::bit_ceil(p))));
  auto const rows = std::size_t{1} << static_cast<unsigned>(std::countr_zero(p)) / 2;
  return {rows, p / rows};
}

int rotate_sort_shears(std::size_t rows, int processors) {
  auto const six_p = 6 * static_cast<std::size_t>(processors);
  int shears = 0;
  for (auto reached = rows; rows > 0 && reached < rows + six_p; reached *= 2) ++shears;
  return shears;
}

detail::rotate_plan detail::plan_of_rotate_sort(std::size_t elements, int processors,
                                                rotate_sort_options const& options) {
  check_enumerator("slice_rows", options.slices, {"slice_rows::spread", "slice_rows::whole"});
  if (options.shears && *options.shears < 0)
    throw invalid_argument(fmt::format(
        "rotate_sort: SHEAR cannot be done {} times; leave options.shears out, or give 0 or more",
        *options.shears));
  auto const a = rotate_sort_blocks(processors).rows;
  auto const p = static_cast<std::size_t>(processors);
  auto const least = std::max(elements / p + (elements % p == 0 ? 0 : 1), options.rows);
  auto const rows = (least + a - 1) / a * a;
  return {rows, processors, a, options.slices == slice_rows::whole};
}

}  // namespace lockstep
