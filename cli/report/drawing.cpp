#include "drawing.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstddef>
#include <cstdint>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "pdf_letters.hpp"
#include "report/html_text.hpp"

namespace lockstep::cli {

namespace {

/// A length, to a hundredth of a point, without zeros at the end.
std::string length_text(double length) {
  auto text = fmt::format("{:.2f}", length);
  text.erase(text.find_last_not_of('0') + 1);
  if (text.back() == '.') text.pop_back();
  return text == "-0" ? "0" : text;
}

std::string lengths_text(std::vector<double> const& lengths) {
  std::vector<std::string> texts;
  for (auto const one : lengths) texts.push_back(length_text(one));
  return fmt::format("{}", fmt::join(texts, " "));
}

/// Writes a text within XML; characters that XML has no place for become question marks.
std::string in_xml(std::string_view text) {
  std::string plain(text);
  std::ranges::replace_if(
      plain, [](char one) { return static_cast<unsigned char>(one) < ' '; }, '?');
  return in_html(plain);
}

std::string svg_of(drawn_path const& of) {
  std::vector<std::string> points;
  for (auto const& one : of.points) points.push_back(length_text(one.x) + ',' + length_text(one.y));
  bool const is_area = of.width == 0;
  auto text =
      fmt::format("<{} points=\"{}\" ", is_area ? "polygon" : "polyline", fmt::join(points, " "));
  text += is_area ? fmt::format("fill=\"{}\"", of.colour)
                  : fmt::format("fill=\"none\" stroke=\"{}\" stroke-width=\"{}\"", of.colour,
                                length_text(of.width));
  if (!of.dashes.empty()) text += fmt::format(" stroke-dasharray=\"{}\"", lengths_text(of.dashes));
  return text + (of.name.empty() ? "/>\n"
                                 : fmt::format("><title>{}</title></{}>\n", in_xml(of.name),
                                               is_area ? "polygon" : "polyline"));
}

std::string svg_of(drawn_text const& of) {
  constexpr std::array anchors{"start", "middle", "end"};
  auto const x = length_text(of.at.x);
  auto const y = length_text(of.at.y);
  auto const turned =
      of.is_upright ? fmt::format(" transform=\"rotate(-90 {} {})\"", x, y) : std::string();
  return fmt::format(
      "<text x=\"{}\" y=\"{}\" font-size=\"{}\" text-anchor=\"{}\" fill=\"{}\"{}>{}</text>\n", x, y,
      length_text(of.size), anchors.at(static_cast<std::size_t>(of.anchor)), of.colour, turned,
      in_xml(of.text));
}

/// Writes a colour "#rrggbb" for PDF: "0.5 0 1".
std::string pdf_colour(std::string_view colour) {
  std::vector<double> parts;
  for (std::size_t at = 1; at < 7; at += 2) {
    unsigned part = 0;
    std::from_chars(colour.data() + at, colour.data() + at + 2, part, 16);
    parts.push_back(part / 255.0);
  }
  return lengths_text(parts);
}

std::string pdf_of(drawn_path const& of, double height) {
  bool const is_area = of.width == 0;
  auto text = is_area ? pdf_colour(of.colour) + " rg\n"
                      : fmt::format("{} RG {} w [{}] 0 d\n", pdf_colour(of.colour),
                                    length_text(of.width), lengths_text(of.dashes));
  for (std::size_t i = 0; i < of.points.size(); ++i)
    text += fmt::format("{} {} {}\n", length_text(of.points[i].x),
                        length_text(height - of.points[i].y), i == 0 ? "m" : "l");
  return text + (is_area ? "h f\n" : "S\n");
}

/// Writes bytes within a PDF: in parentheses.
std::string pdf_text(std::string_view bytes) {
  std::string written = "(";
  for (char const one : bytes) {
    if (one == '(' || one == ')' || one == '\\') written += '\\';
    if (one >= ' ' && one <= '~')
      written += one;
    else
      written += fmt::format("\\{:03o}", static_cast<unsigned char>(one));
  }
  return written + ')';
}

/// Writes a text about a PDF, which no font shows: one that is not ASCII in UTF-16.
std::string pdf_note(std::string_view text) {
  auto const points = code_points_of(text);
  if (std::ranges::all_of(points, [](char32_t one) { return one < 0x80; })) return pdf_text(text);
  std::string written = "<FEFF";
  for (auto const one : points)
    written += one < 0x10000
                   ? fmt::format("{:04X}", static_cast<unsigned>(one))
                   : fmt::format("{:04X}{:04X}", 0xD7C0U + (one >> 10U), 0xDC00U + (one & 0x3FFU));
  return written + '>';
}

std::string pdf_of(drawn_text const& of, double height) {
  auto const line = pdf_line_of(of.text);
  auto const length = [&](int thousandths) { return thousandths * of.size / 1000; };
  double const width = length(line.width);
  double const back = of.anchor == text_anchor::start    ? 0
                      : of.anchor == text_anchor::middle ? width / 2
                                                         : width;
  std::string text = fmt::format("BT {} rg", pdf_colour(of.colour));
  for (auto const& run : line.runs) {
    auto const along = length(run.right) - back;
    auto const up = length(run.up);
    text += fmt::format(" /{} {} Tf {} {} {} Tm {} Tj", static_cast<char>(run.font),
                        length_text(of.size), of.is_upright ? "0 1 -1 0" : "1 0 0 1",
                        length_text(of.is_upright ? of.at.x - up : of.at.x + along),
                        length_text(height - of.at.y + (of.is_upright ? along : up)),
                        pdf_text(run.codes));
  }
  return text + " ET\n";
}

}  // namespace

double text_width(std::string_view text, double size) {
  return pdf_line_of(text).width * size / 1000;
}

std::string as_svg(drawing const& of) {
  auto const width = length_text(of.width);
  auto const height = length_text(of.height);
  auto text = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0}{4}\" height=\"{1}{4}\" "
      "viewBox=\"0 0 {0} {1}\" font-family=\"Helvetica, Arial, Liberation Sans, sans-serif\">\n"
      "<title>{2}</title>\n<desc>{3}</desc>\n"
      "<rect width=\"{0}\" height=\"{1}\" fill=\"#ffffff\"/>\n",
      width, height, in_xml(of.title), in_xml(of.description), of.unit);
  for (auto const& shape : of.shapes)
    text += std::visit([](auto const& one) { return svg_of(one); }, shape);
  return text + "</svg>\n";
}

