#include "pdf_letters.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>

namespace lockstep::cli {

namespace {

/// Widths of the characters from the blank to ~ in Helvetica, in thousandths of the size.
constexpr std::array<std::int16_t, 95> ascii_widths{
    278, 278, 355, 556, 556, 889, 667, 191, 333, 333, 389, 584, 278, 333,  278, 278, 556, 556, 556,
    556, 556, 556, 556, 556, 556, 556, 278, 278, 584, 584, 584, 556, 1015, 667, 667, 722, 722, 667,
    611, 778, 722, 278, 500, 667, 556, 833, 722, 778, 667, 778, 722, 667,  611, 722, 667, 944, 667,
    667, 611, 278, 278, 278, 469, 556, 333, 556, 556, 500, 556, 556, 278,  556, 556, 222, 222, 500,
    222, 833, 556, 556, 556, 556, 333, 500, 278, 556, 500, 722, 500, 500,  500, 334, 260, 334, 584};
/// Those of Latin-1 from U+00A0 to U+00FF.
constexpr std::array<std::int16_t, 96> latin_widths{
    278, 333, 556, 556, 556, 556, 260,  556, 333, 737, 370, 556, 584, 333, 737, 333,
    400, 584, 333, 333, 333, 556, 537,  278, 333, 333, 365, 556, 834, 834, 834, 611,
    667, 667, 667, 667, 667, 667, 1000, 722, 667, 667, 667, 667, 278, 278, 278, 278,
    722, 722, 778, 778, 778, 778, 778,  584, 778, 722, 722, 722, 722, 667, 667, 611,
    556, 556, 556, 556, 556, 556, 889,  500, 556, 556, 556, 556, 278, 278, 278, 278,
    556, 556, 556, 556, 556, 556, 556,  584, 611, 556, 556, 556, 556, 500, 556, 500};

/// A character of a font: which it is, its byte, and its width.
struct font_letter {
  char32_t letter;
  std::uint8_t code;
  std::int16_t width;
};
/// Those of WinAnsiEncoding that Latin-1 lacks.
constexpr std::array<font_letter, 27> windows_letters{
    {{0x20AC, 0x80, 556},  {0x201A, 0x82, 222},  {0x0192, 0x83, 556}, {0x201E, 0x84, 333},
     {0x2026, 0x85, 1000}, {0x2020, 0x86, 556},  {0x2021, 0x87, 556}, {0x02C6, 0x88, 333},
     {0x2030, 0x89, 1000}, {0x0160, 0x8A, 667},  {0x2039, 0x8B, 333}, {0x0152, 0x8C, 1000},
     {0x017D, 0x8E, 611},  {0x2018, 0x91, 222},  {0x2019, 0x92, 222}, {0x201C, 0x93, 333},
     {0x201D, 0x94, 333},  {0x2022, 0x95, 350},  {0x2013, 0x96, 556}, {0x2014, 0x97, 1000},
     {0x02DC, 0x98, 333},  {0x2122, 0x99, 1000}, {0x0161, 0x9A, 500}, {0x203A, 0x9B, 333},
     {0x0153, 0x9C, 944},  {0x017E, 0x9E, 500},  {0x0178, 0x9F, 667}}};
constexpr std::array<font_letter, 116> symbol_letters{
    {{0x0391, 0x41, 722},  {0x0392, 0x42, 667}, {0x0393, 0x47, 603},  {0x0394, 0x44, 612},
     {0x0395, 0x45, 611},  {0x0396, 0x5A, 611}, {0x0397, 0x48, 722},  {0x0398, 0x51, 741},
     {0x0399, 0x49, 333},  {0x039A, 0x4B, 722}, {0x039B, 0x4C, 686},  {0x039C, 0x4D, 889},
     {0x039D, 0x4E, 722},  {0x039E, 0x58, 645}, {0x039F, 0x4F, 722},  {0x03A0, 0x50, 768},
     {0x03A1, 0x52, 556},  {0x03A3, 0x53, 592}, {0x03A4, 0x54, 611},  {0x03A5, 0x55, 690},
     {0x03A6, 0x46, 763},  {0x03A7, 0x43, 722}, {0x03A8, 0x59, 795},  {0x03A9, 0x57, 768},
     {0x03B1, 0x61, 631},  {0x03B2, 0x62, 549}, {0x03B3, 0x67, 411},  {0x03B4, 0x64, 494},
     {0x03B5, 0x65, 439},  {0x03B6, 0x7A, 494}, {0x03B7, 0x68, 603},  {0x03B8, 0x71, 521},
     {0x03B9, 0x69, 329},  {0x03BA, 0x6B, 549}, {0x03BB, 0x6C, 549},  {0x03BC, 0x6D, 576},
     {0x03BD, 0x6E, 521},  {0x03BE, 0x78, 493}, {0x03BF, 0x6F, 549},  {0x03C0, 0x70, 549},
     {0x03C1, 0x72, 549},  {0x03C2, 0x56, 439}, {0x03C3, 0x73, 603},  {0x03C4, 0x74, 439},
     {0x03C5, 0x75, 576},  {0x03C6, 0x66, 521}, {0x03C7, 0x63, 549},  {0x03C8, 0x79, 686},
     {0x03C9, 0x77, 686},  {0x03D1, 0x4A, 631}, {0x03D2, 0xA1, 620},  {0x03D5, 0x6A, 603},
     {0x03D6, 0x76, 713},  {0x2032, 0xA2, 247}, {0x2033, 0xB2, 411},  {0x2044, 0xA4, 167},
     {0x2111, 0xC1, 686},  {0x2118, 0xC3, 987}, {0x211C, 0xC2, 795},  {0x2135, 0xC0, 823},
     {0x2190, 0xAC, 987},  {0x2191, 0xAD, 603}, {0x2192, 0xAE, 987},  {0x2193, 0xAF, 603},
     {0x2194, 0xAB, 1042}, {0x21B5, 0xBF, 658}, {0x21D0, 0xDC, 987},  {0x21D1, 0xDD, 603},
     {0x21D2, 0xDE, 987},  {0x21D3, 0xDF, 603}, {0x21D4, 0xDB, 1042}, {0x2200, 0x22, 713},
     {0x2202, 0xB6, 494},  {0x2203, 0x24, 549}, {0x2205, 0xC6, 823},  {0x2207, 0xD1, 713},
     {0x2208, 0xCE, 713},  {0x2209, 0xCF, 713}, {0x220B, 0x27, 439},  {0x220F, 0xD5, 823},
     {0x2211, 0xE5, 713},  {0x2212, 0x2D, 549}, {0x2217, 0x2A, 500},  {0x221A, 0xD6, 549},
     {0x221D, 0xB5, 713},  {0x221E, 0xA5, 713}, {0x2220, 0xD0, 768},  {0x2227, 0xD9, 603},
     {0x2228, 0xDA, 603},  {0x2229, 0xC7, 768}, {0x222A, 0xC8, 768},  {0x222B, 0xF2, 274},
     {0x2234, 0x5C, 863},  {0x223C, 0x7E, 549}, {0x2245, 0x40, 549},  {0x2248, 0xBB, 549},
     {0x2260, 0xB9, 549},  {0x2261, 0xBA, 549}, {0x2264, 0xA3, 549},  {0x2265, 0xB3, 549},
     {0x2282, 0xCC, 713},  {0x2283, 0xC9, 713}, {0x2284, 0xCB, 713},  {0x2286, 0xCD, 713},
     {0x2287, 0xCA, 713},  {0x2295, 0xC5, 768}, {0x2297, 0xC4, 768},  {0x22A5, 0x5E, 658},
     {0x22C5, 0xD7, 250},  {0x25CA, 0xE0, 494}, {0x2660, 0xAA, 753},  {0x2663, 0xA7, 753},
     {0x2665, 0xA9, 753},  {0x2666, 0xA8, 753}, {0x27E8, 0xE1, 329},  {0x27E9, 0xF1, 329}}};
/// Letters without a composition in StandardEncoding.
constexpr std::array<font_letter, 3> barred_letters{
    {{U'\u0131', 0xF5, 278}, {U'\u0141', 0xE8, 556}, {U'\u0142', 0xF8, 222}}};

/// An accent of StandardEncoding, which stands on the letter before it.
struct font_accent {
  char32_t accent;
  std::uint8_t code;
};
constexpr int accent_width = 333;
constexpr int rise_of_capitals = 195;  ///< over small letters
constexpr std::array<font_accent, 14> accents{{{U'\u0300', 0xC1},
                                               {U'\u0301', 0xC2},
                                               {U'\u0302', 0xC3},
                                               {U'\u0303', 0xC4},
                                               {U'\u0304', 0xC5},
                                               {U'\u0306', 0xC6},
                                               {U'\u0307', 0xC7},
                                               {U'\u0308', 0xC8},
                                               {U'\u030a', 0xCA},
                                               {U'\u030b', 0xCD},
                                               {U'\u030c', 0xCF},
                                               {U'\u0326', 0xCB},
                                               {U'\u0327', 0xCB},
                                               {U'\u0328', 0xCE}}};

/// A letter that is another with an accent.
struct composed_letter {
  char32_t letter;
  char32_t base;
  char32_t accent;
};
constexpr std::array<composed_letter, 127> composed_letters{
    {{U'\u0100', U'A', U'\u0304'},      {U'\u0101', U'a', U'\u0304'},
     {U'\u0102', U'A', U'\u0306'},      {U'\u0103', U'a', U'\u0306'},
     {U'\u0104', U'A', U'\u0328'},      {U'\u0105', U'a', U'\u0328'},
     {U'\u0106', U'C', U'\u0301'},      {U'\u0107', U'c', U'\u0301'},
     {U'\u0108', U'C', U'\u0302'},      {U'\u0109', U'c', U'\u0302'},
     {U'\u010a', U'C', U'\u0307'},      {U'\u010b', U'c', U'\u0307'},
     {U'\u010c', U'C', U'\u030c'},      {U'\u010d', U'c', U'\u030c'},
     {U'\u010e', U'D', U'\u030c'},      {U'\u010f', U'd', U'\u030c'},
     {U'\u0112', U'E', U'\u0304'},      {U'\u0113', U'e', U'\u0304'},
     {U'\u0114', U'E', U'\u0306'},      {U'\u0115', U'e', U'\u0306'},
     {U'\u0116', U'E', U'\u0307'},      {U'\u0117', U'e', U'\u0307'},
     {U'\u0118', U'E', U'\u0328'},      {U'\u0119', U'e', U'\u0328'},
     {U'\u011a', U'E', U'\u030c'},      {U'\u011b', U'e', U'\u030c'},
     {U'\u011c', U'G', U'\u0302'},      {U'\u011d', U'g', U'\u0302'},
     {U'\u011e', U'G', U'\u0306'},      {U'\u011f', U'g', U'\u0306'},
     {U'\u0120', U'G', U'\u0307'},      {U'\u0121', U'g', U'\u0307'},
     {U'\u0122', U'G', U'\u0327'},      {U'\u0123', U'g', U'\u0327'},
     {U'\u0124', U'H', U'\u0302'},      {U'\u0125', U'h', U'\u0302'},
     {U'\u0128', U'I', U'\u0303'},      {U'\u0129', U'i', U'\u0303'},
     {U'\u012a', U'I', U'\u0304'},      {U'\u012b', U'i', U'\u0304'},
     {U'\u012c', U'I', U'\u0306'},      {U'\u012d', U'i', U'\u0306'},
     {U'\u012e', U'I', U'\u0328'},      {U'\u012f', U'i', U'\u0328'},
     {U'\u0130', U'I', U'\u0307'},      {U'\u0134', U'J', U'\u0302'},
     {U'\u0135', U'j', U'\u0302'},      {U'\u0136', U'K', U'\u0327'},
     {U'\u0137', U'k', U'\u0327'},      {U'\u0139', U'L', U'\u0301'},
     {U'\u013a', U'l', U'\u0301'},      {U'\u013b', U'L', U'\u0327'},
     {U'\u013c', U'l', U'\u0327'},      {U'\u013d', U'L', U'\u030c'},
     {U'\u013e', U'l', U'\u030c'},      {U'\u0143', U'N', U'\u0301'},
     {U'\u0144', U'n', U'\u0301'},      {U'\u0145', U'N', U'\u0327'},
     {U'\u0146', U'n', U'\u0327'},      {U'\u0147', U'N', U'\u030c'},
     {U'\u0148', U'n', U'\u030c'},      {U'\u014c', U'O', U'\u0304'},
     {U'\u014d', U'o', U'\u0304'},      {U'\u014e', U'O', U'\u0306'},
     {U'\u014f', U'o', U'\u0306'},      {U'\u0150', U'O', U'\u030b'},
     {U'\u0151', U'o', U'\u030b'},      {U'\u0154', U'R', U'\u0301'},
     {U'\u0155', U'r', U'\u0301'},      {U'\u0156', U'R', U'\u0327'},
     {U'\u0157', U'r', U'\u0327'},      {U'\u0158', U'R', U'\u030c'},
     {U'\u0159', U'r', U'\u030c'},      {U'\u015a', U'S', U'\u0301'},
     {U'\u015b', U's', U'\u0301'},      {U'\u015c', U'S', U'\u0302'},
     {U'\u015d', U's', U'\u0302'},      {U'\u015e', U'S', U'\u0327'},
     {U'\u015f', U's', U'\u0327'},      {U'\u0162', U'T', U'\u0327'},
     {U'\u0163', U't', U'\u0327'},      {U'\u0164', U'T', U'\u030c'},
     {U'\u0165', U't', U'\u030c'},      {U'\u0168', U'U', U'\u0303'},
     {U'\u0169', U'u', U'\u0303'},      {U'\u016a', U'U', U'\u0304'},
     {U'\u016b', U'u', U'\u0304'},      {U'\u016c', U'U', U'\u0306'},
     {U'\u016d', U'u', U'\u0306'},      {U'\u016e', U'U', U'\u030a'},
     {U'\u016f', U'u', U'\u030a'},      {U'\u0170', U'U', U'\u030b'},
     {U'\u0171', U'u', U'\u030b'},      {U'\u0172', U'U', U'\u0328'},
     {U'\u0173', U'u', U'\u0328'},      {U'\u0174', U'W', U'\u0302'},
     {U'\u0175', U'w', U'\u0302'},      {U'\u0176', U'Y', U'\u0302'},
     {U'\u0177', U'y', U'\u0302'},      {U'\u0179', U'Z', U'\u0301'},
     {U'\u017a', U'z', U'\u0301'},      {U'\u017b', U'Z', U'\u0307'},
     {U'\u017c', U'z', U'\u0307'},      {U'\u0218', U'S', U'\u0326'},
     {U'\u0219', U's', U'\u0326'},      {U'\u021a', U'T', U'\u0326'},
     {U'\u021b', U't', U'\u0326'},      {U'\u0386', U'\u0391', U'\u0301'},
     {U'\u0388', U'\u0395', U'\u0301'}, {U'\u0389', U'\u0397', U'\u0301'},
     {U'\u038a', U'\u0399', U'\u0301'}, {U'\u038c', U'\u039f', U'\u0301'},
     {U'\u038e', U'\u03a5', U'\u0301'}, {U'\u038f', U'\u03a9', U'\u0301'},
     {U'\u0390', U'\u03b9', U'\u0308'}, {U'\u03aa', U'\u0399', U'\u0308'},
     {U'\u03ab', U'\u03a5', U'\u0308'}, {U'\u03ac', U'\u03b1', U'\u0301'},
     {U'\u03ad', U'\u03b5', U'\u0301'}, {U'\u03ae', U'\u03b7', U'\u0301'},
     {U'\u03af', U'\u03b9', U'\u0301'}, {U'\u03b0', U'\u03c5', U'\u0308'},
     {U'\u03ca', U'\u03b9', U'\u0308'}, {U'\u03cb', U'\u03c5', U'\u0308'},
     {U'\u03cc', U'\u03bf', U'\u0301'}, {U'\u03cd', U'\u03c5', U'\u0301'},
     {U'\u03ce', U'\u03c9', U'\u0301'}}};

/// Words in place of a character that no font has.
struct replaced_letter {
  char32_t letter;
  std::u32string_view words;
};
constexpr std::array<replaced_letter, 68> replaced_letters{
    {{U'\u0110', U"\u00d0"}, {U'\u0111', U"d"},      {U'\u0126', U"H"},
     {U'\u0127', U"h"},      {U'\u0132', U"IJ"},     {U'\u0133', U"ij"},
     {U'\u014a', U"N"},      {U'\u014b', U"n"},      {U'\u0166', U"T"},
     {U'\u0167', U"t"},      {U'\u017f', U"s"},      {U'\u03f5', U"\u03b5"},
     {U'\u2010', U"-"},      {U'\u2011', U"-"},      {U'\u2012', U"\u2013"},
     {U'\u2015', U"\u2014"}, {U'\u2016', U"||"},     {U'\u2070', U"^0"},
     {U'\u2071', U"^i"},     {U'\u2074', U"^4"},     {U'\u2075', U"^5"},
     {U'\u2076', U"^6"},     {U'\u2077', U"^7"},     {U'\u2078', U"^8"},
     {U'\u2079', U"^9"},     {U'\u207a', U"^+"},     {U'\u207b', U"^-"},
     {U'\u207f', U"^n"},     {U'\u2080', U"_0"},     {U'\u2081', U"_1"},
     {U'\u2082', U"_2"},     {U'\u2083', U"_3"},     {U'\u2084', U"_4"},
     {U'\u2085', U"_5"},     {U'\u2086', U"_6"},     {U'\u2087', U"_7"},
     {U'\u2088', U"_8"},     {U'\u2089', U"_9"},     {U'\u2113', U"l"},
     {U'\u2115', U"N"},      {U'\u211d', U"R"},      {U'\u2124', U"Z"},
     {U'\u2126', U"\u03a9"}, {U'\u21a6', U"|->"},    {U'\u2204', U"no "},
     {U'\u2206', U"\u0394"}, {U'\u2213', U"-+"},     {U'\u2215', U"/"},
     {U'\u2216', U"\\"},     {U'\u2218', U"o"},      {U'\u2223', U"|"},
     {U'\u2225', U"||"},     {U'\u2236', U":"},      {U'\u2243', U"\u2245"},
     {U'\u2254', U":="},     {U'\u226a', U"<<"},     {U'\u226b', U">>"},
     {U'\u2308', U"ceil("},  {U'\u2309', U")"},      {U'\u230a', U"floor("},
     {U'\u230b', U")"},      {U'\u2713', U"yes"},    {U'\u2717', U"no"},
     {U'\u27f5', U"\u2190"}, {U'\u27f6', U"\u2192"}, {U'\u27f7', U"\u2194"},
     {U'\u2a7d', U"\u2264"}, {U'\u2a7e', U"\u2265"}}};

template <class Table, class Field>
auto const* found_in(Table const& table, char32_t letter, Field field) {
  auto const at = std::ranges::find(table, letter, field);
  return at == table.end() ? nullptr : &*at;
}

bool is_blank(char32_t letter) {
  return (letter >= 0x2000 && letter <= 0x200A) || letter == 0x202F || letter == 0x3000;
}
bool is_of_no_width(char32_t letter) {
  return (letter >= 0x200B && letter <= 0x200D) || letter == 0xFEFF;
}
bool is_tall(char32_t letter) {
  return (letter >= 'A' && letter <= 'Z') || (letter >= 0x391 && letter <= 0x3A9) ||
         std::u32string_view(U"bdfhklt").find(letter) != std::u32string_view::npos;
}

/// Writes characters one behind the other.
class line_writer {
 public:
  [[nodiscard]] pdf_line take() { return std::move(m_line); }

