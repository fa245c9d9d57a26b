#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <source_location>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include <lockstep/algorithms/random_access/detail/place_in_segments.hpp>
#include <lockstep/algorithms/random_access/monotone_schedule.hpp>
#include <lockstep/detail/idle_until.hpp>
#include <lockstep/library_call.hpp>
#include <lockstep/processor.hpp>
#include <lockstep/shown.hpp>

namespace lockstep {

/// The elements of a processor for another one, or from another one.
template <payload_element T>
struct addressed_elements {
  int rank = 0;  ///< of the processor at the other end
  std::vector<T> elements{};
};

/// The lowest and the highest of the processors that a processor sends to; none is -1.
struct destination_range {
  int first = -1;
  int last = -1;

  [[nodiscard]] bool is_empty() const { return first < 0; }
};
template <>
inline constexpr std::uint64_t words_of<destination_range> = 2;

namespace detail {

/// Errors: invalid_argument for destinations that are not increasing ranks.
void require_increasing(processor const& me, std::span<int const> destinations);
/// Errors: invalid_argument for a lower rank that sends behind this one's first destination.
void require_not_below(processor const& me, int last_before, std::span<int const> destinations);
/// Errors: invalid_argument for other destinations than the schedule has.
void require_scheduled(processor const& me, std::span<int const> destinations,
                       monotone_schedule const& schedule);

/// Finds out by two scans what the others send: "previous destination", with the number of messages
/// to it, upwards, "next destination" downwards.
[[nodiscard]] place_in_segments place_by_scans(processor& me, std::span<int const> destinations);

/// Gathers the lowest and the highest destination of every processor, in the order of ranks.
[[nodiscard]] std::vector<destination_range> destinations_of_all(processor& me,
                                                                 std::span<int const> destinations);

/// The ranks that send, or might send, to this processor, by what all have said of themselves.
[[nodiscard]] std::vector<int> possible_senders(int rank,
                                                std::span<destination_range const> of_all);

/// The destinations that might wait for a message, and get none: between the first and the last.
[[nodiscard]] std::vector<int> skipped_destinations(int rank, std::span<int const> destinations);

template <payload_element T>
[[nodiscard]] std::vector<int> ranks_of(std::vector<addressed_elements<T>> const& messages) {
  std::vector<int> ranks;
  ranks.reserve(messages.size());
  for (auto const& message : messages) ranks.push_back(message.rank);
  return ranks;
}

/// Shows messages under a name: those from here, which stay in the view, and those that have come.
class shown_messages {
 public:
  shown_messages(processor& me, std::string_view name, std::span<int const> destinations)
      : m_me(me), m_name(name) {
    if (!me.is_shown()) [[likely]]
      return;
    for (int const to : destinations) m_labels.push_back({me.rank(), to});
    me.show(m_name, m_labels);
  }

  void came(int from) {
    if (!m_me.is_shown()) [[likely]]
      return;
    m_labels.push_back({from, m_me.rank()});
    m_me.show(m_name, m_labels);
  }

