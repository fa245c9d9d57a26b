#include <lockstep/algorithms/routing/h_relation_direct.hpp>

#include <bit>

#include <fmt/format.h>

#include <lockstep/errors.hpp>

namespace lockstep {

std::string_view name_of(round_order order) {
  switch (order) {
    case round_order::pex:
      return "pex";
    case round_order::lp:
      return "lp";
  }
  throw invalid_argument(fmt::format("{} is no order of rounds", static_cast<int>(order)));
}

std::string_view name_of(round_timing timing) {
  switch (timing) {
    case round_timing::stepwise:
      return "stepwise";
    case round_timing::pipelined:
      return "pipelined";
  }
  throw invalid_argument(fmt::format("{} is no timing of rounds", static_cast<int>(timing)));
}

int rounds_of(round_order order, int processors) {
  if (order == round_order::lp) return processors - 1;
  return static_cast<int>(std::bit_ceil(static_cast<unsigned>(processors)) - 1);
}

round_partners partners_in(round_order order, int round, int rank, int processors) {
  if (order == round_order::lp)
    return {(rank + round) % processors, (rank + processors - round) % processors};
  int const partner = rank ^ round;
  if (partner >= processors) return {};
  return {partner, partner};
}

}  // namespace lockstep
