#pragma once

#include <string>

inline bool contains(std::string const& text, std::string const& part) {
  return text.find(part) != std::string::npos;
}
