#pragma once

#include <concepts>
#include <optional>
#include <utility>

#include <lockstep/algorithms/detail/counts_as.hpp>
#include <lockstep/payload.hpp>

namespace lockstep {

/// A value that can be combined and travels as one element. An array is a range of elements: put
/// it into a struct.
template <class T>
concept combinable =
    payload_element<T> && !payload_range<T const&> && std::default_initializable<T>;

/// An associative operator on values of type T, commutative or not.
template <class Operator, class T>
concept associative_operator =
    combinable<T> && requires(Operator const& plus, T const& a, T const& b) {
      { plus(a, b) } -> std::convertible_to<T>;
    };

/// An associative operator and its identity.
template <payload_element T, associative_operator<T> Operator>
struct monoid {
  using value_type = T;
  T identity;
  Operator plus;

  [[nodiscard]] T operator()(T const& a, T const& b) const { return plus(a, b); }
};

// clang 16 does not find this out by itself.
template <class T, class Operator>
monoid(T, Operator) -> monoid<T, Operator>;

namespace detail {
template <class Operator>
inline constexpr bool is_monoid = false;
template <class T, class Operator>
inline constexpr bool is_monoid<monoid<T, Operator>> = true;
}  // namespace detail

/// A value, or the identity that an operator's domain is extended by. A word like the value itself:
/// "prepending a single bit to each of the x_i's".
/// Source: Mayr and Plaxton 1989, sections 1 and 3.
template <payload_element T>
struct extended {
  using counts_as = T;

  T value{};
  bool is_there = false;

  extended() = default;
  extended(T const& of) : value(of), is_there(true) {}  // NOLINT(google-explicit-constructor)

  [[nodiscard]] std::optional<T> as_optional() const {
    return is_there ? std::optional<T>(value) : std::nullopt;
  }
};

/// The operator on the domain extended by an identity.
template <payload_element T, associative_operator<T> Operator>
struct extended_operator {
  Operator plus;

  [[nodiscard]] extended<T> operator()(extended<T> const& a, extended<T> const& b) const {
    if (!a.is_there) return b;
    if (!b.is_there) return a;
    return plus(a.value, b.value);
  }
};

/// Any associative operator as a monoid: where it has no identity of its own, its domain is
/// extended by one.
template <payload_element T, associative_operator<T> Operator>
[[nodiscard]] auto with_identity(Operator plus) {
  using wider = extended_operator<T, Operator>;
  return monoid<extended<T>, wider>{{}, wider{std::move(plus)}};
}

/// A value, and whether an interval begins with it. A word like the value itself.
/// Source: Mayr and Plaxton 1989, definition 1.1.
template <payload_element T>
struct segmented {
  using counts_as = T;

  bool begins = false;  ///< of a sum: whether an interval begins in it
  T value{};
};

/// The segmented operator: (a0, x0) +' (a1, x1) = (a0 or a1, if a1 then x1 else x0 + x1).
template <payload_element T, associative_operator<T> Operator>
struct segmented_operator {
  Operator plus;

  [[nodiscard]] segmented<T> operator()(segmented<T> const& a, segmented<T> const& b) const {
    return {a.begins || b.begins, b.begins ? b.value : plus(a.value, b.value)};
  }
};

/// Definition 1.1; its identity is (false, 0), remark 1.
template <payload_element T, associative_operator<T> Operator>
[[nodiscard]] auto by_segments(monoid<T, Operator> const& of) {
  using wider = segmented_operator<T, Operator>;
  return monoid<segmented<T>, wider>{{false, of.identity}, wider{of.plus}};
}

/// x0 + x1 = x0. Section 3's Copy.
template <payload_element T>
struct copy_operator {
  [[nodiscard]] T operator()(T const& first, T const& /*second*/) const { return first; }
};

}  // namespace lockstep
