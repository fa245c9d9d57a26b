#pragma once

#include <string>

/// Gives the message of the error that the call ends in, or "no error". Others pass.
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
