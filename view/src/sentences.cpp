#include <lockstep/detail/sentences.hpp>

#include <algorithm>

namespace lockstep::detail {

namespace {

constexpr std::string_view blanks = " \n";

/// Finds the end of a text's first sentence.
[[nodiscard]] std::size_t end_of_sentence(std::string_view text) {
  auto const end = std::min(text.find(". "), text.find(".\n"));
  return end == std::string_view::npos ? text.find_last_not_of(blanks) + 1 : end + 1;
}

}  // namespace

std::vector<std::string> sentences_of(std::string_view text) {
  std::vector<std::string> sentences;
  auto const go_to = [&](std::size_t at) { text.remove_prefix(std::min(text.size(), at)); };
  for (go_to(text.find_first_not_of(blanks)); !text.empty();) {
    auto const end = end_of_sentence(text);
    sentences.emplace_back(text.substr(0, end));
    go_to(text.find_first_not_of(blanks, end));
  }
  return sentences;
}

}  // namespace lockstep::detail
