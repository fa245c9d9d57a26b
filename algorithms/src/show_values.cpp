#include <lockstep/algorithms/detail/show_values.hpp>

#include <variant>

namespace lockstep::detail {

std::vector<rank_interval> intervals_of(std::vector<bool> const& is_in) {
  std::vector<rank_interval> intervals;
  for (int rank = 0; std::cmp_less(rank, is_in.size()); ++rank) {
    if (!is_in[static_cast<std::size_t>(rank)]) continue;
    if (!intervals.empty() && intervals.back().last == rank - 1)
      intervals.back().last = rank;
    else
      intervals.push_back({rank, rank});
  }
  return intervals;
}

void show_alike(processor& me, std::string_view name, std::vector<shown_number> const& numbers,
                std::source_location where) {
  std::visit(
      [&]<class Number>(Number /*of_type*/) {
        std::vector<Number> alike;
        alike.reserve(numbers.size());
        for (auto const& each : numbers) alike.push_back(std::get<Number>(each));
        me.show(name, alike, where);
      },
      numbers.empty() ? shown_number{} : numbers.front());
}

}  // namespace lockstep::detail
