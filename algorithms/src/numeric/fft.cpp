#include <lockstep/algorithms/numeric/fft.hpp>

#include <fmt/format.h>

#include <lockstep/algorithms/collectives/schedule_counts.hpp>
#include <lockstep/algorithms/detail/errors_at.hpp>
#include <lockstep/algorithms/detail/size_checks.hpp>
#include <lockstep/claim_list.hpp>
#include <lockstep/detail/checked_counts.hpp>
#include <lockstep/detail/enumerator_check.hpp>
#include <lockstep/detail/rank_check.hpp>
#include <lockstep/errors.hpp>

#include "numeric/supposed_sizes.hpp"

namespace lockstep {

fft_rows fft_rows_of(fft_layout layout, std::size_t rows, int p, int rank,
                     std::source_location where) {
  return detail::errors_at(where, [&]() -> fft_rows {
    detail::require_processors("fft_rows_of", p);
    if (!detail::has_rank(p, rank))
      throw invalid_argument(
          fmt::format("fft_rows_of: there is no processor {}, only 0 to {}", rank, p - 1));
    auto const processors = static_cast<std::size_t>(p);
    auto const j = static_cast<std::size_t>(rank);
    auto const block_begin = [&](std::size_t at) {  // ceil(at rows/p)
      return at * (rows / processors) + detail::quotient_up(at * (rows % processors), processors);
    };
    switch (layout) {
      case fft_layout::cyclic:
        return {j, processors, rows / processors + (j < rows % processors ? 1 : 0)};
      case fft_layout::block:
        return {block_begin(j), 1, block_begin(j + 1) - block_begin(j)};
    }
    detail::throw_no_such_value("fft_layout", static_cast<std::uint64_t>(layout),
                                {"fft_layout::cyclic", "fft_layout::block"});
  });
}

std::size_t fft_index(fft_layout layout, std::size_t n, int p, int rank, std::size_t place,
                      std::source_location where) {
  return detail::errors_at(where, [&] {
    detail::require_processors("fft_index", p);
    auto const rows = n / static_cast<std::size_t>(p);
    auto const own = fft_rows_of(layout, rows, p, rank);
    detail::require_some("fft_index", own.count, "rows");
    return own.first + own.step * (place % own.count) + rows * (place / own.count);
  });
}

std::vector<claim> fft_claims(bdm_machine const& on, std::size_t n) {
  auto const p = static_cast<std::size_t>(on.p);
  if (on.p < 1 || n % p != 0)
    throw invalid_argument(
        fmt::format("fft: {} processors do not divide {} elements; give a multiple", on.p, n));
  claim_list claims({{{"p", on.p},
                      {"n", static_cast<double>(n)},
                      {"m", static_cast<double>(on.packet)},
                      {"tau", static_cast<double>(on.tau)}}});
  auto const counts = transpose_counts(on.p, n / p, on.packet);
  bool const moves = counts.words > 0;
  claims.from("lockstep, the schedule counted")
      .equal("rounds", "p - 1")
      .equal("startups", moves ? "1" : "0")
      .equal("words", moves ? "(p - 1)m ceil(n/(p^2 m))" : "0")
      .equal("volume", moves ? "(p - 1) sum of m ceil(q_i/m), q_i rows at processor i" : "0",
             static_cast<double>(counts.volume))
      .equal("messages", "(p - 1) min(p, n/p)");
  block_distributed_model const model{static_cast<double>(on.tau)};
  claims.from("JaJa and Ryu 1994, Theorem 5.4")
      .at_most("time", "tau + (p - 1)m ceil(n/(p^2 m))")
      .priced_by(model)
      .where(detail::elements_of_fft);
  if (n % (p * p) == 0 && n / (p * p) % on.packet == 0)
    claims.from("JaJa and Ryu 1994, Theorem 5.4, mp^2 divides n")
        .at_most("time", "tau + n/p - n/p^2")
        .priced_by(model)
        .where(detail::elements_of_fft);
  return claims;
}

}  // namespace lockstep
