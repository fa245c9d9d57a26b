#include <lockstep/algorithms/collectives/detail/circulant_all_gather.hpp>

namespace lockstep::detail {

std::vector<int> growth_of_pieces(int p, int first_k, int k) {
  std::vector<int> growth{1};
  for (std::int64_t had = 1; had < p;) {
    had = std::min<std::int64_t>(had * (had == 1 ? first_k : k), p);
    growth.push_back(static_cast<int>(had));
  }
  return growth;
}

std::vector<cycle_round> rounds_of_phase(int p, int had, int then) {
  std::vector<cycle_round> rounds;
  for (std::int64_t shift = had; shift < then; shift += had)
    rounds.push_back({rounds.size(), static_cast<int>(shift),
                      static_cast<int>(std::min<std::int64_t>(had, p - shift)), had});
  return rounds;
}

std::vector<int> circulant_all_gather::numbers_of(int pieces) const {
  std::vector<int> numbers;
  numbers.reserve(static_cast<std::size_t>(pieces));
  for (int i = 0; i < pieces; ++i) numbers.push_back((m_rank + i) % m_pieces.count());
  return numbers;
}

void circulant_all_gather::show_sums(processor& me, piece_labels const& labels, std::size_t phase,
                                     std::span<cycle_round const> rounds) const {
  auto const p = m_pieces.count();
  std::vector<block_label> summands;
  auto const add = [&](int from, int piece) {
    auto const owner = (m_rank + piece) % p;
    for (int before = from; before + piece < p; before += m_growth[phase])
      summands.push_back({(m_rank + p - before) % p, owner});
  };
  for (int piece = 0; piece < m_growth[phase]; ++piece)
    if (std::ranges::none_of(rounds, [&](cycle_round const& round) { return round.has(piece); }))
      add(0, piece);
  for (auto const& round : rounds)
    for (int piece = 0; piece < round.pieces; ++piece) add(round.shift, piece);
  labels.show(me, summands);
}

void circulant_all_gather::show_own_sum(processor& me, std::size_t phase) const {
  auto const p = m_pieces.count();
  std::vector<bool> is_in(static_cast<std::size_t>(p));
  for (int before = 0; before < p; before += m_growth[phase])
    is_in[static_cast<std::size_t>((m_rank + p - before) % p)] = true;
  me.show("own piece's sum", intervals_of(is_in));
}

}  // namespace lockstep::detail
