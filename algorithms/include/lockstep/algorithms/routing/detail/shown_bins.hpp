#pragma once

#include <algorithm>
#include <cstddef>
#include <functional>
#include <span>
#include <vector>

#include <lockstep/algorithms/detail/counts_as.hpp>
#include <lockstep/algorithms/detail/show_values.hpp>
#include <lockstep/algorithms/routing/detail/bins.hpp>
#include <lockstep/processor.hpp>
#include <lockstep/shown.hpp>

namespace lockstep::detail {

/// An element that knows from which processor it comes: in a view elements go like this, so that
/// those that travel by way of others can be followed. It counts as the element alone.
template <payload_element T>
struct traced {
  using counts_as = T;

  T element;
  int source;
};

template <class T>
inline constexpr bool is_traced = false;
template <class T>
inline constexpr bool is_traced<traced<T>> = true;

/// A processor's own elements, which come from it.
template <payload_element T>
[[nodiscard]] std::vector<traced<T>> traced_elements(processor const& me,
                                                     std::span<T const> elements) {
  std::vector<traced<T>> all;
  all.reserve(elements.size());
  for (auto const& element : elements) all.push_back({element, me.rank()});
  return all;
}

/// The elements alone.
template <payload_element T>
[[nodiscard]] std::vector<T> untraced(std::vector<traced<T>> const& elements) {
  std::vector<T> all;
  all.reserve(elements.size());
  for (auto const& one : elements) all.push_back(one.element);
  return all;
}

/// Where a traced element goes.
template <class Destination>
[[nodiscard]] auto destination_of_traced(Destination const& destination_of) {
  return [&destination_of](auto const& one) { return std::invoke(destination_of, one.element); };
}

template <class T>
[[nodiscard]] T const& element_at(place_for<T> const& place) {
  return place.element;
}
template <class T>
[[nodiscard]] T const& element_at(T const& element) {
  return element;
}

/// Shows as "elements" those that are in bins: `out`, which have not gone yet, and `in`, which have
/// come. `label_of(element)`: its source and destination.
template <class T, class LabelOf>
void show_elements(processor& me, bins<T> const& out, bins<T> const& in, LabelOf const& label_of) {
  std::vector<block_label> labels;
  for (auto const* const all : {&in, &out})
    for (auto const& bin : *all)
      for (auto const& one : bin) labels.push_back(label_of(element_at(one)));
  me.show("elements", labels);
}

/// Makes the function that shows under a name what elements carry that are in bins, before an exchange and
/// after each round: those that have come, and those that have not gone yet. Of many, which a view does not show
/// whole, it shows them once all have gone, so that pages stay small. `name`: a literal.
template <class T>
[[nodiscard]] auto showing_values(processor& me, char const* name) {
  return [&me, name](auto const& out, auto const& in) {
    constexpr std::size_t most_in_each_round = 256;
    std::vector<T> here;
    for (auto const* const all : {&in, &out})
      for (auto const& bin : *all)
        for (auto const& one : bin) here.push_back(element_at(one));
    bool const all_have_gone =
        std::ranges::all_of(out, [](auto const& bin) { return bin.empty(); });
    if (here.size() <= most_in_each_round || all_have_gone) show_values(me, name, here);
  };
}

/// Makes the function that shows traced elements of bins before an exchange and after each round;
/// of elements that know no source nothing.
template <payload_element T, class Destination>
[[nodiscard]] auto showing_elements(processor& me, Destination const& destination_of) {
  if constexpr (is_traced<T>) {
    return [&me, &destination_of](auto const& out, auto const& in) {
      show_elements(me, out, in, [&](T const& one) {
        return block_label{one.source, static_cast<int>(std::invoke(destination_of, one))};
      });
    };
  } else {
    return show_nothing{};
  }
}

}  // namespace lockstep::detail
