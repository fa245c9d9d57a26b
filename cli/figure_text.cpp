#include "figure_text.hpp"

#include <fmt/format.h>

#include "text_table.hpp"

namespace lockstep::cli {

namespace {

std::string place_of(figure_cross_over const& found) {
  if (!found.at) return "never for large blocks";
  if (found.at->block_bytes == 0) return "always";
  return fmt::format("{:.3f}", found.at->block_bytes);
}

}  // namespace

std::string curves_as_csv(paper_figure const& of) {
  std::string text = "network,reading,algorithm,basis,block_bytes,us\n";
  for (auto const& panel : of.panels)
    for (auto const& curve : panel.curves)
      for (auto const& point : curve.points)
        text += fmt::format("{},{},{},{},{},{:.10g}\n", panel.network, panel.reading,
                            curve.algorithm, curve.basis, point.block_bytes, point.us);
  return text;
}

std::string cross_overs_as_csv(paper_figure const& of) {
  std::string text = "network,reading,rival,block_bytes,us\n";
  for (auto const& panel : of.panels)
    for (auto const& found : panel.cross_overs) {
      text += fmt::format("{},{},{},", panel.network, panel.reading, found.rival);
      text +=
          found.at ? fmt::format("{:.10g},{:.10g}\n", found.at->block_bytes, found.at->us) : ",\n";
    }
  return text;
}

std::string as_text(paper_figure const& of) {
  std::string text = fmt::format("{}: {}\n{}\n", of.name, of.title, of.note);
  text +=
      "Proposed: counts measured with blocks of one word; words and rearranged words grow with "
      "the block.\n\n";
  text_table table({{"network"},
                    {"reading"},
                    {"rival"},
                    {"proposed is faster from (bytes)", column_kind::number},
                    {"time there (us)", column_kind::number}});
  for (auto const& panel : of.panels)
    for (auto const& found : panel.cross_overs)
      table.add({panel.network, panel.reading, found.rival, place_of(found),
                 found.at && found.at->block_bytes > 0 ? fmt::format("{:.1f}", found.at->us) : ""});
  return text + table.str();
}

}  // namespace lockstep::cli
