// A span cannot be received: there would be nothing for it to look at. It may say where to write.
#include <array>
#include <span>

#include <lockstep/processor.hpp>

void program(lockstep::processor& me) {
  std::array<int, 2> room{};
  me.receive_into(1, std::span(room));
#ifdef LOCKSTEP_MUST_NOT_COMPILE
  static_cast<void>(me.receive_value<std::span<int>>(1));
#endif
}
