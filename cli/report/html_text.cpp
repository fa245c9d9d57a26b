#include "report/html_text.hpp"

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

}  // namespace lockstep::cli
