#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace lockstep::cli {

/// The fonts of a PDF, which every reader has: Helvetica by two tables of its characters, and Symbol.
enum class pdf_font : char {
  helvetica = 'F',  ///< in WinAnsiEncoding
  accents = 'A',    ///< Helvetica in StandardEncoding, which has accents as characters of their own
  symbol = 'S'
};

/// A part of a line in one font; lengths in thousandths of its size.
struct pdf_run {
  pdf_font font = pdf_font::helvetica;
  std::string codes{};  ///< a byte for each character
  int right = 0;        ///< from the line's begin
  int up = 0;           ///< from the base line
  friend bool operator==(pdf_run const&, pdf_run const&) = default;
};

/// A line of text in the fonts of a PDF.
struct pdf_line {
  std::vector<pdf_run> runs{};
  int width = 0;
  friend bool operator==(pdf_line const&, pdf_line const&) = default;
};

/// Writes a line in UTF-8 with the characters of the fonts: Latin letters with any accents, Greek ones, and the
/// signs of mathematics that Symbol has. Others are replaced by words (a ceiling is "ceil(" and ")"), and those
/// of other scripts by question marks.
[[nodiscard]] pdf_line pdf_line_of(std::string_view text);

/// Decodes UTF-8; other bytes become question marks.
[[nodiscard]] std::u32string code_points_of(std::string_view text);

}  // namespace lockstep::cli
