#pragma once

#include <cstddef>

#include "catch.hpp"

/// Checks that the textbook form and the library's have the same results and counts, in phases of the same names
/// and words.
template <class Textbook, class Library>
void check_same_runs(Textbook const& textbook, Library const& library) {
  CHECK(textbook.results() == library.results());
  CHECK(textbook.counts() == library.counts());
  REQUIRE(textbook.phases().size() == library.phases().size());
  for (std::size_t i = 0; i < library.phases().size(); ++i) {
    CHECK(textbook.phases()[i].name == library.phases()[i].name);
    CHECK(textbook.phases()[i].words == library.phases()[i].words);
  }
}
