#include "check_links.hpp"

#include <map>
#include <ostream>
#include <set>
#include <string>
#include <string_view>

#include <fmt/format.h>

#include "markdown.hpp"

namespace lockstep::docs {

namespace {

namespace fs = std::filesystem;

/// The anchors of a page, and its links.
struct linked_page {
  std::set<std::string, std::less<>> anchors;
  std::vector<reference> references;
};

std::string unescaped(std::string_view text) {
  std::string result;
  for (std::size_t i = 0; i < text.size(); ++i)
    if (text.substr(i).starts_with("&amp;")) {
      result += '&';
      i += 4;
    } else if (text[i] == '%' && i + 2 < text.size()) {
      result += static_cast<char>(std::stoi(std::string(text.substr(i + 1, 2)), nullptr, 16));
      i += 2;
    } else {
      result += text[i];
    }
  return result;
}

/// Calls `found` with the value of each `name="..."` of a line of HTML.
template <class Found>
void each_attribute(std::string_view line, std::string_view name, Found const& found) {
  auto const wanted = fmt::format(" {}=\"", name);
  for (auto place = line.find(wanted); place != std::string_view::npos;
       place = line.find(wanted, place)) {
    place += wanted.size();
    auto const end = line.find('"', place);
    if (end == std::string_view::npos) return;
    found(line.substr(place, end - place));
  }
}

linked_page of_html(fs::path const& path) {
  linked_page result;
  auto const lines = lines_of(read_file(path));
  for (std::size_t i = 0; i < lines.size(); ++i) {
    auto const refers = [&](std::string_view target) {
      result.references.push_back({.line = static_cast<int>(i) + 1, .target = unescaped(target)});
    };
    auto const is_there = [&](std::string_view anchor) { result.anchors.emplace(anchor); };
    each_attribute(lines[i], "href", refers);
    each_attribute(lines[i], "src", refers);
    each_attribute(lines[i], "id", is_there);
    each_attribute(lines[i], "name", is_there);
  }
  return result;
}

linked_page of_markdown(fs::path const& path) {
  auto read = read_page(path);
  linked_page result{.anchors = {}, .references = std::move(read.references)};
  for (auto const& heading : read.headings) result.anchors.insert(heading.anchor);
  return result;
}

bool is_page(fs::path const& path) {
  return path.extension() == ".md" || path.extension() == ".html";
}

/// The page itself, or all pages in that folder, sorted.
std::set<fs::path> pages_in(fs::path const& path) {
  if (!fs::is_directory(path)) return {path};
  std::set<fs::path> pages;
  for (auto const& entry : fs::recursive_directory_iterator(path))
    if (entry.is_regular_file() && is_page(entry.path())) pages.insert(entry.path());
  return pages;
}

bool leads_elsewhere(std::string_view target) {
  return target.find("://") != std::string_view::npos || target.starts_with("mailto:") ||
         target.starts_with("javascript:");
}

class follower {
 public:
  explicit follower(std::ostream& out) : m_out(out) {}

  void follow(fs::path const& path) {
    ++m_pages;
    for (auto const& link : read(path).references) {
      ++m_links;
      if (leads_elsewhere(link.target))
        m_elsewhere.insert(link.target);
      else
        follow(path, link);
    }
  }

  int conclude() {
    m_out << fmt::format("{} pages, {} links, {} broken; not followed: {}\n", m_pages, m_links,
                         m_broken, m_elsewhere.size());
    for (auto const& target : m_elsewhere) m_out << "  " << target << '\n';
    return m_broken;
  }

 private:
  linked_page const& read(fs::path const& path) {
    auto const key = fs::weakly_canonical(path);
    auto const found = m_read.find(key);
    if (found != m_read.end()) return found->second;
    return m_read[key] = path.extension() == ".md" ? of_markdown(path) : of_html(path);
  }

  void follow(fs::path const& from, reference const& link) {
    auto const hash = link.target.find('#');
    auto const file = link.target.substr(0, hash);
    auto const target = file.empty() ? from : from.parent_path() / file;
    if (!fs::exists(target)) {
      broken(from, link, "there is no such file");
    } else if (hash != std::string::npos && hash + 1 < link.target.size() && is_page(target)) {
      if (!read(target).anchors.contains(link.target.substr(hash + 1)))
        broken(from, link, "there is no such anchor");
    }
  }

  void broken(fs::path const& from, reference const& link, std::string_view why) {
    ++m_broken;
    m_out << fmt::format("{}:{}: {}: {}\n", from.string(), link.line, link.target, why);
  }

  std::ostream& m_out;
  std::map<fs::path, linked_page> m_read;
  std::set<std::string> m_elsewhere;
  int m_pages = 0;
  int m_links = 0;
  int m_broken = 0;
};

}  // namespace

int check_links(std::vector<fs::path> const& pages, std::ostream& out) {
  follower following(out);
  for (auto const& path : pages)
    for (auto const& each : pages_in(path)) following.follow(each);
  return following.conclude();
}

}  // namespace lockstep::docs
