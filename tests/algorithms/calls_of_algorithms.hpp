#pragma once

#include <functional>
#include <string_view>
#include <vector>

#include <lockstep/processor.hpp>

/// A call of an algorithm or a collective, and the line on which it stands.
struct called {
  std::string_view file;  ///< the header, from lockstep/algorithms/ on
  std::string_view name;
  std::string_view network;
  std::function<void(lockstep::processor&)> call;
  int line;
};

/// The file in which the calls stand.
[[nodiscard]] std::string_view file_of_calls();

/// Lists a call of each function that programs call, with what goes with its network.
[[nodiscard]] std::vector<called> const& all_calls();

/// Lists the same calls on the same lines, with twice the elements.
[[nodiscard]] std::vector<called> const& calls_with_twice_the_elements();
