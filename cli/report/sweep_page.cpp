#include "report/sweep_page.hpp"

#include <string_view>

#include <fmt/format.h>

#include "report/drawing.hpp"
#include "report/html_text.hpp"

namespace lockstep::cli {

namespace {

constexpr std::string_view page_style = R"(:root {
  color-scheme: light dark;
  --page: #f6f7f9; --card: #fff; --edge: #d5dae1; --text: #1d232b; --quiet: #56606d;
}
@media (prefers-color-scheme: dark) {
  :root { --page: #14181d; --card: #1d232a; --edge: #37404b; --text: #e6e9ed; --quiet: #a3adb9; }
}
body {
  margin: 0 auto; max-width: 90rem; padding: 1.5rem 1rem 3rem; background: var(--page);
  color: var(--text); font: 1rem/1.5 system-ui, sans-serif;
}
h1 { font-size: 1.4rem; margin: 0; }
.plots {
  display: grid; gap: 1rem; margin: 1rem 0; align-items: start;
  grid-template-columns: repeat(auto-fill, minmax(min(100%, 32rem), 1fr));
}
figure { margin: 0; background: #fff; border: 1px solid var(--edge); }
figure svg { display: block; width: 100%; height: auto; }
pre {
  overflow-x: auto; margin: 1rem 0 0; padding: 0.75rem; background: var(--card);
  border: 1px solid var(--edge); font: 0.85rem/1.4 ui-monospace, monospace;
}
.lead { margin: 0.25rem 0 0; color: var(--quiet); overflow-wrap: anywhere; }
)";

constexpr std::string_view page_begin = R"(<body>
<main>
<h1>A sweep</h1>
)";

/// Leaves out the line in which a file of XML says what it is.
std::string_view element_of(std::string_view svg) { return svg.substr(svg.find("<svg")); }

std::string block_of(std::string_view text) {
  return fmt::format("<pre tabindex=\"0\">{}</pre>\n", in_html(text));
}

}  // namespace

std::string sweep_page(sweep_report const& of, std::vector<plot> const& plots,
                       std::string const& after_the_table) {
  auto page = head_of_page("lockstep: a sweep", page_style);
  page += page_begin;
  page += fmt::format("<p class=\"lead\"><code>{}</code>, lockstep {}</p>\n<div class=\"plots\">\n",
                      in_html(of.command), in_html(of.version));
  for (auto const& one : plots)
    page += fmt::format("<figure>\n{}</figure>\n", element_of(as_svg(drawn(one))));
  page += "</div>\n" + block_of(sweep_as_text(of));
  if (!after_the_table.empty()) page += block_of(after_the_table);
  return page + "</main>\n</body>\n</html>\n";
}

}  // namespace lockstep::cli
