#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <lockstep/experiments/registry.hpp>

#include "../catch.hpp"
#include "commands/command_line.hpp"
#include "commands/commands.hpp"
#include "commands/usage_error.hpp"
#include "contains.hpp"
#include "sample_outcome.hpp"
#include "shell.hpp"
#include "well_formed.hpp"

// Sweeps, as they are read, as they run, and as a shell runs them.

namespace {

using namespace lockstep;

void check_sweep_refused(std::string const& arguments, std::string const& part) {
  auto const refused = lockstep_with("sweep " + arguments);
  INFO("lockstep sweep " << arguments << '\n' << refused.err);
  CHECK(refused.status == 2);
  CHECK(refused.out.empty());
  CHECK(lines_of(refused.err) == 1);
  CHECK(refused.err.starts_with("lockstep: "));
  CHECK(contains(refused.err, part));
}

std::vector<std::string> lines_in(std::string const& text) {
  std::istringstream stream(text);
  std::vector<std::string> lines;
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

nlohmann::ordered_json json_printed(std::string const& arguments) {
  auto const run = lockstep_with(arguments);
  INFO(run.err);
  return nlohmann::ordered_json::parse(run.out);
}

constexpr auto two_schemes =
    "sweep all-reduce --on 'torus:{4,8}x4' --algorithm ring,tree --words 1..4096*4 --model loggp ";

cli::sweep_command read_sweep(std::vector<std::string> const& words) {
  std::vector<char const*> line{"lockstep", "sweep"};
  for (auto const& one : words) line.push_back(one.c_str());
  return std::get<cli::sweep_command>(
      cli::read_command_line(static_cast<int>(line.size()), line.data(), experiments()));
}

experiment_result wrong_on_four(experiment_request const& asked) {
  auto result = sample_outcome();
  result.correct = asked.network->size() != 4;
  return result;
}

/// Runs a sweep of a made-up algorithm on crossbars of 4 and 8 processors.
cli::exit_status swept(experiment_result (*runs)(experiment_request const&), std::string& text) {
  experiment what;
  what.name = "sample";
  what.run = runs;
  cli::sweep_command asked{.varied = {"on"}};
  for (std::string const on : {"crossbar:4", "crossbar:8"})
    asked.runs.push_back({{.what = &what, .on = on}, {{"on", on}}});
  std::ostringstream out;
  std::ostringstream notes;
  auto const status = cli::execute(asked, out, notes);
  text = out.str();
  return status;
}

}  // namespace

TEST_CASE("sweep: all combinations are read, the last option's values one after the other") {
  auto const asked = read_sweep(
      {"all-reduce", "--words", "1,4", "--on", "ring:4,ring:8", "--scheme", "ring,tree"});
  REQUIRE(asked.runs.size() == 8);
  CHECK(asked.varied == std::vector<std::string>{"on", "words", "scheme"});
  CHECK(asked.runs[0].run.on == "ring:4");
  CHECK(asked.runs[4].run.on == "ring:8");
  CHECK(asked.runs[1].run.parameters.at("scheme") == parameter_value(std::string("tree")));
  CHECK(asked.runs[2].run.parameters.at("words") == parameter_value(std::int64_t{4}));
  CHECK(asked.x == "words");
  CHECK(asked.y == "steps");
  CHECK(asked.command ==
        "lockstep sweep all-reduce --words 1,4 --on ring:4,ring:8 --scheme ring,tree");
}

TEST_CASE("sweep: p is another name of the processors along x") {
  CHECK(read_sweep({"prefix", "--on", "tree:{3,4}", "--seed", "1,2", "--x", "p"}).x ==
        "processors");
  CHECK(read_sweep({"prefix", "--on", "tree:{3,4}", "--seed", "1,2", "--x", "seed"}).x == "seed");
}

TEST_CASE("sweep: --algorithm names schemes, or further algorithms") {
  auto const schemes = read_sweep({"all-reduce", "--on", "ring:4", "--algorithm", "ring,tree"});
  CHECK(schemes.varied == std::vector<std::string>{"scheme"});
  CHECK(schemes.runs.size() == 2);
  auto const algorithms =
      read_sweep({"reduce", "--on", "ring:4", "--algorithm", "all-reduce,broadcast"});
  CHECK(algorithms.varied == std::vector<std::string>{"algorithm"});
  CHECK(algorithms.runs.size() == 3);
  CHECK(algorithms.runs[2].run.what->name == "broadcast");
  CHECK(read_sweep({"--algorithm", "reduce,broadcast", "--on", "ring:4"}).runs.size() == 2);
  // A name of a scheme that is an algorithm, too.
  auto const transpose =
      read_sweep({"all-reduce", "--on", "crossbar:4", "--algorithm", "ring,transpose"});
  REQUIRE(transpose.runs.size() == 2);
  CHECK(transpose.varied == std::vector<std::string>{"scheme"});
  CHECK(transpose.runs[1].run.what->name == "all-reduce");
  auto const beside = read_sweep({"gather", "--on", "crossbar:4", "--algorithm", "transpose"});
  CHECK(beside.varied == std::vector<std::string>{"algorithm"});
}

TEST_CASE("sweep: an option that some of the algorithms lack is for the others") {
  auto const asked = read_sweep({"prefix,pipelined-prefix", "--on", "tree:4", "--k", "4,8"});
  REQUIRE(asked.runs.size() == 3);
  CHECK_FALSE(asked.runs[0].run.parameters.contains("k"));
  CHECK(asked.runs[2].run.parameters.at("k") == parameter_value(std::int64_t{8}));
}

TEST_CASE("sweep: what is given is in the command that is shown, but not how it is done") {
  auto const asked = read_sweep({"prefix", "--on", "hypercube:{2,3}", "--strict", "--parallel", "1",
                                 "--resume", "rows", "--plot", "a.svg", "--json"});
  CHECK(asked.command ==
        "lockstep sweep prefix --on \"hypercube:{2,3}\" --strict --plot a.svg --json");
  CHECK(asked.runs_command == "lockstep sweep prefix --on \"hypercube:{2,3}\" --strict");
  CHECK(asked.x == "processors");
  CHECK(asked.runs[1].run.options.strict);
}

TEST_CASE("sweep: a table has a row for each run, with claims, bounds and cross-overs") {
  auto const run = lockstep_with(two_schemes);
  CHECK(run.status == 0);
  CHECK(run.err.empty());
  auto const lines = lines_in(run.out);
  CHECK(lines.at(0) == "sweep of all-reduce: 28 runs");
  for (auto const* title : {"on ", "processors", "--scheme", "--words", "startups", "volume",
                            "contention", "time (us)", "words claimed", "time bound", "correct"})
    CHECK(contains(lines.at(2), title));
  CHECK(std::ranges::count_if(lines, [](auto const& one) { return one.ends_with("yes"); }) == 28);
  CHECK(contains(run.out,
                 "torus:4x4, ring is cheaper than torus:4x4, tree from --words 1024 on (changes "
                 "between 256 and 1024)\n"));
}

TEST_CASE("sweep: CSV has a row for each run, and the same titles always") {
  auto const lines = lines_in(lockstep_with(std::string(two_schemes) + "--csv").out);
  REQUIRE(lines.size() == 29);
  CHECK(lines[0] ==
        "algorithm,on,processors,--scheme,--words,steps,startups,words,volume,messages,hops,"
        "contention,work,operations,span,makespan,time,unit,steps_claimed,steps_bound,words_"
        "claimed,words_bound,time_claimed,"
        "time_bound,correct");
  CHECK(lines[1].starts_with("all-reduce,torus:4x4,16,ring,1,30,30,30,"));
  CHECK(lines_in(lockstep_with("sweep prefix --on tree:4 --csv").out)
            .at(0)
            .starts_with("algorithm,on,processors,steps,startups,words,volume,messages,hops,"
                         "contention,work,operations,span,makespan,time,unit,"));
}

TEST_CASE("sweep: runs that count work have its figures in each form, and along the axes") {
  std::string const runs = "sweep reduce --on crossbar:4 --summands 4,16 ";
  auto const text = lines_in(lockstep_with(runs).out);
  for (auto const* title : {"work", "operations", "span", "makespan"})
    CHECK(contains(text.at(2), title));
  auto const lines = lines_in(lockstep_with(runs + "--csv").out);
  CHECK(contains(lines.at(0), ",contention,work,operations,span,makespan,time,"));
  auto const json = json_printed(runs + "--json");
  for (std::size_t at = 0; at < 2; ++at) {
    auto const& row = json["rows"].at(at);
    auto const makespan = row.contains("makespan") ? row["makespan"] : row["counts"]["rounds"];
    CHECK(contains(lines.at(1 + at), fmt::format(",{},{},{},{},", row["counts"]["work"].dump(),
                                                 row["counts"]["operations"].dump(),
                                                 row["span"].dump(), makespan.dump())));
  }
  scratch_directory const scratch;
  for (std::string const figure : {"span", "makespan", "work", "operations"}) {
    auto const plot = scratch.file(figure + ".svg").string();
    auto const drawn = lockstep_with(runs + "--y-axis " + figure + " --plot '" + plot + "'");
    CHECK(drawn.status == 0);
    CHECK(contains(read_file(plot), ">" + figure + "<"));
  }
  // Without work there is a makespan, but no span.
  std::string const prefixes = "sweep prefix --on 'tree:{4,8}' ";
  CHECK(
      lockstep_with(prefixes + "--y-axis makespan --plot '" + scratch.file("p.svg").string() + "'")
          .status == 0);
  auto const refused =
      lockstep_with(prefixes + "--y-axis span --plot '" + scratch.file("s.svg").string() + "'");
  CHECK(refused.status == 2);
  CHECK(contains(refused.err, "none of the runs has a figure 'span'"));
}

TEST_CASE("sweep: JSON has a version, the command, and rows as run prints them") {
  auto const json = json_printed(std::string(two_schemes) + "--json");
  CHECK(json["sweep"] == 1);
  CHECK(json.contains("lockstep"));
  CHECK(json["command"].get<std::string>().starts_with("lockstep sweep all-reduce --on "));
  REQUIRE(json["rows"].size() == 28);
  CHECK(json["crossovers"].size() == 2);
  auto row = json["rows"][3];
  CHECK(row["given"] ==
        nlohmann::ordered_json({{"on", "torus:4x4"}, {"scheme", "ring"}, {"words", "64"}}));
  CHECK(row["status"] == "right");
  auto run =
      json_printed("run all-reduce --on torus:4x4 --scheme ring --words 64 --model loggp --json");
  row.erase("given");
  row.erase("status");
  CHECK(row["time"]["claimed"] == run["time"]["value"]);  // all counts are claimed
  CHECK(row["time"]["bound"] < run["time"]["value"]);
  row["time"].erase("claimed");
  row["time"].erase("bound");
  run.erase("seconds");
  CHECK(row == run);
}

TEST_CASE("sweep: LaTeX is a tabular with the rules of booktabs") {
  auto const out = lockstep_with(std::string(two_schemes) + "--latex --columns steps,bound").out;
  for (auto const* part : {"% lockstep ", "\\begin{tabular}{l", "\\toprule", "\\midrule",
                           "\\bottomrule\n\\end{tabular}\n", "-{}-words", "$\\ge$ 4"})
    CHECK(contains(out, part));
  auto const lines = lines_in(out);
  std::vector<std::ptrdiff_t> columns;
  for (auto const& one : lines)
    if (one.ends_with("\\\\")) columns.push_back(std::ranges::count(one, '&'));
  CHECK(columns.size() == 29);
  CHECK(std::ranges::count(columns, columns.front()) == 29);
}

namespace {

/// Cells of a table's line, which stand two blanks apart.
std::vector<std::string> cells_of(std::string const& line) {
  std::vector<std::string> cells;
  for (std::size_t from = 0; from < line.size();) {
    auto const end = std::min(line.find("  ", from), line.size());
    cells.push_back(line.substr(from, end - from));
    from = std::min(line.find_first_not_of(' ', end), line.size());
  }
  return cells;
}

using text_list = std::vector<std::string>;

}  // namespace

TEST_CASE("sweep: --columns chooses columns, and their order, in each form") {
  std::string const runs =
      "sweep all-reduce --on torus:4x4 --scheme bucket,tree --words 16,64 --model loggp ";
  auto const table = [&](std::string const& columns) {
    auto const run = lockstep_with(runs + "--columns " + columns);
    INFO(run.err);
    CHECK(run.status == 0);
    return lines_in(run.out);
  };
  // What varies leads where no column of it is named.
  auto const chosen = table("words,steps");
  CHECK(cells_of(chosen.at(2)) == text_list{"--scheme", "--words", "words", "steps"});
  CHECK(cells_of(chosen.at(3)) == text_list{"bucket", "16", "30", "12"});
  // A name with dashes, or one that no figure has, is that of an option.
  CHECK(cells_of(table("steps,--words,scheme").at(2)) == text_list{"steps", "--words", "--scheme"});
  CHECK(cells_of(table("--words,steps").at(2)) == text_list{"--words", "steps"});
  // Claims and bounds of the figures that are named, or of all.
  CHECK(cells_of(table("scheme,steps,claim,bound").at(3)) ==
        text_list{"bucket", "12", "= 12", ">= 4"});
  CHECK(cells_of(table("scheme,claim").at(2)) ==
        text_list{"--scheme", "steps claimed", "words claimed", "time claimed"});
  CHECK(cells_of(table("scheme,steps_bound,time").at(2)) ==
        text_list{"--scheme", "steps bound", "time (us)"});
  auto const csv = lines_in(lockstep_with(runs + "--csv --columns steps,scheme,on,bound").out);
  CHECK(csv.at(0) == "steps,--scheme,on,steps_bound");
  CHECK(csv.at(1) == "12,bucket,torus:4x4,4");
  CHECK(lines_in(lockstep_with(runs + "--csv --columns steps").out).at(0) ==
        "--scheme,--words,steps");
  auto const latex = lockstep_with(runs + "--latex --columns steps,contention,claim").out;
  CHECK(contains(latex, "\\begin{tabular}{lrrrr}"));
  CHECK(contains(latex, "-{}-scheme & -{}-words & steps & contention & steps claimed \\\\"));
  CHECK(contains(latex, "\nbucket & 16 & 12 & 1 & = 12 \\\\\n"));
}

TEST_CASE("sweep: --columns goes into pages, too") {
  scratch_directory const scratch;
  auto const file = scratch.file("steps.html");
  REQUIRE(
      lockstep_with("sweep prefix --on 'hypercube:{2,3}' --columns on,hops --plot " + file.string())
          .status == 0);
  auto const page = read_file(file);
  CHECK(contains(page, "on           hops\n"));
  CHECK_FALSE(contains(page, "startups"));
}

TEST_CASE("sweep: columns that there are not are refused with those that there are") {
  auto const refused = [](std::string const& columns, std::string const& part) {
    check_sweep_refused("all-reduce --on torus:4x4 --scheme bucket,tree --columns " + columns,
                        part);
  };
  refused("stps",
          "--columns: there is no column 'stps'; there are algorithm, on, processors, --scheme, "
          "steps, startups, words, volume, messages, hops, contention, work, operations, span, "
          "makespan, time, unit, steps_claimed, steps_bound, words_claimed, words_bound, "
          "time_claimed, time_bound, correct, claim (those of the figures) and bound\n");
  refused("steps,--words", "there is no column '--words'");
  refused("speedup", "there is no column 'speedup'");
  refused("--scheme,scheme", "--columns: 'scheme' is named twice");
  refused("claim,steps_claimed", "--columns: 'steps_claimed' is named twice");
  refused("steps,", "empty value");
  refused("steps --json", "--columns goes with tables, and --json has all");
  CHECK(contains(lockstep_with("sweep reduce --on crossbar:4 --summands 4,16 --sequential words "
                               "--columns speedup")
                     .out,
                 "speedup"));
}

TEST_CASE("sweep: a table for LaTeX leaves out what is the same in all runs, and says it") {
  auto const run = lockstep_with("sweep all-reduce --on 'torus:{4,8}x4' --scheme bucket --latex");
  auto const lines = lines_in(run.out);
  REQUIRE(lines.size() > 8);
  CHECK(lines.at(0) == "% sweep of all-reduce: 2 runs");
  CHECK(contains(run.out, "\n% the same in all runs: contention 1, "));
  CHECK(contains(run.out, ", correct yes\n"));
  CHECK_FALSE(contains(run.out, "& contention"));
  CHECK_FALSE(contains(run.out, "& correct"));
  // Of a single run all is the same.
  auto const single = lockstep_with("sweep prefix --on tree:4 --latex").out;
  CHECK(contains(single, "steps"));
  CHECK_FALSE(contains(single, "the same in all runs"));
}

TEST_CASE("sweep: a table for LaTeX is as wide as a page, and says what it leaves out") {
  auto const out = lockstep_with(
                       "sweep all-reduce --on 'torus:{4,8,16}x{4,8,16}' --algorithm ring,bucket "
                       "--words 1..4096*4 --model paragon --latex")
                       .out;
  CHECK(contains(out, "\non & -{}-scheme & -{}-words & steps & words & time (us) \\\\\n"));
  CHECK(contains(out, "\n% the same as steps in all runs: "));
  CHECK(contains(out, "\n% as claimed in all runs: steps, words, time\n"));
  auto const left = out.find("\n% left out, since a page has no room: ");
  REQUIRE(left != std::string::npos);
  auto const remark = out.substr(left, out.find('\n', left + 1) - left);
  for (auto const* const name : {"processors", "hops", "steps_bound", "; --columns chooses"})
    CHECK(contains(remark, name));
  // More rows than a page has: tables of forty, each with its titles.
  auto const lines = lines_in(out);
  CHECK(std::ranges::count(lines, "\\toprule") == 4);
  CHECK(std::ranges::count_if(lines, [](auto const& one) { return one.ends_with("\\\\"); }) ==
        126 + 4);
}

TEST_CASE("sweep: a plot is XML with a curve for each series, and names its command") {
  scratch_directory const scratch;
  auto const file = scratch.file("plot.svg");
  CHECK(lockstep_with(std::string(two_schemes) + "--plot " + file.string()).status == 0);
  auto const svg = read_file(file);
  CHECK(is_well_formed(svg));
  for (auto const* name : {"torus:4x4, ring", "torus:4x4, tree", "torus:8x4, ring"}) {
    CHECK(contains(svg, fmt::format("<title>{}</title></polyline>", name)));
    CHECK(contains(svg, fmt::format("<title>claimed: {}</title></polyline>", name)));
  }
  CHECK(contains(svg, "<title>lower bound: torus:4x4, ring</title></polyline>"));
  CHECK(contains(svg, "<desc>lockstep 0"));
  CHECK(contains(svg, "--words &quot;1..4096*4&quot; --model loggp --plot "));
  CHECK(contains(svg, ">time (us)</text>"));
  CHECK(lockstep_with(std::string(two_schemes) + "--y hops --x processors --log none --plot " +
                      file.string())
            .status == 0);
  CHECK(contains(read_file(file), ">hops</text>"));
  CHECK(contains(read_file(file), ">processors</text>"));
}

TEST_CASE("sweep: a page has the plot, the curves of speed-up and efficiency, and the table") {
  scratch_directory const scratch;
  auto const file = scratch.file("speed-up.html");
  auto const run = lockstep_with(
      "sweep reduce --on 'crossbar:{4,16}' --summands 16,256 --sequential '(p summands - 1) words' "
      "--isoefficiency 0.5 --x processors --plot " +
      file.string());
  INFO(run.err);
  REQUIRE(run.status == 0);
  auto const page = read_file(file);
  std::size_t at = 0;
  for (std::string const y : {"steps", "speedup", "efficiency", "least summands"}) {
    INFO(y);
    auto const begin = page.find("<svg", at);
    REQUIRE(begin != std::string::npos);
    at = page.find("</svg>", begin) + std::string("</svg>").size();
    auto const picture = page.substr(begin, at - begin);
    CHECK(is_well_formed(picture));
    CHECK(contains(picture, ">" + y + "<"));
  }
  CHECK(page.find("<svg", at) == std::string::npos);
  auto const after = page.find("<pre", at);
  auto const text = page.substr(after);
  for (auto const& line : lines_in(run.out))
    if (line.find_first_of("<>\"&") == std::string::npos) CHECK(contains(text, line));
  CHECK(contains(text, "isoefficiency, at least 0.5"));
  // Nothing is fetched.
  CHECK_FALSE(contains(page, "src="));
  CHECK_FALSE(contains(page, "href="));
  auto const without = scratch.file("steps.html");
  REQUIRE(lockstep_with("sweep prefix --on 'hypercube:{2,3}' --plot " + without.string()).status ==
          0);
  auto const plain = read_file(without);
  CHECK(plain.find("<svg") == plain.rfind("<svg"));
  CHECK_FALSE(contains(plain, "speedup"));
}

TEST_CASE("sweep: output is the same, byte for byte, however many runs there are at a time") {
  scratch_directory const scratch;
  auto const plot = scratch.file("plot.svg");
  auto const printed = [&](std::string const& form, int parallel) {
    auto const run = lockstep_with(
        fmt::format("{}{} --plot {} --parallel {}", two_schemes, form, plot.string(), parallel));
    CHECK(run.status == 0);
    return run.out + read_file(plot);
  };
  for (auto const* form : {"", "--csv", "--json", "--latex"}) {
    auto const one = printed(form, 1);
    CHECK(one == printed(form, 2));
    CHECK(one == printed(form, 7));
  }
}

TEST_CASE("sweep: finished runs are kept, and a sweep goes on from them") {
  scratch_directory const scratch;
  auto const rows = scratch.file("rows").string();
  auto const command = std::string(two_schemes) + "--json --parallel 1";
  auto const whole = lockstep_with(command).out;
  CHECK(lockstep_with(command + " --resume " + rows).out == whole);
  auto const kept = read_file(rows);
  CHECK(lines_of(kept) == 29);

  // Interrupted in the eleventh row.
  auto const lines = lines_in(kept);
  std::string begun;
  for (std::size_t i = 0; i < 11; ++i) begun += lines[i] + '\n';
  scratch.write("rows", begun + lines[11].substr(0, 40));
  CHECK(lockstep_with(command + " --resume " + rows).out == whole);
  CHECK(read_file(rows) == kept);

  // A finished row is not run again, and the form of what is printed does not matter.
  auto changed = lines;
  auto const place = changed[1].find("\"steps\":30");
  REQUIRE(place != std::string::npos);
  changed[1].replace(place, 10, "\"steps\":77");
  scratch.write("rows", fmt::format("{}\n{}\n", changed[0], changed[1]));
  auto const resumed = lockstep_with(std::string(two_schemes) + "--csv --resume " + rows).out;
  CHECK(lines_in(resumed).at(1).starts_with("all-reduce,torus:4x4,16,ring,1,77,"));
}

TEST_CASE("sweep: a file to go on from that is of something else is refused, and stays") {
  scratch_directory const scratch;
  auto const rows = scratch.write("rows", "1,2,3\n").string();
  check_sweep_refused("prefix --on tree:4 --resume " + rows, "is not of this command");
  CHECK(read_file(rows) == "1,2,3\n");
  auto const others = scratch.file("others").string();
  CHECK(lockstep_with("sweep prefix --on 'tree:{4,8}' --resume " + others).status == 0);
  check_sweep_refused("prefix --on 'tree:{4,9}' --resume " + others, "is not of this command");
  check_sweep_refused("prefix --on tree:4 --resume " + scratch.file("none/rows").string(),
                      "cannot be written");
  check_sweep_refused("prefix --on tree:4 --resume " + scratch.file("").string(),
                      "is not a file for rows; name another");
  check_sweep_refused("prefix --on tree:4 --resume /dev/full", "is not a file for rows");
  // A whole line that is not a row.
  auto const kept = scratch.file("kept").string();
  CHECK(lockstep_with("sweep prefix --on tree:4 --resume " + kept).status == 0);
  auto const head = lines_in(read_file(kept)).at(0) + '\n';
  for (auto const* const line : {R"({"place":0,"row":1})", R"({"place":"a","row":{}})",
                                 R"({"place":-1,"row":{}})", "{}", "garbage"}) {
    INFO(line);
    scratch.write("kept", head + line + '\n');
    check_sweep_refused("prefix --on tree:4 --resume " + kept, "has no finished run in line 2");
    CHECK(read_file(kept) == head + line + '\n');
  }
  scratch.write("kept", head + R"({"place":0,"row":{}})" + '\n');
  check_sweep_refused("prefix --on tree:4 --resume " + kept, "has no status of run 0");
}

TEST_CASE("sweep: combinations that do not fit are left out, and counted") {
  auto const command =
      "sweep all-reduce --on 'ring:{4,8},hypercube:3' --scheme ring,"
      "recursive-doubling ";
  auto const run = lockstep_with(std::string(command) + "--csv");
  CHECK(run.status == 0);
  CHECK(lines_of(run.out) == 4 + 1);
  CHECK(run.err.starts_with(
      "lockstep: 2 of 6 combinations left out: recursive-doubling on ring:4, ring:8; the first: "
      "all_reduce: the scheme recursive-doubling does not fit ring:4; take binomial, "));
  CHECK(lines_of(run.err) == 1);
  auto const json = json_printed(std::string(command) + "--json");
  REQUIRE(json["rows"].size() == 6);
  CHECK(json["rows"][1]["status"] == "left out");
  CHECK(contains(json["rows"][1]["reason"].get<std::string>(), "recursive-doubling"));
  check_sweep_refused("all-reduce --on 'ring:{4,8}' --scheme recursive-doubling",
                      "none of 2 combinations fits; the first: ");
  check_sweep_refused("all-reduce --on nowhere:4", "nowhere");
}

TEST_CASE("sweep: each algorithm and network that is left out is named, as it is typed") {
  auto const run =
      lockstep_with("sweep all-reduce,prefix,bitonic-sort --on 'ring:{2,4},hypercube:{2,3}' --csv");
  CHECK(run.status == 0);
  CHECK(run.err ==
        "lockstep: 4 of 12 combinations left out: prefix on ring:2, ring:4; bitonic-sort on "
        "ring:2, ring:4; the first: prefix: ring:2 is not a tree, hypercube or shuffle-exchange; "
        "take tree:4, hypercube:4 or shuffle-exchange:4, for example\n");
  CHECK_FALSE(contains(run.err, "torus"));
}

TEST_CASE("sweep: an algorithm without any run is named first") {
  auto const run = lockstep_with("sweep all-reduce,prefix --on 'ring:{2,4}'");
  CHECK(run.status == 0);
  auto const notes = lines_in(run.err);
  REQUIRE(notes.size() == 2);
  CHECK(notes[0] == "lockstep: NO RUN of prefix: it fits none of its 2 combinations");
  CHECK(contains(notes[1], "2 of 4 combinations left out: prefix on ring:2, ring:4"));
  CHECK(contains(run.out, "\nNO RUN\nprefix: ring:2 is not a tree"));
  auto const latex = lockstep_with("sweep all-reduce,prefix --on 'ring:{2,4}' --latex").out;
  CHECK(contains(latex, "\n% no run of prefix\n"));
}

TEST_CASE("sweep: what is left out is a list with an end") {
  auto const run = lockstep_with("sweep all-reduce,prefix --on 'ring:{2..21},tree:3' --csv");
  CHECK(contains(run.err,
                 "20 of 42 combinations left out: prefix on ring:2, ring:3, ring:4, ring:5, "
                 "ring:6, ring:7, ring:8, ring:9, ring:10, ring:11, ring:12, ring:13 and 8 "
                 "more; the first: "));
  // The one whose reason is told stands first.
  auto const order = lockstep_with(
      "sweep all-reduce --on 'torus:4x4,hypercube:3' --scheme bucket,recursive-doubling --csv");
  CHECK(contains(order.err,
                 "left out: recursive-doubling on torus:4x4; bucket on hypercube:3; the "
                 "first: all_reduce: the scheme recursive-doubling does not fit"));
  // A network that some of the values fit says how many do not.
  auto const values = lockstep_with("sweep fft --on 'crossbar:{4,8}' --n 4,64,128 --csv");
  CHECK(contains(values.err, "1 of 6 combinations left out: fft on crossbar:8 (1 of 3); the "));
}

TEST_CASE("sweep: a network is named as it is typed, in the headline, too") {
  CHECK(lockstep_with("sweep all-reduce --on ring:4 --words 1,2")
            .out.starts_with("sweep of all-reduce on ring:4: 2 runs\n"));
  CHECK(contains(lockstep_with("sweep all-reduce --on ring:4 --words 1,2 --csv").out,
                 "\nall-reduce,ring:4,4,1,"));
  check_sweep_refused("prefix --on ring:4", "prefix: ring:4 is not a tree");
}

TEST_CASE("sweep: what is wrong, or fails, is said, and ends in status 1") {
  std::string text;
  CHECK(swept(wrong_on_four, text) == cli::exit_status::wrong);
  CHECK(
      contains(text, "\nWRONG\non crossbar:4: the result differs from a sequential computation\n"));
  CHECK_FALSE(contains(text, "on crossbar:8: "));
  CHECK(swept(run_into_deadlock, text) == cli::exit_status::wrong);
  CHECK(contains(text, "on crossbar:8: "));
  CHECK(contains(text, "nobody can go on"));
  CHECK(contains(text, "failed"));
}

TEST_CASE("sweep: bad usage is refused in one line") {
  check_sweep_refused("", "name an algorithm: lockstep sweep ALGORITHM --on TOPOLOGY");
  check_sweep_refused("prefix", "give a topology: lockstep sweep prefix --on ");
  check_sweep_refused("prefixx --on ring:4", "did you mean prefix");
  check_sweep_refused("prefix, --on ring:4", "empty value");
  check_sweep_refused("prefix --on tree:4 --seed 1..", "is not a range");
  check_sweep_refused("prefix --on tree:4 --seed 1,x", "--seed: 'x' is not a whole number");
  check_sweep_refused("prefix --on tree:4 --words 1..4", "prefix has no parameter --words");
  check_sweep_refused("prefix --on tree:4 tree:8", "quotes");
  check_sweep_refused("all-reduce --on ring:4 --scheme ring,rign",
                      "--scheme: 'rign' is not one of");
  check_sweep_refused("all-reduce --on ring:4 --algorithm rign",
                      "--algorithm: 'rign' is not one of");
  check_sweep_refused("matrix-sum --on crossbar:4 --algorithm ring", "has no schemes");
  check_sweep_refused("all-reduce --on ring:4 --algorithm ring --scheme tree", "one of the two");
  check_sweep_refused("prefix --on tree:4 --csv --json", "one of --csv, --json and --latex");
  check_sweep_refused("prefix --on tree:4 --plot a.png", "ends in .svg, .pdf or .html");
  check_sweep_refused("prefix --on tree:4 --plot /nowhere/a.svg", "/nowhere/a.svg");
  check_sweep_refused("prefix --on tree:4 --plot a.svg --log z", "--log: 'z' is not one of");
  check_sweep_refused("prefix --on tree:4 --log x", "--log goes with --plot");
  check_sweep_refused("prefix --on tree:4 --x words",
                      "is not among the numbers that vary: processors");
  check_sweep_refused("prefix --on 'tree:{3,4}' --x procesors",
                      "--x-axis: 'procesors' is not among the numbers that vary: processors (or "
                      "p); did you mean processors?");
  check_sweep_refused("prefix --on 'tree:{3,4}' --x on",
                      "--x-axis: 'on' is not among the numbers that vary: processors (or p)");
  check_sweep_refused("prefix --on tree:4 --y time", "--model paragon");
  check_sweep_refused("prefix --on tree:4 --y flops", "figure 'flops'");
  check_sweep_refused("prefix --on tree:4 --model nobody", "no cost model 'nobody'");
  check_sweep_refused("prefix --on tree:4 --parallel -1", "--parallel: give a number");
  check_sweep_refused("prefix --on tree:4 --output x", "there is no option --output");
  check_sweep_refused("prefix --on tree:4 --table", "there is no option --table");
  check_sweep_refused("all-reduce --on 'ring:{2..1000}' --words 1..200",
                      "at most 100000 combinations");
  CHECK(contains(lockstep_with("sweep --help").out, "--resume"));
}

TEST_CASE("sweep: a plot's title names the model, and none of several") {
  scratch_directory const scratch;
  auto const title_with = [&](std::string const& models) {
    auto const file = scratch.file("times.svg");
    CHECK(lockstep_with("sweep all-reduce --on 'ring:{4,8}' --model " + models + " --plot " +
                        file.string())
              .status == 0);
    auto const page = read_file(file);
    auto const from = page.find("<title>") + 7;
    return page.substr(from, page.find("</title>") - from);
  };
  CHECK(title_with("paragon") == "all-reduce, priced by paragon");
  CHECK(title_with("paragon,sp2") == "all-reduce");
}

TEST_CASE("sweep: a plot has the size that is asked for, in each unit and form") {
  scratch_directory const scratch;
  std::string const runs = "sweep prefix --on 'hypercube:{2..5}' --plot ";
  auto const drawn_as = [&](std::string const& name, std::string const& size) {
    auto const file = scratch.file(name).string();
    auto const run = lockstep_with(runs + file + " --plot-size " + size);
    INFO(run.err);
    CHECK(run.status == 0);
    return read_file(file);
  };
  auto const svg = drawn_as("inches.svg", "3.4x2.5in");
  CHECK(is_well_formed(svg));
  CHECK(contains(svg, "width=\"244.8pt\" height=\"180pt\" viewBox=\"0 0 244.8 180\""));
  CHECK(contains(svg, "font-size=\"8\""));
  CHECK(contains(drawn_as("mm.svg", "86.36x63.5mm"), "width=\"244.8pt\" height=\"180pt\""));
  CHECK(contains(drawn_as("cm.svg", "8.636x6.35cm"), "width=\"244.8pt\" height=\"180pt\""));
  CHECK(contains(drawn_as("pt.svg", "244.8x180pt"), "width=\"244.8pt\" height=\"180pt\""));
  CHECK(contains(drawn_as("column.svg", "column"), "width=\"244.8pt\""));
  CHECK(contains(drawn_as("inches.pdf", "3.4x2.5in"), "/MediaBox [0 0 244.8 180]"));
  CHECK(contains(drawn_as("page.html", "3.4x2.5in"), "width=\"244.8pt\""));
  CHECK(drawn_as("inches.pdf", "3.4x2.5in") == drawn_as("inches.pdf", "3.4x2.5in"));
}

TEST_CASE("sweep: a size that cannot be read, or without room, is refused in one line") {
  scratch_directory const scratch;
  auto const file = scratch.file("steps.svg").string();
  for (auto const* const size : {"wide", "3.4", "3.4x2.5", "x2in", "3.4xin", "0x2in", "-3x2in",
                                 "3.4x2.5x1in", "nanx2in", "1e9x2in", "3.4x0in"})
    check_sweep_refused("prefix --on 'tree:{3,4}' --plot " + file + " --plot-size=" + size,
                        fmt::format("--plot-size: '{}' is not a size up to 100 inches; write "
                                    "3.4x2.5in",
                                    size));
  check_sweep_refused("prefix --on 'tree:{3,4}' --plot-size column",
                      "--plot-size goes with --plot FILE");
  // Whether there is room is known when the runs have been made: their table is not lost.
  auto const run =
      lockstep_with("sweep prefix --on 'tree:{3,4}' --plot-size 3.4x0.8in --plot " + file);
  CHECK(run.status == 2);
  CHECK(contains(run.err, "3.4 x 0.8 inches leave no room for curves"));
  CHECK(contains(run.out, "sweep of prefix: 2 runs"));
  CHECK_FALSE(std::filesystem::exists(file));
}

TEST_CASE("sweep: what is left out is named by algorithm and scheme, not by other options") {
  auto const of_engines =
      lockstep_with("sweep prefix --on 'ring:4,hypercube:2' --engine fibers,threads");
  CHECK(contains(of_engines.err, "2 of 4 combinations left out: prefix on ring:4; the first: "));
  auto const of_groups =
      lockstep_with("sweep all-to-all --on 'torus:{2,4}x4' --groups 4x4,none --columns steps");
  CHECK(contains(of_groups.err, "combinations left out: all-to-all on torus:2x4"));
  CHECK_FALSE(contains(of_groups.err, "NO RUN"));
}

TEST_CASE("sweep: a LaTeX table has one figure at least, and says where it is too wide") {
  auto const alike = lockstep_with("sweep all-reduce --on ring:4 --seed 1..3 --latex").out;
  CHECK(contains(alike, "seed & steps \\\\\n"));
  std::string circle;
  for (int i = 0; i < 30; ++i)
    circle += fmt::format("{}{}-{}", i == 0 ? "" : "\\,", i, (i + 1) % 30);
  auto const wide =
      lockstep_with("sweep all-reduce --on 'graph:" + circle + ",graph:0-1\\,1-2\\,2-0' --latex")
          .out;
  CHECK(contains(wide, "on & steps \\\\\n"));
  CHECK(contains(wide, "% wider than the lines of an article, by some "));
  CHECK_FALSE(contains(wide, "the same as steps_claimed"));
  auto const priced =
      lockstep_with(
          "sweep all-reduce,broadcast --on torus:4x4,mesh:4x4 --model bdm,paragon,bsp,cm5 "
          "--words 100,200 --seed 1,2 --latex")
          .out;
  CHECK(contains(priced, "& time"));
}

TEST_CASE("sweep: cells that LaTeX would take for something else are guarded") {
  scratch_directory const scratch;
  auto const file = scratch.write("in.csv", "[x,*y,|z\n1,2,3\n3,4,5\n4,5,6\n5,5,5\n").string();
  auto const table = lockstep_with("sweep prefix --on hypercube:2 --input " + file +
                                   " --column '[x,*y,|z' --columns column,steps --latex")
                         .out;
  CHECK(contains(table, "\n{}[x & "));
  CHECK(contains(table, "\n{}*y & "));
  CHECK(contains(table, "\n$|$z & "));
}

TEST_CASE("sweep: times in two units stand in the table, and on no axis together") {
  scratch_directory const scratch;
  auto const file = scratch.file("times.svg");
  std::string const sweep = "prefix --on 'tree:{3,4}' --model paragon,unit-steps";
  check_sweep_refused(sweep + " --plot " + file.string(),
                      "times in steps and in us have no axis together; take models of one unit, or "
                      "another --y-axis");
  CHECK_FALSE(std::filesystem::exists(file));
  auto const table = lockstep_with("sweep " + sweep);
  CHECK(table.status == 0);
  CHECK(contains(table.out, "unit"));
  CHECK_FALSE(contains(table.out, "is cheaper than"));
  // Other figures have an axis, and so have times of two models in one unit.
  CHECK(lockstep_with("sweep " + sweep + " --y-axis steps --plot " + file.string()).status == 0);
  CHECK(contains(read_file(file), ">steps</text>"));
  CHECK(
      lockstep_with("sweep prefix --on 'tree:{3,4}' --model paragon,loggp --plot " + file.string())
          .status == 0);
  CHECK(contains(read_file(file), ">time (us)</text>"));
}

TEST_CASE("sweep: programs with algorithms of their own have it, too") {
  auto const run = in_shell(LOCKSTEP_OWN_PROGRAM " sweep right --on 'hypercube:{2..4}' --csv");
  CHECK(run.status == 0);
  CHECK(lines_of(run.out) == 4);
  auto const wrong = in_shell(LOCKSTEP_OWN_PROGRAM " sweep right,wrong --on 'hypercube:3'");
  CHECK(wrong.status == 1);
  CHECK(contains(wrong.out, "algorithm wrong: the result differs"));
  auto const single = in_shell(LOCKSTEP_OWN_PROGRAM " sweep wrong --on hypercube:3");
  CHECK(contains(single.out, "\nwrong: the result differs"));
  CHECK(in_shell(LOCKSTEP_OWN_PROGRAM "_plain sweep --on 'hypercube:{2..4}'").status == 0);
}
