#include <lockstep/algorithms/numeric/matrix_product.hpp>

#include <algorithm>
#include <cmath>
#include <string>

#include <fmt/format.h>

#include <lockstep/algorithms/collectives/arity.hpp>
#include <lockstep/algorithms/collectives/schedule_counts.hpp>
#include <lockstep/algorithms/detail/errors_at.hpp>
#include <lockstep/claim_list.hpp>
#include <lockstep/detail/checked_counts.hpp>
#include <lockstep/detail/enumerator_check.hpp>
#include <lockstep/errors.hpp>

#include "numeric/supposed_sizes.hpp"

namespace lockstep {

namespace {

[[nodiscard]] constexpr std::int64_t cube_of(std::int64_t side) { return side * side * side; }

using detail::checked_product;
using detail::checked_sum;
using detail::in_whole_packets;

/// Adds what travels from and to roots outside the part of member 0, or outside their groups.
void add_outside(schedule_counts& all, std::uint64_t outside, std::size_t elements,
                 std::uint64_t packet) {
  auto const words = in_whole_packets(elements, packet);
  all.rounds += 1;
  all.words = checked_sum(all.words, words);
  all.volume = checked_sum(all.volume, checked_product(outside, words));
  all.messages += outside * (elements > 0 ? 1 : 0);
}

/// Counts a block's way in all groups at once, there or back. `inside`: groups whose root
/// is their member 0.
[[nodiscard]] schedule_counts counts_of_groups(std::size_t elements, int q, int k,
                                               std::uint64_t packet, int inside) {
  pieces const of(elements, q);
  auto const tree = piece_tree_counts(of, k, 0, packet);
  auto const gathered = circulant_all_gather_counts(of, k, k, packet);
  auto const groups = static_cast<std::uint64_t>(q) * static_cast<std::uint64_t>(q);
  auto all = tree + gathered;
  all.volume = checked_product(all.volume, groups);
  all.messages *= groups;
  auto const outside = groups - static_cast<std::uint64_t>(inside);
  if (outside == 0) return all;
  auto const parts = std::min(k, q);
  add_outside(all, outside, of.before(q / parts + (q % parts == 0 ? 0 : 1)), packet);
  return all;
}

/// The same of whole blocks along the trees.
[[nodiscard]] schedule_counts counts_of_whole_groups(std::size_t elements, int q, int k,
                                                     std::uint64_t packet, int inside) {
  auto const groups = static_cast<std::uint64_t>(q) * static_cast<std::uint64_t>(q);
  auto all = block_tree_counts(q, elements, k, packet);
  all.volume = checked_product(all.volume, groups);
  all.messages *= groups;
  auto const outside = groups - static_cast<std::uint64_t>(inside);
  if (outside == 0) return all;
  add_outside(all, outside, elements, packet);
  return all;
}

/// Counts all of them. The groups of one matrix have their roots, of the others few have.
[[nodiscard]] schedule_counts counts_of_product(product_shape const& blocks, int q,
                                                std::uint64_t packet,
                                                matrix_product_options const& options) {
  bool const is_a = options.form == product_form::a;
  auto const counts = [&](std::size_t elements, int inside) {
    return options.whole ? counts_of_whole_groups(elements, q, options.k, packet, inside)
                         : counts_of_groups(elements, q, options.k, packet, inside);
  };
  return counts(blocks.left(), is_a ? q : q * q) + counts(blocks.right(), is_a ? q : 1) +
         counts(blocks.result(), is_a ? q * q : q);
}

/// Adds the exact counts. `words`: their formula, if there is one.
void add_counts(claim_list& claims, schedule_counts const& counts, std::string const& startups,
                std::string const& words) {
  auto const formula = [](std::uint64_t value, std::string const& text) {
    return value == 0 ? "0" : text;
  };
  auto const add = [&](char const* figure, std::uint64_t value, std::string const& text) {
    claims.equal(figure, formula(value, text), static_cast<double>(value));
  };
  claims.from("lockstep, the schedule counted");
  add("startups", counts.startups, startups);
  add("words", counts.words, words);
  add("volume", counts.volume, "sum over all messages of their packets");
  add("messages", counts.messages, "messages of all rounds that are not empty");
}

constexpr char const* bound_by_paper_k = "6(2 tau (phases of a tree of k = tau/m + 1) + n^2/q^2)";

constexpr char const* has_whole_k = "k = tau/m + 1 a whole number";
constexpr char const* q_divides_n = "q divides n";
constexpr char const* outside_root =
    "made for roots that are in their groups: P_{j,k,0} is not among those that need its block";

}  // namespace

int cube_side(int p, std::source_location where) {
  int q = 1;
  while (cube_of(q) < p) ++q;
  if (cube_of(q) == p) return q;
  throw invalid_argument(fmt::format("{} processors are not a cube, q x q x q; give {} or {}", p,
                                     std::max<std::int64_t>(cube_of(q - 1), 1), cube_of(q)),
                         where);
}

detail::product_cube::product_cube(processor const& me, matrix_product_options const& options)
    : m_form(options.form),
      m_q(cube_side(me.size())),
      m_i(me.rank() / (m_q * m_q)),
      m_j(me.rank() / m_q % m_q),
      m_k(me.rank() % m_q) {
  check_enumerator("product_form", options.form, {"product_form::a", "product_form::b"});
  require_arity("matrix_product", options.k);
}

detail::block_groups detail::product_cube::groups_of_left() const {
  if (m_form == product_form::b)  // A_{i,j} to P_{i,j,*}
    return {line([&](int k) { return rank_at(m_i, m_j, k); }), rank_at(m_i, m_j, 0),
            m_k == 0 ? line([&](int k) { return rank_at(m_i, m_j, k); }) : std::vector<int>{},
            false};
  // A_{i,k} to P_{i,*,k}
  return {line([&](int j) { return rank_at(m_i, j, m_k); }), rank_at(m_i, m_k, 0),
          m_k == 0 ? line([&](int j) { return rank_at(m_i, j, m_j); }) : std::vector<int>{}, true};
}

detail::block_groups detail::product_cube::groups_of_right() const {
  if (m_form == product_form::a)  // B_{k,j} to P_{*,j,k}
    return {line([&](int i) { return rank_at(i, m_j, m_k); }), rank_at(m_k, m_j, 0),
            m_k == 0 ? line([&](int i) { return rank_at(i, m_j, m_i); }) : std::vector<int>{},
            true};
  // B_{j,k} to P_{*,j,k}
  return {line([&](int i) { return rank_at(i, m_j, m_k); }), rank_at(m_j, m_k, 0),
          m_k == 0 ? line([&](int i) { return rank_at(i, m_i, m_j); }) : std::vector<int>{}, true};
}

detail::block_groups detail::product_cube::groups_of_result() const {
  // The sum of P_{i,j,*} to P_{i,j,0}, or of P_{i,*,k} to P_{i,k,0}: the way of the other form's A, back.
  auto other = *this;
  other.m_form = m_form == product_form::a ? product_form::b : product_form::a;
  return other.groups_of_left();
}

void detail::require_product_blocks(product_shape const& blocks, bool has_blocks, std::size_t left,
                                    std::size_t right) {
  auto const wanted_left = has_blocks ? blocks.left() : 0;
  auto const wanted_right = has_blocks ? blocks.right() : 0;
  if (left == wanted_left && right == wanted_right) return;
  throw invalid_argument(fmt::format(
      "matrix_product: blocks of {} and {} elements where {} and {} belong; give blocks "
      "of {} x {} and {} x {} where k = 0, and none elsewhere",
      left, right, wanted_left, wanted_right, blocks.rows, blocks.inner, blocks.inner,
      blocks.columns));
}

std::vector<claim> matrix_product_claims(bdm_machine const& on, product_shape const& blocks,
                                         matrix_product_options const& options) {
  claim_list claims;
  auto const counts = counts_of_product(blocks, cube_side(on.p), on.packet, options);
  add_counts(claims, counts, "phases with words",
             "sum over phases of the busiest processor's packets");
  return claims;
}

std::vector<claim> matrix_product_claims(bdm_machine const& on, std::size_t n,
                                         matrix_product_options const& options) {
  auto const k = options.k;
  auto const q = cube_side(on.p);
  detail::require_arity("matrix_product", k);
  auto const b = detail::quotient_up(n, static_cast<std::size_t>(q));
  int const arity = std::min(k, std::max(q, 2));
  auto const counts =
      counts_of_product({b, b, b}, q, on.packet, {options.form, arity, options.whole});
  claim_list claims({{{"p", on.p},
                      {"q", q},
                      {"n", static_cast<double>(n)},
                      {"b", static_cast<double>(b)},
                      {"k", arity},
                      {"m", static_cast<double>(on.packet)},
                      {"tau", static_cast<double>(on.tau)}}});
  bool const even = is_power_of(arity, q) && b * b % static_cast<std::size_t>(q) == 0;
  std::uint64_t const phases = options.whole ? 3 : 6;
  bool const all_phases =
      counts.startups == phases * static_cast<std::uint64_t>(tree_phases(q, arity));
  add_counts(claims, counts,
             all_phases ? fmt::format("{} ceil(log_k q)", phases) : "phases with words",
             even && !options.whole
                 ? "2m ceil(b^2/(km)) + 6 sum of (k - 1)m ceil(b^2/(k^i m)), i = 1 .. log_k q"
                 : "sum over phases of the busiest processor's packets");
  if (q == 1 || n == 0) return claims;
  block_distributed_model const model{static_cast<double>(on.tau)};
  bool const has_k = on.tau >= on.packet && on.tau % on.packet == 0;
  int const printed_k = has_k ? tree_arity(on.tau, on.packet) : arity;
  auto const time = time_of(counts, on.tau);
  std::string const bound = "6(2 tau ceil(log_k q) + n^2/q^2)";
  bool const has_paper_k = arity == std::min(printed_k, std::max(q, 2));
  auto const side = static_cast<double>(n) / q;
  auto const value =
      6 * (2 * static_cast<double>(on.tau) * tree_phases(q, std::max(2, std::min(printed_k, q))) +
           side * side);
  claims.from("JaJa and Ryu 1994, section 5.3")
      .at_most("time", has_paper_k ? bound : bound_by_paper_k, value)
      .priced_by(model)
      .where(detail::large_matrices(on.p, static_cast<double>(n)))
      .where(has_whole_k, has_k)
      .where(q_divides_n)
      .erratum(time > value ? outside_root : "");
  if (options.whole || k != printed_k) return claims;
  std::string const mended = bound + " + 2m ceil(b^2/(km))";
  claims.from("lockstep, section 5.3 with roots outside their groups").at_most("time", mended);
  claims.priced_by(model).where(has_whole_k, has_k).where(q_divides_n);
  return claims;
}

product_choice choose_product_way(bdm_machine const& on, product_shape const& blocks,
                                  product_form form, std::source_location where) {
  return detail::errors_at(where, [&] {
    auto const q = cube_side(on.p);
    auto const time = [&](matrix_product_options const& options) {
      return time_of(counts_of_product(blocks, q, on.packet, options), on.tau);
    };
    product_choice choice{.options = {form, 2, false}};
    if (on.tau >= on.packet && on.packet > 0) {
      choice.options.k = tree_arity(on.tau - on.tau % on.packet, on.packet);
      choice.printed_time = time(choice.options);
    }
    choice.time = time(choice.options);
    for (bool const whole : {false, true})
      for (int k = 2; k <= q; ++k)
        if (double const other = time({form, k, whole}); other < choice.time) {
          choice.time = other;
          choice.options = {form, k, whole};
        }
    return choice;
  });
}

std::string text_of(product_choice const& choice) {
  auto taken = fmt::format("{}, k = {} ({})", choice.options.whole ? "whole" : "in pieces",
                           choice.options.k, choice.time);
  if (choice.printed_time == 0 || choice.printed_time == choice.time) return taken;
  return fmt::format("{}, not in pieces with k = tau/m + 1 ({})", taken, choice.printed_time);
}

}  // namespace lockstep
