#include "site_page.hpp"

#include <algorithm>
#include <cctype>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "markdown.hpp"

namespace lockstep::docs {

namespace {

namespace fs = std::filesystem;

/// The pages of the site by their places in the project. Generated pages are as if they stood in
/// docs/, in place of what stands there.
class site {
 public:
  site(fs::path source, fs::path algorithms, fs::path folder)
      : m_source(std::move(source)),
        m_algorithms(std::move(algorithms)),
        m_folder(std::move(folder)) {}

  void write() {
    fs::remove_all(m_folder);
    fs::create_directories(m_folder);
    add("README.md");
    add("CONTRIBUTING.md");
    add_all("docs", m_source / "docs");
    add_all("docs", m_algorithms);
    for (auto const* const index : {"docs/index.md", "docs/algorithms.md"})
      write_page(index, m_pages.at(index));
    for (auto const& [place, path] : m_pages)
      if (!is_index(place)) write_page(place, path);
    for (auto const& place : m_linked) write_file_page(place);
    write_list_of_files();
  }

 private:
  void add(std::string const& place) { m_pages[place] = m_source / place; }

  void add_all(std::string const& place, fs::path const& folder) {
    for (auto const& entry : fs::recursive_directory_iterator(folder))
      if (entry.path().extension() == ".md")
        m_pages[place + '/' + fs::relative(entry.path(), folder).string()] = entry.path();
  }

  /// A label for a page: "docs/errata/suh-shin.md" gives "docs_errata_suh-shin".
  static std::string label_of(std::string const& place) {
    auto label = place.ends_with(".md") ? place.substr(0, place.size() - 3) : place;
    std::ranges::replace_if(
        label,
        [](unsigned char character) { return std::isalnum(character) == 0 && character != '-'; },
        '_');
    return label;
  }

  /// Whether the pages to which a page leads stand below it in the site's sidebar.
  static bool is_index(std::string const& place) {
    return place == "docs/index.md" || place == "docs/algorithms.md";
  }

  void write_page(std::string const& place, fs::path const& path) {
    auto const read = read_page(path);
    auto const label = label_of(place);
    auto lines = read.lines;
    for (auto const& heading : read.headings) {
      auto& line = lines[static_cast<std::size_t>(heading.line) - 1];
      line += heading.line == read.headings.front().line
                  ? fmt::format(" {{#{}}}", label)
                  : fmt::format(" {{#{}_{}}}", label, heading.anchor);
    }
    for (auto const& link : read.references) {
      auto& line = lines[static_cast<std::size_t>(link.line) - 1];
      auto const old = fmt::format("]({})", link.target);
      auto const at = line.find(old);
      if (at == std::string::npos) continue;
      if (is_for_teachers(place, link)) {
        auto const begin = line.rfind('[', at);
        line.replace(begin, at + old.size() - begin, line.substr(begin + 1, at - begin - 1));
        continue;
      }
      auto const target = on_site(read, place, link);
      if (is_index(place) && is_page_below(target)) {
        auto const begin = line.rfind('[', at);
        auto const text = line.substr(begin + 1, at - begin - 1);
        line.replace(begin, at + old.size() - begin,
                     fmt::format("@subpage {} \"{}\"", target.substr(5), text));
      } else {
        line.replace(at, old.size(), fmt::format("]({})", target));
      }
    }
    add_run_page(place, read, lines);
    std::string text;
    for (auto const& line : lines) text += line + '\n';
    write_file(m_folder / (label + ".md"), text);
  }

  /// Whether a link leads to a solution or a test that students are not to see: the site has neither.
  static bool is_for_teachers(std::string const& place, reference const& link) {
    auto const target = (fs::path(place).parent_path() / link.target).lexically_normal();
    return target.string().starts_with("docs/class/solutions/");
  }

