#include <lockstep/algorithms/affine_cost.hpp>

#include <algorithm>

namespace lockstep {

affine_cost line_of(counts const& of_one_word, suh_shin_model const& model, int processors) {
  auto of_no_word = of_one_word;
  of_no_word.words = 0;
  of_no_word.rearranged = 0;
  double const fixed = model.time(of_no_word, processors);
  return {fixed, model.time(of_one_word, processors) - fixed};
}

std::optional<double> break_even_block_size(affine_cost const& ours, affine_cost const& theirs) {
  double const late_by = ours.fixed_us - theirs.fixed_us;
  double const gained_per_byte = theirs.us_per_byte - ours.us_per_byte;
  if (gained_per_byte < 0 || (gained_per_byte == 0 && late_by >= 0)) return std::nullopt;
  return gained_per_byte == 0 ? 0 : std::max(0.0, late_by / gained_per_byte);
}

}  // namespace lockstep