  void write(char32_t letter) {
    if (letter >= ' ' && letter <= '~')
      add(pdf_font::helvetica, letter, ascii_widths.at(letter - ' '));
    else if (letter >= 0xA0 && letter <= 0xFF)
      add(pdf_font::helvetica, letter, latin_widths.at(letter - 0xA0));
    else if (auto const* const one = found_in(windows_letters, letter, &font_letter::letter))
      add(pdf_font::helvetica, one->code, one->width);
    else if (auto const* const other = found_in(symbol_letters, letter, &font_letter::letter))
      add(pdf_font::symbol, other->code, other->width);
    else if (auto const* const barred = found_in(barred_letters, letter, &font_letter::letter))
      add(pdf_font::accents, barred->code, barred->width);
    else
      write_composed(letter);
    m_before = letter;
  }

 private:
  void write_composed(char32_t letter) {
    if (auto const* const mark = found_in(accents, letter, &font_accent::accent)) {
      add_accent(mark->code);
    } else if (auto const* const one =
                   found_in(composed_letters, letter, &composed_letter::letter)) {
      write(one->base);
      write(one->accent);
    } else if (auto const* const other =
                   found_in(replaced_letters, letter, &replaced_letter::letter)) {
      for (auto const word : other->words) write(word);
    } else if (!is_of_no_width(letter)) {
      write(is_blank(letter) ? U' ' : U'?');
    }
  }

