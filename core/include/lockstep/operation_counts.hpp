#pragma once

#include <cstdint>
#include <utility>

namespace lockstep {

/// Local operations by kind, as `counted` numbers count them.
struct operation_counts {
  std::uint64_t comparisons = 0;
  std::uint64_t additions = 0;        ///< and subtractions
  std::uint64_t multiplications = 0;  ///< and divisions

  [[nodiscard]] std::uint64_t all() const { return comparisons + additions + multiplications; }

  friend bool operator==(operation_counts const&, operation_counts const&) = default;
};

namespace detail {

/// The counts that `counted` numbers of this thread add to; nullptr outside `processor::work_of`. A
/// processor makes no calls inside, so that no other one runs on its thread meanwhile.
inline thread_local operation_counts* counting_here = nullptr;

/// Operations of this thread that are counted apart while the scope lasts.
class counting_scope {
 public:
  explicit counting_scope(operation_counts& into) : m_outer(std::exchange(counting_here, &into)) {}
  counting_scope(counting_scope const&) = delete;
  counting_scope& operator=(counting_scope const&) = delete;
  ~counting_scope() { counting_here = m_outer; }

 private:
  operation_counts* m_outer;
};

}  // namespace detail

}  // namespace lockstep