 private:
  processor& m_me;
  std::string_view m_name;
  std::vector<block_label> m_labels;
};

/// Sends each message in its step, counted from 1 in the step `start`.
template <payload_element T>
void send_in_steps(processor& me, std::vector<addressed_elements<T>>& messages,
                   std::span<scheduled_message const> in_order, std::uint64_t start) {
  for (auto const& [from, to, step] : in_order) {
    detail::idle_until(me, start + step - 1);
    auto& message = *std::ranges::find(messages, to, &addressed_elements<T>::rank);
    me.send(to, std::move(message.elements));
  }
}

/// Moves what a processor keeps for itself, if there is any.
template <payload_element T>
void keep_own(processor const& me, std::vector<addressed_elements<T>>& messages,
              std::vector<addressed_elements<T>>& arrived) {
  auto const own = std::ranges::find(messages, me.rank(), &addressed_elements<T>::rank);
  if (own != messages.end()) arrived.push_back(std::move(*own));
  std::ranges::sort(arrived, {}, &addressed_elements<T>::rank);
}

/// The ranks that a processor waits for, and that wait for it.
struct waiting_ranks {
  std::vector<int> senders;  ///< that send to this processor, or might
  std::vector<int> skipped;  ///< that might wait for this processor, and get an empty message
};

/// Sends messages in the steps that their place in the segments gives, then empty ones, and
/// receives what comes.
template <payload_element T>
[[nodiscard]] std::vector<addressed_elements<T>> sends_in_place(
    processor& me, std::vector<addressed_elements<T>> messages, place_in_segments const& place,
    waiting_ranks const& waiting, shown_messages& shown) {
  auto sends = scheduled_sends(me.rank(), ranks_of(messages), place);
  std::erase_if(sends, [](scheduled_message const& one) { return one.step == 0; });
  std::ranges::sort(sends, {}, &scheduled_message::step);
  send_in_steps(me, messages, sends, me.now());
  for (auto const to : waiting.skipped) me.send(to, std::vector<T>());
  std::vector<addressed_elements<T>> arrived;
  for (auto const from : waiting.senders) {
    arrived.push_back({from, me.receive<T>(from)});
    if (!arrived.back().elements.empty()) shown.came(from);
  }
  keep_own(me, messages, arrived);
  return arrived;
}

/// `monotone_sends` with a schedule, whose messages are shown under that name. Sends and receives
/// in the order of steps.
template <payload_element T>
[[nodiscard]] std::vector<addressed_elements<T>> monotone_sends_as(
    std::string_view name, processor& me, std::vector<addressed_elements<T>> messages,
    monotone_schedule const& schedule) {
  auto const destinations = ranks_of(messages);
  require_scheduled(me, destinations, schedule);
  shown_messages shown(me, name, destinations);
  auto const start = me.now();
  auto const sends = schedule.sent_by(me.rank());
  auto left = std::span<scheduled_message const>(sends);
  auto const send_until = [&](std::uint64_t last) {
    auto const due = static_cast<std::size_t>(
        std::ranges::upper_bound(left, last, {}, &scheduled_message::step) - left.begin());
    send_in_steps(me, messages, left.first(due), start);
    left = left.subspan(due);
  };
  std::vector<addressed_elements<T>> arrived;
  for (auto const& [from, to, step] : schedule.received_by(me.rank())) {
    send_until(step);
    arrived.push_back({from, me.receive<T>(from)});
    shown.came(from);
  }
  send_until(schedule.steps());
  keep_own(me, messages, arrived);
  return arrived;
}

}  // namespace detail

/// Sends messages in the steps of a schedule that all processors know. Called by all processors of
/// a crossbar, in the same step.
///
/// `messages`: of this processor, one for each that the schedule has from it, in any order; one to
/// itself stays here. A message without elements keeps its place and is free.
/// Shows: "messages" with source and destination, those from here and those that have come.
/// Result: the messages for this processor, in the order of senders.
/// Errors: invalid_argument for other messages than the schedule's; those of the machine.
///
/// **Cost** on a crossbar, one-port: the steps of the schedule, each with a start-up
/// unless all its messages are empty, and the words of the largest message of each; strict.
///
/// **Source** Shankar and Ranka 1997, sections 4.4 and 6.
template <payload_element T>
[[nodiscard]] std::vector<addressed_elements<T>> monotone_sends(
    processor& me, std::vector<addressed_elements<T>> messages, monotone_schedule const& schedule,
    std::source_location where = std::source_location::current()) {
  library_call const call(me, where);
  return detail::monotone_sends_as("messages", me, std::move(messages), schedule);
}

/// Sends messages whose destinations are non-decreasing over the ranks of their senders, where a
/// processor knows its own destinations only. Called by all processors of a crossbar, in the same
/// step; phases "destinations" and "sends".
///
/// `messages`: of this processor, with increasing destinations; one to itself stays here.
/// Result: the messages for this processor, in the order of senders; among them empty ones of
/// processors that might have sent some elements.
/// Errors: invalid_argument for destinations that decrease, or that are not ranks; those of the
/// machine.
///
/// **Cost** on a crossbar, one-port: a start-up in each round: ceil(log2 p) in
/// each of two scans of an item and in an all-gather of first and last destinations, by which
/// receivers know what to wait for, and then q, the most messages that a processor sends or
/// receives. A processor between a sender's first and last destination waits for that sender alone,
/// which sends it an empty message if there is nothing else, after all others. Strict.
///
/// **Source** Shankar and Ranka 1997, Figure 11, mended as in `monotone_schedule`; what receivers
/// know is lockstep's.
///
/// **Example**
/// ```
/// lockstep::machine machine{lockstep::crossbar{4}};
/// auto run = machine.run([](lockstep::processor& me) {
///   std::vector<lockstep::addressed_elements<int>> messages;
///   messages.push_back({me.rank() / 2, {10 * me.rank()}});
///   return lockstep::monotone_sends(me, std::move(messages));
/// });
/// run.results()[1].front().rank;      // 2
/// run.results()[1].front().elements;  // {20}
/// run.phases()[1].steps;              // 2
/// ```
template <payload_element T>
[[nodiscard]] std::vector<addressed_elements<T>> monotone_sends(
    processor& me, std::vector<addressed_elements<T>> messages,
    std::source_location where = std::source_location::current()) {
  library_call const call(me, where);
  auto const destinations = detail::ranks_of(messages);
  detail::require_increasing(me, destinations);
  detail::shown_messages shown(me, "messages", destinations);
  me.phase("destinations");
  auto const place = detail::place_by_scans(me, destinations);
  auto const of_all = detail::destinations_of_all(me, destinations);
  me.phase("sends");
  return detail::sends_in_place(me, std::move(messages), place,
                                {.senders = detail::possible_senders(me.rank(), of_all),
                                 .skipped = detail::skipped_destinations(me.rank(), destinations)},
                                shown);
}

}  // namespace lockstep
