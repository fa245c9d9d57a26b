#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include <lockstep/experiments/numeric_libraries.hpp>
#include <lockstep/experiments/papers.hpp>
#include <lockstep/experiments/registry.hpp>
#include <lockstep/options.hpp>

#include "explain/cell_content.hpp"
#include "grade/sandbox.hpp"
#include "report/plot.hpp"
#include "selection.hpp"
#include "tool.hpp"

namespace lockstep::cli {

/// `lockstep list`.
struct list_command {
  bool json = false;
  std::string tool = "lockstep";
  std::span<experiment const> known = experiments();
};

/// `lockstep run ALGORITHM --on TOPOLOGY ...`.
struct run_command {
  experiment const* what = nullptr;
  std::string on{};  ///< the topology's specification
  machine_options options{};
  std::map<std::string, parameter_value>
      parameters{};  ///< all that the algorithm takes, and "seed"
  std::optional<std::filesystem::path> input{};
  input_values values = input_values::small;  ///< of a generated input, as `view` takes them
  bool values_chosen = false;                 ///< by --values
  std::optional<std::filesystem::path> output{};
  std::optional<std::filesystem::path> trace{};
  std::string trace_option = "--trace";  ///< the one that names it
  std::optional<std::string> model{};
  bool shares_links = false;   ///< --sharing links: of a clock
  bool free_in_ports = false;  ///< --in-port free: of a clock
  bool json = false;
  bool table = false;
  bool stacks_chosen = false;  ///< by --stacks
  bool tau_chosen = false;     ///< by --tau
  /// The part of the machine that the input file tells, in words; empty where it tells nothing.
  std::string told_by_input{};
  std::string tool = "lockstep";  ///< as it is typed
  numeric_libraries libraries{};
};

/// `lockstep explain ALGORITHM --on TOPOLOGY ...`.
struct explain_command {
  run_command run{};
  std::vector<int>
      processors{};  ///< those to show, in rank order; none: as many as there is room for
  step_range steps{1, most_steps_shown};  ///< those to show
  cell_content content = cell_content::senders;
  std::string value{};  ///< which values to show; the first that there are where it is empty
};

/// The handouts of a run that are asked for.
struct asked_handouts {
  std::optional<std::filesystem::path> pdf{};
  std::optional<std::filesystem::path> slides{};
  std::optional<std::filesystem::path> svg{};  ///< a folder
  std::optional<std::filesystem::path> gif{};
  std::optional<std::filesystem::path> webm{};
  int per_page = 4;  ///< steps on each page of `pdf`

  [[nodiscard]] bool are_any() const { return pdf || slides || svg || gif || webm; }
};

/// `lockstep view ALGORITHM --on TOPOLOGY ...`.
struct view_command {
  run_command run{};  ///< its `trace` is the page, if one is asked for
  std::optional<run_command> beside{};
  asked_handouts handouts{};
};

/// `lockstep view --gallery FOLDER`.
struct gallery_command {
  std::filesystem::path folder{};     ///< gets the pages, and their index
  std::vector<view_command> pages{};  ///< of each algorithm's teaching example
};

/// A value of an option that varies, as it is typed: "scheme", "ring".
struct given_value {
  std::string name;  ///< without dashes; or "algorithm"
  std::string value;
};

/// One combination of a sweep's values.
struct sweep_run {
  run_command run{};
  std::vector<given_value> given{};  ///< of what varies
};

/// How the runs of a sweep are printed.
enum class sweep_form : std::uint8_t { table, csv, json, latex };

/// `lockstep sweep ALGORITHM --on TOPOLOGIES ...`.
struct sweep_command {
  std::vector<sweep_run> runs{};
  std::vector<std::string> varied{};  ///< names of what varies, in the order of its columns
  std::string x = "processors";       ///< one of `varied`, or the processors
  std::string y = "steps";            ///< a figure, or "time"
  sweep_form form = sweep_form::table;
  std::vector<std::string> columns{};  ///< of tables; none: all that say something
  std::optional<std::filesystem::path> plot{};
  plot_scales log = plot_scales::by_range;
  std::optional<plot_size> size_of_plot{};
  std::optional<std::string>
      sequential{};                       ///< formula of the operations of the sequential algorithm
  std::optional<double> isoefficiency{};  ///< efficiency that the least sizes are sought for
  std::string size{};                     ///< what varies, then: the name of the problem's size
  std::optional<std::filesystem::path> resume{};
  int parallel = 0;            ///< runs at a time; 0: one a core
  std::string command{};       ///< as typed, without what changes nothing of the output
  std::string runs_command{};  ///< the part of it that says which runs there are
  std::string tool = "lockstep";
};

/// A side of a comparison: a file, or a run.
struct compared_side {
  std::string name{};  ///< as it is typed
  std::optional<run_command> run{};
};

/// `lockstep compare A B`.
struct compare_command {
  compared_side one{};
  compared_side other{};
  bool has_to_be_equal = false;  ///< --equal
  std::optional<std::filesystem::path> plot{};
  std::string command{};  ///< as typed, without --equal
};

/// `lockstep calibrate`.
struct calibrate_command {
  std::uint64_t elements = std::uint64_t{1} << 20U;
  bool json = false;
};

/// How grades are printed.
enum class grade_form : std::uint8_t { table, csv, json };

/// `lockstep grade FOLDER --test FILE`.
struct grade_command {
  std::filesystem::path folder{};  ///< of submissions, or one of them
  std::string test{};              ///< a file, or the name of a lesson
  std::string compiler = "c++";    ///< with its options
  process_limits limits{};
  int parallel = 0;  ///< submissions at a time; 0: one a core
  grade_form form = grade_form::table;
};

/// `lockstep grade-one SUBMISSION TEST`: of libraries that `grade` has compiled.
struct grade_one_command {
  std::filesystem::path submission{};
  std::filesystem::path test{};
};

/// `lockstep paper NAME`.
struct paper_command {
  paper_entry const* what = nullptr;
  std::optional<int> most_processors{};  ///< leaves out larger networks
  bool json = false;
  bool missing = false;  ///< lists the statements that are not run, and runs nothing
};

/// `lockstep figure NAME`.
struct figure_command {
  figure_entry const* what = nullptr;
  std::filesystem::path folder = ".";  ///< gets the files
  std::optional<int> up_to{};          ///< leaves out networks with larger sides
};

/// Text that was asked for: help or the version.
struct show_text {
  std::string text;
};

using command =
    std::variant<list_command, run_command, explain_command, view_command, gallery_command,
                 sweep_command, compare_command, calibrate_command, grade_command,
                 grade_one_command, paper_command, figure_command, show_text>;

/// An option as it is known to help, completion and the manual.
struct option_entry {
  std::string name;  ///< with its dashes: "--on"
  std::string help;
  bool takes_value = false;
  std::vector<std::string> values{};  ///< all that it takes, where they are few
};

/// A command, with its options but those that only some algorithms take.
struct command_entry {
  std::string name;
  std::string summary;
  std::string argument;  ///< what it is about: "ALGORITHM", "NAME", or empty
  std::string footer;
  std::vector<option_entry> options;
};

/// All commands, as `lockstep --help` shows them.
[[nodiscard]] std::vector<command_entry> known_commands(tool const& of);

/// Lists the algorithm's options on the command line.
[[nodiscard]] std::vector<option_entry> options_of(experiment const& one);

/// Reads the command line. The tool's algorithms have to outlive the command.
/// Errors: usage_error, in one line.
[[nodiscard]] command read_command_line(int count, char const* const* arguments, tool const& of);

}  // namespace lockstep::cli
