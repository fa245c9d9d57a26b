#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <numeric>
#include <optional>
#include <source_location>
#include <span>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include <lockstep/algorithms/detail/counts_as.hpp>
#include <lockstep/algorithms/detail/show_values.hpp>
#include <lockstep/algorithms/detail/size_checks.hpp>
#include <lockstep/algorithms/random_access/detail/route_stage.hpp>
#include <lockstep/algorithms/routing/detail/shown_bins.hpp>
#include <lockstep/library_call.hpp>
#include <lockstep/payload.hpp>
#include <lockstep/processor.hpp>
#include <lockstep/shown.hpp>

namespace lockstep {

class recorded_route;

/// The way by which elements go where they belong.
enum class transportation_route : std::uint8_t {
  two_stages,  ///< by way of all processors, in messages of nearly the same size
  direct       ///< straight, in one stage
};

/// "transportation", "direct". Errors: invalid_argument for another value.
[[nodiscard]] std::string_view name_of(transportation_route route);

/// How elements go. All processors say the same.
struct transportation_options {
  transportation_route route = transportation_route::two_stages;
  std::array<std::string_view, 2> phases{"stage 1", "stage 2"};  ///< names of the stages
  bool keeps_route = true;  ///< for answers; without them it takes memory for nothing
  /// Whether the elements received are in the order of sources. If not, and without a route,
  /// elements come by the processor that they went by and then by source, which takes less memory
  /// and time.
  bool in_order = true;
  /// With a seed, the first element of each processor goes by way of a processor that is drawn, and
  /// the others by way of those behind it in turn; without one, by way of the processor itself. Not
  /// for elements that go straight.
  std::optional<std::uint64_t> seed = std::nullopt;
};

namespace detail {

/// An element on its way, with what tells where it belongs. A word like the element alone.
template <payload_element T>
struct in_transit {
  using counts_as = T;

  T value;
  int destination;
  int source;
  std::uint32_t number;  ///< among those of its source for its destination
};

/// Errors: invalid_argument unless there is an answer to each.
void require_answers(int rank, std::size_t answers, std::size_t elements);

/// Errors: invalid_argument unless the route is one of as many processors.
void require_route_of(processor const& me, recorded_route const& route);

/// The destination of each element. Errors: invalid_argument for one that is not a rank.
template <payload_element T, class Destination>
[[nodiscard]] std::vector<int> destinations_of(processor const& me, std::span<T const> elements,
                                               Destination const& destination_of) {
  std::vector<int> all(elements.size());
  for (std::size_t i = 0; i < elements.size(); ++i) {
    auto const to = std::invoke(destination_of, elements[i]);
    if (std::cmp_less(to, 0) || std::cmp_greater_equal(to, me.size()))
      throw_no_destination("transportation", me.rank(), i, static_cast<std::int64_t>(to),
                           me.size());
    all[i] = static_cast<int>(to);
  }
  return all;
}

}  // namespace detail

/// The way that a processor's elements went, and on which answers come back: what it sent, sent on
/// and received, message by message.
class recorded_route {
 public:
  /// Elements that this processor sent, and that came for it.
  [[nodiscard]] std::size_t sent() const { return stages.empty() ? 0 : stages.front().sent.size(); }
  [[nodiscard]] std::size_t arrived() const {
    return stages.empty() ? 0 : stages.back().kept.size();
  }

  std::vector<detail::route_stage> stages{};  ///< for `transportation_back` alone
};

/// The elements that have come to a processor, and by which way.
template <payload_element T>
struct transported_elements {
  std::vector<T> elements;
  recorded_route route;
};

namespace detail {

/// Counts the elements for each processor.
[[nodiscard]] std::vector<std::uint32_t> elements_for_each(int processors,
                                                           std::span<int const> destinations);

/// Finds the processor by whose way a processor's first element goes: itself, or, with a seed, one
/// of all, each as likely as the others but for 1 in 2^32, and drawn apart for each rank.
[[nodiscard]] int first_middle(int rank, int processors, std::optional<std::uint64_t> seed);
/// Finds it for each rank.
[[nodiscard]] std::vector<int> first_middles(int processors, std::optional<std::uint64_t> seed);

/// Requires a route on which a seed draws anything.
/// Errors: invalid_argument for a seed of elements that go straight.
void require_seed_of_route(transportation_route route, std::optional<std::uint64_t> seed);

/// By which processors the elements of one processor go: of its layout by destination, element e
/// by way of (e + first) mod p.
class dealt_layout {
 public:
  /// `first`: of the first element. `elements`: for each destination.
  dealt_layout(int first, std::span<std::uint32_t const> elements);

  /// Counts the elements for each middle.
  [[nodiscard]] std::vector<std::uint32_t> sizes() const;

