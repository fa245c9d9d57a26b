// An element counts as at most 2^32 - 1 words.
#include <cstdint>

#include <lockstep/processor.hpp>

struct huge {
  int value = 0;
};

template <>
inline constexpr std::uint64_t lockstep::words_of<huge> = std::uint64_t{1} << 32;

void program(lockstep::processor& me) { me.send(1, huge{}); }
