#include "shell_words.hpp"

#include <sstream>
#include <string_view>

namespace lockstep::cli {

std::string in_shell(std::string const& word) {
  constexpr std::string_view plain =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+=:,./@%";
  if (!word.empty() && word.find_first_not_of(plain) == std::string::npos) return word;
  std::string quoted = "\"";
  for (char const one : word) {
    if (std::string_view("\"\\$`").find(one) != std::string_view::npos) quoted += '\\';
    quoted += one;
  }
  return quoted + '"';
}

std::vector<std::string> words_of(std::string const& line) {
  std::istringstream text(line);
  std::vector<std::string> words;
  for (std::string word; text >> word;) words.push_back(word);
  return words;
}

}  // namespace lockstep::cli
