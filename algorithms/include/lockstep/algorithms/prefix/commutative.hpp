#pragma once

#include <functional>
#include <type_traits>

namespace lockstep {

/// Whether an operator commutes: so for the standard's on numbers, and for those that have a
/// constant `is_commutative`; specialise it for your own. std::plus<> and the like, which take any
/// type, are not known to commute: say so in the options of an operation where they do.
template <class Operator>
inline constexpr bool is_commutative = false;
template <class Operator>
  requires requires { Operator::is_commutative; }
inline constexpr bool is_commutative<Operator> = Operator::is_commutative;
template <class T>
inline constexpr bool is_commutative<std::plus<T>> = std::is_arithmetic_v<T>;
template <class T>
inline constexpr bool is_commutative<std::multiplies<T>> = std::is_arithmetic_v<T>;
template <class T>
inline constexpr bool is_commutative<std::bit_and<T>> = std::is_arithmetic_v<T>;
template <class T>
inline constexpr bool is_commutative<std::bit_or<T>> = std::is_arithmetic_v<T>;
template <class T>
inline constexpr bool is_commutative<std::bit_xor<T>> = std::is_arithmetic_v<T>;
template <class T>
inline constexpr bool is_commutative<std::logical_and<T>> = std::is_arithmetic_v<T>;
template <class T>
inline constexpr bool is_commutative<std::logical_or<T>> = std::is_arithmetic_v<T>;

namespace detail {

template <class Operator>
inline constexpr bool commutes_on_numbers =
    std::is_same_v<Operator, std::plus<>> || std::is_same_v<Operator, std::multiplies<>> ||
    std::is_same_v<Operator, std::bit_and<>> || std::is_same_v<Operator, std::bit_or<>> ||
    std::is_same_v<Operator, std::bit_xor<>> || std::is_same_v<Operator, std::logical_and<>> ||
    std::is_same_v<Operator, std::logical_or<>>;

/// Whether an operator is known to commute on values of that type.
template <class Operator, class T>
inline constexpr bool is_commutative_on =
    is_commutative<Operator> || (commutes_on_numbers<Operator> && std::is_arithmetic_v<T>);

}  // namespace detail

}  // namespace lockstep
