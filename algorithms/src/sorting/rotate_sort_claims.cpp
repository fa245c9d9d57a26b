#include <cstddef>
#include <string>

#include <fmt/format.h>

#include <lockstep/algorithms/sorting/detail/slice_turns.hpp>
#include <lockstep/algorithms/sorting/rotate_sort.hpp>
#include <lockstep/claim_list.hpp>

#include "sorting/supposed_sizes.hpp"

namespace lockstep {

namespace {

/// The words of all phases, as a formula, and whether they are just these.
struct rotate_words {
  std::string formula;
  bool exact = false;
};

/// Phases send and take in q/p words in p - 1 messages, those of whole slices a times as many rows
/// as a processor has slices, those of copied ones the rows of a processor's slices, and what turns in
/// slices that are cut goes once more.
[[nodiscard]] rotate_words words_of_turned_rows(detail::rotate_plan const& plan,
                                                slice_rows slices) {
  bool const even = plan.rows() % plan.columns() == 0;
  if (slices == slice_rows::copied)
    return {"(5 + 2 shears)(p - 1)m ceil(q/(pm)) + (p - 1)m ceil(h/m)", even};
  if (slices == slice_rows::whole)
    return {"(4 + 2 shears)(p - 1)m ceil(q/(pm)) + 2(p - 1)m ceil(a ceil(q/(ap))/m)", even};
  std::string const evenly = "(6 + 2 shears)(p - 1)m ceil(q/(pm))";
  if (!plan.has_cut_slices()) return {evenly, even};
  bool const in_groups = even && plan.block_rows() % (plan.rows() / plan.columns()) == 0;
  if (in_groups) return {evenly + " + (ap/q - 1)m ceil(q^2 b/(p^2 m))", true};
  return {evenly + " + p ceil(q/p) + (p - 1)(m - 1)", false};
}

/// Adds for the original what UNBLOCK takes by itself: a processor sends to a - 1 others.
[[nodiscard]] rotate_words words_of_rotate_sort(detail::rotate_plan const& plan, slice_rows slices,
                                                bool original) {
  auto words = words_of_turned_rows(plan, slices);
  if (original) words.formula += " + 2(a - 1)m ceil(q/(am))";
  return words;
}

/// Writes the formula of the rounds where slices are cut: those of `permutations`, the formula of their
/// number, and g - 1 for groups of g = ap/q, or t.
[[nodiscard]] std::string rounds_with_turns(detail::rotate_plan const& plan,
                                            std::string const& permutations) {
  bool const in_groups =
      plan.rows() % plan.columns() == 0 && plan.block_rows() % (plan.rows() / plan.columns()) == 0;
  return permutations + (in_groups ? "(p - 1) + ap/q - 1" : "(p - 1) + t");
}

/// Tells how the start-ups are claimed: columns of an element or none leave some phases empty.
[[nodiscard]] comparison how_started(std::size_t rows) {
  return rows > 1 ? comparison::equal : comparison::at_most;
}

/// A rotate sort on which the paper's claims depend.
struct planned_sort {
  std::size_t n;
  detail::rotate_plan const& plan;
  rotate_sort_options const& options;
  bool cut;  ///< whether slices are cut
};

/// Says why the time need not hold here; nothing if it has to.
[[nodiscard]] std::string erratum_of_time(planned_sort const& of, std::string const& cut_slices) {
  if (of.cut) return cut_slices;
  if (of.options.slices == slice_rows::spread) return "";
  return "processors take in whole slices, which are longer than n/p; cut ones take one "
         "permutation more";
}

/// Claims Theorem 5.3, or for n < 6p^2 the remark after it.
void claim_theorem(claim_list& claims, bdm_machine const& on, planned_sort const& of) {
  auto const q = of.plan.rows();
  auto const p = of.plan.columns();
  auto const n = static_cast<double>(of.n);
  bool const is_theorem = n >= claims.value("6p^2");
  bool const even = of.n % p == 0 && q == of.n / p;
  bool const as_printed = detail::shears_of(of.options, q, on.p) == rotate_sort_shears(q, on.p);
  auto const suppose = [&] {
    claims.where(is_theorem ? detail::elements_for_one_shear : detail::elements_for_shears)
        .where(detail::sizes_of_rotate_sort(of.n, on.p));
    if (!even) claims.where("columns of n/p elements", false);
    if (!as_printed) claims.where("SHEAR ceil(log2(1 + 6p^2/n)) times", false);
  };
  std::string const cut_slices =
      "slices of a rows lie in several processors where a does not divide n/p^2, so one "
      "permutation more turns their columns";
  std::string const k = is_theorem ? "8" : "6 + 2 shears";
  std::string const factor = is_theorem ? k : "(" + k + ")";
  claims
      .from(is_theorem ? "JaJa and Ryu 1994, Theorem 5.3"
                       : "JaJa and Ryu 1994, remark after Theorem 5.3")
      .compare("startups", how_started(q), on.p > 1 && q > 0 ? k : "0")
      .erratum(of.cut ? cut_slices : "");
  suppose();
  claims.at_most("time", factor + (even ? "(tau + n/p + pm)" : "(tau + q + pm)"))
      .priced_by(block_distributed_model{static_cast<double>(on.tau)})
      .erratum(erratum_of_time(of, cut_slices));
  suppose();
}

}  // namespace

std::vector<claim> rotate_sort_claims(bdm_machine const& on, std::size_t n,
                                      rotate_sort_options const& asked) {
  detail::require_machine_of_claims("rotate_sort_claims", on);
  auto options = asked;
  options.packet = on.packet;
  options.tau = on.tau;
  options.slices = choose_slice_rows(n, on.p, options).rows;
  auto const plan = detail::plan_of_rotate_sort(n, on.p, options);
  auto const turns = static_cast<double>(detail::slice_turns(plan).rounds());
  auto const q = plan.rows();
  bool const travels = on.p > 1 && q > 0;
  bool const cut = travels && plan.has_cut_slices();
  auto const started = how_started(q);
  claim_list claims({{{"p", on.p},
                      {"tau", static_cast<double>(on.tau)},
                      {"m", static_cast<double>(on.packet)},
                      {"n", static_cast<double>(n)},
                      {"q", static_cast<double>(q)},
                      {"a", static_cast<double>(plan.block_rows())},
                      {"b", static_cast<double>(plan.block_columns())},
                      {"shears", detail::shears_of(options, q, on.p)}}});
  std::string const permutations = options.original ? "(8 + 2 shears)" : "(6 + 2 shears)";
  if (rotate_sort_leaves_few_rows(on.p) && !options.original)
    claim_theorem(claims, on, {.n = n, .plan = plan, .options = options, .cut = cut});
  claims.from("lockstep, the schedule counted");
  if (!travels) return claims.equal("rounds, words", "0");
  auto const [words, exact] = words_of_rotate_sort(plan, options.slices, options.original);
  if (options.original) {
    int const unblocks = plan.block_rows() > 1 ? 2 : 0;  // else both move nothing
    claims.compare("startups", started, fmt::format("{} + 2 shears", 6 + unblocks + (cut ? 1 : 0)));
  } else if (cut) {
    claims.compare("startups", started, "7 + 2 shears");
  } else if (!rotate_sort_leaves_few_rows(on.p)) {
    claims.compare("startups", started, "6 + 2 shears");
  }
  claims.with("t", turns)
      .with("h", static_cast<double>(plan.most_rows_taken_in()))
      .equal("rounds", cut ? rounds_with_turns(plan, permutations) : permutations + "(p - 1)")
      .compare("words", exact ? comparison::equal : comparison::at_most, words);
  if (exact && options.slices == slice_rows::spread && !cut && !options.original)
    claims.equal("volume", "(6 + 2 shears)p(p - 1)m ceil(q/(pm))")
        .equal("messages", "(6 + 2 shears)p(p - 1)");
  return claims;
}

}  // namespace lockstep
