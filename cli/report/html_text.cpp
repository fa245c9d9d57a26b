#include "report/html_text.hpp"

#include <fmt/format.h>

namespace lockstep::cli {

std::string in_html(std::string_view text) {
  std::string escaped;
  for (char const one : text) {
    if (one == '&')
      escaped += "&amp;";
    else if (one == '<')
      escaped += "&lt;";
    else if (one == '>')
      escaped += "&gt;";
    else if (one == '"')
      escaped += "&quot;";
    else
      escaped += one;
  }
  return escaped;
}

std::string head_of_page(std::string_view title, std::string_view style) {
  return fmt::format(R"(<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{}</title>
<style>
{}</style>
</head>
)",
                     in_html(title), style);
}

}  // namespace lockstep::cli
