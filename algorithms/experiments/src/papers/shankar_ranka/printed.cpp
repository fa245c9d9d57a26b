#include "papers/shankar_ranka/printed.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <span>
#include <string>
#include <utility>

#include <fmt/format.h>

#include <lockstep/algorithms/prefix/monoid.hpp>
#include <lockstep/algorithms/random_access/access_patterns.hpp>
#include <lockstep/algorithms/random_access/transportation.hpp>
#include <lockstep/machine.hpp>
#include <lockstep/topologies/crossbar.hpp>

#include "papers/shankar_ranka/bucket_drawings.hpp"
#include "papers/shankar_ranka/movement_drawings.hpp"
#include "papers/shankar_ranka/text_rows.hpp"
#include "random_access/number_access.hpp"

namespace lockstep {

namespace {

[[nodiscard]] printed_figure compared(std::string title, text_rows const& rows,
                                      text_rows const& printed) {
  return {std::move(title), aligned(rows), rows == printed};
}

[[nodiscard]] std::string datum(std::size_t index) { return fmt::format("D({})", index); }

[[nodiscard]] std::vector<std::string> numbered(std::string label, std::size_t count) {
  std::vector<std::string> row{std::move(label)};
  for (std::size_t i = 0; i < count; ++i) row.push_back(fmt::format("{}", i));
  return row;
}

[[nodiscard]] std::vector<std::string> pointer_row(std::string label,
                                                   std::span<std::size_t const> pointers) {
  std::vector<std::string> row{std::move(label)};
  for (auto const pointer : pointers)
    row.push_back(pointer == no_pointer ? "." : fmt::format("{}", pointer));
  return row;
}

/// A row that the processors make, each its own part.
template <class Program>
[[nodiscard]] std::vector<std::string> row_from_run(std::string label, Program const& program) {
  machine const on(crossbar{processors_of_figures}, {.strict = true});
  auto const run = on.run(program);
  std::vector<std::string> row{std::move(label)};
  for (auto const& part : run.results()) row.insert(row.end(), part.begin(), part.end());
  return row;
}

constexpr std::array<std::size_t, 8> pointers_of_figure_1{7, no_pointer, 0, 7, 1, 6, 3, 0};

/// Compares an example on these pointers: a row that a run comes to, with the printed one.
[[nodiscard]] printed_figure compared_example(std::string const& title,
                                              text_rows::value_type const& found,
                                              text_rows::value_type const& printed) {
  return compared(
      title, {numbered("Element index", 8), pointer_row("Pointer P", pointers_of_figure_1), found},
      {{"Element index", "0", "1", "2", "3", "4", "5", "6", "7"},
       {"Pointer P", "7", ".", "0", "7", "1", "6", "3", "0"},
       printed});
}

[[nodiscard]] printed_figure figure_1() {
  bucket_layout const layout(pointers_of_figure_1.size(), processors_of_figures);
  auto const read = row_from_run("After RAR", [&](processor& me) {
    std::vector<std::size_t> data;
    for (auto i = layout.first_of(me.rank()); i < layout.first_of(me.rank() + 1); ++i)
      data.push_back(i);
    auto const mine = own_part(pointers_of_figure_1, layout, me.rank());
    auto const values =
        random_access_read(me, layout, mine, std::span<std::size_t const>(data)).values;
    std::vector<std::string> texts;
    for (std::size_t i = 0; i < mine.size(); ++i)
      texts.push_back(mine[i] == no_pointer ? "-" : datum(values[i]));
    return texts;
  });
  return compared_example(
      "Figure 1: RAR example", read,
      {"After RAR", "D(7)", "-", "D(0)", "D(7)", "D(1)", "D(6)", "D(3)", "D(0)"});
}

// A sum is a number here, whose decimal digits tell its operands in their order: each is an index plus 1.

[[nodiscard]] std::int64_t operand(std::size_t index) {
  return static_cast<std::int64_t>(index) + 1;
}

[[nodiscard]] std::int64_t joined_operands(std::int64_t earlier, std::int64_t later) {
  for (auto rest = later; rest > 0; rest /= 10) earlier *= 10;
  return earlier + later;
}

[[nodiscard]] std::string sum_of(extended<std::int64_t> const& cell) {
  if (!cell.is_there) return "-";
  std::string text;
  for (auto rest = cell.value; rest > 0; rest /= 10) {
    auto const last = datum(static_cast<std::size_t>(rest % 10 - 1));
    text = text.empty() ? last : last + '+' + text;
  }
  return text;
}

[[nodiscard]] printed_figure figure_2() {
  bucket_layout const layout(pointers_of_figure_1.size(), processors_of_figures);
  auto const written = row_from_run("After RAW", [&](processor& me) {
    std::vector<std::int64_t> data;
    for (auto i = layout.first_of(me.rank()); i < layout.first_of(me.rank() + 1); ++i)
      data.push_back(operand(i));
    std::vector<std::string> texts;
    for (auto const& cell :
         combined_writes(me, layout, own_part(pointers_of_figure_1, layout, me.rank()),
                         std::span<std::int64_t const>(data), number_operator{joined_operands})
             .cells)
      texts.push_back(sum_of(cell));
    return texts;
  });
  return compared_example(
      "Figure 2: RAW example", written,
      {"After RAW", "D(2)+D(7)", "D(4)", "-", "D(6)", "-", "-", "D(5)", "D(0)+D(3)"});
}

/// Counts, where elements arrive, those of each processor for each other and for itself.
[[nodiscard]] element_matrix counted_elements(bucket_layout const& layout,
                                              std::span<std::size_t const> pointers) {
  struct sent_element {
    int source;
    int destination;
  };
  machine const on(crossbar{processors_of_figures}, {.strict = true});
  auto const run = on.run([&](processor& me) {
    std::vector<sent_element> mine;
    for (auto const pointer : own_part(pointers, layout, me.rank()))
      mine.push_back({me.rank(), layout.owner(pointer)});
    return transportation(me, std::span<sent_element const>(mine), &sent_element::destination,
                          {.route = transportation_route::direct})
        .elements;
  });
  auto counted = empty_matrix(processors_of_figures);
  for (std::size_t j = 0; j < counted.size(); ++j)
    for (auto const& element : run.results()[j])
      ++counted[static_cast<std::size_t>(element.source)][j];
  return counted;
}

/// Indices and pointers as the paper prints them, those of a processor below its name.
[[nodiscard]] std::string pointers_text(bucket_layout const& layout,
                                        std::span<std::size_t const> pointers) {
  std::string names = " ";
  std::string indices = "i";
  std::string values = "P";
  for (int rank = 0; rank < layout.processors(); ++rank) {
    names += fmt::format(" {:<{}}", processor_name(rank), 3 * layout.size_of(rank) - 1);
    for (auto i = layout.first_of(rank); i < layout.first_of(rank + 1); ++i) {
      indices += fmt::format(" {:2}", i);
      values += fmt::format(" {:2}", pointers[i]);
    }
  }
  names.erase(names.find_last_not_of(' ') + 1);
  return names + '\n' + indices + '\n' + values + '\n';
}

[[nodiscard]] printed_figure matrix_figure(std::string title, access_pattern pattern,
                                           element_matrix const& printed) {
  bucket_layout const layout(elements_of(pattern, 0), processors_of_figures);
  auto const pointers = generated_pointers(pattern, layout, 1);
  auto const found = counted_elements(layout, pointers);
  return {std::move(title), pointers_text(layout, pointers) + matrix_text(found), found == printed};
}

[[nodiscard]] printed_figure figure_12() {
  constexpr std::array<std::size_t, 8> pointers{1,          4,          5,          7,
                                                no_pointer, no_pointer, no_pointer, no_pointer};
  bucket_layout const layout(pointers.size(), processors_of_figures);
  auto const result = row_from_run("Result", [&](processor& me) {
    std::vector<std::size_t> data;
    for (auto i = layout.first_of(me.rank()); i < layout.first_of(me.rank() + 1); ++i)
      data.push_back(i);
    std::vector<std::string> texts;
    for (auto const& copy : generalize(me, layout, own_part(pointers, layout, me.rank()),
                                       std::span<std::size_t const>(data)))
      texts.push_back(copy ? datum(*copy) : "-");
    return texts;
  });
  auto pointers_shown = pointer_row("P", pointers);
  std::ranges::replace(pointers_shown, ".", "");
  std::vector<std::string> data{"D"};
  for (std::size_t i = 0; i < pointers.size(); ++i)
    data.push_back(pointers[i] == no_pointer ? "-" : datum(i));
  text_rows const printed{
      {"D", "D(0)", "D(1)", "D(2)", "D(3)", "-", "-", "-", "-"},
      {"P", "1", "4", "5", "7", "", "", "", ""},
      {"Result", "D(0)", "D(0)", "D(1)", "D(1)", "D(1)", "D(2)", "D(3)", "D(3)"}};
  return compared("Figure 12: The Generalize Primitive", {data, pointers_shown, result}, printed);
}

}  // namespace

std::vector<printed_figure> printed_figures_of_shankar_ranka(int most_processors) {
  if (most_processors < processors_of_figures) return {};
  std::string const limited = "Figure 3: RAW with Limited Hot Spots, example ";
  std::vector<printed_figure> figures{
      figure_1(),
      figure_2(),
      matrix_figure(limited + "(a)", access_pattern::figure_3a,
                    {{8, 0, 0, 0}, {0, 8, 0, 0}, {0, 0, 8, 0}, {0, 0, 0, 8}}),
      matrix_figure(limited + "(b)", access_pattern::figure_3b,
                    {{2, 2, 2, 2}, {2, 2, 2, 2}, {2, 2, 2, 2}, {2, 2, 2, 2}}),
      matrix_figure(limited + "(c)", access_pattern::figure_3c,
                    {{2, 5, 0, 1}, {4, 0, 0, 4}, {2, 2, 2, 2}, {0, 1, 6, 1}}),
      matrix_figure("Figure 4: RAW with Arbitrary Hot Spots", access_pattern::figure_4,
                    printed_in_figure_4())};
  std::ranges::move(bucket_drawings(), std::back_inserter(figures));
  std::ranges::move(sorted_drawings(), std::back_inserter(figures));
  figures.push_back(figure_12());
  figures.push_back(movement_drawing());
  return figures;
}

}  // namespace lockstep
