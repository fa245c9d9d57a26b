#include "report/message_picture.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <map>

#include <fmt/format.h>

namespace lockstep::cli {

namespace {

constexpr std::uint64_t picture_unit = 10;  // width of a step, and height of a row
constexpr std::size_t most_phase_colours = 8;

/// Finds the colour of a phase: those of one name have one.
std::size_t colour_of(run_record const& run, std::size_t phase) {
  if (phase >= run.phases().size()) return 0;
  auto const& all = run.phases();
  auto const first = std::ranges::find(all, all[phase].name, &phase_record::name);
  return static_cast<std::size_t>(first - all.begin()) % most_phase_colours;
}

std::int64_t middle_of_row(int rank) {
  return static_cast<std::int64_t>(picture_unit) * rank +
         static_cast<std::int64_t>(picture_unit) / 2;
}

}  // namespace

std::string message_picture(run_record const& run, std::vector<message_record> const& messages) {
  std::map<std::size_t, std::string> lines;  // by colour
  for (auto const& one : messages) {
    if (one.words == 0) continue;
    auto const top = middle_of_row(one.from);
    fmt::format_to(std::back_inserter(lines[colour_of(run, one.phase)]), "M{} {}l{} {}",
                   (one.step - 1) * picture_unit + 1, top, picture_unit - 2,
                   middle_of_row(one.to) - top);
  }
  auto const width = std::max<std::uint64_t>(run.counts().rounds, 1) * picture_unit;
  std::string rows;
  for (std::size_t rank = 0; rank < run.processors().size(); ++rank)
    fmt::format_to(std::back_inserter(rows), "M0 {}h{}", middle_of_row(static_cast<int>(rank)),
                   width);
  auto picture =
      fmt::format(R"(<svg viewBox="0 0 {} {}" preserveAspectRatio="none" aria-hidden="true">)"
                  R"(<path class="row" d="{}"/>)",
                  width, run.processors().size() * picture_unit, rows);
  for (auto const& [colour, drawn] : lines)
    fmt::format_to(std::back_inserter(picture), R"(<path class="p{}" d="{}"/>)", colour, drawn);
  return picture + "</svg>";
}

}  // namespace lockstep::cli
