#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "plot.hpp"
#include "plot_axis.hpp"

namespace lockstep::cli {

/// The colour of texts that are not read first, and of samples of all claims or bounds.
inline constexpr std::string_view plot_grey = "#707070";
/// The colour of a bound that all curves have.
inline constexpr std::string_view bound_colour = "#202020";

/// Mixes a colour with white.
[[nodiscard]] std::string lighter(std::string_view colour);

/// A line of a legend: a sample of a curve, its name, and remarks below it.
struct legend_entry {
  std::string name{};
  std::string colour{};
  double width = 0;
  std::vector<double> dashes{};
  std::optional<std::size_t> mark{};  ///< that of a series
  std::vector<std::string> remarks{};
};

/// The colours and dashes by which the curves of a plot, their claims and their bounds are told apart, and the legend
/// that says so.
class plot_style {
 public:
  explicit plot_style(plot const& of) : m_plot(of) {}

  [[nodiscard]] static std::string_view colour_of(std::size_t series);
  /// The dashes of a series: others for those that have the colour of an earlier one.
  [[nodiscard]] std::vector<double> dashes_of(std::size_t series) const;
  /// The dashes of a series where it lies on others: gaps that go with each other, whatever the colours.
  [[nodiscard]] std::vector<double> dashes_among(std::size_t series, std::size_t others) const;
  /// The dashes of the claim of a series where it lies on others.
  [[nodiscard]] static std::vector<double> dashes_of_claim(std::size_t series,
                                                           std::size_t others = 0);
  /// The dots of the bound of a series, which is one of several on each other.
  [[nodiscard]] std::vector<double> dots(std::size_t series, std::size_t which,
                                         std::size_t of) const;
  /// Whether all series have the same bound.
  [[nodiscard]] bool has_one_bound() const;

  /// Lists the series, claims and bounds; remarks say which curves are the same, and which limits lie beyond the axis.
  [[nodiscard]] std::vector<legend_entry> legend(plot_axis const& y) const;

 private:
  using points_of_series = std::vector<plot_point> plot_series::*;

  [[nodiscard]] bool has_any(points_of_series points) const;
  [[nodiscard]] bool is_some_on(plot_axis const& y, points_of_series points) const;
  [[nodiscard]] std::size_t first_with(points_of_series points, std::size_t series) const;
  [[nodiscard]] std::string sameness_of(std::size_t series) const;
  [[nodiscard]] std::vector<std::string> remarks_beyond(plot_axis const& y,
                                                        points_of_series points) const;
  [[nodiscard]] std::string curves_with(points_of_series points, std::size_t turn) const;
  [[nodiscard]] std::vector<legend_entry> claims(plot_axis const& y) const;
  [[nodiscard]] std::vector<legend_entry> bounds(plot_axis const& y) const;
  template <class Dashes>
  [[nodiscard]] std::vector<legend_entry> one_for_each_turn(plot_axis const& y,
                                                            legend_entry const& entry,
                                                            points_of_series points,
                                                            Dashes const& dashes_of_series) const;

  plot const& m_plot;
};

}  // namespace lockstep::cli
