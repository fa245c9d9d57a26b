#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <lockstep/claim.hpp>
#include <lockstep/experiments/experiment.hpp>
#include <lockstep/judgement.hpp>

namespace lockstep {

/// Why a value in a paper differs from the measured one, or does not apply.
struct erratum {
  int number = 0;    ///< in the list of errata of that paper (docs/errata); 0 for a remark
  std::string text;  ///< one line

  friend bool operator==(erratum const&, erratum const&) = default;
};

/// Where a bound breaks, and why.
struct breach {
  std::uint64_t step = 0;  ///< the first one after the bound in which a message comes in
  int processor = 0;       ///< at whose in-port
  int from = 0;
  int busiest = 0;               ///< the processor whose in-port took in the most words in all
  std::uint64_t most_words = 0;  ///< that many

  friend bool operator==(breach const&, breach const&) = default;
};

/// A figure of one algorithm on one network, beside its claims.
struct paper_cell {
  std::string figure;                      ///< "words"
  std::string formula;                     ///< as the paper prints it
  std::optional<std::uint64_t> claimed{};  ///< the formula's value; none outside its validity
  std::optional<std::uint64_t> measured{};
  /// How the claim came out, and what the verdict rests on.
  judgement judged{};
  std::optional<erratum> explanation{};  ///< further knowledge
  std::string instance{};                ///< which of several runs on the network: "k = 8"
  comparison bound = comparison::equal;  ///< of the claimed value
  std::vector<hypothesis> where{};       ///< what the claim supposes
  bool is_ours = false;                  ///< whether lockstep claims it, and not the paper
  /// The program's own exact count, by a formula of its own; none where the claim says that.
  std::optional<std::uint64_t> exact{};
  std::string exact_formula{};
  std::optional<breach> broken_at{};  ///< where a bound is exceeded
  /// The strongest lower bound on the figure that lockstep computes, of any program for this input (of Mayr and
  /// Plaxton's steps, with messages of one word); none where none is known.
  std::optional<std::uint64_t> least{};
  /// A time or a ratio of times that the paper measured, and what the counts make of it: set side
  /// by side, never equal.
  std::optional<double> printed{};
  std::optional<double> priced{};
  bool is_lower_bound = false;  ///< the claim is one: ">="; not to be mixed up with `least`

