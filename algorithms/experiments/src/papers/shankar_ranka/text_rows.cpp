#include "papers/shankar_ranka/text_rows.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include <fmt/format.h>

namespace lockstep {

namespace {

[[nodiscard]] std::string text_unless_0(std::size_t number) {
  return number == 0 ? "" : fmt::format("{}", number);
}

}  // namespace

std::string aligned(text_rows const& rows) {
  std::vector<std::size_t> widths(rows.front().size());
  for (auto const& row : rows)
    for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], row[i].size());
  std::string text;
  for (auto const& row : rows) {
    std::string line;
    for (std::size_t i = 0; i < row.size(); ++i) line += fmt::format("{:<{}}  ", row[i], widths[i]);
    line.erase(line.find_last_not_of(' ') + 1);
    text += line + '\n';
  }
  return text;
}

std::string processor_name(int rank) { return fmt::format("P_{}", rank); }

std::string bucket_name(std::size_t bucket) { return fmt::format("B_{}", bucket); }

element_matrix empty_matrix(int processors) {
  auto const p = static_cast<std::size_t>(processors);
  return {p, std::vector<std::size_t>(p)};
}

std::vector<std::size_t> row_sums_of(element_matrix const& of) {
  std::vector<std::size_t> sums;
  for (auto const& row : of)
    sums.push_back(std::accumulate(row.begin(), row.end(), std::size_t{0}));
  return sums;
}

std::vector<std::size_t> column_sums_of(element_matrix const& of) {
  std::vector<std::size_t> sums(of.size());
  for (auto const& row : of)
    for (std::size_t j = 0; j < row.size(); ++j) sums[j] += row[j];
  return sums;
}

std::string matrix_text(element_matrix const& of) {
  text_rows rows{{""}};
  auto const sums = row_sums_of(of);
  for (int rank = 0; std::cmp_less(rank, of.size()); ++rank)
    rows.front().push_back(processor_name(rank));
  rows.front().emplace_back();
  for (std::size_t i = 0; i < of.size(); ++i) {
    std::vector<std::string> row{processor_name(static_cast<int>(i))};
    for (auto const number : of[i]) row.push_back(text_unless_0(number));
    row.push_back(fmt::format("{}", sums[i]));
    rows.push_back(std::move(row));
  }
  rows.push_back({""});
  for (auto const sum : column_sums_of(of)) rows.back().push_back(text_unless_0(sum));
  return aligned(rows);
}

std::span<std::size_t const> own_part(std::span<std::size_t const> all, bucket_layout const& layout,
                                      int rank) {
  return all.subspan(layout.first_of(rank), layout.size_of(rank));
}

}  // namespace lockstep
