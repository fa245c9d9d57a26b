#pragma once

#include <utility>

#include <lockstep/algorithms/prefix/commutative.hpp>
#include <lockstep/algorithms/prefix/monoid.hpp>
#include <lockstep/payload.hpp>
#include <lockstep/processor.hpp>

namespace lockstep::detail {

/// An operator that counts each call of a processor as an operation: what accesses by pointers count of
/// their vectors and scans.
template <class Operator>
class counting_operator {
 public:
  static constexpr bool is_commutative = lockstep::is_commutative<Operator>;

  counting_operator(processor& me, Operator plus) : m_me(&me), m_plus(std::move(plus)) {}

  template <class T>
  [[nodiscard]] T operator()(T const& one, T const& other) const {
    m_me->work(1);
    return m_plus(one, other);
  }

 private:
  processor* m_me;
  Operator m_plus;
};

/// Makes a monoid whose operator counts its calls.
template <payload_element T, class Operator>
[[nodiscard]] monoid<T, counting_operator<Operator>> counted_in(processor& me,
                                                                monoid<T, Operator> of) {
  return {std::move(of.identity), {me, std::move(of.plus)}};
}

}  // namespace lockstep::detail
