#include <lockstep/algorithms/collectives/collective_claims.hpp>

#include <string>

#include <lockstep/algorithms/collectives/arity.hpp>
#include <lockstep/algorithms/collectives/broadcast.hpp>
#include <lockstep/algorithms/collectives/pieces.hpp>
#include <lockstep/claim_list.hpp>

#include "collectives/schedule_formulas.hpp"

namespace lockstep {

namespace {

/// Names a place in the paper.
[[nodiscard]] std::string in_paper(std::string const& place) {
  return "JaJa and Ryu 1994, " + place;
}

/// Claims of a schedule's exact counts, and of its time on a machine. n: words of a block; q: rows.
class schedule_claims {
 public:
  schedule_claims(bdm_machine const& on, std::size_t n, written_schedule const& schedule)
      : m_on(on),
        m_claims({{{"p", on.p},
                   {"tau", static_cast<double>(on.tau)},
                   {"m", static_cast<double>(on.packet)},
                   {"n", static_cast<double>(n)},
                   {"q", static_cast<double>(n)}}}) {
    m_claims.add(exact_claims(schedule, "lockstep, the schedule counted"));
  }

  schedule_claims& at_most(std::string const& formula, std::string const& place) {
    m_claims.from(in_paper(place))
        .at_most("time", formula)
        .priced_by(block_distributed_model{static_cast<double>(m_on.tau)});
    return *this;
  }

  /// A bound on phases of a k-ary tree. Where tau/m + 1 is not a whole number, k is, and the bound
  /// is not for the tree that is run.
  schedule_claims& at_most_by_tree(int k, std::string const& formula, std::string const& place) {
    m_claims.with("k", k);
    at_most(m_on.tau % m_on.packet != 0 ? formula + ", k = tau/m + 1" : formula, place);
    m_claims.erratum(reason_against_tree(k));
    return *this;
  }

  schedule_claims& erratum(std::string const& reason) {
    m_claims.erratum(reason);
    return *this;
  }

  operator std::vector<claim>() const { return m_claims; }  // NOLINT(google-explicit-constructor)

 private:
  [[nodiscard]] std::string reason_against_tree(int k) const {
    if (m_on.tau == 0 || m_on.tau % m_on.packet != 0)
      return "made for a tau of whole packets, at least one: with k rounded to a whole number it "
             "fails";
    if (k != tree_arity(m_on.tau, m_on.packet)) return "made for k = tau/m + 1";
    return {};
  }

