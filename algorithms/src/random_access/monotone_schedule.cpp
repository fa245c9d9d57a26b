#include <lockstep/algorithms/random_access/monotone_schedule.hpp>

#include <algorithm>

#include <fmt/format.h>

#include <lockstep/algorithms/random_access/detail/place_in_segments.hpp>
#include <lockstep/errors.hpp>

namespace lockstep {

namespace {

/// Errors: invalid_argument.
void require_monotone(std::span<sender_and_receiver const> messages, std::source_location where) {
  for (std::size_t i = 1; i < messages.size(); ++i) {
    auto const& [last_from, last_to] = messages[i - 1];
    auto const& [from, to] = messages[i];
    bool const once = last_from < from || last_to < to;
    if (last_from <= from && last_to <= to && once) continue;
    throw invalid_argument(
        fmt::format(
            "a message from processor {} to {} follows one from {} to {}: senders and destinations "
            "have to be non-decreasing, and each message stands there once",
            from, to, last_from, last_to),
        where);
  }
}

/// Counts the messages to one destination, sender by sender.
class segment_counter {
 public:
  [[nodiscard]] std::uint64_t before(int to) const { return to == m_to ? m_messages : 0; }

  void add(sender_and_receiver const& message) {
    if (message.to != m_to) m_messages = 0;
    m_to = message.to;
    if (message.from != message.to) ++m_messages;
  }

 private:
  int m_to = -1;
  std::uint64_t m_messages = 0;
};

[[nodiscard]] std::vector<scheduled_message> of_rank(std::vector<scheduled_message> const& all,
                                                     int rank, int scheduled_message::*end) {
  std::vector<scheduled_message> found;
  for (auto const& each : all)
    if (each.*end == rank && each.step > 0) found.push_back(each);
  std::ranges::sort(found, {}, &scheduled_message::step);
  return found;
}

}  // namespace

std::vector<scheduled_message> detail::scheduled_sends(int rank, std::span<int const> destinations,
                                                       place_in_segments const& place) {
  std::vector<scheduled_message> sends;
  for (auto const to : destinations) sends.push_back({rank, to, 0});
  if (sends.empty()) return sends;
  bool const has_preceding = place.first_began_before;
  bool const has_succeeding = place.last_goes_on && (!has_preceding || sends.size() > 1);
  std::uint64_t step = 0;
  auto const send = [&](scheduled_message& message) {
    if (message.to != rank) message.step = ++step;
  };
  if (has_succeeding) send(sends.back());
  auto const full_end = sends.end() - (has_succeeding ? 1 : 0);
  for (auto full = sends.begin() + (has_preceding ? 1 : 0); full != full_end; ++full) send(*full);
  step = std::max(step, place.messages_before);
  if (has_preceding) send(sends.front());
  return sends;
}

monotone_schedule::monotone_schedule(std::span<sender_and_receiver const> messages,
                                     std::source_location where) {
  require_monotone(messages, where);
  segment_counter segments;
  std::vector<int> destinations;
  for (std::size_t begin = 0; begin < messages.size();) {
    auto const from = messages[begin].from;
    destinations.clear();
    auto end = begin;
    for (; end < messages.size() && messages[end].from == from; ++end)
      destinations.push_back(messages[end].to);
    auto const first = destinations.front();
    auto const sends = detail::scheduled_sends(
        from, destinations,
        {.first_began_before = begin > 0 && messages[begin - 1].to == first,
         .last_goes_on = end < messages.size() && messages[end].to == destinations.back(),
         .messages_before = segments.before(first)});
    for (; begin < end; ++begin) segments.add(messages[begin]);
    m_messages.insert(m_messages.end(), sends.begin(), sends.end());
  }
  for (auto const& each : m_messages) m_steps = std::max(m_steps, each.step);
}

monotone_schedule monotone_schedule::reversed() const {
  monotone_schedule answers;
  answers.m_steps = m_steps;
  for (auto const& [from, to, step] : m_messages)
    answers.m_messages.push_back({to, from, step == 0 ? 0 : m_steps + 1 - step});
  return answers;
}

std::vector<scheduled_message> monotone_schedule::sent_by(int rank) const {
  return of_rank(m_messages, rank, &scheduled_message::from);
}

std::vector<scheduled_message> monotone_schedule::received_by(int rank) const {
  return of_rank(m_messages, rank, &scheduled_message::to);
}

}  // namespace lockstep