  [[nodiscard]] claim_verdict verdict() const noexcept { return judged.verdict; }
};

struct paper_row {
  std::string network;    ///< "torus:12x12", or an input, as the table's `row_kind` says
  std::string algorithm;  ///< "proposed"
  std::vector<paper_cell> cells;
  /// Whether the run's result is what a sequential computation gives; none without a run.
  std::optional<bool> correct{};
};

/// A table of a paper, each value beside what was measured.
struct paper_table {
  std::string title;
  std::vector<paper_row> rows;
  std::string row_kind = "network";  ///< what the rows are called by: paper_row::network
  std::string counted =
      "measured";  ///< by a run; "drawn" where numbers were drawn without a machine
};

/// Makes the cell of a claim: what `judge` says of it beside what was measured. An equality is compared
/// with whole numbers, so that its value is rounded down.
/// `erratum_number`: of what the claim's evidence or erratum says, where the verdict rests on that.
[[nodiscard]] paper_cell judged_cell(claim const& claimed, std::uint64_t measured,
                                     int erratum_number = 0);

/// Sets a cell beside the strongest lower bound on its figure in that run. A count below it is a fault: of
/// the bound or of the program.
void set_beside_bound(paper_cell& cell, experiment_result const& run);

/// Whether every claim that ought to hold does, and every result is correct.
[[nodiscard]] bool all_right(std::vector<paper_table> const& tables);

/// A figure of a paper that is text, as a run gives it.
struct printed_figure {
  std::string title;  ///< "Figure 2: RAW example"
  std::string text;   ///< lines
  /// Whether the paper prints the same, or says it where `compared` is not empty; none with nothing to compare.
  std::optional<bool> is_as_printed{};
  /// Statements of the paper that were compared in place of the figure; empty where the figure was.
  std::string compared{};
};

/// Whether all figures that can be compared are as the paper prints them, or as its statements say.
[[nodiscard]] bool all_right(std::vector<printed_figure> const& figures);

/// A time, or what else the figure shows, over what it has on its horizontal axis.
struct figure_point {
  double x = 0;
  double us = 0;  ///< microseconds, or the figure's own measure
};

struct figure_curve {
  std::string name;   ///< "proposed"
  std::string basis;  ///< "measured counts" or "formulas"
  std::vector<figure_point> points;
};

/// Where the first curve of a panel begins to be lower than another.
struct figure_cross_over {
  std::string rival;
  /// From here on; at 0 where always, none where never for large x.
  std::optional<figure_point> at{};
};

struct figure_panel {
  std::string name;     ///< "torus:16x16"
  std::string reading;  ///< what else tells panels of one name apart, in a word: "cube"
  std::vector<figure_curve> curves;
  std::vector<figure_cross_over> cross_overs{};
};

/// The horizontal axis of a figure.
struct figure_axis {
  std::string quantity;              ///< "block size m"
  std::string unit;                  ///< "bytes"; none for a number
  std::string column;                ///< as in CSV: "block_bytes"
  bool has_binary_prefixes = false;  ///< 128Ki, and not 131072
};

/// The names of the figure's panels and curves, as in CSV.
struct figure_columns {
  std::string panel = "network";
  std::string reading = "reading";
  std::string curve = "algorithm";
};

/// Something that is said of the figure's shape, and how it came out.
struct figure_check {
  std::string statement;  ///< "twice as many elements take twice the time"
  std::string found;      ///< "2.00 to 2.01 times"
  judgement judged{};
  /// Where the paper says it, in its words: "section 5: ..."; empty for what lockstep says itself.
  std::string quoted{};
};

/// The vertical axis of a figure.
struct figure_measure {
  std::string column = "us";  ///< as in CSV
  bool is_time = true;        ///< in microseconds; else a number
};

/// A figure of a paper: times, or ratios of counts, on logarithmic axes.
struct paper_figure {
  std::string name;     ///< "suh-shin-13"
  std::string title;    ///< the quantity shown, and the machine
  std::string note;     ///< what the readings are
  std::string basis{};  ///< what was measured, a sentence
  std::string marks{};  ///< the marks in the picture: "circles: ..."
  std::string time;     ///< what takes it: "completion time"; the label of the vertical axis
  figure_axis x;
  figure_columns columns{};
  std::vector<figure_panel> panels;
  std::vector<figure_check> checks{};
  figure_measure y{};
};

/// Whether every check that ought to hold does.
[[nodiscard]] bool all_right(paper_figure const& figure);

/// A statement of a paper that nothing here runs.
struct missing_statement {
  std::string place;      ///< "Theorem 3.2"
  std::string statement;  ///< in our words
  std::string kind;       ///< of the reason, alike for many: "local work"
  std::string why{};      ///< more of the reason, where the kind does not say all
};

/// A paper's tables, as `lockstep paper` knows them.
struct paper_entry {
  std::string name;    ///< "suh-shin"
  std::string source;  ///< authors, title, year
  /// Runs what can be run, and compares; on networks of up to that many processors.
  /// Errors: those of machine::run.
  std::vector<paper_table> (*tables)(int most_processors);
  /// Runs what the paper's figures in text show; null where it has none. Errors: the same.
  std::vector<printed_figure> (*printed)(int most_processors) = nullptr;
  /// Lists statements that are not run, in the paper's order; null without a list.
  std::vector<missing_statement> (*missing)() = nullptr;
};

/// How the sizes of a figure's networks are given.
enum class size_measure : std::uint8_t {
  side,       ///< of a square
  processors  ///< in all
};

/// A paper's figure, as `lockstep figure` knows it.
struct figure_entry {
  std::string name;        ///< "suh-shin-13"
  std::string summary;     ///< one line
  std::vector<int> sizes;  ///< of the networks that it shows, ascending
  size_measure measure = size_measure::side;
  bool has_cross_overs = true;
  /// Runs the algorithm on the networks of these sizes, and prices it and its rivals.
  /// Errors: those of machine::run; out_of_memory, naming the network, where it does not fit.
  paper_figure (*draw)(std::span<int const> sizes);
};

/// In the order in which they are listed.
[[nodiscard]] std::span<paper_entry const> papers();
[[nodiscard]] std::span<figure_entry const> figures();

/// About which share of the time is over after each run of a paper's complete tables, or of a complete
/// figure, from 0 to 1: as many numbers as it has runs. None where that was not measured, for what is
/// over soon.
[[nodiscard]] std::vector<double> expected_runs(std::string_view name);

}  // namespace lockstep
