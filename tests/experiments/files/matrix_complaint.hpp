#pragma once

#include <string>

#include "catch.hpp"
#include "experiments/temporary_file.hpp"
#include "files/matrix_file.hpp"

/// The complaint about a file of these bytes that is read as a matrix, without the file's name.
inline std::string matrix_complaint(std::string const& bytes) {
  temporary_file const file(bytes);
  try {
    (void)lockstep::read_matrix(file.path());
  } catch (lockstep::bad_input const& bad) {
    std::string const message = bad.what();
    auto const name = file.path().string();
    REQUIRE(message.substr(0, name.size()) == name);
    REQUIRE(message.find('\n') == std::string::npos);
    return message.substr(name.size());
  }
  return "nothing";
}
