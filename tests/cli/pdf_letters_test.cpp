#include <cstdint>
#include <string>
#include <vector>

#include "../catch.hpp"
#include "report/drawing.hpp"
#include "report/pdf_letters.hpp"

namespace {

using namespace lockstep;
using cli::code_points_of;
using cli::pdf_font;
using cli::pdf_line_of;
using cli::pdf_run;

/// Writes a character in UTF-8.
std::string utf8(char32_t letter) {
  if (letter < 0x80) return {static_cast<char>(letter)};
  if (letter < 0x800)
    return {static_cast<char>(0xC0U | (letter >> 6U)), static_cast<char>(0x80U | (letter & 0x3FU))};
  return {static_cast<char>(0xE0U | (letter >> 12U)),
          static_cast<char>(0x80U | ((letter >> 6U) & 0x3FU)),
          static_cast<char>(0x80U | (letter & 0x3FU))};
}

/// Whether a character is lost in PDF.
bool is_lost(char32_t letter) {
  for (auto const& run : pdf_line_of(utf8(letter)).runs)
    if (run.codes.find('?') != std::string::npos) return true;
  return false;
}

}  // namespace

TEST_CASE("text is decoded from UTF-8, and other bytes are question marks", "[plot]") {
  CHECK(code_points_of("a\u00e9\u2264\U0001D400") == U"a\u00e9\u2264\U0001D400");
  CHECK(code_points_of("a\xff") == U"a?");
  CHECK(code_points_of("\xe2\x89") == U"??");
  CHECK(code_points_of("\xc3(") == U"?(");
}

TEST_CASE("a PDF's line has each character in a font that has it", "[plot]") {
  CHECK(pdf_line_of("log p").runs == std::vector<pdf_run>{{pdf_font::helvetica, "log p", 0, 0}});
  CHECK(pdf_line_of("2 \u00d7 \u00e4").runs ==
        std::vector<pdf_run>{{pdf_font::helvetica, "2 \xd7 \xe4", 0, 0}});
  CHECK(pdf_line_of("\u20ac").runs == std::vector<pdf_run>{{pdf_font::helvetica, "\x80", 0, 0}});
  // A letter of Helvetica; then <=, alpha and a minus sign of Symbol.
  CHECK(pdf_line_of("n\u2264\u03b1\u22121").runs ==
        std::vector<pdf_run>{{pdf_font::helvetica, "n", 0, 0},
                             {pdf_font::symbol, "\xa3\x61\x2d", 556, 0},
                             {pdf_font::helvetica, "1", 556 + 549 + 631 + 549, 0}});
}

TEST_CASE("a PDF has letters with accents that Helvetica's table lacks", "[plot]") {
  auto const line = pdf_line_of("\u010capek");
  REQUIRE(line.runs.size() == 3);
  CHECK(line.runs[0] == pdf_run{pdf_font::helvetica, "C", 0, 0});
  CHECK(line.runs[1] == pdf_run{pdf_font::accents, "\xcf", 722 - (722 + 333) / 2, 195});
  CHECK(line.runs[2] == pdf_run{pdf_font::helvetica, "apek", 722, 0});
  CHECK(line.width == pdf_line_of("Capek").width);
  // On small letters it is as low as in the font, and so is one that is a character of its own.
  CHECK(pdf_line_of("\u011b").runs.at(1).up == 0);
  CHECK(pdf_line_of("e\u030c") == pdf_line_of("\u011b"));
  // An ogonek hangs below capitals, too.
  CHECK(pdf_line_of("\u0104").runs.at(1).up == 0);
  CHECK(pdf_line_of("\u0141").runs == std::vector<pdf_run>{{pdf_font::accents, "\xe8", 0, 0}});
}

TEST_CASE("a PDF has words for signs that no font has", "[plot]") {
  CHECK(pdf_line_of("\u2308p/2\u2309") == pdf_line_of("ceil(p/2)"));
  CHECK(pdf_line_of("\u230ap/2\u230b") == pdf_line_of("floor(p/2)"));
  CHECK(pdf_line_of("n\u2074") == pdf_line_of("n^4"));
  CHECK(pdf_line_of("1\u20092") == pdf_line_of("1 2"));
  CHECK(pdf_line_of("a\u200bb") == pdf_line_of("ab"));
  CHECK(pdf_line_of("\u27f6") == pdf_line_of("\u2192"));
  CHECK(pdf_line_of("\u4e2d") == pdf_line_of("?"));  // of another script
}

TEST_CASE("a PDF loses no letter of Latin or Greek, and no sign of mathematics in use", "[plot]") {
  for (char32_t letter = 0xA0; letter < 0x180; ++letter) {
    CAPTURE(static_cast<std::uint32_t>(letter));
    bool const is_rare = letter == 0x138 || letter == 0x13F || letter == 0x140 || letter == 0x149;
    CHECK((is_rare || !is_lost(letter)));
  }
  for (char32_t letter = 0x391; letter < 0x3CF; ++letter) {
    CAPTURE(static_cast<std::uint32_t>(letter));
    CHECK((letter == 0x3A2 || !is_lost(letter)));  // which no letter has
  }
  for (char32_t const letter :
       std::u32string(U"\u2264\u2265\u2260\u2248\u2261\u2190\u2191\u2192\u2193\u2194\u21d2\u21d4"
                      "\u2212\u00b1\u2213\u00d7\u00f7\u22c5\u2218\u221a\u221e\u2211\u220f\u222b"
                      "\u2202\u2207\u2208\u2209\u2282\u2286\u222a\u2229\u2205\u2200\u2203\u2227"
                      "\u2228\u00ac\u2295\u2297\u22a5\u2225\u2308\u2309\u230a\u230b\u27e8\u27e9"
                      "\u2026\u2013\u2014\u2018\u2019\u201c\u201d\u2032\u2070\u2079\u207f\u2080"
                      "\u2089\u2113\u226a\u226b\u21a6\u2713\u2717")) {
    CAPTURE(static_cast<std::uint32_t>(letter));
    CHECK_FALSE(is_lost(letter));
  }
}

TEST_CASE("a PDF names its fonts, and its title has any letters", "[plot]") {
  cli::drawing page{.width = 100, .height = 50, .title = "\u03b1 \U0001D400"};
  page.shapes.emplace_back(cli::drawn_text{{10, 20}, "\u0160 \u2264 (1)", 10});
  auto const pdf = cli::as_pdf(page);
  CHECK(pdf.find("/BaseFont /Symbol") != std::string::npos);
  CHECK(pdf.find("/Title <FEFF03B10020D835DC00>") != std::string::npos);
  CHECK(pdf.find("/F 10 Tf 1 0 0 1 10 30 Tm (\\212 ) Tj") != std::string::npos);
  CHECK(pdf.find("/S 10 Tf 1 0 0 1 19.45 30 Tm (\\243) Tj") != std::string::npos);
  CHECK(pdf.find("( \\(1\\)) Tj ET") != std::string::npos);
}
