#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace lockstep::cli {

inline constexpr std::size_t page_width = 100;

/// How a column stands on the page.
enum class column_kind {
  text,    ///< to the left, on one line
  number,  ///< to the right, on one line
  prose    ///< to the left; goes on in the next line where the page is too narrow
};

/// A table of aligned columns, at most `page_width` wide as far as its prose can be broken.
class text_table {
 public:
  struct column {
    std::string title;
    column_kind kind = column_kind::text;
  };

  explicit text_table(std::vector<column> columns) : m_columns(std::move(columns)) {}

  /// One cell for each column.
  void add(std::vector<std::string> cells) { m_rows.push_back(std::move(cells)); }

  /// The title row and the rows; ends with a newline.
  [[nodiscard]] std::string str() const;

 private:
  [[nodiscard]] std::vector<std::size_t> widths() const;
  [[nodiscard]] std::size_t height(std::vector<std::size_t> const& widths) const;
  [[nodiscard]] std::optional<std::size_t> column_to_narrow(
      std::vector<std::size_t> const& widths) const;
  void append_row(std::string& text, std::vector<std::string> const& cells,
                  std::vector<std::size_t> const& widths) const;

  std::vector<column> m_columns;
  std::vector<std::vector<std::string>> m_rows;
};

/// Columns that a terminal needs for the text: its code points.
[[nodiscard]] std::size_t display_width(std::string_view text);

/// Writes a number with its digits in groups: "16,777,216".
[[nodiscard]] std::string grouped(std::uint64_t number);

/// Writes how many there are of something: "1 step", "1,024 words".
[[nodiscard]] std::string counted(std::uint64_t number, std::string_view what);

/// The text in lines of at most `width` columns, broken at spaces; a longer word stands alone.
[[nodiscard]] std::vector<std::string> wrapped(std::string_view text, std::size_t width);

}  // namespace lockstep::cli
