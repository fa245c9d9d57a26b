#pragma once

#include <string>
#include <string_view>
#include <vector>

/// Whether a text is XML of one element whose tags come in pairs. Entities are those of XML; there are no
/// comments.
inline bool is_well_formed(std::string_view text) {
  std::vector<std::string> open;
  bool has_element = false;
  for (std::size_t at = 0; at < text.size();) {
    if (text[at] == '&') {
      auto const end = text.find(';', at);
      auto const name = text.substr(at + 1, end - at - 1);
      if (name != "amp" && name != "lt" && name != "gt" && name != "quot") return false;
      at = end + 1;
    } else if (text[at] == '<') {
      auto const end = text.find('>', at);
      if (end == std::string_view::npos) return false;
      auto const tag = text.substr(at + 1, end - at - 1);
      if (tag.find('<') != std::string_view::npos) return false;
      if (tag.starts_with('/')) {
        if (open.empty() || open.back() != tag.substr(1)) return false;
        open.pop_back();
      } else if (!tag.ends_with('/')) {
        if (open.empty() && has_element) return false;
        open.emplace_back(tag.substr(0, tag.find(' ')));
        has_element = true;
      }
      at = end + 1;
    } else {
      if (open.empty() && text[at] != '\n') return false;
      ++at;
    }
  }
  return has_element && open.empty();
}
