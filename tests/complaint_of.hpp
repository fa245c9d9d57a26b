#pragma once

#include <exception>
#include <string>

namespace reference {

/// What the call's refusal says; "nothing" if there is none.
template <class Refusal = std::exception, class Call>
std::string complaint_of(Call const& call) {
  try {
    call();
  } catch (Refusal const& refused) {
    return refused.what();
  }
  return "nothing";
}

}  // namespace reference
