#pragma once

#include <filesystem>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace lockstep::docs {

/// A note on a block, in a comment of Markdown before it: `<!-- key: value -->`.
struct note {
  std::string key;
  std::string value;  ///< empty if it has none
};

/// A fenced block of a page.
struct block {
  std::string language;  ///< empty where the fence names none
  int line = 0;          ///< of the page: that of the opening fence, from 1
  std::string text;      ///< each line with its end
  std::vector<note> notes{};

  [[nodiscard]] bool has(std::string_view key) const;
  /// Returns the value of the note; empty if the block lacks it.
  [[nodiscard]] std::string value_of(std::string_view key) const;
};

struct heading {
  int level = 0;
  int line = 0;
  std::string text;
  std::string anchor;  ///< as GitHub makes it: "counts-in-your-own-tests"
};

/// A link or image of Markdown, [text](target).
struct reference {
  int line = 0;
  std::string target;
};

/// A page of Markdown, as far as its checks need it.
struct page {
  std::filesystem::path path;
  std::vector<std::string> lines;
  std::vector<block> blocks{};
  std::vector<heading> headings{};
  std::vector<reference> references{};
};

/// Something is wrong with a page: one line, "docs/traces.md:12: ...".
class page_error : public std::runtime_error {
 public:
  page_error(page const& where, int line, std::string const& what);
};

/// Errors: std::runtime_error for a file that cannot be read; page_error for a block without end.
[[nodiscard]] page read_page(std::filesystem::path const& path);

/// The whole file. Errors: std::runtime_error if it cannot be read.
[[nodiscard]] std::string read_file(std::filesystem::path const& path);

/// Errors: std::runtime_error if it cannot be written.
void write_file(std::filesystem::path const& path, std::string_view text);

[[nodiscard]] std::vector<std::string> lines_of(std::string_view text);

[[nodiscard]] std::string_view trimmed(std::string_view text);

/// The page's name in code: "assert-counts.md" gives "assert_counts".
[[nodiscard]] std::string identifier_of(page const& which);

}  // namespace lockstep::docs
