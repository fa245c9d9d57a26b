#include "papers/shankar_ranka/printed.hpp"

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "catch.hpp"

namespace {

using lockstep::printed_figure;

std::vector<printed_figure> const& all_figures() {
  static auto const figures = lockstep::printed_figures_of_shankar_ranka(4);
  return figures;
}

printed_figure const& figure_called(std::string const& start) {
  auto const found = std::ranges::find_if(
      all_figures(), [&](printed_figure const& one) { return one.title.starts_with(start); });
  REQUIRE(found != all_figures().end());
  return *found;
}

}  // namespace

TEST_CASE("Figures 1 to 4 and 12 are as the paper prints them", "[papers]") {
  CHECK(lockstep::printed_figures_of_shankar_ranka(3).empty());
  auto const& figures = all_figures();
  CHECK(figures.size() == 15);
  for (auto const& figure : figures) {
    INFO(figure.title << '\n' << figure.text);
    bool const has_nothing_to_compare = figure.title.starts_with("Figure 10:");
    CHECK(figure.is_as_printed ==
          (has_nothing_to_compare ? std::nullopt : std::optional<bool>(true)));
    CHECK((figure.compared.empty() || !has_nothing_to_compare));
  }
  CHECK(std::ranges::count_if(figures, [](printed_figure const& figure) {
          return figure.is_as_printed && figure.compared.empty();
        }) == 7);
  CHECK_THAT(figures[1].text, has_text("D(2)+D(7)  D(4)  -  D(6)  -  -  D(5)  D(0)+D(3)\n"));
  CHECK_THAT(figures[5].text, has_text("     11   3    13   5\n"));
}

TEST_CASE("Figures 5 to 9 show where the buckets of Figure 4 lie", "[papers]") {
  CHECK_THAT(figure_called("Figure 5:").text,
             has_text("sum, on every processor  4    7    1    2    7    6    2    3\n"));
  CHECK_THAT(figure_called("Figure 5:").text,
             has_text("hits before P_3          4    7    0    1    4    3    2    3\n"));
  auto const& stage_1 = figure_called("Figure 6:").text;
  CHECK_THAT(stage_1, has_text("P_1  [B_1 B_1 B_1][B_2][B_3 B_3][B_4 B_4]\n"));
  CHECK_THAT(stage_1, has_text("P_0  3    3    1    1    8\n"
                               "P_1  3    1    2    2    8\n"
                               "P_2  2    2    2    2    8\n"
                               "P_3       2    3    3    8\n"
                               "     8    8    8    8\n"));
  CHECK_THAT(figure_called("Figure 7:").text,
             has_text("P_1  B_1 (3 of 7)       B_2 (1), B_3 (2)  B_4 (2 of 7)\n"));
  auto const& stage_2 = figure_called("Figure 8:").text;
  CHECK_THAT(stage_2, has_text("     B_4     2         succeeding partial  4 to P_2\n"
                               "P_2  B_4     5         preceding partial\n"));
  CHECK_THAT(stage_2, has_text("ignores: P_1 -> P_0 (4 cells), P_2 -> P_1 (4 cells)\n"));
  auto const& hybrid = figure_called("Figure 9:").text;
  CHECK_THAT(hybrid, has_text("  4    4    1    2    7    4    2    3\n"));
  CHECK_THAT(hybrid, has_text("P_3       2    3         5\n"
                              "     8    3    4    5\n"));
  CHECK_THAT(hybrid, has_text("P_1  [B_4 B_4 B_4 B_4]\nP_2  [B_4 B_4 B_4]\nP_3\n"));
}

TEST_CASE("Figures 10 and 11 show segments of sorted pointers, and their messages by step",
          "[papers]") {
  CHECK_THAT(
      figure_called("Figure 10:").text,
      has_text("P_1  6 -> P_0           11 12 13 -> P_1     16 17 -> P_2        1      3     "
               "2\n"));
  CHECK_THAT(figure_called("Figure 11:").text,
             has_text("     s_bit  s_data  r_prec  step 1    step 2\n"
                      "P_0  1      5       -\n"
                      "P_1  1      2       5       2 to P_2  1 to P_0\n"
                      "P_2  0      3       2\n"
                      "P_3  1      0       5                 2 to P_2\n"));
}

TEST_CASE("Figure 13 shows two movements of a write, and four or three of a read", "[papers]") {
  CHECK_THAT(figure_called("Figure 13:").text,
             has_text("RAR\n"
                      "  destination -> intermediate  6          47            stage 1, stage 2\n"
                      "  intermediate -> source       1          4             sends\n"
                      "  source -> intermediate       1          4             sends\n"
                      "  intermediate -> destination  6          47            stage 2, stage 1\n"
                      "RAR, sources are not asked\n"));
}
