#include "papers/shankar_ranka/printed.hpp"

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "catch.hpp"
#include "papers/shankar_ranka/bucket_drawings.hpp"
#include "papers/shankar_ranka/drawn_write.hpp"
#include "papers/shankar_ranka/movement_drawings.hpp"

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

TEST_CASE("Figures 1 to 4 and 12 are as the paper prints them, the others as it says", "[papers]") {
  CHECK(lockstep::printed_figures_of_shankar_ranka(3).empty());
  auto const& figures = all_figures();
  CHECK(figures.size() == 15);
  for (auto const& figure : figures) {
    INFO(figure.title << '\n' << figure.text);
    CHECK(figure.is_as_printed == true);
  }
  CHECK(std::ranges::count_if(
            figures, [](printed_figure const& figure) { return figure.compared.empty(); }) == 7);
  CHECK_THAT(figures[1].text, has_text("D(2)+D(7)  D(4)  -  D(6)  -  -  D(5)  D(0)+D(3)\n"));
  CHECK_THAT(figures[5].text, has_text("     11   3    13   5\n"));
}

TEST_CASE("Figures 5 to 9 show where the buckets of Figure 4 lie", "[papers]") {
  CHECK_THAT(figure_called("Figure 5:").text,
             has_text("sum, on every processor  4    7    1    2    7    6    2    3\n"));
  CHECK_THAT(figure_called("Figure 5:").text,
             has_text("hits before P_0          -    -    -    -    -    -    -    -\n"));
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

TEST_CASE("Figures 5 to 9 are not as the paper says where processors show anything else",
          "[papers]") {
  using lockstep::shown_buckets;
  auto const write =
      lockstep::told_write(lockstep::pointers_of_figure_4(), lockstep::access_variant::arbitrary);
  auto const hybrid =
      lockstep::told_write(lockstep::pointers_of_figure_4(), lockstep::access_variant::hybrid);
  auto const shown = lockstep::buckets_in(write.told);
  auto const of_hybrid = lockstep::buckets_in(hybrid.told);
  auto const are_as_said = [&](shown_buckets const& of_write, shown_buckets const& in_hybrid) {
    std::vector<bool> all;
    for (auto const& figure : lockstep::bucket_drawings(write, of_write, in_hybrid))
      all.push_back(figure.is_as_printed.value());
    return all;
  };
  CHECK(are_as_said(shown, of_hybrid) == std::vector<bool>(5, true));
  auto const is_as_said = [&](std::size_t figure, auto const& change) -> bool {
    auto changed = shown;
    change(changed);
    return are_as_said(changed, of_hybrid).at(figure - 5);
  };
  CHECK_FALSE(is_as_said(5, [](shown_buckets& of) { ++of.totals[2][0]; }));
  CHECK_FALSE(is_as_said(5, [](shown_buckets& of) {
    for (auto& totals : of.totals) ++totals[0];  // identical vectors, of another sum
  }));
  CHECK_FALSE(is_as_said(5, [](shown_buckets& of) { ++of.before[3][0]; }));
  CHECK_FALSE(is_as_said(5, [](shown_buckets& of) { std::swap(of.hits[1], of.hits[3]); }));
  CHECK_FALSE(is_as_said(6, [](shown_buckets& of) { of.slots[0][0] = 7; }));
  CHECK_FALSE(is_as_said(7, [](shown_buckets& of) {
    of.slots[1] = {1, 1, 1, 4, 4, 2, 3, 3};  // a bucket that goes on is not the last
  }));
  CHECK_FALSE(is_as_said(8, [](shown_buckets& of) { of.for_owners[1].pop_back(); }));
  auto other = of_hybrid;
  other.totals.front()[4] = 3;  // a dense bucket, if it were sparse
  CHECK_FALSE(are_as_said(shown, other).back());
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

TEST_CASE("Figures 10 and 11 are not as the paper says of other elements, or messages",
          "[papers]") {
  auto pointers = lockstep::pointers_of_figure_4();
  std::ranges::sort(pointers);
  auto const write = lockstep::told_write(pointers, lockstep::access_variant::monotonic);
  auto const with_left = [](lockstep::drawn_write const& of,
                            std::vector<lockstep::bucket_numbers> const& left) {
    auto const figures = lockstep::sorted_drawings(of, left);
    return std::pair(figures.at(0).is_as_printed.value(), figures.at(1).is_as_printed.value());
  };
  auto const are_as_said = [&](lockstep::drawn_write const& of) {
    return with_left(of, lockstep::pointers_left(of.told));
  };
  CHECK(are_as_said(write) == std::pair(true, true));
  auto left = lockstep::pointers_left(write.told);
  left.at(1) = {6, 16, 17, 11, 12, 13};  // for P_2, which P_2's go on, and not the last
  CHECK_FALSE(with_left(write, left).first);
  auto of_fewer = write;
  of_fewer.layout = lockstep::bucket_layout(16, 4, 2);  // n/p = 4, and P_1 has 6 elements
  CHECK_FALSE(are_as_said(of_fewer).first);
  auto with_more = write;
  auto more = write.told.messages_in("sends").front();
  more.from = 3;
  more.to = 0;
  --more.step;  // before all others
  with_more.told.message(more);
  CHECK(are_as_said(with_more) == std::pair(true, false));
  // Each element for the processor that has it: no messages.
  std::iota(pointers.begin(), pointers.end(), std::size_t{0});
  auto const at_home = lockstep::told_write(pointers, lockstep::access_variant::monotonic);
  CHECK(at_home.told.messages_in("sends").empty());
  CHECK(are_as_said(at_home) == std::pair(true, false));
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

TEST_CASE("Figure 13 is not as the paper says where movements are too many or too few",
          "[papers]") {
  using lockstep::movement_drawing;
  using lockstep::read_variant;
  auto const write =
      lockstep::told_write(lockstep::pointers_of_figure_4(), lockstep::access_variant::arbitrary)
          .told;
  auto const requested = lockstep::told_read(read_variant::requested);
  auto const whole = lockstep::told_read(read_variant::whole_buckets);
  CHECK(movement_drawing(write, requested, whole).is_as_printed == true);
  CHECK(movement_drawing(write, requested, requested).is_as_printed == false);
  CHECK(movement_drawing(write, whole, whole).is_as_printed == false);
  CHECK(movement_drawing(whole, requested, whole).is_as_printed == false);
}