  /// Adds to a lesson the link to the page that its first command makes, which docs/lesson_pages has made for the site.
  static void add_run_page(std::string const& place, page const& read,
                           std::vector<std::string>& lines) {
    if (!place.starts_with("docs/class/") || read.blocks.empty()) return;
    auto const& command = read.blocks.front();
    auto const words = lines_of(command.text);
    constexpr std::string_view option = "--output ";
    auto const at = command.text.find(option);
    if (command.language != "sh" || at == std::string::npos) return;
    auto const begin = at + option.size();
    auto const file = command.text.substr(begin, command.text.find_first_of(" \n", begin) - begin);
    auto const closing_fence = static_cast<std::size_t>(command.line) + words.size();
    lines[closing_fence] += fmt::format("\n\n<a href=\"lessons/{}\">Open this page</a>", file);
  }

  /// Translates a link of that page for the site.
  std::string on_site(page const& from, std::string const& place, reference const& link) {
    if (link.target.find("://") != std::string::npos) return link.target;
    auto const hash = link.target.find('#');
    auto const anchor = hash == std::string::npos ? "" : '_' + link.target.substr(hash + 1);
    auto const file = link.target.substr(0, hash);
    if (file.empty()) return fmt::format("@ref {}{}", label_of(place), anchor);
    auto const target = (fs::path(place).parent_path() / file).lexically_normal().string();
    if (is_picture(target)) return picture_on_site(from, target, link);
    if (!m_pages.contains(target)) {
      if (!fs::exists(m_source / target))
        throw page_error(from, link.line, fmt::format("{} leads nowhere", link.target));
      m_linked.insert(target);
    }
    return fmt::format("@ref {}{}", label_of(target), anchor);
  }

  /// Whether a link of an index leads to a page that stands below no other one yet.
  bool is_page_below(std::string const& target) {
    bool const is_page =
        target.starts_with("@ref ") && std::ranges::any_of(m_pages, [&](auto const& one) {
          return label_of(one.first) == target.substr(5);
        });
    return is_page && m_below.insert(target).second;
  }

  /// Writes a page of what stands below no index, among it the project's files that pages show.
  void write_list_of_files() const {
    auto places = m_linked;
    for (auto const& [place, path] : m_pages)
      if (place != "docs/index.md" && !m_below.contains("@ref " + label_of(place)))
        places.insert(place);
    std::string text = "# Other pages and files {#other_files}\n\n";
    for (auto const& place : places)
      text += fmt::format("- @subpage {} \"{}\"\n", label_of(place), place);
    write_file(m_folder / "other_files.md", text);
  }

  static bool is_picture(fs::path const& target) {
    return target.extension() == ".svg" || target.extension() == ".png";
  }

  /// A picture by its name alone: Doxygen finds it in its image path, and copies it.
  [[nodiscard]] std::string picture_on_site(page const& from, fs::path const& target,
                                            reference const& link) const {
    auto const generated = m_algorithms / fs::relative(target, "docs");
    if (!fs::exists(m_source / target) && !fs::exists(generated))
      throw page_error(from, link.line, fmt::format("{} leads nowhere", link.target));
    return target.filename().string();
  }

  /// A page that shows a file of the project, or the content of a folder.
  void write_file_page(std::string const& place) {
    auto const path = m_source / place;
    auto text = fmt::format("# {} {{#{}}}\n\n", place, label_of(place));
    if (fs::is_directory(path)) {
      std::set<std::string> names;
      for (auto const& entry : fs::directory_iterator(path))
        names.insert(entry.path().filename().string());
      for (auto const& name : names) text += fmt::format("- `{}`\n", name);
    } else if (path.extension() == ".md") {
      text += fmt::format("```text\n{}```\n", read_file(path));
    } else {
      auto const is_cpp = path.extension() == ".cpp" || path.extension() == ".hpp";
      text += fmt::format("```{}\n{}```\n", is_cpp ? "cpp" : "text", read_file(path));
    }
    write_file(m_folder / (label_of(place) + ".md"), text);
  }

  fs::path m_source;
  fs::path m_algorithms;
  fs::path m_folder;
  std::map<std::string, fs::path> m_pages;
  std::set<std::string> m_linked;
  std::set<std::string> m_below;
};

}  // namespace

void write_site_pages(fs::path const& source, fs::path const& algorithms, fs::path const& folder) {
  site(source, algorithms, folder).write();
}

}  // namespace lockstep::docs
