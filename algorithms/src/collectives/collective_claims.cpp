#include <lockstep/algorithms/collectives/collective_claims.hpp>

#include <algorithm>
#include <string>

#include <fmt/format.h>

#include <lockstep/algorithms/collectives/arity.hpp>
#include <lockstep/algorithms/collectives/broadcast.hpp>
#include <lockstep/algorithms/collectives/pieces.hpp>

#include "collectives/schedule_formulas.hpp"

namespace lockstep {

namespace {

constexpr char const* counted = "lockstep, the schedule counted";

[[nodiscard]] double real(std::uint64_t value) { return static_cast<double>(value); }

/// (p - 1) m ceil(n/(pm)): everybody's piece of n words to everybody else.
[[nodiscard]] double words_of_a_phase(bdm_machine const& on, std::size_t n) {
  auto const all_packets = static_cast<std::uint64_t>(on.p) * on.packet;
  auto const of_a_piece = n / all_packets + (n % all_packets == 0 ? 0 : 1);
  return real(static_cast<std::uint64_t>(on.p) - 1) * real(of_a_piece * on.packet);
}

[[nodiscard]] claim timed(bdm_machine const& on, std::string formula, double value,
                          std::string source) {
  return {.figure = "time",
          .formula = std::move(formula),
          .value = value,
          .bound = comparison::at_most,
          .source = std::move(source),
          .model = block_distributed_model{real(on.tau)}};
}

/// Why a bound on a k-ary tree need not hold for this k.
[[nodiscard]] std::string why_not_the_papers_tree(bdm_machine const& on, int k) {
  if (on.tau == 0 || on.tau % on.packet != 0)
    return "made for a tau of whole packets, at least one: with k rounded to a whole number it "
           "fails";
  if (k != tree_arity(on.tau, on.packet)) return "made for k = tau/m + 1";
  return {};
}

/// ceil(log_k p), also for the k = tau/m + 1 that is no whole number.
[[nodiscard]] double printed_phases(bdm_machine const& on, int k) {
  if (on.tau == 0 || on.tau % on.packet == 0) return tree_phases(on.p, k);
  double phases = 0;
  for (double reached = 1; reached < on.p; reached *= real(on.tau) / real(on.packet) + 1) ++phases;
  return phases;
}

/// 2 tau ceil(log_k p), so many times, and a block's words so many times.
[[nodiscard]] claim timed_tree(bdm_machine const& on, int k, int times, int blocks, std::size_t n,
                               std::string formula, std::string source) {
  auto const value = times * 2 * real(on.tau) * printed_phases(on, k) + blocks * real(n);
  if (on.tau % on.packet != 0)
    formula += ", k = tau/m + 1";  // and not the whole number that is run
  auto made = timed(on, std::move(formula), value, std::move(source));
  made.erratum = why_not_the_papers_tree(on, k);
  return made;
}

[[nodiscard]] std::vector<claim> with_bound(written_schedule const& schedule, claim bound) {
  auto claims = exact_claims(schedule, counted);
  claims.push_back(std::move(bound));
  return claims;
}

/// Of a block whole: one phase, or the tree for one element.
[[nodiscard]] std::vector<claim> whole_claims(bdm_machine const& on, std::size_t n,
                                              collective_options const& options,
                                              std::string const& tree_source) {
  if (options.scheme == collective_scheme::k_ary)
    return with_bound(written_block_tree(on.p, n, options.k, on.packet),
                      timed_tree(on, options.k, 1, 0, n, "2 tau ceil(log_k p)", tree_source));
  auto const block = (n + on.packet - 1) / on.packet * on.packet;
  auto const value = real(on.tau) + real(static_cast<std::uint64_t>(on.p) - 1) * real(block);
  return with_bound(written_block_tree(on.p, n, one_phase, on.packet),
                    timed(on, n == 1 ? "tau + m(p - 1)" : "tau + (p - 1)m ceil(n/m)", value,
                          n == 1 ? "JaJa and Ryu 1994, Lemma 3.1"
                                 : "JaJa and Ryu 1994, Lemma 3.1, whole blocks"));
}

/// Of a block in pieces, there and back.
[[nodiscard]] claim bound_in_pieces(bdm_machine const& on, std::size_t n,
                                    collective_options const& options,
                                    std::string const& tree_source) {
  if (options.scheme == collective_scheme::k_ary)
    return timed_tree(on, options.k, 2, 2, n, "2(2 tau ceil(log_k p) + n)", tree_source);
  return timed(on, "2(tau + (p - 1)m ceil(n/(pm)))", 2 * (real(on.tau) + words_of_a_phase(on, n)),
               "JaJa and Ryu 1994, Theorem 3.3");
}

/// Of blocks that all go to everybody.
[[nodiscard]] std::vector<claim> gathered_claims(bdm_machine const& on, std::size_t n) {
  pieces const blocks(n * static_cast<std::size_t>(on.p), on.p);
  auto schedule = written_circulant_all_gather(blocks, one_phase, one_phase, on.packet);
  schedule.words = "(p - 1)m ceil(n/m)";
  schedule.volume = "p(p - 1)m ceil(n/m)";
  schedule.messages = "p(p - 1)";
  return with_bound(schedule, timed(on, "tau + (p - 1)m ceil(n/m)",
                                    real(on.tau) + words_of_a_phase(on, blocks.elements()),
                                    "JaJa and Ryu 1994, Lemma 3.2, whole blocks"));
}

}  // namespace

std::vector<claim> transpose_claims(bdm_machine const& on, std::size_t rows) {
  auto claims =
      with_bound(written_transpose(on.p, rows, on.packet),
                 timed(on, "tau + (p - 1)m ceil(q/(pm))", real(on.tau) + words_of_a_phase(on, rows),
                       "JaJa and Ryu 1994, Lemma 3.3"));
  auto const p = static_cast<std::uint64_t>(on.p);
  if (rows % p == 0 && rows / p % on.packet == 0)
    claims.push_back(timed(on, "tau + q - q/p", real(on.tau) + real(rows - rows / p),
                           "JaJa and Ryu 1994, Lemma 3.3, pm divides q"));
  return claims;
}

std::vector<claim> broadcast_claims(bdm_machine const& on, std::size_t n,
                                    collective_options const& options) {
  detail::require_collective("broadcast", options, on.p);
  auto const rule = detail::rule_for(options, n);
  if (!rule.in_pieces) return whole_claims(on, n, options, "JaJa and Ryu 1994, Theorem 3.1");
  pieces const of(n, on.p, rule.sizes);
  return with_bound(written_piece_tree(of, rule.k, options.root, on.packet) +
                        written_circulant_all_gather(of, rule.k, rule.k, on.packet),
                    bound_in_pieces(on, n, options, "JaJa and Ryu 1994, Theorem 3.3"));
}

std::vector<claim> scatter_claims(bdm_machine const& on, std::size_t n,
                                  scatter_options const& options) {
  auto claims = exact_claims(
      written_piece_tree(pieces(n, on.p), options.k, options.root, on.packet), counted);
  if (options.k >= on.p)
    claims.push_back(timed(on, "tau + (p - 1)m ceil(n/(pm))",
                           real(on.tau) + words_of_a_phase(on, n),
                           "JaJa and Ryu 1994, Corollary 3.1"));
  if (options.k != one_phase)
    claims.push_back(timed_tree(on, options.k, 1, 1, n, "2 tau ceil(log_k p) + n",
                                "JaJa and Ryu 1994, Corollary 3.1"));
  return claims;
}

std::vector<claim> all_gather_claims(bdm_machine const& on, std::size_t n,
                                     all_gather_options const& options) {
  auto const first_k = options.first_k == 0 ? options.k : options.first_k;
  auto claims = exact_claims(
      written_circulant_all_gather(pieces(n, on.p), first_k, options.k, on.packet), counted);
  auto const m = real(on.packet);
  if (options.first_k != 0) {
    claims.push_back(timed(on, "2 tau + m^2 + p", 2 * real(on.tau) + m * m + on.p,
                           "JaJa and Ryu 1994, Lemma 3.2"));
    if (n != static_cast<std::size_t>(on.p)) claims.back().erratum = "made for one element each";
  }
  if (first_k >= on.p)
    claims.push_back(timed(on, "tau + (p - 1)m ceil(n/(pm))",
                           real(on.tau) + words_of_a_phase(on, n), "JaJa and Ryu 1994, Lemma 3.2"));
  if (options.first_k == 0 && options.k != one_phase)
    claims.push_back(timed_tree(on, options.k, 1, 1, n, "2 tau ceil(log_k p) + n",
                                "JaJa and Ryu 1994, Theorem 3.3, the second half"));
  return claims;
}

std::vector<claim> reduce_claims(bdm_machine const& on, std::size_t n,
                                 collective_options const& options) {
  detail::require_collective("reduce", options, on.p);
  auto const rule = detail::rule_for(options, n);
  if (!rule.in_pieces) return whole_claims(on, n, options, "JaJa and Ryu 1994, Theorem 3.2");
  pieces const of(n, on.p, rule.sizes);
  return with_bound(written_circulant_all_gather(of, rule.k, rule.k, on.packet) +
                        written_piece_tree(of, rule.k, options.root, on.packet),
                    bound_in_pieces(on, n, options, "JaJa and Ryu 1994, Lemma 5.2"));
}

std::vector<claim> all_reduce_claims(bdm_machine const& on, std::size_t n,
                                     collective_options const& options) {
  detail::require_collective("all_reduce", options, on.p);
  auto const rule = detail::rule_for(options, n);
  if (options.scheme == collective_scheme::direct) return gathered_claims(on, n);
  if (!rule.in_pieces) {
    auto const tree = written_block_tree(on.p, n, rule.k, on.packet);
    return with_bound(tree + tree, timed_tree(on, rule.k, 2, 0, n, "2 (2 tau ceil(log_k p))",
                                              "JaJa and Ryu 1994, Theorems 3.1 and 3.2"));
  }
  auto const half =
      written_circulant_all_gather(pieces(n, on.p, rule.sizes), rule.k, rule.k, on.packet);
  return with_bound(
      half + half, bound_in_pieces(on, n, options, "JaJa and Ryu 1994, Theorem 3.3 and Lemma 5.2"));
}

}  // namespace lockstep
