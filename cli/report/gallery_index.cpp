#include "report/gallery_index.hpp"

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <lockstep/detail/sentences.hpp>
#include <lockstep/experiments/experiment.hpp>

#include "report/html_text.hpp"
#include "report/text_table.hpp"
#include "report/view_notes.hpp"

namespace lockstep::cli {

namespace {

constexpr std::string_view index_style = R"(:root {
  color-scheme: light dark;
  --page: #f6f7f9; --card: #fff; --edge: #d5dae1; --text: #1d232b; --quiet: #56606d; --link: #0b57a4;
  --row: #e6e9ee;
  --p0: #0072b2; --p1: #c04a00; --p2: #00805d; --p3: #b0508a; --p4: #7d5e00; --p5: #2b8fc7;
  --p6: #000; --p7: #882255;
}
@media (prefers-color-scheme: dark) {
  :root {
    --page: #14181d; --card: #1d232a; --edge: #37404b; --text: #e6e9ed; --quiet: #a3adb9;
    --link: #82b9f0; --row: #2a323b;
    --p0: #56b4e9; --p1: #f08a4b; --p2: #2fc79a; --p3: #e0a0c4; --p4: #d9b13b; --p5: #9ad1f2;
    --p6: #fff; --p7: #e07aa6;
  }
}
* { box-sizing: border-box; }
body {
  margin: 0 auto; max-width: 90rem; padding: 1.5rem 1rem 3rem; background: var(--page);
  color: var(--text); font: 1rem/1.5 system-ui, sans-serif;
}
h1 { font-size: 1.6rem; margin: 0; }
h2 { font-size: 1.2rem; margin: 2rem 0 0.75rem; }
.lead { margin: 0.25rem 0 0; max-width: 46rem; color: var(--quiet); }
ul {
  list-style: none; margin: 0; padding: 0; display: grid; gap: 1rem; align-items: start;
  grid-template-columns: repeat(auto-fill, minmax(min(100%, 19rem), 1fr));
}
li {
  background: var(--card); border: 1px solid var(--edge); border-radius: 0.5rem; overflow: hidden;
  padding: 0 1rem 0.75rem; overflow-wrap: anywhere;
}
a { color: var(--link); font-weight: 600; text-decoration: none; }
a:hover .name { text-decoration: underline; }
a:focus-visible, summary:focus-visible { outline: 2px solid var(--link); outline-offset: 2px; }
svg { display: block; width: 100%; height: 8rem; padding: 0.75rem 0 0.5rem; }
path { fill: none; stroke-width: 1.25; vector-effect: non-scaling-stroke; }
.row { stroke: var(--row); stroke-width: 1; }
.p0 { stroke: var(--p0); } .p1 { stroke: var(--p1); } .p2 { stroke: var(--p2); }
.p3 { stroke: var(--p3); } .p4 { stroke: var(--p4); } .p5 { stroke: var(--p5); }
.p6 { stroke: var(--p6); } .p7 { stroke: var(--p7); }
p { margin: 0.25rem 0 0; }
.run { color: var(--quiet); font-size: 0.875rem; }
details { margin: 0.25rem 0 0; }
summary { color: var(--quiet); cursor: pointer; font-size: 0.875rem; }
)";

constexpr std::string_view index_begin = R"(<body>
<main>
<h1>Algorithms step by step</h1>
<p class="lead">Each page shows a run that happened: open it, and press the right arrow key. In a picture,
a row is a processor, a column is a step, and a line is a message, in the colour of its phase.</p>
)";

constexpr std::string_view index_foot = "</main>\n</body>\n</html>\n";

/// Names the family of an algorithm by the folder of its header: "Random access".
std::string family_of(experiment const& one) {
  auto const end = one.header.rfind('/');
  if (end == std::string::npos || end == 0) return "Others";
  auto const before = one.header.rfind('/', end - 1);
  auto const begin = before == std::string::npos ? 0 : before + 1;
  auto family = one.header.substr(begin, end - begin);
  if (family.empty()) return "Others";
  std::ranges::replace(family, '_', ' ');
  family.front() = static_cast<char>(std::toupper(static_cast<unsigned char>(family.front())));
  return family;
}

/// Says which runs a variant is for: "<code>--scheme ring</code> on a hypercube".
std::string condition_of(variant_explanation const& variant) {
  std::string text;
  if (!variant.parameter.empty())
    text = fmt::format("<code>{}</code>", in_html(fmt::format("--{}{}{}", variant.parameter,
                                                              variant.values.empty() ? "" : " ",
                                                              fmt::join(variant.values, ", "))));
  if (auto const networks = networks_in_words(variant); !networks.empty())
    text += text.empty() ? in_html('O' + networks.substr(1)) : ' ' + in_html(networks);
  if (!variant.phase.empty()) text += in_html(fmt::format(", with phase {}", variant.phase));
  return text;
}

/// Writes the explanations of other networks and schemes, each with the runs that it is for.
std::string variants_of(experiment const& one) {
  std::string text;
  for (auto const& variant : one.variants)
    text += fmt::format("<p>{}: {}</p>", condition_of(variant), in_html(variant.explanation));
  return text;
}

/// Writes the first sentence, and the others to unfold, with those on other schemes.
std::string explained(experiment const& one) {
  auto const sentences = detail::sentences_of(one.explanation);
  if (sentences.empty()) return {};
  auto const text = fmt::format("<p>{}</p>\n", in_html(sentences.front()));
  std::string rest;
  for (std::size_t at = 1; at < sentences.size(); ++at)
    rest += (at == 1 ? "" : " ") + sentences[at];
  if (!rest.empty()) rest = fmt::format("<p>{}</p>", in_html(rest));
  rest += variants_of(one);
  return rest.empty() ? text
                      : text + fmt::format("<details><summary>More</summary>{}</details>\n", rest);
}

std::string index_card(gallery_entry const& page) {
  return fmt::format(
      "<li><a href=\"{0}.html\">{1}<span class=\"name\">{0}</span></a>\n"
      "<p class=\"run\">{2} · {3} · {4}</p>\n{5}</li>\n",
      in_html(page.what->name), page.picture, in_html(page.on), counted(page.total.steps, "step"),
      counted(page.total.words, "word"), explained(*page.what));
}

}  // namespace

std::string gallery_index(std::span<gallery_entry const> pages) {
  std::vector<std::string> families;
  for (auto const& page : pages)
    if (auto const family = family_of(*page.what);
        std::ranges::find(families, family) == families.end())
      families.push_back(family);
  auto text = head_of_page("lockstep: algorithms step by step", index_style);
  text += index_begin;
  for (auto const& family : families) {
    text += fmt::format("<section>\n<h2>{}</h2>\n<ul>\n", in_html(family));
    for (auto const& page : pages)
      if (family_of(*page.what) == family) text += index_card(page);
    text += "</ul>\n</section>\n";
  }
  return text.append(index_foot);
}

}  // namespace lockstep::cli
