#include "in_port_chart.hpp"

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <iterator>
#include <map>
#include <numeric>
#include <string_view>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace lockstep::cli {

namespace {

std::uint64_t messages_of(in_port_log const& log, int rank) {
  return log.tallies()[static_cast<std::size_t>(rank)].messages;
}

std::vector<int> all_ranks(std::size_t processors) {
  std::vector<int> ranks(processors);
  std::iota(ranks.begin(), ranks.end(), 0);
  return ranks;
}

/// Finds those with most messages; an empty list if no message came.
std::vector<int> busiest_of(std::vector<int> const& ranks, in_port_log const& log) {
  std::uint64_t most = 0;
  for (int const rank : ranks) most = std::max(most, messages_of(log, rank));
  std::vector<int> busiest;
  std::ranges::copy_if(ranks, std::back_inserter(busiest),
                       [&](int rank) { return most > 0 && messages_of(log, rank) == most; });
  return busiest;
}

/// The last step in which a message came in, empty ones included.
std::uint64_t last_step_of(in_port_log const& log) {
  std::uint64_t last = 0;
  for (auto const& tally : log.tallies()) last = std::max(last, tally.last_busy);
  return last;
}

/// Picks those of a large network's processors that have most messages; of several with as many,
/// those next to `middle`.
std::vector<int> chosen_of_many(std::vector<int> ranks, in_port_log const& log, int middle) {
  auto const comes_first = [&](int one, int other) {
    auto const key = [&](int rank) { return std::pair(std::abs(rank - middle), rank); };
    auto const messages = messages_of(log, one);
    auto const of_other = messages_of(log, other);
    return messages != of_other ? messages > of_other : key(one) < key(other);
  };
  auto const end = ranks.begin() + static_cast<std::ptrdiff_t>(processors_shown_of_many);
  std::partial_sort(ranks.begin(), end, ranks.end(), comes_first);
  ranks.erase(end, ranks.end());
  std::ranges::sort(ranks);
  return ranks;
}

/// Adds the message to the share that has its mark.
void add_share(std::vector<sender_share>& shares, sender_mark const& mark,
               message_record const& seen) {
  auto found = std::ranges::find(shares, mark, &sender_share::mark);
  if (found == shares.end()) found = shares.insert(found, {.mark = mark});
  ++found->messages;
  found->words += seen.words;
}

constexpr char digit(std::size_t number) {
  return number > 9 ? several_cell : static_cast<char>('0' + static_cast<int>(number));
}

/// Fills the chart's rows.
class row_maker {
 public:
  row_maker(topology const& network, in_port_chart& chart) : m_chart(chart) {
    for (auto const& row : chart.rows) m_marks.emplace(row.rank, sender_marks(network, row.rank));
    for (std::size_t i = 0; i < chart.rows.size(); ++i) m_row_of[chart.rows[i].rank] = i;
  }

  void add(message_record const& seen) {
    auto const found = m_row_of.find(seen.to);
    if (found == m_row_of.end()) return;
    auto& row = m_chart.rows[found->second];
    auto const column = static_cast<std::size_t>(seen.step - m_chart.shown.first);
    auto const mark = m_marks.at(seen.to).of(seen);
    if (seen.words > 0) {
      add_share(row.shares, mark, seen);
      m_first_seen.emplace(mark.symbol, std::pair(m_first_seen.size(), mark));
    }
    row.senders[column].push_back(seen.from);
    row.cells[column] = seen.words > 0 ? mark.symbol : empty_cell;
    row.words[column] += seen.words;
  }

  /// Writes the number of messages into cells with several, unless digits stand for senders, and
  /// the legend.
  void finish() {
    bool const has_digits = std::ranges::any_of(
        m_first_seen, [](auto const& one) { return std::isdigit(one.first) != 0; });
    for (auto& row : m_chart.rows)
      for (std::size_t column = 0; column < row.cells.size(); ++column)
        if (auto const count = row.senders[column].size(); count > 1)
          row.cells[column] = has_digits ? several_cell : digit(count);
    m_chart.legend.resize(m_first_seen.size());
    for (auto const& [symbol, place] : m_first_seen) m_chart.legend[place.first] = place.second;
  }

