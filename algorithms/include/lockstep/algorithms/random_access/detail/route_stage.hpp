#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <span>
#include <utility>
#include <vector>

#include <lockstep/algorithms/random_access/detail/network_rounds.hpp>
#include <lockstep/algorithms/routing/detail/bins.hpp>
#include <lockstep/algorithms/routing/h_relation_direct.hpp>
#include <lockstep/payload.hpp>
#include <lockstep/processor.hpp>

namespace lockstep::detail {

/// The messages of a processor in the rounds of a complete exchange, sent and received: enough to
/// send an answer to each element back over the same messages.
struct route_stage {
  /// The index of each element that was sent, message by message, in the order of receivers.
  std::vector<std::uint32_t> sent{};
  std::vector<std::uint32_t> sent_to{};  ///< elements, by receiver
  /// The index that each element got which came, in the order of senders.
  std::vector<std::uint32_t> kept{};
  std::vector<std::uint32_t> received_from{};  ///< elements, by sender
};

/// Messages to all processors that are being filled, and, if the way is kept, the index of each of
/// their elements.
template <payload_element T>
class filled_messages {
 public:
  /// `sizes`: of each message.
  filled_messages(std::vector<std::uint32_t> sizes, bool keeps_route)
      : m_messages(sizes.size()),
        m_indices(keeps_route ? sizes.size() : 0),
        m_sizes(std::move(sizes)) {
    for (std::size_t to = 0; to < m_messages.size(); ++to) m_messages[to].reserve(m_sizes[to]);
    for (std::size_t to = 0; to < m_indices.size(); ++to) m_indices[to].reserve(m_sizes[to]);
  }

  void add(std::size_t to, std::size_t index, T const& element) {
    m_messages[to].push_back(element);
    if (!m_indices.empty()) m_indices[to].push_back(static_cast<std::uint32_t>(index));
  }

  /// Exchanges the messages in the rounds of the network; `show`: see `exchange_on_network`.
  /// Result: what came, by sender. `stage.kept` is left to the caller.
  template <class Show>
  [[nodiscard]] bins<T> exchange(processor& me, route_stage& stage, Show const& show) && {
    auto in = exchange_on_network(me, std::move(m_messages), show);
    if (m_indices.empty()) return in;
    stage.sent = joined(m_indices);
    stage.sent_to = std::move(m_sizes);
    for (auto const& message : in)
      stage.received_from.push_back(static_cast<std::uint32_t>(message.size()));
    return in;
  }

 private:
  bins<T> m_messages;
  bins<std::uint32_t> m_indices;
  std::vector<std::uint32_t> m_sizes;
};

/// The indices of as many elements as came.
template <payload_element T>
[[nodiscard]] std::vector<std::uint32_t> indices_in_order(bins<T> const& came) {
  std::vector<std::uint32_t> indices(elements_of(came));
  std::iota(indices.begin(), indices.end(), 0U);
  return indices;
}

/// Cuts what answers the elements that came, `each` values to one, into one message for each
/// sender.
template <payload_element T>
[[nodiscard]] bins<T> answers_by_sender(std::span<T const> answers, std::size_t each,
                                        route_stage const& stage) {
  bins<T> out(stage.received_from.size());
  std::size_t next = 0;
  for (std::size_t from = 0; from < out.size(); ++from) {
    out[from].reserve(each * stage.received_from[from]);
    for (std::uint32_t i = 0; i < stage.received_from[from]; ++i) {
      auto const answer = answers.subspan(each * stage.kept[next++], each);
      out[from].insert(out[from].end(), answer.begin(), answer.end());
    }
  }
  return out;
}

/// Sends a message to each in the opposite order of an exchange's rounds, empty ones included; along
/// lines as any exchange goes. `expected`: elements from each.
/// Result: what came, by sender.
template <payload_element T>
[[nodiscard]] bins<T> exchange_backwards(processor& me, bins<T> out,
                                         std::vector<std::size_t> const& expected) {
  auto const way = exchange_way_of(me);
  if (way == exchange_way::rings) return exchange_in_lines(me, std::move(out), show_nothing());
  auto const order = way == exchange_way::pairs ? round_order::pex : round_order::lp;
  bins<T> in(out.size());
  auto const own = static_cast<std::size_t>(me.rank());
  in[own] = std::move(out[own]);
  for (int round = me.size() - 1; round > 0; --round) {
    auto const [from, to] = partners_in(order, round, me.rank(), me.size());
    me.send(to, std::move(out[static_cast<std::size_t>(to)]));
    in[static_cast<std::size_t>(from)] =
        me.receive<T>(from, expected[static_cast<std::size_t>(from)]);
  }
  return in;
}

/// Says that other answers come back than elements were sent. Errors: invalid_argument, always.
[[noreturn]] void throw_other_answers(processor const& me, std::size_t answers,
                                      std::size_t elements);

/// Sends answers back over the messages of a stage, in the opposite order of rounds, empty ones
/// included. `answers`: `each` values for each element that came, by its index.
/// Result: as many for each element that was sent, by its index.
/// Errors: invalid_argument where processors have routes of different transportations.
template <payload_element T>
[[nodiscard]] std::vector<T> answer_in_rounds(processor& me, std::span<T const> answers,
                                              std::size_t each, route_stage const& stage) {
  std::vector<std::size_t> expected;
  expected.reserve(stage.sent_to.size());
  for (auto const elements : stage.sent_to) expected.push_back(each * elements);
  me.work(answers.size());
  auto const received =
      joined(exchange_backwards(me, answers_by_sender(answers, each, stage), expected));
  if (received.size() != each * stage.sent.size())
    throw_other_answers(me, received.size() / std::max<std::size_t>(each, 1), stage.sent.size());
  std::vector<T> answered(received.size());
  for (std::size_t i = 0; i < stage.sent.size(); ++i)
    std::ranges::copy(std::span(received).subspan(each * i, each),
                      std::span(answered).subspan(each * stage.sent[i], each).begin());
  me.work(answered.size());
  return answered;
}

}  // namespace lockstep::detail
