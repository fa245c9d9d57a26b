// Which switch of stacks is compiled, lockstep's own or Boost.Context's, and that it goes there and
// back: switch_choice own|boost. Compiled with and without control-flow enforcement.

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string_view>
#include <vector>

#include "engine/scheduling/stack_switch.hpp"

#ifdef LOCKSTEP_OWN_SWITCH
constexpr std::string_view compiled = "own";
#else
constexpr std::string_view compiled = "boost";
/// The other switch, which nothing may define here.
extern "C" [[gnu::weak, gnu::visibility("hidden")]] void lockstep_switch_stack();
#endif

namespace {

void* left_main = nullptr;
void* left_other = nullptr;
char visits[8] = "";

void visit(char const* where) { std::strcat(visits, where); }

void other() {
  for (;;) {
    visit("o");
    lockstep::detail::switch_stack(&left_other, left_main);
  }
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2 || argv[1] != compiled) {
    std::printf("the switch is %s\n", compiled.data());
    return EXIT_FAILURE;
  }
#ifndef LOCKSTEP_OWN_SWITCH
  if (&lockstep_switch_stack != nullptr) {
    std::puts("both switches are compiled");
    return EXIT_FAILURE;
  }
#endif
  std::vector<std::byte> stack(64 * 1024);
  left_other = lockstep::detail::begin_stack<other>(stack.data() + stack.size(), stack.size());
  for (int round = 0; round < 3; ++round) {
    visit("m");
    lockstep::detail::switch_stack(&left_main, left_other);
  }
  return std::string_view(visits) == "momomo" ? EXIT_SUCCESS : EXIT_FAILURE;
}
