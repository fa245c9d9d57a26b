#include "view_page.hpp"

#include <zlib.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <new>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <lockstep/assert.hpp>

namespace lockstep::detail {

namespace {

/// A stream of zlib's that compresses.
class deflater {
 public:
  deflater() {
    // Negative: no header of zlib's around the data.
    constexpr int raw = -MAX_WBITS;
    constexpr int memory_level = 9;
    if (::deflateInit2(&m_stream, Z_BEST_COMPRESSION, Z_DEFLATED, raw, memory_level,
                       Z_DEFAULT_STRATEGY) != Z_OK)
      throw std::bad_alloc();
  }
  deflater(deflater const&) = delete;
  deflater& operator=(deflater const&) = delete;
  ~deflater() { ::deflateEnd(&m_stream); }

  /// Compresses a piece of at most 2^32 - 1 bytes, and appends the bytes that are ready.
  void add(std::string_view piece, bool is_last, std::string& out) {
    // zlib reads the input, though its type is not const.
    m_stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(piece.data()));
    m_stream.avail_in = static_cast<uInt>(piece.size());
    std::array<Bytef, 1U << 15U> ready;
    do {
      m_stream.next_out = ready.data();
      m_stream.avail_out = static_cast<uInt>(ready.size());
      ::deflate(&m_stream, is_last ? Z_FINISH : Z_NO_FLUSH);
      out.append(reinterpret_cast<char const*>(ready.data()), ready.size() - m_stream.avail_out);
    } while (m_stream.avail_out == 0);
    LOCKSTEP_ASSERT(light, m_stream.avail_in == 0);
  }

 private:
  z_stream m_stream{};
};

std::string row(std::string_view name, std::uint64_t value) {
  return fmt::format("<tr><th scope=\"row\">{}</th><td>{}</td></tr>\n", name, value);
}

}  // namespace

std::string deflated(std::string_view text) {
  constexpr std::size_t largest_piece = std::size_t{1} << 30U;
  deflater stream;
  std::string out;
  for (; text.size() > largest_piece; text.remove_prefix(largest_piece))
    stream.add(text.substr(0, largest_piece), false, out);
  stream.add(text, true, out);
  return out;
}

std::string in_base64(std::string_view bytes) {
  constexpr std::string_view digits =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  text.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t at = 0; at < bytes.size(); at += 3) {
    auto const three = bytes.substr(at, 3);
    std::uint32_t bits = 0;
    for (std::size_t i = 0; i < 3; ++i)
      bits = bits << 8U | (i < three.size() ? static_cast<unsigned char>(three[i]) : 0U);
    for (std::size_t i = 0; i < 4; ++i)
      text += i <= three.size() ? digits[bits >> (18U - 6U * i) & 63U] : '=';
  }
  return text;
}

std::string html_escaped(std::string_view text) {
  std::string escaped;
  for (char const one : text) {
    switch (one) {
      case '&':
        escaped += "&amp;";
        break;
      case '<':
        escaped += "&lt;";
        break;
      case '>':
        escaped += "&gt;";
        break;
      case '"':
        escaped += "&quot;";
        break;
      default:
        escaped += one;
    }
  }
  return escaped;
}

std::string view_page(std::string_view title, std::span<named_figure const> figures,
                      std::span<std::string const> runs) {
  auto const data = fmt::format(R"({{"format":1,"runs":[{}]}})", fmt::join(runs, ","));
  auto const shown_title = html_escaped(title);
  std::string rows;
  for (auto const& one : figures) rows += row(one.name, one.value);
  std::string page = fmt::format(R"(<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{0}</title>
<style>
{1}
</style>
</head>
<body>
<div id="lockstep-view"></div>
<noscript>
<h1>{0}</h1>
<p>This page shows the run step by step, with JavaScript. Its counts:</p>
<table>
{2}</table>
</noscript>
<script type="application/json" id="lockstep-run" data-encoding="deflate-base64">)",
                                 shown_title, viewer_style(), rows);
  page += in_base64(deflated(data));
  page += "</script>\n<script>\n";
  page += viewer_script();
  page += "\n</script>\n</body>\n</html>\n";
  return page;
}

}  // namespace lockstep::detail
