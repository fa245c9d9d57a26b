#include "goal_schedule.hpp"

#include <algorithm>
#include <regex>
#include <sstream>
#include <tuple>

namespace reference {

namespace {

std::uint64_t number(std::ssub_match const& text) { return std::stoull(text.str()); }

}  // namespace

goal_schedule::goal_schedule(std::string const& text) {
  std::istringstream lines(text);
  std::string line;
  while (std::getline(lines, line)) read_line(line);
  if (m_open) fault("the last rank is not closed");
  if (m_rank + 1 != m_ranks) fault("there are not as many ranks as were said");
  if (!text.empty() && text.back() != '\n') fault("the last line has no end");
  match();
  if (m_faults.empty()) static_cast<void>(steps());
}

void goal_schedule::read_line(std::string const& line) {
  static std::regex const ranks("num_ranks ([0-9]+)");
  static std::regex const begin("rank ([0-9]+) \\{");
  static std::regex const one("([a-zA-Z][a-zA-Z0-9_]*): (.*)");
  static std::regex const wait("([a-zA-Z][a-zA-Z0-9_]*) (i?requires) ([a-zA-Z][a-zA-Z0-9_]*)");
  std::smatch found;
  if (line.starts_with("//")) return;
  if (std::regex_match(line, found, ranks) && m_ranks < 0) {
    m_ranks = std::stoi(found[1]);
  } else if (std::regex_match(line, found, begin) && !m_open && m_ranks >= 0) {
    if (std::stoi(found[1]) != ++m_rank) fault("out of order: " + line);
    m_open = true;
    m_labels.clear();
  } else if (line == "}" && m_open) {
    if (m_labels.empty()) fault("nothing in rank " + std::to_string(m_rank));
    m_open = false;
  } else if (std::regex_match(line, found, one) && m_open) {
    read_operation(found[1], found[2]);
  } else if (std::regex_match(line, found, wait) && m_open) {
    read_wait(found[1], found[3], found[2] == "irequires");
  } else {
    fault("not of the grammar: " + line);
  }
}

void goal_schedule::read_operation(std::string const& label, std::string const& rest) {
  static std::regex const message("(send|recv) ([0-9]+)b (to|from) ([0-9]+) tag ([0-9]+)");
  static std::regex const local("calc ([0-9]+)");
  std::smatch found;
  operation made{.rank = m_rank};
  if (std::regex_match(rest, found, message) && (found[1] == "send") == (found[3] == "to")) {
    made.what = found[1] == "send" ? kind::send : kind::receive;
    made.bytes = number(found[2]);
    made.peer = std::stoi(found[4]);
    made.tag = number(found[5]);
    if (made.bytes == 0) fault("LogGOPSim charges for bytes - 1: " + rest);
    if (made.peer >= m_ranks || made.peer == m_rank) fault("no such peer: " + rest);
  } else if (std::regex_match(rest, found, local)) {
    made.amount = number(found[1]);
  } else {
    fault("not of the grammar: " + rest);
  }
  if (!m_labels.emplace(label, m_operations.size()).second) fault("twice: " + label);
  m_operations.push_back(made);
}

void goal_schedule::read_wait(std::string const& label, std::string const& for_label,
                              bool for_its_start) {
  if (!m_labels.contains(label) || !m_labels.contains(for_label))
    return fault("no such labels: " + label + " " + for_label);
  auto const earlier = m_labels.at(for_label);
  auto& waits = m_operations[m_labels.at(label)].waits_for;
  if (!for_its_start) return waits.push_back(earlier);
  auto const before = m_operations[earlier].waits_for;  // once these are done it starts
  waits.insert(waits.end(), before.begin(), before.end());
}

void goal_schedule::match() {
  std::map<std::tuple<int, int, std::uint64_t, std::uint64_t>, std::vector<std::size_t>> sends;
  for (std::size_t at = 0; at < m_operations.size(); ++at)
    if (auto const& of = m_operations[at]; of.what == kind::send)
      sends[{of.rank, of.peer, of.tag, of.bytes}].push_back(at);
  for (auto& of : m_operations) {
    if (of.what != kind::receive) continue;
    auto& matching = sends[{of.peer, of.rank, of.tag, of.bytes}];
    if (matching.size() != 1) fault("a receive with not exactly one send");
    if (!matching.empty()) of.matches = matching.back();
    matching.clear();
  }
  for (auto const& [key, left] : sends)
    if (!left.empty()) fault("a send that is never received");
}

std::uint64_t goal_schedule::steps() {
  m_steps.assign(m_operations.size(), 0);
  m_looking.assign(m_operations.size(), false);
  std::uint64_t last = 0;
  for (std::size_t at = 0; at < m_operations.size(); ++at)
    if (m_operations[at].what != kind::calculate) last = std::max(last, step_of(at));
  return last;
}

/// Of a calculation: the last of those that it waits for.
std::uint64_t goal_schedule::step_of(std::size_t which) {
  auto const& of = m_operations[which];
  if (m_steps[which] > 0) return m_steps[which];
  if (m_looking[which]) {
    fault("operations that wait for each other");
    return 0;
  }
  m_looking[which] = true;
  std::uint64_t step = 0;
  for (auto const earlier : of.waits_for) step = std::max(step, step_of(earlier));
  if (of.what != kind::calculate) ++step;
  if (of.what == kind::receive) step = std::max(step, step_of(of.matches));
  m_looking[which] = false;  // a calculation at the beginning has step 0, as one not yet known
  return m_steps[which] = step;
}

std::size_t goal_schedule::count(kind what) const {
  return static_cast<std::size_t>(std::count_if(m_operations.begin(), m_operations.end(),
                                                [&](auto const& of) { return of.what == what; }));
}

std::vector<std::size_t> goal_schedule::messages_of(int rank) const {
  std::vector<std::size_t> found;
  for (std::size_t at = 0; at < m_operations.size(); ++at)
    if (m_operations[at].rank == rank && m_operations[at].what != kind::calculate)
      found.push_back(at);
  return found;
}

std::string goal_schedule::text_of(std::size_t which) const {
  auto const& of = m_operations[which];
  return (of.what == kind::send ? "send to " : "recv from ") + std::to_string(of.peer);
}

void goal_schedule::add_waits(std::size_t which, std::set<std::size_t>& waited) const {
  for (auto const earlier : m_operations[which].waits_for)
    if (waited.insert(earlier).second) add_waits(earlier, waited);
}

std::vector<std::string> goal_schedule::order_of(int rank) const {
  std::vector<std::string> lines;
  for (auto const each : messages_of(rank)) lines.push_back(text_of(each));
  return lines;
}

std::vector<std::string> goal_schedule::waits_of(int rank) const {
  std::vector<std::string> lines;
  auto const all = messages_of(rank);
  for (auto const each : all) {
    std::set<std::size_t> waited;
    add_waits(each, waited);
    auto line = text_of(each);
    for (std::size_t place = 0; place < all.size(); ++place) {
      if (!waited.contains(all[place])) continue;
      if (line.find(" after") == std::string::npos) line += " after";
      line += " " + std::to_string(place);
    }
    lines.push_back(line);
  }
  return lines;
}

std::uint64_t goal_schedule::calculated() const {
  std::uint64_t all = 0;
  for (auto const& of : m_operations) all += of.amount;
  return all;
}

std::uint64_t goal_schedule::bytes_sent() const {
  std::uint64_t bytes = 0;
  for (auto const& of : m_operations)
    if (of.what == kind::send) bytes += of.bytes;
  return bytes;
}

}  // namespace reference
