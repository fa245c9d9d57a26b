#include <lockstep/algorithms/collectives/collective_claims.hpp>

#include <regex>
#include <string>

#include <fmt/format.h>

#include <lockstep/algorithms/collectives/arity.hpp>
#include <lockstep/algorithms/collectives/broadcast.hpp>
#include <lockstep/algorithms/collectives/pieces.hpp>
#include <lockstep/claim_list.hpp>
#include <lockstep/detail/checked_counts.hpp>
#include <lockstep/errors.hpp>

#include "collectives/schedule_formulas.hpp"

namespace lockstep {

namespace {

/// Claims of a schedule's exact counts, and of its time on a machine. n: words of a block; q: rows.
class schedule_claims : public claim_list {
 public:
  schedule_claims(bdm_machine const& on, std::size_t n, written_schedule const& schedule)
      : claim_list({{{"p", on.p},
                     {"tau", static_cast<double>(on.tau)},
                     {"m", static_cast<double>(on.packet)},
                     {"n", static_cast<double>(n)},
                     {"q", static_cast<double>(n)}}}),
        m_on(on) {
    add(exact_claims(schedule, "lockstep, the schedule counted"));
  }

  /// Adds a bound on the time.
  claim_list& time_at_most(std::string const& formula, std::string const& place) {
    return from("JaJa and Ryu 1994, " + place).at_most("time", formula).priced_by(model());
  }

  /// Adds the time in which each processor takes p - 1 items, or one gives them, and its two terms; a
  /// single processor needs none.
  claim_list& claim_time_of_items(std::string const& place) {
    if (m_on.p == 1) return time_at_most(time_of_items, place);
    return from("JaJa and Ryu 1994, " + place)
        .equal("time", time_of_items)
        .priced_by(model())
        .equal("startups", "1")
        .equal("words", "m(p - 1)");
  }

  /// A bound on phases of a k-ary tree. Where tau/m + 1 is not a whole number, k is, and the bound
  /// is not for the tree that is run.
  claim_list& time_at_most_by_tree(int k, std::string const& formula, std::string const& place) {
    with("k", k);
    bool const rounded = m_on.tau % m_on.packet != 0;
    auto& claims = time_at_most(rounded ? formula + ", k = tau/m + 1" : formula, place);
    return claims.where(whole_packets_of_latency(m_on.tau, m_on.packet))
        .where("k = tau/m + 1", rounded || m_on.tau == 0 || k == tree_arity(m_on.tau, m_on.packet));
  }

 private:
  [[nodiscard]] block_distributed_model model() const {
    return block_distributed_model{static_cast<double>(m_on.tau)};
  }

