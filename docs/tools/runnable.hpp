#pragma once

namespace lockstep::docs {

/// A block of a page that can be run. Objects are made before `main`, and known to it.
struct runnable {
  runnable(char const* called, int (*block)());

  char const* name;
  int (*run)();
  runnable const* next;
};

}  // namespace lockstep::docs
