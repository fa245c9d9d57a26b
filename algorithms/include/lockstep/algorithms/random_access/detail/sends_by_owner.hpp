#pragma once

#include <cstddef>
#include <utility>
#include <vector>

#include <lockstep/algorithms/random_access/bucket_layout.hpp>
#include <lockstep/algorithms/random_access/detail/keyed_value.hpp>
#include <lockstep/algorithms/random_access/monotone_sends.hpp>
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

/// Sends each element to the processor that owns its address, `address_of(element)`. Addresses do
/// not decrease over elements and ranks.
/// Result: what came, in the order of senders. Cost: that of `monotone_sends`.
template <payload_element Element, class Address>
[[nodiscard]] std::vector<Element> sent_by_owner(processor& me, bucket_layout const& layout,
                                                 std::vector<Element> const& elements,
                                                 Address const& address_of) {
  return elements_in(monotone_sends(me, messages_by_owner(layout, elements, address_of)));
}

}  // namespace lockstep::detail