std::string as_pdf(drawing const& of) { return as_pdf(std::span(&of, 1)); }

std::string as_pdf(std::span<drawing const> pages) {
  auto const font = 3 + 2 * pages.size();  // after the pages and their contents
  std::vector<std::string> page_names;
  for (std::size_t i = 0; i < pages.size(); ++i)
    page_names.push_back(fmt::format("{} 0 R", 3 + 2 * i));
  std::vector<std::string> objects{"<< /Type /Catalog /Pages 2 0 R >>",
                                   fmt::format("<< /Type /Pages /Kids [{}] /Count {} >>",
                                               fmt::join(page_names, " "), pages.size())};
  for (auto const& page : pages) {
    std::string content;
    for (auto const& shape : page.shapes)
      content += std::visit([&](auto const& one) { return pdf_of(one, page.height); }, shape);
    objects.push_back(
        fmt::format("<< /Type /Page /Parent 2 0 R /MediaBox [0 0 {} {}] /Contents {} 0 R "
                    "/Resources << /Font << /F {} 0 R /A {} 0 R /S {} 0 R >> >> >>",
                    length_text(page.width), length_text(page.height), objects.size() + 2, font,
                    font + 1, font + 2));
    objects.push_back(
        fmt::format("<< /Length {} >>\nstream\n{}endstream", content.size(), content));
  }
  for (auto const* const name : {"/Helvetica /Encoding /WinAnsiEncoding",
                                 "/Helvetica /Encoding /StandardEncoding", "/Symbol"})
    objects.push_back(fmt::format("<< /Type /Font /Subtype /Type1 /BaseFont {} >>", name));
  objects.push_back(fmt::format("<< /Title {} /Subject {} >>", pdf_note(pages.front().title),
                                pdf_note(pages.front().description)));
  std::string file = "%PDF-1.4\n";
  std::string places = "0000000000 65535 f \n";
  for (std::size_t i = 0; i < objects.size(); ++i) {
    places += fmt::format("{:010} 00000 n \n", file.size());
    file += fmt::format("{} 0 obj\n{}\nendobj\n", i + 1, objects[i]);
  }
  return file + fmt::format(
                    "xref\n0 {0}\n{1}trailer\n<< /Size {0} /Root 1 0 R /Info {3} 0 R >>\n"
                    "startxref\n{2}\n%%EOF\n",
                    objects.size() + 1, places, file.size(), objects.size());
}

}  // namespace lockstep::cli
