#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <lockstep/cost_model.hpp>
#include <lockstep/cost_model_registry.hpp>
#include <lockstep/counts.hpp>
#include <lockstep/plot_scales.hpp>
#include <lockstep/plot_size.hpp>
#include <lockstep/sweep.hpp>

namespace lockstep {

namespace cli {
class progress;
struct sweep_report;
}  // namespace cli

/// Keeps the finished runs of a sweep in a file, a line of JSON each, as `lockstep sweep --resume` does: an
/// interrupted sweep goes on from there, and comes to the same result.
///
///   auto const kept = lockstep::runs_in_file("ring.runs", "ring, second version");
///   auto const result = lockstep::sweep().on(...).over(...).resume(kept).run(by_ring, claims);
///
/// `program`: names the program, and changes when what it does changes, which nobody else sees.
/// Errors, when the sweep begins: invalid_argument for a file that cannot be written, or is of another program,
/// sweep or version of lockstep, which stays as it is; std::runtime_error where it cannot be written to later.
[[nodiscard]] std::shared_ptr<run_store> runs_in_file(std::filesystem::path file,
                                                      std::string program);

/// Shows, while it lives, a line on the standard error stream with the number of runs that are done and about how
/// long the rest takes, if that is a terminal and it takes more than a second.
class shown_progress {
 public:
  /// `what`: what goes on, for example "sums".
  explicit shown_progress(std::string what);
  shown_progress(shown_progress const&) = delete;
  shown_progress& operator=(shown_progress const&) = delete;
  ~shown_progress();

 private:
  std::unique_ptr<cli::progress> m_line;
};

/// The axes of a plot of sweeps.
struct sweep_axes {
  std::string x = "processors";  ///< or "p", or a parameter of the sweeps
  std::string y = "steps";       ///< a count, the figure of a claim, makespan, span, or "time"
  plot_scales scales = plot_scales::by_range;
  /// Of a plot: {3.4, 2.5}, or {width_of_a_column}, as high as it needs. Letters have 8 points then.
  std::optional<plot_size> size{};
};

/// The runs of one or more sweeps in the forms of `lockstep sweep`: tables, plots with the claims as curves, and
/// where one program becomes cheaper than another.
///
///   auto const ring = sweep().on(powers_of_two(2, 64), in_ring).over("m", {1, 64}).run(by_ring, ring_claims);
///   auto const cube = sweep().on(integers(1, 6), in_cube).over("m", {1, 64}).run(by_halving, cube_claims);
///   sweep_output output("./all_reduce");
///   output.add("ring", ring).add("halving", cube).price(paragon());
///   output.plot("all-reduce.svg", {.y = "time"});
///   std::cout << output.latex() << output.crossovers({.y = "time"});
class sweep_output {
 public:
  /// `command`: how the runs are made again, which stands below plots and in tables for papers.
  explicit sweep_output(std::string command) : m_command(std::move(command)) {}

  /// Adds the runs of a sweep, as those of a program of that name.
  /// Errors: invalid_argument for a name that is taken, or is empty.
  sweep_output& add(std::string name, sweep_result runs);

  /// Prices all runs by a model, those that are added later, too; the price of the claims stands beside it where words
  /// and start-ups are claimed, and that of the bounds beside it. Of several models each has rows, and
  /// curves, of its own. `name`: tells apart models of one kind; by default the model's own.
  /// Errors: invalid_argument for a name that another model has.
  template <cost_model Model>
  sweep_output& price(Model const& model, std::string name = {}) {
    if (name.empty()) name = model.name();
    return price_by({std::move(name), std::string(model.unit()),
                     [model](counts const& of, int processors) -> double {
                       return model.time(of, processors);
                     }});
  }

  /// Chooses the columns of text, csv and latex, and of pages, in their order: "steps", "words_claimed", or a
  /// parameter; "claim" and "bound" stand for those of the figures that are named, or of all. What varies comes
  /// first unless some of it is named ("algorithm", "on", a parameter, with dashes where a figure has its name).
  ///
  ///   std::cout << output.columns({"steps", "words", "claim"}).latex();
  ///
  /// Errors: invalid_argument without names, and, where a table is written, for a name that no column has, or that
  /// is named twice.
  sweep_output& columns(std::vector<std::string> names);

  // Each of these: errors of the claims' formulas; invalid_argument without runs, and for wrong columns. Times in several units have no order
  // and no cross-overs.

  /// Writes a table for people, and the runs that are wrong below it.
  [[nodiscard]] std::string text() const;
  /// Writes a row for each run, below a row of titles.
  [[nodiscard]] std::string csv() const;
  /// Writes what `lockstep sweep --json` does (docs/sweeps.md), with the cross-overs of the axes.
  /// Errors: also invalid_argument for axes that no run has.
  [[nodiscard]] std::string json(sweep_axes const& axes = {}) const;
  /// Writes a tabular with the rules of booktabs, as wide as a page unless columns are chosen: columns that are the
  /// same in all rows, or the least important ones, are left out, and comments say which.
  [[nodiscard]] std::string latex() const;
  /// Names where the order of two curves changes, a line each; empty where none does.
  /// Errors: also invalid_argument for axes that no run has.
  [[nodiscard]] std::string crossovers(sweep_axes const& axes = {}) const;
  /// Draws curves into a file: .svg, .pdf, or .html, a page with the table and the cross-overs below.
  /// Errors: also invalid_argument for axes that no run has, times in several units, a size without room, or another
  /// ending;
  /// std::runtime_error for a file that cannot be written.
  void plot(std::filesystem::path const& file, sweep_axes const& axes = {}) const;

 private:
  struct sweep_of_program {
    std::string program;
    sweep_result runs;
  };

  sweep_output& price_by(chosen_model model);
  [[nodiscard]] cli::sweep_report report() const;

  std::string m_command;
  std::vector<std::string> m_columns;
  std::vector<sweep_of_program> m_sweeps;
  std::vector<chosen_model> m_models;
};

}  // namespace lockstep
