#include "figure_command.hpp"

#include <unistd.h>

#include <algorithm>
#include <optional>
#include <ostream>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include <lockstep/errors.hpp>
#include <lockstep/experiments/output_file.hpp>

#include "commands.hpp"
#include "report/figure_picture.hpp"
#include "report/figure_text.hpp"
#include "report/progress.hpp"
#include "usage_error.hpp"

namespace lockstep::cli {

namespace {

std::vector<int> sizes_from(figure_command const& asked) {
  auto sizes = asked.what->sizes;
  if (!asked.up_to) return sizes;
  std::erase_if(sizes, [&](int size) { return size > *asked.up_to; });
  if (sizes.empty()) {
    int const least = asked.what->sizes.front();
    throw usage_error(fmt::format(
        "--up-to: the smallest network of {} {}; give {} or more", asked.what->name,
        asked.what->measure == size_measure::side ? fmt::format("is {0} x {0}", least)
                                                  : fmt::format("has {} processors", least),
        least));
  }
  return sizes;
}

/// The files of a figure, all of them open before anything is run.
struct figure_files {
  figure_files(std::filesystem::path const& folder, figure_entry const& of)
      : curves(folder / (of.name + ".csv")), picture(folder / (of.name + ".svg")) {
    if (of.has_cross_overs) cross_overs.emplace(folder / (of.name + "-cross-overs.csv"));
  }

  output_file curves;
  std::optional<output_file> cross_overs;
  output_file picture;
};

/// Errors: those of the machine; out_of_memory says how to ask for less.
paper_figure measured(figure_entry const& figure, std::vector<int> const& sizes) {
  progress shown(STDERR_FILENO, figure.name);
  if (sizes.size() == figure.sizes.size()) shown.expect_runs(expected_runs(figure.name));
  try {
    return figure.draw(sizes);
  } catch (out_of_memory const& problem) {
    throw out_of_memory(problem.message() + "; --up-to SIZE leaves larger networks out");
  }
}

void write(output_file& file, std::string_view text, std::ostream& out) {
  file.stream() << text;
  file.complete();
  out << "written: " << file.path().string() << '\n';
}

}  // namespace

paper_figure drawn_figure(figure_command const& asked) {
  return measured(*asked.what, sizes_from(asked));
}

exit_status execute(figure_command const& asked, std::ostream& out) {
  auto const sizes = sizes_from(asked);
  figure_files files(asked.folder, *asked.what);
  auto const figure = measured(*asked.what, sizes);
  out << as_text(figure) << '\n';
  write(files.curves, curves_as_csv(figure), out);
  if (files.cross_overs) write(*files.cross_overs, cross_overs_as_csv(figure), out);
  write(files.picture, as_svg(picture_of(figure)), out);
  return all_right(figure) ? exit_status::all_right : exit_status::wrong;
}

}  // namespace lockstep::cli
