#include <lockstep/algorithms/routing/balance_plan.hpp>

#include <algorithm>
#include <numeric>

#include <fmt/format.h>

#include <lockstep/algorithms/collectives/pieces.hpp>
#include <lockstep/algorithms/detail/errors_at.hpp>
#include <lockstep/detail/checked_counts.hpp>
#include <lockstep/errors.hpp>

namespace lockstep {

namespace {

using lengths = std::vector<std::size_t>;

/// Where a line's elements begin on each processor.
struct line_places {
  lengths const& at_source;
  lengths const& at_reader;
};

/// Lays `held` in one line and cuts it into `wanted`; both have the same sum.
[[nodiscard]] std::vector<balance_move> cut_line(lengths const& held, lengths const& wanted,
                                                 line_places const& begin) {
  std::vector<balance_move> moves;
  std::size_t source = 0;
  std::size_t taken = 0;  // of that source
  for (std::size_t reader = 0; reader < wanted.size(); ++reader)
    for (std::size_t read = 0; read < wanted[reader];) {
      for (; taken == held[source]; taken = 0) ++source;
      auto const elements = std::min(held[source] - taken, wanted[reader] - read);
      moves.push_back({static_cast<int>(source), static_cast<int>(reader),
                       begin.at_source[source] + taken, begin.at_reader[reader] + read, elements});
      taken += elements;
      read += elements;
    }
  return moves;
}

/// The rounds in which a port is taken.
class port_rounds {
 public:
  [[nodiscard]] int first_free() const { return m_first_free; }
  [[nodiscard]] bool is_free(int round) const {
    auto const at = static_cast<std::size_t>(round);
    return at >= m_taken.size() || !m_taken[at];
  }
  void take(int round) {
    auto const at = static_cast<std::size_t>(round);
    if (at >= m_taken.size()) m_taken.resize(at + 1);
    m_taken[at] = true;
    while (!is_free(m_first_free)) ++m_first_free;
  }

 private:
  std::vector<bool> m_taken;
  int m_first_free = 0;
};

/// Gives each move the first round in which its source does not send and its reader does not
/// receive.
[[nodiscard]] balance_phase in_first_free_rounds(std::vector<balance_move> moves, std::size_t p) {
  std::vector<port_rounds> out(p);
  std::vector<port_rounds> in(p);
  balance_phase phase{std::move(moves)};
  for (auto& move : phase.moves) {
    auto& sends = out[static_cast<std::size_t>(move.from)];
    auto& receives = in[static_cast<std::size_t>(move.to)];
    move.round = std::max(sends.first_free(), receives.first_free());
    while (!sends.is_free(move.round) || !receives.is_free(move.round)) ++move.round;
    sends.take(move.round);
    receives.take(move.round);
    phase.rounds = std::max(phase.rounds, move.round + 1);
  }
  return phase;
}

[[nodiscard]] lengths difference(lengths const& a, lengths const& b) {
  lengths less(a.size());
  std::ranges::transform(a, b, less.begin(), std::minus<>{});
  return less;
}

/// Cuts n elements evenly: the first n mod p processors have one more.
[[nodiscard]] lengths even_shares(std::size_t n, std::size_t p) {
  pieces const of(n, static_cast<int>(p), piece_sizes::larger_first);
  lengths shares(p);
  for (std::size_t i = 0; i < p; ++i) shares[i] = of.size(static_cast<int>(i));
  return shares;
}

/// Cuts the line of rests. If pm divides n, a whole packet of rests goes to each of the last
/// processors, as many as it fills, so that whole packets are left to want; else each processor gets as
/// many as the others.
[[nodiscard]] lengths shares_of_rests(std::size_t rests, std::size_t n, std::size_t p,
                                      std::size_t packet) {
  if (n % p != 0 || n / p % packet != 0) return even_shares(rests, p);
  lengths shares(p);
  std::fill_n(shares.rbegin(), rests / packet, packet);
  return shares;
}

/// The moves of the first line, by phase: a source's last reader is served in phase 2.
struct served_readers {
  std::vector<balance_move> but_last;
  std::vector<balance_move> last;
  int most = 0;  ///< readers of one source
};

[[nodiscard]] served_readers served(std::vector<balance_move> const& line) {
  served_readers by_phase;
  int readers = 0;
  for (std::size_t i = 0; i < line.size(); ++i) {
    readers = i > 0 && line[i - 1].from == line[i].from ? readers + 1 : 1;
    by_phase.most = std::max(by_phase.most, readers);
    bool const is_last = i + 1 == line.size() || line[i + 1].from != line[i].from;
    (is_last ? by_phase.last : by_phase.but_last).push_back(line[i]);
  }
  return by_phase;
}

/// Takes what stays out of the moves.
void keep_own(std::vector<balance_move>& moves, std::vector<balance_move>& kept) {
  auto const own = [](balance_move const& move) { return move.from == move.to; };
  std::ranges::copy_if(moves, std::back_inserter(kept), own);
  std::erase_if(moves, own);
}

}  // namespace

balance_plan plan_balance(std::span<std::uint64_t const> loads, std::uint64_t packet,
                          std::source_location where) {
  return detail::errors_at(where, [&] {
    auto const p = loads.size();
    if (p == 0 || packet == 0)
      throw invalid_argument(fmt::format(
          "balance: {} processors and packets of {} elements; give at least 1 of both", p, packet));
    balance_plan plan{.loads = {loads.begin(), loads.end()}};
    auto const n = std::accumulate(plan.loads.begin(), plan.loads.end(), std::uint64_t{0},
                                   detail::checked_sum);
    lengths whole(p);  // f_j
    std::ranges::transform(plan.loads, whole.begin(),
                           [packet](std::size_t load) { return load - load % packet; });
    auto const rests = difference(plan.loads, whole);
    auto const of_rests =
        shares_of_rests(std::accumulate(rests.begin(), rests.end(), std::size_t{0}), n, p, packet);
    plan.shares = even_shares(n, p);
    auto const wanted = difference(plan.shares, of_rests);
    lengths const at_front(p);
    auto readers = served(cut_line(whole, wanted, {at_front, at_front}));
    plan.most_readers = readers.most;
    std::array moves{std::move(readers.but_last), std::move(readers.last),
                     cut_line(rests, of_rests, {whole, wanted})};
    for (std::size_t i = 0; i < moves.size(); ++i) {
      keep_own(moves[i], plan.kept);
      plan.phases[i] = in_first_free_rounds(std::move(moves[i]), p);
    }
    return plan;
  });
}

std::uint64_t operations_of(balance_plan const& plan) {
  auto operations = plan.loads.size() + plan.shares.size() + plan.kept.size();
  for (auto const& phase : plan.phases) operations += phase.moves.size();
  return operations;
}

}  // namespace lockstep