  void add(pdf_font font, char32_t code, int width) {
    auto& runs = m_line.runs;
    if (runs.empty() || runs.back().font != font || m_is_after_accent)
      runs.push_back({font, {}, m_line.width, 0});
    runs.back().codes += static_cast<char>(code);
    m_line.width += width;
    m_width_before = width;
    m_is_after_accent = false;
  }

  /// Puts an accent on the middle of the letter before it; a cedilla or ogonek hangs below any.
  void add_accent(std::uint8_t code) {
    bool const hangs = code == 0xCB || code == 0xCE;
    auto const back = (m_width_before + accent_width) / 2;
    m_line.runs.push_back({pdf_font::accents, std::string(1, static_cast<char>(code)),
                           m_line.width - back,
                           is_tall(m_before) && !hangs ? rise_of_capitals : 0});
    m_is_after_accent = true;
  }

  pdf_line m_line;
  char32_t m_before = U' ';
  int m_width_before = 0;
  bool m_is_after_accent = false;
};

/// A sequence of bytes that stand for a character.
struct decoded {
  char32_t letter = U'?';
  std::size_t bytes = 1;
};

decoded first_of(std::string_view text) {
  auto const lead = static_cast<unsigned char>(text.front());
  if (lead < 0x80) return {lead, 1};
  std::size_t const bytes = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
  if (lead < 0xC2 || lead > 0xF4 || text.size() < bytes) return {};
  char32_t letter = lead & (0xFFU >> (bytes + 1));
  for (std::size_t i = 1; i < bytes; ++i) {
    auto const next = static_cast<unsigned char>(text[i]);
    if ((next & 0xC0U) != 0x80U) return {};
    letter = letter << 6U | (next & 0x3FU);
  }
  return {letter, bytes};
}

}  // namespace

std::u32string code_points_of(std::string_view text) {
  std::u32string points;
  while (!text.empty()) {
    auto const first = first_of(text);
    points += first.letter;
    text.remove_prefix(first.bytes);
  }
  return points;
}

pdf_line pdf_line_of(std::string_view text) {
  line_writer writer;
  for (auto const one : code_points_of(text)) writer.write(one);
  return writer.take();
}

}  // namespace lockstep::cli
