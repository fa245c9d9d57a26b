#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <lockstep/errors.hpp>
#include <lockstep/lower_bounds.hpp>
#include <lockstep/sweep_output.hpp>

#include "commands/usage_error.hpp"
#include "finished_rows.hpp"

namespace lockstep {

namespace {

using nlohmann::ordered_json;

struct named_count {
  std::string_view name;
  std::uint64_t counts::*count;
};

constexpr std::array all_counts{named_count{"steps", &counts::steps},
                                named_count{"rounds", &counts::rounds},
                                named_count{"startups", &counts::startups},
                                named_count{"words", &counts::words},
                                named_count{"volume", &counts::volume},
                                named_count{"messages", &counts::messages},
                                named_count{"hops", &counts::hops},
                                named_count{"barriers", &counts::barriers},
                                named_count{"rearrangements", &counts::rearrangements},
                                named_count{"rearranged", &counts::rearranged},
                                named_count{"contention", &counts::contention},
                                named_count{"serialised_steps", &counts::serialised_steps},
                                named_count{"queued", &counts::queued},
                                named_count{"link_words", &counts::link_words},
                                named_count{"hot_startups", &counts::hot_startups},
                                named_count{"work", &counts::work},
                                named_count{"operations", &counts::operations},
                                named_count{"memory", &counts::memory}};
static_assert(sizeof(counts) == all_counts.size() * sizeof(std::uint64_t));

ordered_json as_json(sweep_point const& run) {
  ordered_json json{{"has_ended", run.has_ended}, {"error", run.error}, {"report", run.report}};
  for (auto const& [name, count] : all_counts)
    json["counts"][std::string(name)] = run.counts.*count;
  json["makespan"] = run.makespan;
  json["span"] = run.span;
  json["bounds"] = ordered_json::array();
  for (auto const& one : run.bounds)
    json["bounds"].push_back({{"figure", one.figure},
                              {"formula", one.formula},
                              {"value", one.value},
                              {"source", one.source},
                              {"reason", static_cast<int>(one.reason)}});
  return json;
}

sweep_point run_from(ordered_json const& json) {
  sweep_point run;
  run.has_ended = json.at("has_ended").get<bool>();
  run.error = json.at("error").get<std::string>();
  run.report = json.at("report").get<std::string>();
  for (auto const& [name, count] : all_counts)
    run.counts.*count = json.at("counts").at(std::string(name)).get<std::uint64_t>();
  run.makespan = json.at("makespan").get<std::uint64_t>();
  run.span = json.at("span").get<std::uint64_t>();
  for (auto const& one : json.at("bounds"))
    run.bounds.push_back({one.at("figure").get<std::string>(), one.at("formula").get<std::string>(),
                          one.at("value").get<std::uint64_t>(), one.at("source").get<std::string>(),
                          static_cast<bound_reason>(one.at("reason").get<int>())});
  return run;
}

/// A store in a file of finished rows.
class file_of_runs final : public run_store {
 public:
  file_of_runs(std::filesystem::path file, std::string program)
      : m_file(std::move(file)), m_program(std::move(program)) {}

  [[nodiscard]] std::map<std::size_t, sweep_point> begin(std::string const& text) override {
    try {
      m_rows.emplace(m_file, LOCKSTEP_VERSION, fmt::format("{}: {}", m_program, text),
                     "runs_in_file", "this program, this sweep and this version");
      std::map<std::size_t, sweep_point> finished;
      for (auto const& [place, row] : m_rows->rows()) finished.emplace(place, run_from(row));
      return finished;
    } catch (cli::usage_error const& problem) {
      throw invalid_argument(problem.what());
    } catch (ordered_json::exception const&) {
      throw invalid_argument(
          fmt::format("runs_in_file: {} has a line that is not a run; remove it", m_file.string()));
    }
  }

  void keep(std::size_t place, sweep_point const& run) override {
    m_rows.value().add(place, as_json(run));
  }

 private:
  std::filesystem::path m_file;
  std::string m_program;
  std::optional<cli::finished_rows> m_rows;
};

}  // namespace

std::shared_ptr<run_store> runs_in_file(std::filesystem::path file, std::string program) {
  return std::make_shared<file_of_runs>(std::move(file), std::move(program));
}

}  // namespace lockstep
