#include <lockstep/algorithms/collectives/detail/rounds.hpp>

namespace lockstep::detail {

std::vector<block_label> labels_of_shifts(processor const& me, int shifts) {
  std::vector<block_label> labels;
  for (int shift = -shifts; shift < me.size() - shifts; ++shift)
    labels.push_back(shift <= 0 ? block_label{shifted(me, shift), me.rank()}
                                : block_label{me.rank(), shifted(me, shift + shifts)});
  return labels;
}

void show_used_up(processor& me, std::string_view name) {
  if (me.is_shown()) me.show(name, std::vector<block_label>());
}

}  // namespace lockstep::detail
