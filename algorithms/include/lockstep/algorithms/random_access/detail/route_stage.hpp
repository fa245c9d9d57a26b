#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include <lockstep/algorithms/routing/detail/bins.hpp>
#include <lockstep/algorithms/routing/h_relation_direct.hpp>
#include <lockstep/payload.hpp>
#include <lockstep/processor.hpp>

namespace lockstep::detail {

/// What a processor sent in the rounds of a complete exchange, and what came: enough to send an
/// answer to each element back over the same messages.
struct route_stage {
  /// The index of each element that was sent, message by message, in the order of receivers.
  std::vector<std::uint32_t> sent{};
  std::vector<std::uint32_t> sent_to{};  ///< elements, by receiver
  /// The index that each element got which came, in the order of senders.
  std::vector<std::uint32_t> kept{};
  std::vector<std::uint32_t> received_from{};  ///< elements, by sender
};

/// Sends each element of `values` on to `receiver_of(index)`, in the rounds of linear permutations.
/// `order`: the indices in the order in which a message has them.
/// Result: what came, in the order of senders. `stage.kept` is left to the caller.
template <payload_element T, class Receiver>
[[nodiscard]] std::vector<T> send_in_rounds(processor& me, std::span<T const> values,
                                            std::span<std::uint32_t const> order,
                                            Receiver const& receiver_of, route_stage& stage) {
  auto const p = static_cast<std::size_t>(me.size());
  bins<T> out(p);
  bins<std::uint32_t> indices(p);
  for (std::size_t place = 0; place < order.size(); ++place) {
    auto const to = static_cast<std::size_t>(receiver_of(place));
    out[to].push_back(values[order[place]]);
    indices[to].push_back(order[place]);
  }
  stage.sent = joined(indices);
  stage.sent_to.resize(p);
  for (std::size_t to = 0; to < p; ++to)
    stage.sent_to[to] = static_cast<std::uint32_t>(out[to].size());
  auto const in = exchange_in_rounds(me, std::move(out), round_order::lp);
  for (auto const& message : in)
    stage.received_from.push_back(static_cast<std::uint32_t>(message.size()));
  return joined(in);
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

/// Sends answers back over the messages of a stage, in the opposite order of rounds, empty ones
/// included. `answers`: `each` values for each element that came, by its index.
/// Result: as many for each element that was sent, by its index.
template <payload_element T>
[[nodiscard]] std::vector<T> answer_in_rounds(processor& me, std::span<T const> answers,
                                              std::size_t each, route_stage const& stage) {
  auto out = answers_by_sender(answers, each, stage);
  bins<T> in(out.size());
  auto const own = static_cast<std::size_t>(me.rank());
  in[own] = std::move(out[own]);
  for (int round = me.size() - 1; round > 0; --round) {
    auto const to = shifted(me, -round);
    auto const from = shifted(me, round);
    me.send(to, std::move(out[static_cast<std::size_t>(to)]));
    in[static_cast<std::size_t>(from)] =
        me.receive<T>(from, each * stage.sent_to[static_cast<std::size_t>(from)]);
  }
  auto const received = joined(in);
  std::vector<T> answered(each * stage.sent.size());
  for (std::size_t i = 0; i < stage.sent.size(); ++i)
    std::ranges::copy(std::span(received).subspan(each * i, each),
                      std::span(answered).subspan(each * stage.sent[i], each).begin());
  return answered;
}

/// The indices of elements in the order of their keys, 0 to before `keys`, each in its own order.
template <class Key>
[[nodiscard]] std::vector<std::uint32_t> sorted_indices(std::size_t elements, int keys,
                                                        Key const& key_of) {
  std::vector<std::uint32_t> next(static_cast<std::size_t>(keys) + 1);
  for (std::size_t i = 0; i < elements; ++i) ++next[static_cast<std::size_t>(key_of(i)) + 1];
  for (std::size_t key = 1; key < next.size(); ++key) next[key] += next[key - 1];
  std::vector<std::uint32_t> order(elements);
  for (std::size_t i = 0; i < elements; ++i)
    order[next[static_cast<std::size_t>(key_of(i))]++] = static_cast<std::uint32_t>(i);
  return order;
}

}  // namespace lockstep::detail
