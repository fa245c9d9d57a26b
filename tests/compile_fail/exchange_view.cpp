// A view whose elements do not lie side by side is no payload.
#include <ranges>
#include <vector>

#include <lockstep/processor.hpp>

void program(lockstep::processor& me) {
  std::vector<int> const values{1, 2};
  static_cast<void>(me.exchange(1, values));
#ifdef LOCKSTEP_MUST_NOT_COMPILE
  static_cast<void>(me.exchange(1, values | std::views::reverse));
#endif
}
