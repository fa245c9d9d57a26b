#pragma once

/// The one place that knows which Catch2 is there: version 3 has catch_all.hpp, version 2
/// catch.hpp.
#if __has_include(<catch2/catch_all.hpp>)
#include <catch2/catch_all.hpp>
#else
#include <catch2/catch.hpp>
#endif

#include <string>

/// A text that has this in it.
inline auto has_text(std::string const& part) {
#if CATCH_VERSION_MAJOR >= 3
  return Catch::Matchers::ContainsSubstring(part);
#else
  return Catch::Contains(part);
#endif
}
