#include "check_site.hpp"

#include <cstdint>
#include <regex>
#include <stdexcept>
#include <string>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <lockstep/experiments/registry.hpp>

#include "markdown.hpp"

namespace lockstep::docs {

namespace {

namespace fs = std::filesystem;

constexpr std::uintmax_t largest_page = 700'000;  // bytes; the namespace's own page is the largest

/// The text of a page of HTML, on one line.
std::string text_of(fs::path const& page) {
  auto text = std::regex_replace(read_file(page), std::regex("<[^>]*>"), "");
  for (auto const& [entity, shown] : {std::pair("&quot;", "\""), {"&gt;", ">"}, {"&amp;", "&"}})
    text = std::regex_replace(text, std::regex(entity), shown);
  return std::regex_replace(text, std::regex("\\s+"), " ");
}

std::string too_large(fs::path const& html) {
  std::string found;
  for (auto const& entry : fs::recursive_directory_iterator(html))
    if (entry.is_regular_file() && entry.file_size() > largest_page)
      found += fmt::format("{} has {} bytes; a file may have {}\n", entry.path().string(),
                           entry.file_size(), largest_page);
  return found;
}

std::string without_explanation(fs::path const& html) {
  std::string found;
  for (auto const& which : experiments()) {
    auto const page = html / fmt::format("docs_algorithms_{}.html", which.name);
    if (!fs::exists(page)) {
      found += fmt::format("{} is missing\n", page.string());
      continue;
    }
    auto const text = text_of(page);
    if (text.find(which.explanation) == std::string::npos)
      found +=
          fmt::format("{} does not explain the algorithm in its five sentences\n", page.string());
    for (auto const& variant : which.variants)
      if (text.find(variant.explanation) == std::string::npos)
        found += fmt::format("{} does not have: {}\n", page.string(), variant.explanation);
    auto const picture = which.name + ".svg";
    if (!fs::exists(html / picture) || read_file(page).find(picture) == std::string::npos)
      found += fmt::format("{} does not show {}\n", page.string(), picture);
  }
  return found;
}

}  // namespace

void check_site(fs::path const& html) {
  auto const found = too_large(html) + without_explanation(html);
  if (!found.empty()) throw std::runtime_error(found);
}

}  // namespace lockstep::docs
