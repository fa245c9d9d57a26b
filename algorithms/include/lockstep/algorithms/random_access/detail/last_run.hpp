#pragma once

#include <cstddef>
#include <utility>

#include <lockstep/algorithms/detail/counts_as.hpp>
#include <lockstep/algorithms/prefix/monoid.hpp>

namespace lockstep::detail {

/// The last run of elements with keys, in order: the last key, and its combined values. It travels as
/// its value does: the key is part of the element.
template <payload_element T>
struct last_run {
  using counts_as = T;
  std::size_t key = 0;
  T value{};
  bool is_only_key = true;  ///< whether there is none before it
  bool is_there = false;    ///< whether there are elements at all
};

/// Appends the elements of higher ranks: what was the last run goes on if they begin with its key
/// and have no other.
template <payload_element T, associative_operator<T> Operator>
struct last_run_operator {
  Operator plus;

  [[nodiscard]] last_run<T> operator()(last_run<T> const& lower, last_run<T> const& higher) const {
    if (!higher.is_there) return lower;
    if (!lower.is_there) return higher;
    bool const goes_on = higher.is_only_key && lower.key == higher.key;
    return {higher.key, goes_on ? T(plus(lower.value, higher.value)) : higher.value,
            goes_on && lower.is_only_key, true};
  }
};

/// Makes the operator and its identity: no elements.
template <payload_element T, associative_operator<T> Operator>
[[nodiscard]] auto of_last_runs(Operator plus) {
  using joining = last_run_operator<T, Operator>;
  return monoid<last_run<T>, joining>{{}, joining{std::move(plus)}};
}

}  // namespace lockstep::detail
