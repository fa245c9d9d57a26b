#include "collectives/schedule_formulas.hpp"

#include <cstdint>

#include <lockstep/algorithms/collectives/all_gather.hpp>
#include <lockstep/algorithms/collectives/arity.hpp>

namespace lockstep {

namespace {

constexpr char const* formula_of_tree_rounds =
    "sum of min(k, ceil(p/k^i)) - 1, i = 0 .. ceil(log_k p) - 1";
constexpr char const* phases = "ceil(log_k p)";

/// Whether every phase cuts into k pieces of one size.
[[nodiscard]] bool cuts_evenly(pieces const& of, int k) {
  return is_power_of(k, of.count()) && of.elements() % static_cast<std::size_t>(of.count()) == 0;
}

[[nodiscard]] std::string startups_of(schedule_counts const& counts, int p, int k) {
  return counts.startups == static_cast<std::uint64_t>(tree_phases(p, k)) ? phases
                                                                          : "phases with words";
}

/// The cost of both halves of a block's way, if they cut it evenly.
constexpr char const* even_words = "sum of (k - 1)m ceil(n/(k^i m)), i = 1 .. log_k p";

/// A count, and how one writes it down.
struct written_count {
  std::uint64_t count;
  std::string const& formula;
};

/// A schedule that has none of what is counted adds nothing, and its formula holds only where it
/// has some.
[[nodiscard]] std::string sum_of(written_count const& a, written_count const& b) {
  if (a.count == 0) return b.formula;
  if (b.count == 0) return a.formula;
  if (a.formula != b.formula || a.count != b.count) return a.formula + " + " + b.formula;
  return a.formula == "1" ? "2" : "2 (" + a.formula + ")";
}

}  // namespace

written_schedule written_transpose(int p, std::size_t rows, std::uint64_t packet) {
  return {transpose_counts(p, rows, packet),
          "p - 1",
          "1",
          "(p - 1)m ceil(q/(pm))",
          "(p - 1) sum of m ceil(q_i/m), q_i rows at processor i",
          "(p - 1) min(p, q)"};
}

written_schedule written_piece_tree(pieces const& of, int k, int root, std::uint64_t packet) {
  auto const counts = piece_tree_counts(of, k, root, packet);
  if (k >= of.count())
    return {counts,
            "p - 1",
            "1",
            "sum of m ceil(n_i/m), i not the root",
            "sum of m ceil(n_i/m), i not the root",
            "pieces that are not empty, but the root's"};
  return {counts,
          formula_of_tree_rounds,
          startups_of(counts, of.count(), k),
          cuts_evenly(of, k) ? even_words : "sum over phases of the largest leader's packets",
          "m ceil(n_j/m) for all parts j of all phases",
          "parts of all phases that are not empty"};
}

written_schedule written_circulant_all_gather(pieces const& of, int first_k, int k,
                                              std::uint64_t packet) {
  auto const counts = circulant_all_gather_counts(of, first_k, k, packet);
  if (first_k >= of.count())
    return {counts,
            "p - 1",
            "1",
            "(p - 1)m ceil(n/(pm))",
            "(p - 1) sum of m ceil(n_i/m)",
            "(p - 1) times the pieces that are not empty"};
  bool const one_each = of.elements() == static_cast<std::size_t>(of.count());
  if (k >= of.count() && one_each)
    return {counts,
            first_k == in_two_phases(of.count(), packet).first_k
                ? "b - 1 + ceil(p/b) - 1, b = min(m, ceil(sqrt p))"
                : "b - 1 + ceil(p/b) - 1, b = min(m, p)",
            "2",
            "m(b - 1) + m ceil(b/m)(ceil(p/b) - 1)",
            "p (m(b - 1) + m ceil(b/m)(ceil(p/b) - 1))",
            "p (b - 1 + ceil(p/b) - 1)"};
  return {counts,
          formula_of_tree_rounds,
          startups_of(counts, of.count(), k),
          cuts_evenly(of, k) ? even_words : "sum over phases of the busiest processor's packets",
          "sum over all messages of their packets",
          "messages of all rounds that are not empty"};
}

written_schedule written_block_tree(int p, std::size_t n, int k, std::uint64_t packet) {
  auto const counts = block_tree_counts(p, n, k, packet);
  bool const one = k >= p;
  return {counts,
          one ? "p - 1" : formula_of_tree_rounds,
          one ? "1" : startups_of(counts, p, k),
          one ? "(p - 1)m ceil(n/m)" : "m ceil(n/m) for each round",
          "(p - 1)m ceil(n/m)",
          "p - 1"};
}

written_schedule operator+(written_schedule const& a, written_schedule const& b) {
  return {a.counts + b.counts,
          sum_of({a.counts.rounds, a.rounds}, {b.counts.rounds, b.rounds}),
          sum_of({a.counts.startups, a.startups}, {b.counts.startups, b.startups}),
          sum_of({a.counts.words, a.words}, {b.counts.words, b.words}),
          sum_of({a.counts.volume, a.volume}, {b.counts.volume, b.volume}),
          sum_of({a.counts.messages, a.messages}, {b.counts.messages, b.messages})};
}

std::vector<claim> exact_claims(written_schedule const& schedule, std::string const& source) {
  std::vector<claim> claims;
  auto const add = [&](char const* figure, std::string const& formula, std::uint64_t value) {
    claims.push_back({figure, value == 0 ? "0" : formula, static_cast<double>(value),
                      comparison::equal, source});
  };
  add("rounds", schedule.rounds, schedule.counts.rounds);
  add("startups", schedule.startups, schedule.counts.startups);
  add("words", schedule.words, schedule.counts.words);
  add("volume", schedule.volume, schedule.counts.volume);
  add("messages", schedule.messages, schedule.counts.messages);
  return claims;
}

}  // namespace lockstep
