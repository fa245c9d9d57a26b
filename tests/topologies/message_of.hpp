#pragma once

#include <string>

/// What the error says that the call ends in; "no error" if there is none. Errors of another type
/// pass.
template <class Error, class Call>
[[nodiscard]] std::string message_of(Call&& call) {
  try {
    static_cast<void>(call());
  } catch (Error const& caught) {
    return caught.what();
  }
  return "no error";
}

[[nodiscard]] inline bool contains(std::string const& text, std::string const& part) {
  return text.find(part) != std::string::npos;
}
