#include "report/gallery_index.hpp"

#include <string>
#include <vector>

#include "../catch.hpp"
#include "contains.hpp"

using namespace lockstep;

namespace {

std::string index_of(std::vector<experiment> const& all) {
  std::vector<cli::gallery_entry> pages;
  for (auto const& one : all)
    pages.push_back({&one, "torus:4x4", {.steps = 1, .words = 1'234}, "<svg></svg>"});
  return cli::gallery_index(pages);
}

}  // namespace

TEST_CASE("an index has a card for each page, in groups by the headers' folders",
          "[gallery_index]") {
  auto const index =
      index_of({{.name = "one", .header = "lockstep/algorithms/random_access/a.hpp"},
                {.name = "two", .header = "lockstep/algorithms/sorting/b.hpp"},
                {.name = "three", .header = "lockstep/algorithms/random_access/c.hpp"},
                {.name = "four"}});
  auto const at = [&](std::string const& text) {
    CAPTURE(text);
    auto const found = index.find(text);
    CHECK(found != std::string::npos);
    CHECK(index.find(text, found + 1) == std::string::npos);
    return found;
  };
  CHECK(at("<h2>Random access</h2>") < at("<a href=\"one.html\">"));
  CHECK(at("<a href=\"one.html\">") < at("<a href=\"three.html\">"));
  CHECK(at("<a href=\"three.html\">") < at("<h2>Sorting</h2>"));
  CHECK(at("<h2>Sorting</h2>") < at("<a href=\"two.html\">"));
  CHECK(at("<h2>Others</h2>") < at("<a href=\"four.html\">"));
  CHECK(contains(index, "<p class=\"run\">torus:4x4 · 1 step · 1,234 words</p>"));
}

TEST_CASE("a card says the first sentence, and unfolds the others", "[gallery_index]") {
  auto const index = index_of({{.name = "one", .explanation = "First. Second. Third."}});
  CHECK(contains(index, "<p>First.</p>\n<details><summary>More</summary><p>Second. Third.</p>"));
  CHECK_FALSE(contains(index_of({{.name = "one", .explanation = "Only."}}), "<details>"));
}

TEST_CASE("a card unfolds how it goes by other schemes", "[gallery_index]") {
  auto const index = index_of(
      {{.name = "one",
        .explanation = "Only.",
        .variants = {
            {.parameter = "scheme", .values = {"a", "b"}, .explanation = "Thus."},
            {.parameter = "scheme", .values = {"c"}, .phase = "<reduce>", .explanation = "So."}}}});
  CHECK(contains(index,
                 "<details><summary>More</summary><p><code>--scheme a, b</code>: Thus.</p>"
                 "<p><code>--scheme c</code>, with phase &lt;reduce&gt;: So.</p></details>"));
}

TEST_CASE("a card unfolds how it goes on other networks", "[gallery_index]") {
  auto const index = index_of({{.name = "one",
                                .explanation = "Only.",
                                .variants = {{.networks = {"tree"}, .explanation = "Up."},
                                             {.networks = {"torus", "mesh"},
                                              .parameter = "scheme",
                                              .values = {"a"},
                                              .explanation = "Round."}}}});
  CHECK(contains(index,
                 "<p>On a tree: Up.</p>"
                 "<p><code>--scheme a</code> on a torus or a mesh: Round.</p></details>"));
}

TEST_CASE("what an index shows cannot end its elements", "[gallery_index]") {
  auto const index = index_of(
      {{.name = "\"><b>", .explanation = "a <i> & b. c </details>.", .header = "x/<h1>/y.hpp"}});
  CHECK(contains(index, "<a href=\"&quot;&gt;&lt;b&gt;.html\">"));
  CHECK(contains(index, "<p>a &lt;i&gt; &amp; b.</p>"));
  CHECK(contains(index, "c &lt;/details&gt;."));
  CHECK(contains(index, "<h2>&lt;h1&gt;</h2>"));
}