  bdm_machine m_on;
};

/// The traits in which collectives of a block differ. Pieces go from the root, or to it, by
/// a tree; else each processor has one, and all of them go to all.
struct block_collective {
  bool begins_at_root;
  bool ends_at_root;
  char const* place_of_tree;    ///< of a block whole, in the paper
  char const* place_of_pieces;  ///< of a block in pieces, by a tree
};

constexpr block_collective of_broadcast{true, false, "Theorem 3.1", "Theorem 3.3"};
constexpr block_collective of_sum{false, true, "Theorem 3.2", "Lemma 5.2"};

/// Writes n^2 for n: a matrix has as many words.
[[nodiscard]] std::string of_matrices(std::string const& formula) {
  std::regex const n(R"(\bn\b)");
  return std::regex_replace(formula, n, "n^2");
}

/// Claims what a block costs in pieces, in two halves, by trees or in one phase each.
[[nodiscard]] std::vector<claim> claims_in_pieces(block_collective const& of, bdm_machine const& on,
                                                  pieces const& cut, scatter_options const& options,
                                                  bool by_trees) {
  auto const half = [&](bool at_root) {
    return at_root ? written_piece_tree(cut, options.k, options.root, on.packet)
                   : written_circulant_all_gather(cut, options.k, options.k, on.packet);
  };
  schedule_claims claims(on, cut.elements(), half(of.begins_at_root) + half(of.ends_at_root));
  if (by_trees)
    return claims.time_at_most_by_tree(options.k, "2(" + std::string(time_of_pieces_by_trees) + ")",
                                       of.place_of_pieces);
  return claims.time_at_most("2(" + std::string(time_of_pieces) + ")", "Theorem 3.3");
}

/// Claims what a block costs: whole, in one phase or, if it is one element, by the tree; else in
/// pieces.
[[nodiscard]] std::vector<claim> block_claims(block_collective const& of, bdm_machine const& on,
                                              std::size_t n, collective_options const& options) {
  auto const rule = detail::rule_for(options, n);
  if (rule.in_pieces)
    return claims_in_pieces(of, on, pieces(n, on.p, rule.sizes),
                            {.k = rule.k, .root = options.root},
                            options.scheme == collective_scheme::k_ary);
  bool const twice = !of.begins_at_root && !of.ends_at_root;  // to the root, and back
  auto const once = written_block_tree(on.p, n, rule.k, on.packet);
  schedule_claims claims(on, n, twice ? once + once : once);
  if (options.scheme == collective_scheme::k_ary)
    return claims.time_at_most_by_tree(
        rule.k, twice ? "2 (2 tau ceil(log_k p))" : "2 tau ceil(log_k p)", of.place_of_tree);
  if (n == 1 && of.begins_at_root) return claims.claim_time_of_items("Lemma 3.1");
  return claims.time_at_most(n == 1 ? time_of_items : time_of_whole_blocks,
                             n == 1 ? "Lemma 3.1" : "Lemma 3.1, whole blocks");
}

/// Of blocks that all go to all processors.
[[nodiscard]] std::vector<claim> gathered_claims(bdm_machine const& on, std::size_t n) {
  pieces const blocks(detail::checked_product(n, static_cast<std::uint64_t>(on.p)), on.p);
  auto schedule = written_circulant_all_gather(blocks, one_phase, one_phase, on.packet);
  schedule.words = "(p - 1)m ceil(n/m)";
  schedule.volume = "p(p - 1)m ceil(n/m)";
  schedule.messages = "p(p - 1)";
  return schedule_claims(on, n, schedule)
      .time_at_most(time_of_whole_blocks, "Lemma 3.2, whole blocks");
}

}  // namespace

void detail::require_machine_of_claims(char const* claims, bdm_machine const& on) {
  if (on.p < 1 || on.packet == 0)
    throw invalid_argument(
        fmt::format("{}: {} processors and packets of {} words; give at least 1 of both", claims,
                    on.p, on.packet));
}

std::vector<claim> transpose_claims(bdm_machine const& on, std::size_t rows) {
  schedule_claims claims(on, rows, written_transpose(on.p, rows, on.packet));
  auto const p = static_cast<std::uint64_t>(on.p);
  bool const divides = rows % p == 0;  // without loss of generality, in the paper
  auto const claim_time = [&](char const* formula, char const* place) {
    claims.time_at_most(formula, place).where("q >= p").where("p divides q");
  };
  if (divides && rows / p % on.packet == 0) claim_time("tau + q - q/p", "Lemma 3.3, pm divides q");
  claim_time("tau + (p - 1)m ceil(q/(pm))", "Lemma 3.3");
  claim_time("tau + (q - q/p) + (p - 1)m", "section 3, before Lemma 3.3");
  return claims;
}

std::vector<claim> block_broadcast_claims(bdm_machine const& on, std::size_t words,
                                          scatter_options const& options) {
  detail::require_scattered("block_broadcast", options, on.p);
  return claims_in_pieces(of_broadcast, on, pieces(words, on.p), options, options.k != one_phase);
}

std::vector<claim> matrix_sum_claims(bdm_machine const& on, std::size_t n,
                                     scatter_options const& options) {
  detail::require_scattered("matrix_sum", options, on.p);
  auto const elements = detail::checked_product(n, n);
  auto claims =
      claims_in_pieces(of_sum, on, pieces(elements, on.p), options, options.k != one_phase);
  for (auto& each : claims) each.formula = of_matrices(each.formula);
  claim_list sums({{{"p", on.p}, {"n", static_cast<double>(n)}}});
  bool const divides = elements % static_cast<std::uint64_t>(on.p) == 0;
  sums.from("lockstep, where Lemma 5.2 has O(n^2)")
      .at_most("additions", divides ? "n^2(1 - 1/p)" : "(p - 1)ceil(n^2/p)");
  return sums.add(claims);
}

std::vector<claim> broadcast_claims(bdm_machine const& on, std::size_t n,
                                    collective_options const& options) {
  detail::require_collective("broadcast", options, on.p);
  return block_claims(of_broadcast, on, n, options);
}

std::vector<claim> reduce_claims(bdm_machine const& on, std::size_t n,
                                 collective_options const& options) {
  detail::require_collective("reduce", options, on.p);
  return block_claims(of_sum, on, n, options);
}

std::vector<claim> all_reduce_claims(bdm_machine const& on, std::size_t n,
                                     collective_options const& options) {
  detail::require_collective("all_reduce", options, on.p);
  if (options.scheme == collective_scheme::direct) return gathered_claims(on, n);
  return block_claims({false, false, "Theorems 3.1 and 3.2", "Theorem 3.3 and Lemma 5.2"}, on, n,
                      options);
}

std::vector<claim> scatter_claims(bdm_machine const& on, std::size_t n,
                                  scatter_options const& options) {
  schedule_claims claims(on, n,
                         written_piece_tree(pieces(n, on.p), options.k, options.root, on.packet));
  if (options.k >= on.p) claims.time_at_most(time_of_pieces, "Corollary 3.1");
  if (options.k != one_phase)
    claims.time_at_most_by_tree(options.k, time_of_pieces_by_trees, "Corollary 3.1");
  return claims;
}

std::vector<claim> all_gather_claims(bdm_machine const& on, std::size_t n,
                                     all_gather_options const& options) {
  auto const first_k = options.first_k == 0 ? options.k : options.first_k;
  schedule_claims claims(
      on, n, written_circulant_all_gather(pieces(n, on.p), first_k, options.k, on.packet));
  bool const one_each = n == static_cast<std::size_t>(on.p);
  if (options.first_k != 0)
    claims.time_at_most(time_of_items_in_two_phases, "Lemma 3.2")
        .where("one element of each processor", one_each);
  if (first_k >= on.p && one_each)
    claims.claim_time_of_items("Lemma 3.2");
  else if (first_k >= on.p)
    claims.time_at_most(time_of_pieces, "Lemma 3.2");
  if (options.first_k == 0 && options.k != one_phase)
    claims.time_at_most_by_tree(options.k, time_of_pieces_by_trees, "Theorem 3.3, the second half");
  return claims;
}

}  // namespace lockstep