  /// The middle of the next element for a destination.
  [[nodiscard]] std::size_t next(std::size_t destination) {
    auto const middle = m_next[destination];
    m_next[destination] = middle + 1 == m_next.size() ? 0 : middle + 1;
    return middle;
  }

 private:
  std::size_t m_first;
  std::size_t m_elements = 0;
  std::vector<std::size_t> m_next;
};

/// Makes the function that shows elements on their way.
[[nodiscard]] inline auto showing_in_transit(processor& me) {
  return [&me](auto const& out, auto const& in, int /*rounds*/) {
    show_elements(me, out, in, [](auto const& one) {
      return block_label{one.source, one.destination};
    });
  };
}

/// Makes the function that shows elements in messages to their destinations.
[[nodiscard]] inline auto showing_straight(processor& me) {
  return [&me](auto const& out, auto const& in, int /*rounds*/) {
    std::vector<block_label> labels;
    for (int rank = 0; rank < me.size(); ++rank) {
      auto const at = static_cast<std::size_t>(rank);
      labels.insert(labels.end(), in[at].size(), block_label{rank, me.rank()});
      labels.insert(labels.end(), out[at].size(), block_label{me.rank(), rank});
    }
    me.show("elements", labels);
  };
}

/// Stage 1: what came to this processor on its way, by source.
template <payload_element T>
[[nodiscard]] bins<in_transit<T>> deal_to_middles(
    processor& me, std::span<T const> elements, std::span<int const> destinations,
    transportation_options const& options, route_stage& stage,
    std::source_location where = std::source_location::current()) {
  library_frame const frame(me, where);
  auto const to_each = elements_for_each(me.size(), destinations);
  me.work(elements.size());
  dealt_layout layout(first_middle(me.rank(), me.size(), options.seed), to_each);
  filled_messages<in_transit<T>> messages(layout.sizes(), options.keeps_route);
  std::vector<std::uint32_t> numbers(to_each.size());
  for (std::size_t i = 0; i < elements.size(); ++i) {
    auto const to = static_cast<std::size_t>(destinations[i]);
    messages.add(layout.next(to), i, {elements[i], destinations[i], me.rank(), numbers[to]++});
  }
  auto through = std::move(messages).exchange(me, stage, showing_in_transit(me));
  if (options.keeps_route) stage.kept = indices_in_order(through);
  return through;
}

/// Stage 2: the middle forwards by destination, from each source in turn.
template <payload_element T>
[[nodiscard]] bins<in_transit<T>> forward(
    processor& me, bins<in_transit<T>> const& through, bool keeps_route, route_stage& stage,
    std::source_location where = std::source_location::current()) {
  library_frame const frame(me, where);
  std::vector<std::uint32_t> sizes(through.size());
  for (auto const& message : through)
    for (auto const& one : message) ++sizes[static_cast<std::size_t>(one.destination)];
  filled_messages<in_transit<T>> messages(std::move(sizes), keeps_route);
  std::size_t index = 0;
  for (auto const& message : through)
    for (auto const& one : message)
      messages.add(static_cast<std::size_t>(one.destination), index++, one);
  me.work(index);
  return std::move(messages).exchange(me, stage, showing_in_transit(me));
}

/// Puts what came into the order of sources, each in its own order.
template <payload_element T>
[[nodiscard]] std::vector<T> in_order_of_sources(bins<in_transit<T>> const& arrived,
                                                 bool keeps_route, route_stage& stage) {
  std::vector<std::uint32_t> before(arrived.size() + 1);
  for (auto const& message : arrived)
    for (auto const& one : message) ++before[static_cast<std::size_t>(one.source) + 1];
  std::partial_sum(before.begin(), before.end(), before.begin());
  std::vector<T> elements(before.back());
  if (keeps_route) stage.kept.reserve(elements.size());
  for (auto const& message : arrived)
    for (auto const& one : message) {
      auto const place = before[static_cast<std::size_t>(one.source)] + one.number;
      elements[place] = one.value;
      if (keeps_route) stage.kept.push_back(place);
    }
  return elements;
}

/// `transport_made`, whose elements are shown if they know their sources.
template <payload_element T, class Make, class Destination>
[[nodiscard]] bins<place_for<T>> made_and_transported(processor& me,
                                                      std::span<std::uint32_t const> to_each,
                                                      Make const& make,
                                                      Destination const& destination_of,
                                                      transportation_options const& options) {
  auto const elements_shown = showing_elements<T>(me, destination_of);
  auto const show = [&](auto const& out, auto const& in, int /*rounds*/) {
    elements_shown(out, in);
  };
  me.phase(options.phases.front());
  std::uint64_t elements = 0;
  for (auto const each : to_each) elements += each;
  me.work(elements);
  growing_bins<T> dealt(me.size(), static_cast<std::size_t>(elements));
  if (options.route == transportation_route::direct) {
    make([&](std::size_t to, T const& element) { dealt.append(to, element); });
    return exchange_on_network(me, std::move(dealt).finish(), show);
  }
  dealt_layout layout(first_middle(me.rank(), me.size(), options.seed), to_each);
  make([&](std::size_t to, T const& element) { dealt.append(layout.next(to), element); });
  auto came = exchange_on_network(me, std::move(dealt).finish(), show);
  me.phase(options.phases.back());
  me.work(elements_of(came));
  growing_bins<T> sorted(me.size(), elements_of(came));
  for (auto& message : came) {
    for (auto const& one : message)
      sorted.append(static_cast<std::size_t>(std::invoke(destination_of, one.element)),
                    one.element);
    message = {};
  }
  return exchange_on_network(me, std::move(sorted).finish(), show);
}

/// Takes the sources off.
template <payload_element T>
[[nodiscard]] bins<place_for<T>> untraced(bins<place_for<traced<T>>> const& messages) {
  bins<place_for<T>> all(messages.size());
  for (std::size_t i = 0; i < messages.size(); ++i) {
    all[i].resize(messages[i].size());
    for (std::size_t e = 0; e < all[i].size(); ++e)
      std::construct_at(std::addressof(all[i][e].element), messages[i][e].element.element);
  }
  return all;
}

/// Makes elements, known only by how many each destination gets, on their way
/// there, and asks each for its destination on the way. `make(send)`: calls
/// `send(destination, element)` for each element of this processor: a processor by whose way
/// it goes calls `destination_of(element)`.
/// Result: the messages that came, by the processor that they came from.
template <payload_element T, class Make, class Destination>
[[nodiscard]] bins<place_for<T>> transport_made(
    processor& me, std::span<std::uint32_t const> to_each, Make const& make,
    Destination const& destination_of, transportation_options const& options,
    std::source_location where = std::source_location::current()) {
  library_frame const frame(me, where);
  if (!me.is_shown()) [[likely]]
    return made_and_transported<T>(me, to_each, make, destination_of, options);
  auto const make_traced = [&](auto const& send) {
    make([&](std::size_t to, T const& element) { send(to, traced<T>{element, me.rank()}); });
  };
  return untraced(made_and_transported<traced<T>>(me, to_each, make_traced,
                                                  destination_of_traced(destination_of), options));
}

/// Sends elements straight to their destinations.
template <payload_element T>
[[nodiscard]] std::vector<T> send_straight(
    processor& me, std::span<T const> elements, std::span<int const> destinations, bool keeps_route,
    route_stage& stage, std::source_location where = std::source_location::current()) {
  library_frame const frame(me, where);
  me.work(elements.size());
  filled_messages<T> messages(elements_for_each(me.size(), destinations), keeps_route);
  for (std::size_t i = 0; i < elements.size(); ++i)
    messages.add(static_cast<std::size_t>(destinations[i]), i, elements[i]);
  auto const came = std::move(messages).exchange(me, stage, showing_straight(me));
  if (keeps_route) stage.kept = indices_in_order(came);
  return joined(came);
}

/// Brings elements to their destinations, in the order of sources.
template <payload_element T>
[[nodiscard]] transported_elements<T> transported_in_order(processor& me,
                                                           std::span<T const> elements,
                                                           std::span<int const> destinations,
                                                           transportation_options const& options) {
  transported_elements<T> made;
  auto& stages = made.route.stages;
  me.phase(options.phases.front());
  if (options.route == transportation_route::direct) {
    made.elements =
        send_straight(me, elements, destinations, options.keeps_route, stages.emplace_back());
    me.work(made.elements.size());
    return made;
  }
  stages.resize(2);
  auto through = deal_to_middles(me, elements, destinations, options, stages.front());
  me.phase(options.phases.back());
  through = forward<T>(me, through, options.keeps_route, stages.back());
  made.elements = in_order_of_sources<T>(through, options.keeps_route, stages.back());
  me.work(made.elements.size());
  return made;
}

}  // namespace detail

/// Brings every element where it goes, however uneven the traffic: a processor lays its elements
/// out by destination, 0 to p - 1, and element e of this layout goes by way of processor
/// (e + rank) mod p, so that the messages of a round of stage 1 are equal up to one element; the
/// middle sends on by destination. With `options.seed` a number that is drawn stands for the rank.
/// Called by all processors of a crossbar, hypercube, torus or mesh; phases "stage 1" and "stage
/// 2", or those of `options`.
///
/// `elements`: any number. `destination_of(element)`: the rank that it goes to, a member or a
/// function that says the same on all processors. An element counts as the words of its type; where
/// it goes and its place among those of its source travel with it and are not counted.
/// Shows: "elements" with source and destination, wherever they are.
/// Result: the elements for this processor, by source, within it in the source's order, and the way
/// that they went.
/// Errors: invalid_argument for a destination that is not a rank, or a seed with `direct`; those of
/// the machine.
///
/// **Cost** on a crossbar, one-port, strict, if no processor sends more than r elements or
/// receives more than c: 2(p-1) rounds, empty messages included, where each with elements pays a
/// start-up; in words r - ceil(r/p) for stage 1 and at most (p-1)(floor(c/p) + p-1) for stage 2.
/// With a seed stage 1 has at most (p-1) ceil(r/p) of them, and stage 2, besides that bound, with
/// probability at least 1 - 1/p^2 no more than (p-1)(c/p + sqrt(2p ln p)): of M elements from a source for a
/// destination a middle gets M/p, rounded up or down by chance (Hoeffding's inequality, for each
/// middle and destination).
/// `direct`: p-1 rounds, in words the largest message of each. On a hypercube that cuts through
/// rounds are between i and i xor k, with the same bounds. On a torus or mesh, and on a hypercube
/// of neighbours only, an exchange goes along one dimension after the other, passed on from one
/// processor to the next: bounds of `network_transportation_claims`. Contention 1 everywhere.
///
/// **Source** Shankar and Ranka 1997, section 2, and Shankar, Alsabti and Ranka 1995, which it
/// names; the processor by which an element goes, and the draws, are lockstep's. 2 mu (r + c) in
/// the paper is mu (r + c), docs/errata.
///
/// **Example**
/// ```
/// lockstep::machine machine{lockstep::crossbar{4}};
/// auto run = machine.run([](lockstep::processor& me) {
///   std::vector<int> const to_the_next(8, (me.rank() + 1) % 4);
///   return lockstep::transportation(me, std::span(to_the_next), std::identity{}).elements.size();
/// });
/// run.results()[2];       // 8
/// run.counts().startups;  // 6
/// run.counts().words;     // 12
/// ```
template <payload_element T, class Destination>
[[nodiscard]] transported_elements<T> transportation(
    processor& me, std::span<T const> elements, Destination const& destination_of,
    transportation_options const& options = {},
    std::source_location where = std::source_location::current()) {
  library_call const call(me, where);
  static_cast<void>(name_of(options.route));  // refuses any other number
  detail::require_seed_of_route(options.route, options.seed);
  auto const destinations = detail::destinations_of(me, elements, destination_of);
  bool const is_direct = options.route == transportation_route::direct;
  if (is_direct || options.keeps_route || options.in_order)
    return detail::transported_in_order(me, elements, destinations, options);
  auto const send_each = [&](auto const& send) {
    for (std::size_t i = 0; i < elements.size(); ++i)
      send(static_cast<std::size_t>(destinations[i]), elements[i]);
  };
  transported_elements<T> made{detail::joined(detail::transport_made<T>(
                                   me, detail::elements_for_each(me.size(), destinations),
                                   send_each, destination_of, options)),
                               {}};
  me.work(made.elements.size());
  return made;
}

/// Sends an answer to each element back over the way that it came, all messages backwards and the
/// rounds in the opposite order; along dimensions as the way there goes. Called by all processors
/// after the same `transportation`; phases "stage 2" and "stage 1", or those of `options`.
///
/// `answers`: to each element that came, in their order, `each` values. `options`: of them only the
/// names of the phases, in the order of the way there.
/// Result: as many to each element that this processor sent, in their order.
/// Errors: invalid_argument for another number of answers, and for a route on other processors; those of
/// the machine.
///
/// **Cost** the rounds and words of the `transportation`, where an answer has the words of its
/// type.
///
/// **Source** Shankar and Ranka 1997, section 7.
template <payload_element T>
[[nodiscard]] std::vector<T> transportation_back(
    processor& me, recorded_route const& route, std::span<T const> answers,
    transportation_options const& options = {}, std::size_t each = 1,
    std::source_location where = std::source_location::current()) {
  library_call const call(me, where);
  detail::require_route_of(me, route);
  detail::require_answers(me.rank(), answers.size(), each * route.arrived());
  std::vector<T> current(answers.begin(), answers.end());
  for (auto stage = route.stages.size(); stage-- > 0;) {
    me.phase(options.phases.at(stage));
    current = detail::answer_in_rounds<T>(me, current, each, route.stages[stage]);
    detail::show_values(me, "answers", current);
  }
  return current;
}

}  // namespace lockstep
