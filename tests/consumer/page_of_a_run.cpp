// A run that fails leaves its page, and one that does not is viewed, with lockstep::view alone.
#include <cstdio>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include <lockstep/machine.hpp>

#include "ring_of_three.hpp"

namespace {

bool is_page(char const* file) {
  std::ostringstream text;
  text << std::ifstream(file).rdbuf();
  return text.str().starts_with("<!DOCTYPE html>");
}

}  // namespace

int main() {
  lockstep::machine const on{ring_of_three{}, {.recorded = true, .view_failure = "failed.html"}};
  on.run([](lockstep::processor& me) { me.barrier(); }).view("run.html", {.title = "a barrier"});
  bool failed = false;
  try {
    on.run([](lockstep::processor& me) {
      static_cast<void>(me.receive_value<int>((me.rank() + 1) % 3));
    });
  } catch (lockstep::error const&) {
    failed = true;
  }
  bool const all = failed && is_page("run.html") && is_page("failed.html");
  std::puts(all ? "two pages" : "a page is missing");
  return all ? 0 : 1;
}
