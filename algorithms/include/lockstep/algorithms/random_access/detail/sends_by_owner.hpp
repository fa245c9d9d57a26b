#pragma once

#include <cstddef>
#include <source_location>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include <lockstep/algorithms/random_access/bucket_layout.hpp>
#include <lockstep/algorithms/random_access/detail/keyed_value.hpp>
#include <lockstep/algorithms/random_access/monotone_sends.hpp>
#include <lockstep/algorithms/random_access/transportation.hpp>
#include <lockstep/detail/library_frame.hpp>
#include <lockstep/processor.hpp>

namespace lockstep::detail {

/// Makes one message for each owner of addresses, `address_of(element)`, which do not decrease.
template <payload_element Element, class Address>
[[nodiscard]] std::vector<addressed_elements<Element>> messages_by_owner(
    bucket_layout const& layout, std::vector<Element> const& elements, Address const& address_of) {
  std::vector<addressed_elements<Element>> messages;
  for (std::size_t i = 0; i < elements.size(); ++i) {
    auto const owner = layout.owner(address_of(elements[i], i));
    if (messages.empty() || messages.back().rank != owner) messages.push_back({owner, {}});
    messages.back().elements.push_back(elements[i]);
  }
  return messages;
}

/// Joins what came, in the order of senders.
template <payload_element Element>
[[nodiscard]] std::vector<Element> elements_in(
    std::vector<addressed_elements<Element>> const& messages) {
  std::vector<Element> all;
  for (auto const& message : messages)
    all.insert(all.end(), message.elements.begin(), message.elements.end());
  return all;
}

/// Sends messages by way of all processors, in phases of that name.
/// Result: the messages for this processor, in the order of senders.
template <payload_element T>
[[nodiscard]] std::vector<addressed_elements<T>> sends_by_way_of_all(
    processor& me, std::vector<addressed_elements<T>> const& messages,
    std::string_view phase = "sends") {
  std::vector<traced<T>> elements;
  std::vector<int> destinations;
  for (auto const& message : messages)
    for (auto const& element : message.elements) {
      elements.push_back({element, me.rank()});
      destinations.push_back(message.rank);
    }
  auto const came = transported_in_order(me, std::span<traced<T> const>(elements), destinations,
                                         {.phases = {phase, phase}, .keeps_route = false})
                        .elements;
  std::vector<addressed_elements<T>> arrived;
  for (auto const& one : came) {
    if (arrived.empty() || arrived.back().rank != one.source) arrived.push_back({one.source, {}});
    arrived.back().elements.push_back(one.element);
  }
  return arrived;
}

/// Scans the last destination of each processor, so that one whose first is lower than that of a lower
/// rank is known. Errors: invalid_argument for such a one; those of the machine.
void require_rising_over_ranks(processor& me, std::span<int const> destinations);

/// `monotone_sends` where messages between any processors would share links: by way of all of them,
/// after a scan by which every processor knows that destinations do not decrease.
template <payload_element T>
[[nodiscard]] std::vector<addressed_elements<T>> monotone_sends_by_way_of_all(
    processor& me, std::vector<addressed_elements<T>> const& messages) {
  me.phase("destinations");
  require_rising_over_ranks(me, ranks_of(messages));
  return sends_by_way_of_all(me, messages);
}

/// Sends each element to the processor that owns its address, `address_of(element)`. Addresses do
/// not decrease over elements and ranks.
/// Result: what came, in the order of senders. Cost: that of `monotone_sends`, or of a
/// `transportation` where messages between any processors would share links.
template <payload_element Element, class Address>
[[nodiscard]] std::vector<Element> sent_by_owner(
    processor& me, bucket_layout const& layout, std::vector<Element> const& elements,
    Address const& address_of, std::source_location where = std::source_location::current()) {
  library_frame const frame(me, where);
  auto messages = messages_by_owner(layout, elements, address_of);
  me.work(elements.size());
  if (!reaches_anybody(me)) return elements_in(monotone_sends_by_way_of_all(me, messages));
  return elements_in(monotone_sends(me, std::move(messages)));
}

}  // namespace lockstep::detail
