#pragma once

#include <functional>
#include <utility>

#include <lockstep/processor.hpp>

namespace lockstep {

/// An order of elements that counts each comparison of a processor as an operation: what sorts by
/// comparisons count of their local work.
template <class Order = std::less<>>
class counted_order {
 public:
  explicit counted_order(processor& me, Order order = {}) : m_me(&me), m_order(std::move(order)) {}

  template <class Element>
  [[nodiscard]] bool operator()(Element const& one, Element const& other) const {
    m_me->work(1);
    return m_order(one, other);
  }

 private:
  processor* m_me;
  Order m_order;
};

}  // namespace lockstep
