// Runs one block of the pages: lockstep_page_blocks NAME; or its test cases, by Catch2:
// lockstep_page_blocks --test-cases SPECIFICATION...
#include <iostream>
#include <string_view>

#define CATCH_CONFIG_RUNNER
#if __has_include(<catch2/catch_all.hpp>)
#include <catch2/catch_all.hpp>
#else
#include <catch2/catch.hpp>
#endif

#include "runnable.hpp"

namespace lockstep::docs {

namespace {

runnable const*& first_runnable() {
  static runnable const* first = nullptr;
  return first;
}

}  // namespace

runnable::runnable(char const* called, int (*block)())
    : name(called), run(block), next(first_runnable()) {
  first_runnable() = this;
}

}  // namespace lockstep::docs

int main(int argc, char* argv[]) {
  std::string_view const asked = argc > 1 ? argv[1] : "";
  if (asked == "--test-cases") {
    argv[1] = argv[0];
    return Catch::Session().run(argc - 1, argv + 1);
  }
  for (auto const* one = lockstep::docs::first_runnable(); one != nullptr; one = one->next)
    if (asked == one->name) return one->run();
  std::cerr << "There is no block " << asked << '\n';
  return 2;
}
