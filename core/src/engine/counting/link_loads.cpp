#include "engine/counting/link_loads.hpp"

#include <algorithm>

#include <lockstep/assert.hpp>

namespace lockstep::detail {

namespace {

/// Links for each of a step's messages, from which on it is faster to go along their routes than to
/// look at all links.
constexpr std::size_t most_links_each = 16;

}  // namespace

std::span<link_number const> link_loads::links_of(link_use const& use) {
  m_route.clear();
  append_links(use, m_route);
  return m_route;
}

void link_loads::append_links(link_use const& use, std::vector<link_number>& links) const {
  if (use.way.by_topology()) return m_topology.append_links(use.from, use.to, links);
  auto const first = static_cast<std::ptrdiff_t>(links.size());
  int from = use.from;
  for (int const to : m_topology.route(use.from, use.way.to_along(use.hops))) {
    links.push_back(m_topology.number_of({from, to}));
    from = to;
  }
  // A message that goes round a ring more than once still takes each of its links once.
  std::sort(links.begin() + first, links.end());
  links.erase(std::unique(links.begin() + first, links.end()), links.end());
}

std::span<std::uint32_t const> link_loads::sweep(std::span<std::uint64_t const> steps,
                                                 std::span<std::span<link_use const> const> rows) {
  try {
    for (auto const& list : rows)
      for (auto const& row : list)
        if (row.words > 0) m_rows.push_back({&row, 0, 0});
    load_steps(steps);
  } catch (...) {  // a topology threw, or memory ran out
    m_loads.clear();
    m_rows.clear();
    throw;
  }
  m_rows.clear();
  return m_largest;
}

void link_loads::load_steps(std::span<std::uint64_t const> steps) {
  m_largest.assign(steps.size(), 0);
  if (steps.empty()) return;
  m_loads.resize(static_cast<std::size_t>(m_topology.links()));
  m_links_with.assign(2, 0);
  m_most = 0;
  keep_rows_within(steps);
  order_rows(steps.size());
  for (std::size_t at = 0; at < steps.size(); ++at) {
    for (auto ended = m_first_ended[at]; ended < m_first_ended[at + 1]; ++ended)
      take_off(*m_by_end[ended]);
    std::span const begun(m_by_begin.data() + m_first_begun[at],
                          m_first_begun[at + 1] - m_first_begun[at]);
    for (auto const& row : begun)
      if (!row.is_single()) put_on(*row.use);
    m_largest[at] = load_single(begun);
  }
  for (auto ended = m_first_ended[steps.size()]; ended < m_by_end.size(); ++ended)
    take_off(*m_by_end[ended]);
  LOCKSTEP_ASSERT(heavy, m_most == 0);
}

/// Finds the places of each row's steps in the sweep, and drops rows that have none.
void link_loads::keep_rows_within(std::span<std::uint64_t const> steps) {
  bool const all = !steps.empty() && steps.back() - steps.front() + 1 == steps.size();
  auto const place_of = [&](std::uint64_t step) {
    if (all) return std::clamp(step, steps.front(), steps.back() + 1) - steps.front();
    auto const found = std::ranges::lower_bound(steps, step);
    return static_cast<std::uint64_t>(found - steps.begin());
  };
  std::erase_if(m_rows, [&](swept_row& row) {
    row.begin = static_cast<std::uint32_t>(place_of(row.use->step));
    row.end = static_cast<std::uint32_t>(place_of(row.use->step + row.use->steps));
    return row.begin == row.end;
  });
}

/// Sorts the rows by the step in which they begin, and those of several steps by their end, too.
void link_loads::order_rows(std::size_t steps) {
  // First the number of rows of each step stands two places behind it, then where its first lies one
  // place behind it, which moves on as the rows are put there, to where the next step's first lies.
  m_first_begun.assign(steps + 3, 0);
  m_first_ended.assign(steps + 3, 0);
  std::size_t long_rows = 0;
  for (auto const& row : m_rows) {
    ++m_first_begun[row.begin + 2];
    if (row.is_single()) continue;
    ++m_first_ended[row.end + 2];
    ++long_rows;
  }
  for (std::size_t at = 1; at < steps + 3; ++at) {
    m_first_begun[at] += m_first_begun[at - 1];
    m_first_ended[at] += m_first_ended[at - 1];
  }
  m_by_begin.resize(m_rows.size());
  m_by_end.resize(long_rows);
  for (auto const& row : m_rows) {
    m_by_begin[m_first_begun[row.begin + 1]++] = row;
    if (!row.is_single()) m_by_end[m_first_ended[row.end + 1]++] = row.use;
  }
}

/// Adds the messages of this step alone to those of the rows, finds the most on any link, and takes
/// them off again.
std::uint32_t link_loads::load_single(std::span<swept_row const> begun) {
  if (count_single(begun)) {
    std::uint32_t largest = 0;
    for (std::size_t link = 0; link < m_loads.size(); ++link)
      largest = std::max(largest, m_loads[link] + m_single_loads[link]);
    return largest;
  }
  m_single.clear();
  for (auto const& row : begun)
    if (row.is_single()) append_links(*row.use, m_single);
  auto largest = m_most;
  for (auto const number : m_single)
    largest = std::max(largest, ++m_loads[static_cast<std::size_t>(number)]);
  for (auto const number : m_single) --m_loads[static_cast<std::size_t>(number)];
  return largest;
}

/// Counts the messages of this step alone by link, all at once. False where that is slower than one
/// after another, or impossible.
bool link_loads::count_single(std::span<swept_row const> begun) {
  if (!m_counts_at_once || begun.size() * most_links_each < m_loads.size()) return false;
  m_pairs.clear();
  for (auto const& row : begun) {
    if (!row.is_single()) continue;
    if (!row.use->way.by_topology()) return false;
    m_pairs.push_back({row.use->from, row.use->to});
  }
  if (m_pairs.size() * most_links_each < m_loads.size()) return false;
  m_single_loads.assign(m_loads.size(), 0);
  m_counts_at_once = m_topology.count_loads(m_pairs, m_single_loads);
  return m_counts_at_once;
}

void link_loads::put_on(link_use const& row) {
  for (auto const number : links_of(row)) {
    auto& load = m_loads[static_cast<std::size_t>(number)];
    if (load > 0) --m_links_with[load];
    ++load;
    if (load >= m_links_with.size()) m_links_with.resize(2 * m_links_with.size());
    ++m_links_with[load];
    m_most = std::max(m_most, load);
  }
}

void link_loads::take_off(link_use const& row) {
  for (auto const number : links_of(row)) {
    auto& load = m_loads[static_cast<std::size_t>(number)];
    --m_links_with[load];
    --load;
    if (load > 0) ++m_links_with[load];
    if (m_links_with[m_most] == 0) --m_most;
  }
}

}  // namespace lockstep::detail
