#include <lockstep/algorithms/routing/h_relation_direct.hpp>

#include <bit>

#include <fmt/format.h>

#include <lockstep/algorithms/detail/errors_at.hpp>
#include <lockstep/algorithms/detail/size_checks.hpp>
#include <lockstep/detail/enumerator_names.hpp>
#include <lockstep/detail/rank_check.hpp>
#include <lockstep/errors.hpp>

#include "routing/option_names.hpp"

namespace lockstep {

std::string_view name_of(round_order order) {
  return detail::shown_name("round_order", order, detail::round_order_names);
}

std::string_view name_of(round_timing timing) {
  return detail::shown_name("round_timing", timing, detail::round_timing_names);
}

int rounds_of(round_order order, int processors, std::source_location where) {
  return detail::errors_at(where, [&] {
    static_cast<void>(name_of(order));
    detail::require_processors("rounds_of", processors);
    if (order == round_order::lp) return processors - 1;
    return static_cast<int>(std::bit_ceil(static_cast<unsigned>(processors)) - 1);
  });
}

namespace {

void require_round(round_order order, int round, int rank, int processors) {
  int const rounds = rounds_of(order, processors);
  if (!detail::has_rank(processors, rank) || round < 0 || round > rounds)
    throw invalid_argument(fmt::format(
        "partners_in: processor {} in round {}; {} processors, from 0 on, meet in rounds 1 "
        "to {}",
        rank, round, processors, rounds));
}

}  // namespace

round_partners partners_in(round_order order, int round, int rank, int processors,
                           std::source_location where) {
  return detail::errors_at(where, [&]() -> round_partners {
    require_round(order, round, rank, processors);
    if (order == round_order::lp) {
      int const to_the_end = processors - rank;
      return {round < to_the_end ? rank + round : round - to_the_end,
              round <= rank ? rank - round : rank - round + processors};
    }
    int const partner = rank ^ round;
    if (partner >= processors) return {};
    return {partner, partner};
  });
}

std::vector<block_label> detail::labels_after_rounds(processor const& me, round_order order,
                                                     int rounds) {
  std::vector<block_label> labels{{me.rank(), me.rank()}};
  for (int round = 1; round <= rounds_of(order, me.size()); ++round) {
    auto const [to, from] = partners_in(order, round, me.rank(), me.size());
    if (to == nobody) continue;
    labels.push_back(round <= rounds ? block_label{from, me.rank()} : block_label{me.rank(), to});
  }
  return labels;
}

}  // namespace lockstep