 private:
  in_port_chart& m_chart;
  std::map<int, std::size_t> m_row_of;
  std::map<int, sender_marks> m_marks;
  std::map<unsigned char, std::pair<std::size_t, sender_mark>> m_first_seen;
};

void add_rows(in_port_chart& chart, std::vector<int> const& ranks, in_port_log const& log,
              topology const& network) {
  auto const columns = static_cast<std::size_t>(chart.shown.count());
  for (int const rank : ranks)
    chart.rows.push_back({.rank = rank,
                          .label = network.label(rank),
                          .tally = log.tallies()[static_cast<std::size_t>(rank)],
                          .senders = std::vector<std::vector<int>>(columns),
                          .cells = std::string(columns, idle_cell),
                          .words = std::vector<std::uint64_t>(columns)});
  row_maker rows(network, chart);
  for (auto const& seen : log.kept()) rows.add(seen);
  rows.finish();
}

/// Counts the messages of the pass that brought a processor most.
port_bound bound_by_pass(in_port_log const& log, int rank) {
  std::map<int, std::uint64_t> messages;
  for (auto const& seen : log.kept())
    if (seen.to == rank && seen.words > 0) ++messages[seen.pass];
  port_bound bound;
  for (auto const& [pass, count] : messages)
    if (count > bound.steps) bound = {.steps = count, .pass = pass};
  return bound;
}

port_bound bound_of(in_port_log const& log, topology const& network, ports with, int rank) {
  auto const messages = messages_of(log, rank);
  if (with == ports::one) return {.steps = messages};
  if (with == ports::per_pass) return bound_by_pass(log, rank);
  auto const links = network.neighbours(rank).size();
  return {.steps = (messages + links - 1) / links, .links = links};
}

}  // namespace

in_port_chart chart_of(in_port_log const& log, topology const& network, ports with,
                       std::vector<int> const& ranks) {
  in_port_chart chart{.with = with,
                      .processors = network.size(),
                      .label_note = network.label_note(),
                      .are_chosen = !ranks.empty(),
                      .steps = last_step_of(log)};
  chart.shown = {log.steps().first, std::min(log.steps().last, chart.steps)};
  chart.is_cut_short = log.is_full();
  auto const candidates = ranks.empty() ? all_ranks(log.tallies().size()) : ranks;
  auto const busiest = busiest_of(candidates, log);
  int const middle = busiest.empty() ? 0 : busiest[(busiest.size() - 1) / 2];
  add_rows(chart,
           candidates.size() > most_processors_shown ? chosen_of_many(candidates, log, middle)
                                                     : candidates,
           log, network);
  if (busiest.empty()) return chart;
  auto const row = std::ranges::find(chart.rows, middle, &in_port_row::rank);
  auto const unbroken = longest_unbroken(row->cells, idle_cell, chart.shown.first);
  auto const cells =
      std::string_view(row->cells).substr(unbroken.first - chart.shown.first, unbroken.count());
  chart.busiest = {.row = static_cast<std::size_t>(row - chart.rows.begin()),
                   .as_busy = busiest,
                   .unbroken = unbroken,
                   .steady = steady_part(cells, unbroken.first),
                   .bound = bound_of(log, network, with, middle)};
  std::erase(chart.busiest->as_busy, middle);
  return chart;
}

std::vector<phase_columns> phases_in(run_record const& record, step_range shown) {
  std::vector<phase_columns> found;
  auto const& phases = record.phases();
  for (std::size_t i = 0; i < phases.size(); ++i) {
    if (phases[i].rounds == 0) continue;
    auto const last = i + 1 < phases.size() ? phases[i + 1].first_step - 1 : shown.last;
    step_range const steps{std::max(phases[i].first_step, shown.first), std::min(last, shown.last)};
    if (steps.first <= steps.last) found.push_back({phases[i].name, steps});
  }
  return found;
}

}  // namespace lockstep::cli
