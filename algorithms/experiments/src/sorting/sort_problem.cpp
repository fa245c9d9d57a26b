#include "sorting/sort_problem.hpp"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <utility>
#include <variant>

#include <lockstep/algorithms/prefix/block_prefix.hpp>

#include "harness/harness.hpp"
#include "harness/noted_sort.hpp"
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

void write_row(std::ostream& out, std::string_view text) {
  out.write(text.data(), static_cast<std::streamsize>(text.size()));
}

}  // namespace

sort_problem::sort_problem(arguments const& given, sort_input const& input, sort_promises promises)
    : m_given(given),
      m_input(input),
      m_promises(std::move(promises)),
      m_format(types_from(given, m_promises.taken).of_files) {}

std::vector<sort_element> sort_problem::part_of(processor const& me) const {
  auto const [first, count] = even_block(m_input.size(), me.size(), me.rank());
  return m_input.elements(first, count);
}

std::uint64_t sort_problem::pieces_to_check() const {
  return pieces_of_sort(m_input.size()) + m_input.size();
}

std::vector<sort_element> const& sort_problem::block(sort_blocks const& blocks,
                                                     std::size_t place) const {
  auto const& ranks = m_promises.order_of_ranks;
  return blocks[ranks.empty() ? place : static_cast<std::size_t>(ranks[place])];
}

bool sort_problem::is_solved_by(sort_blocks const& blocks) const {
  auto expected = m_input.elements(0, m_input.size());
  noted_stable_sort(expected, &sort_element::order);
  std::vector<bool> seen(expected.size());
  int const p = static_cast<int>(blocks.size());
  std::size_t first = 0;
  for (int place = 0; place < p; ++place) {
    auto const& own = block(blocks, static_cast<std::size_t>(place));
    if (own.size() > expected.size() - first) return false;
    if (m_promises.even_blocks && own.size() != even_block(expected.size(), p, place).count)
      return false;
    auto const wanted = std::span(expected).subspan(first, own.size());
    first += own.size();
    note_done(own.size());
    if (m_promises.stable && !std::ranges::equal(own, wanted)) return false;
    if (m_promises.stable) continue;
    for (std::size_t i = 0; i < own.size(); ++i) {
      auto const& one = own[i];
      if (one.order != wanted[i].order || one.number >= seen.size() || seen[one.number] ||
          m_input.element(one.number) != one)
        return false;
      seen[one.number] = true;
    }
  }
  return first == expected.size();
}

void sort_problem::write(std::ostream& out, sort_blocks const& blocks) const {
  if (m_input.table) write_row(out, m_input.table->names());
  for (std::size_t place = 0; place < blocks.size(); ++place) {
    auto const& own = block(blocks, place);
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

traffic_requirement sort_problem::least_traffic(sort_blocks const& blocks) const {
  if (m_promises.stable)
    return elements_that_move(m_given.network(), blocks, [&](std::uint32_t number) {
      return rank_of_even_block(m_input.size(), m_given.processors(), number);
    });
  begin_stage("checking the least traffic", m_input.size());
  std::vector<std::vector<std::uint64_t>> sorted;
  sorted.reserve(blocks.size());
  for (auto const& own : blocks) sorted.push_back(orders_of(own));
  return keys_that_move(orders_of(m_input.elements(0, m_input.size())), sorted);
}

void sort_problem::add_size_to(experiment_result& result) const {
  result.parameters["n"] = static_cast<std::int64_t>(m_input.size());
}

traffic_requirement elements_that_move(topology const& network, sort_blocks const& blocks,
                                       std::function<int(std::uint32_t number)> const& source_of) {
  auto const p = blocks.size();
  if (p > static_cast<std::size_t>(max_processors_for_pairwise_bounds)) return {};
  std::vector<std::uint64_t> between(p * p);
  for (std::size_t to = 0; to < p; ++to)
    for (auto const& one : blocks[to])
      ++between[static_cast<std::size_t>(source_of(one.number)) * p + to];
  return relation_between(network, between);
}

traffic_requirement keys_that_move(std::span<std::uint64_t const> keys,
                                   std::vector<std::vector<std::uint64_t>> const& sorted) {
  traffic_requirement needed;
  int const p = static_cast<int>(sorted.size());
  for (int rank = 0; rank < p; ++rank) {
    auto const [first, count] = even_block(keys.size(), p, rank);
    auto const own = keys.subspan(first, count);
    std::vector<std::uint64_t> mine(own.begin(), own.end());
    std::ranges::sort(mine);
    std::vector<std::uint64_t> missing;
    std::ranges::set_difference(sorted[static_cast<std::size_t>(rank)], mine,
                                std::back_inserter(missing));
    needed.taken_in = std::max(needed.taken_in, std::uint64_t{missing.size()});
    needed.moved += missing.size();
    note_done(count);
  }
  needed.distance = needed.moved > 0 ? 1 : 0;
  return needed;
}

experiment_result solve_sort(arguments const& given, sort_input const& input,
                             sort_promises const& promises, sort_program const& program) {
  return solve(
      given,
      {.strict = strictness::always, .packet = promises.packet, .one_port = promises.one_port},
      sort_problem(given, input, promises), program);
}

}  // namespace lockstep