  bdm_machine m_on;
  claim_list m_claims;
};

constexpr char const* one_phase_of_pieces = "tau + (p - 1)m ceil(n/(pm))";

/// Of a block whole: one phase, or the tree for one element.
[[nodiscard]] std::vector<claim> whole_claims(bdm_machine const& on, std::size_t n,
                                              collective_options const& options,
                                              std::string const& place_of_tree) {
  if (options.scheme == collective_scheme::k_ary)
    return schedule_claims(on, n, written_block_tree(on.p, n, options.k, on.packet))
        .at_most_by_tree(options.k, "2 tau ceil(log_k p)", place_of_tree);
  return schedule_claims(on, n, written_block_tree(on.p, n, one_phase, on.packet))
      .at_most(n == 1 ? "tau + m(p - 1)" : "tau + (p - 1)m ceil(n/m)",
               n == 1 ? "Lemma 3.1" : "Lemma 3.1, whole blocks");
}

/// Of a block in pieces, there and back.
[[nodiscard]] std::vector<claim> claims_in_pieces(bdm_machine const& on, std::size_t n,
                                                  collective_options const& options,
                                                  written_schedule const& schedule,
                                                  std::string const& place_of_tree) {
  schedule_claims claims(on, n, schedule);
  if (options.scheme == collective_scheme::k_ary)
    return claims.at_most_by_tree(options.k, "2(2 tau ceil(log_k p) + n)", place_of_tree);
  return claims.at_most("2(" + std::string(one_phase_of_pieces) + ")", "Theorem 3.3");
}

/// Of blocks that all go to all processors.
[[nodiscard]] std::vector<claim> gathered_claims(bdm_machine const& on, std::size_t n) {
  pieces const blocks(n * static_cast<std::size_t>(on.p), on.p);
  auto schedule = written_circulant_all_gather(blocks, one_phase, one_phase, on.packet);
  schedule.words = "(p - 1)m ceil(n/m)";
  schedule.volume = "p(p - 1)m ceil(n/m)";
  schedule.messages = "p(p - 1)";
  return schedule_claims(on, n, schedule)
      .at_most("tau + (p - 1)m ceil(n/m)", "Lemma 3.2, whole blocks");
}

}  // namespace

std::vector<claim> transpose_claims(bdm_machine const& on, std::size_t rows) {
  schedule_claims claims(on, rows, written_transpose(on.p, rows, on.packet));
  claims.at_most("tau + (p - 1)m ceil(q/(pm))", "Lemma 3.3");
  auto const p = static_cast<std::uint64_t>(on.p);
  if (rows % p == 0 && rows / p % on.packet == 0)
    claims.at_most("tau + q - q/p", "Lemma 3.3, pm divides q");
  return claims;
}

std::vector<claim> broadcast_claims(bdm_machine const& on, std::size_t n,
                                    collective_options const& options) {
  detail::require_collective("broadcast", options, on.p);
  auto const rule = detail::rule_for(options, n);
  if (!rule.in_pieces) return whole_claims(on, n, options, "Theorem 3.1");
  pieces const of(n, on.p, rule.sizes);
  return claims_in_pieces(on, n, options,
                          written_piece_tree(of, rule.k, options.root, on.packet) +
                              written_circulant_all_gather(of, rule.k, rule.k, on.packet),
                          "Theorem 3.3");
}

std::vector<claim> scatter_claims(bdm_machine const& on, std::size_t n,
                                  scatter_options const& options) {
  schedule_claims claims(on, n,
                         written_piece_tree(pieces(n, on.p), options.k, options.root, on.packet));
  if (options.k >= on.p) claims.at_most(one_phase_of_pieces, "Corollary 3.1");
  if (options.k != one_phase)
    claims.at_most_by_tree(options.k, "2 tau ceil(log_k p) + n", "Corollary 3.1");
  return claims;
}

std::vector<claim> all_gather_claims(bdm_machine const& on, std::size_t n,
                                     all_gather_options const& options) {
  auto const first_k = options.first_k == 0 ? options.k : options.first_k;
  schedule_claims claims(
      on, n, written_circulant_all_gather(pieces(n, on.p), first_k, options.k, on.packet));
  if (options.first_k != 0)
    claims.at_most("2 tau + m^2 + p", "Lemma 3.2")
        .erratum(n != static_cast<std::size_t>(on.p) ? "made for one element each" : "");
  if (first_k >= on.p) claims.at_most(one_phase_of_pieces, "Lemma 3.2");
  if (options.first_k == 0 && options.k != one_phase)
    claims.at_most_by_tree(options.k, "2 tau ceil(log_k p) + n", "Theorem 3.3, the second half");
  return claims;
}

std::vector<claim> reduce_claims(bdm_machine const& on, std::size_t n,
                                 collective_options const& options) {
  detail::require_collective("reduce", options, on.p);
  auto const rule = detail::rule_for(options, n);
  if (!rule.in_pieces) return whole_claims(on, n, options, "Theorem 3.2");
  pieces const of(n, on.p, rule.sizes);
  return claims_in_pieces(on, n, options,
                          written_circulant_all_gather(of, rule.k, rule.k, on.packet) +
                              written_piece_tree(of, rule.k, options.root, on.packet),
                          "Lemma 5.2");
}

std::vector<claim> all_reduce_claims(bdm_machine const& on, std::size_t n,
                                     collective_options const& options) {
  detail::require_collective("all_reduce", options, on.p);
  auto const rule = detail::rule_for(options, n);
  if (options.scheme == collective_scheme::direct) return gathered_claims(on, n);
  if (!rule.in_pieces) {
    auto const tree = written_block_tree(on.p, n, rule.k, on.packet);
    return schedule_claims(on, n, tree + tree)
        .at_most_by_tree(rule.k, "2 (2 tau ceil(log_k p))", "Theorems 3.1 and 3.2");
  }
  auto const half =
      written_circulant_all_gather(pieces(n, on.p, rule.sizes), rule.k, rule.k, on.packet);
  return claims_in_pieces(on, n, options, half + half, "Theorem 3.3 and Lemma 5.2");
}

}  // namespace lockstep
