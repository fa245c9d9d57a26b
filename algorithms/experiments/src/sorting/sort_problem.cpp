#include "sorting/sort_problem.hpp"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <span>
#include <utility>
#include <variant>

#include <lockstep/algorithms/prefix/block_prefix.hpp>

#include "harness/harness.hpp"
#include "harness/process_parts.hpp"
#include "harness/solve.hpp"
#include "harness/stages.hpp"
#include "routing/pairwise_bounds.hpp"

namespace lockstep {

namespace {

[[nodiscard]] std::vector<std::uint64_t> orders_of(std::span<sort_element const> elements) {
  std::vector<std::uint64_t> orders(elements.size());
  std::ranges::transform(elements, orders.begin(), &sort_element::order);
  return orders;
}

/// Counts the keys of a sorted block that a processor does not have.
[[nodiscard]] std::uint64_t keys_lacking(std::span<sort_element const> has,
                                         std::span<sort_element const> sorted) {
  auto own = orders_of(has);
  std::ranges::sort(own);
  std::vector<std::uint64_t> missing;
  std::ranges::set_difference(orders_of(sorted), own, std::back_inserter(missing));
  note_done(own.size());
  return missing.size();
}

void write_row(std::ostream& out, std::string_view text) {
  out.write(text.data(), static_cast<std::streamsize>(text.size()));
}

}  // namespace

sort_problem::sort_problem(arguments const& given, sort_input const& input, sort_promises promises)
    : m_given(given),
      m_input(input),
      m_promises(std::move(promises)),
      m_places(m_promises.order_of_ranks.size()),
      m_format(types_from(given, m_promises.taken).of_files) {
  for (std::size_t place = 0; place < m_places.size(); ++place) m_places[rank_at(place)] = place;
}

std::vector<sort_element> sort_problem::part_of(processor const& me) const {
  return m_input.elements(even_block(m_input.size(), me.size(), me.rank()));
}

std::uint64_t sort_problem::pieces_to_check() const {
  return own_values(m_given, m_input.size()).count;
}

std::size_t sort_problem::place_of(int rank) const {
  return m_places.empty() ? static_cast<std::size_t>(rank)
                          : m_places[static_cast<std::size_t>(rank)];
}

std::size_t sort_problem::rank_at(std::size_t place) const {
  auto const& ranks = m_promises.order_of_ranks;
  return ranks.empty() ? place : static_cast<std::size_t>(ranks[place]);
}

std::optional<std::size_t> sort_problem::size_at(std::size_t place) const {
  auto const n = m_input.size();
  auto const full = m_promises.full_block;
  if (full > 0) return std::min(full, n - std::min(n, place * full));
  if (m_promises.even_blocks)
    return even_block(n, m_given.processors(), static_cast<int>(place)).count;
  return std::nullopt;
}

bool sort_problem::is_solved_by(own_blocks blocks) const {
  bool const is_ordered = lie_in_order(blocks);
  bool const is_complete = are_of_input(blocks);  // whatever the other says: all processes call it
  return is_ordered && is_complete;
}

bool sort_problem::lie_in_order(own_blocks blocks) const {
  auto const goes_before = [&](sort_element const& one, sort_element const& next) {
    return one < next ||
           (one.order == next.order && (!m_promises.stable || one.number < next.number));
  };
  struct run_of_blocks {  // whose places follow each other
    std::size_t place = 0;
    std::size_t size = 0;
    bool is_ordered = true;
    sort_element first{};
    sort_element last{};
  };
  auto const add = [&](run_of_blocks& to, run_of_blocks const& next) {
    bool const follows = to.size == 0 || next.size == 0 || goes_before(to.last, next.first);
    to.is_ordered = to.is_ordered && next.is_ordered && follows;
    if (to.size == 0) to.first = next.first;
    if (next.size > 0) to.last = next.last;
    to.size += next.size;
  };
  std::vector<run_of_blocks> own;
  for (int rank = own_ranks(m_given).first; auto const& block : blocks) {
    auto const place = place_of(rank++);
    run_of_blocks next{.place = place, .size = block.size()};
    next.is_ordered = block.size() == size_at(place).value_or(block.size());
    for (std::size_t i = 1; i < block.size(); ++i)
      next.is_ordered = next.is_ordered && goes_before(block[i - 1], block[i]);
    if (!block.empty()) next.first = block.front();
    if (!block.empty()) next.last = block.back();
    bool const goes_on = !own.empty() && m_promises.order_of_ranks.empty();
    if (goes_on)
      add(own.back(), next);
    else
      own.push_back(next);
  }
  auto all = of_all_ranks(m_given, std::move(own));
  std::ranges::sort(all, {}, &run_of_blocks::place);
  run_of_blocks whole;
  for (auto const& one : all) add(whole, one);
  return whole.is_ordered && whole.size == m_input.size();
}

bool sort_problem::are_of_input(own_blocks blocks) const {
  auto const n = m_input.size();
  auto const own = own_values(m_given, n);
  std::vector<bool> seen(own.count);
  bool are_new = true;
  auto const look_at = [&](sort_element const& one) {  // whose number is among the own
    auto const at = one.number - own.first;
    are_new = are_new && !seen[at] && m_input.element(one.number) == one;
    seen[at] = true;
    note_done(1);
  };
  auto const for_each_numbered = [&](auto const& action) {
    for (auto const& block : blocks)
      for (auto const& one : block) {
        are_new = are_new && one.number < n;
        if (one.number < n) action(one);
      }
  };
  auto* const processes = m_given.request().options.cluster;
  if (processes == nullptr) {
    for_each_numbered(look_at);
    return are_new;
  }
  int const p = m_given.processors();
  detail::process_shares const shares(p, processes->processes());
  value_exchange<sort_element, decltype(look_at)> to_owners(*processes, look_at);
  for_each_numbered([&](sort_element const& one) {
    to_owners.send(shares.process_of(rank_of_even_block(n, p, one.number)), one);
  });
  to_owners.finish();
  return holds_in_all(m_given, are_new);
}

void sort_problem::write(std::ostream& out, sort_blocks const& blocks) const {
  if (m_input.table) write_row(out, m_input.table->names());
  for (std::size_t place = 0; place < blocks.size(); ++place) {
    auto const& own = blocks[rank_at(place)];
    if (m_input.table) {
      for (auto const& one : own) write_row(out, m_input.table->row(one.number));
      note_done(own.size());
      continue;
    }
    std::visit(
        [&]<class Key>(std::vector<Key> const& keys) {
          std::vector<Key> sorted(own.size());
          std::ranges::transform(own, sorted.begin(),
                                 [&](sort_element const& one) { return keys[one.number]; });
          write_keys<Key>(out, sorted, m_format);
        },
        m_input.keys);
  }
}

traffic_requirement sort_problem::least_traffic(own_blocks blocks) const {
  auto const n = m_input.size();
  int const p = m_given.processors();
  if (m_promises.stable)
    return elements_that_move(
        m_given, blocks, [&](std::uint64_t number) { return rank_of_even_block(n, p, number); });
  begin_stage("checking the least traffic", own_values(m_given, n).count);
  std::vector<std::uint64_t> lacking;
  for (int rank = own_ranks(m_given).first; auto const& block : blocks)
    lacking.push_back(keys_lacking(m_input.elements(even_block(n, p, rank++)), block));
  traffic_requirement needed;
  for (auto const words : of_all_ranks(m_given, std::move(lacking))) {
    needed.taken_in = std::max(needed.taken_in, words);
    needed.moved += words;
  }
  needed.distance = needed.moved > 0 ? 1 : 0;
  return needed;
}

void sort_problem::add_size_to(experiment_result& result) const {
  result.parameters["n"] = static_cast<std::int64_t>(m_input.size());
}

traffic_requirement elements_that_move(arguments const& given, own_blocks blocks,
                                       std::function<int(std::uint64_t number)> const& source_of) {
  auto const p = static_cast<std::size_t>(given.processors());
  if (p > static_cast<std::size_t>(max_processors_for_pairwise_bounds)) return {};
  std::vector<std::vector<std::uint64_t>> own;  // what each of these takes from every rank
  for (auto const& block : blocks) {
    auto& from = own.emplace_back(p);
    for (auto const& one : block) ++from[static_cast<std::size_t>(source_of(one.number))];
  }
  auto const all = of_all_ranks(given, std::move(own));
  std::vector<std::uint64_t> between(p * p);
  for (std::size_t to = 0; to < p; ++to)
    for (std::size_t from = 0; from < p; ++from) between[from * p + to] = all[to][from];
  return relation_between(given.network(), between);
}

experiment_result solve_sort(arguments const& given, sort_input const& input,
                             sort_promises const& promises, sort_program const& program) {
  return solve(
      given,
      {.strict = strictness::always, .packet = promises.packet, .one_port = promises.one_port},
      sort_problem(given, input, promises), program);
}

}  // namespace lockstep
