#include "algorithm_pages.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <stdexcept>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <lockstep/detail/message_log.hpp>
#include <lockstep/judgement.hpp>
#include <lockstep/topologies/parse.hpp>

#include "algorithm_text.hpp"
#include "formula.hpp"
#include "markdown.hpp"
#include "problem_pages.hpp"
#include "problems.hpp"
#include "space_time.hpp"

namespace lockstep::docs {

namespace {

/// An algorithm on one network.
struct measured_example {
  std::string on;
  experiment_result result;
};

/// Networks on which the same is claimed, by the same formulas.
struct similar_examples {
  std::vector<measured_example> members;

  [[nodiscard]] std::vector<claim> const& claims() const { return members.front().result.claims; }
  [[nodiscard]] std::string names() const {
    std::vector<std::string> all;
    all.reserve(members.size());
    for (auto const& one : members) all.push_back(one.on);
    return fmt::format("{}", fmt::join(all, ", "));
  }
};

/// A formula, typeset where it is not in words.
std::string shown_formula(std::string const& formula) {
  auto const typeset_one = typeset(formula);
  return typeset_one.empty() ? plain(formula) : typeset_one;
}

measured_example measured(experiment const& which, std::string const& on) {
  experiment_request asked{.network = parse(on)};
  asked.options.ports = which.default_ports;
  for (auto const& taken : which.parameters) asked.parameters[taken.name] = taken.fallback;
  asked.parameters["seed"] = std::int64_t{1};
  measured_example example{.on = on, .result = which.run(asked)};
  if (!example.result.correct)
    throw std::runtime_error(fmt::format("{} on {}: a wrong result", which.name, on));
  for (auto const& claimed : example.result.claims)
    if (judge(claimed, measured_for(claimed, example.result)).is_fault)
      throw std::runtime_error(
          fmt::format("{} on {}: {} are not as claimed", which.name, on, claimed.figure));
  return example;
}

std::string family_of(std::string_view spec) { return std::string(spec.substr(0, spec.find(':'))); }

/// Whether one table does for both.
bool is_alike(measured_example const& one, measured_example const& other) {
  return family_of(one.on) == family_of(other.on) &&
         std::ranges::equal(one.result.claims, other.result.claims,
                            [](claim const& a, claim const& b) {
                              return a.figure == b.figure && a.formula == b.formula &&
                                     a.bound == b.bound && a.source == b.source;
                            });
}

std::vector<similar_examples> measured_examples(experiment const& which) {
  std::vector<similar_examples> groups;
  for (auto const& on : which.examples) {
    auto example = measured(which, on);
    auto const group = std::ranges::find_if(
        groups, [&](auto const& one) { return is_alike(one.members.front(), example); });
    if (group == groups.end())
      groups.push_back({.members = {std::move(example)}});
    else
      group->members.push_back(std::move(example));
  }
  for (auto& group : groups)
    std::ranges::sort(group.members, {}, [](measured_example const& one) {
      return one.result.record.processors().size();
    });
  return groups;
}

std::string typeset_symbol(comparison bound) {
  if (bound == comparison::order || bound == comparison::about) return std::string(symbol(bound));
  return bound == comparison::equal ? R"(\f$=\f$)" : R"(\f$\le\f$)";
}

std::string cost_table(similar_examples const& group) {
  std::string text = "| figure | | formula | source |\n|---|---|---|---|\n";
  for (auto const& claimed : group.claims())
    text +=
        fmt::format("| {} | {} | {} | {} |\n", plain(claimed.figure), typeset_symbol(claimed.bound),
                    shown_formula(claimed.formula), plain(claimed.source));
  return text;
}

std::string measured_cell(claim const& claimed, experiment_result const& result) {
  auto const value = measured_for(claimed, result);
  auto const text = as_text(value);
  auto const verdict = judge(claimed, value).verdict;
  if (verdict == claim_verdict::equal || verdict == claim_verdict::holds)
    return fmt::format("{} {} {}", text, plain(symbol(claimed.bound)), as_text(claimed.value()));
  return fmt::format("{}; {} {}: {}", text, plain(symbol(claimed.bound)), as_text(claimed.value()),
                     name_of(verdict));
}

/// A row for each figure that has a lower bound.
std::string bound_rows(similar_examples const& group) {
  std::string text;
  for_each_figure(counts{}, [&](std::string_view figure, std::uint64_t) {
    std::string cells;
    bool is_bounded = false;
    for (auto const& one : group.members) {
      auto const* const bound = strongest(one.result.bounds, figure);
      is_bounded = is_bounded || bound != nullptr;
      cells += bound == nullptr
                   ? " |"
                   : fmt::format(" {} \\>= {} |", metric_value(one.result.record.counts(), figure),
                                 bound->value);
    }
    if (is_bounded) text += fmt::format("| {} | lower bound |{}\n", plain(figure), cells);
  });
  return text;
}

std::string measured_table(similar_examples const& group) {
  std::string text = "| figure | formula |";
  std::string rule = "|---|---|";
  for (auto const& one : group.members) {
    text += fmt::format(" {} |", one.on);
    rule += "---|";
  }
  text += '\n' + rule + '\n';
  for (std::size_t i = 0; i < group.claims().size(); ++i) {
    text += fmt::format("| {} | {} |", plain(group.claims()[i].figure),
                        shown_formula(group.claims()[i].formula));
    for (auto const& one : group.members)
      text += fmt::format(" {} |", measured_cell(one.result.claims[i], one.result));
    text += '\n';
  }
  return text + bound_rows(group);
}

std::string errata_section(experiment const& which, std::vector<similar_examples> const& groups) {
  std::map<std::pair<std::string, std::string>, std::vector<std::string>> found;
  for (auto const& group : groups)
    for (auto const& one : group.members)
      for (auto const& claimed : one.result.claims)
        if (auto const judged = judge(claimed, measured_for(claimed, one.result));
            !judged.reason.empty())
          found[{fmt::format("{}: {}", claimed.figure, name_of(judged.verdict)), judged.reason}]
              .push_back(one.on);
  std::string text;
  for (auto const& [what, where] : found)
    text += fmt::format("- {} ({}): {}\n", plain(what.first), fmt::join(where, ", "),
                        plain(what.second));
  if (found.empty()) text += "On these networks every claim holds.\n";
  if (auto const page = errata_page(which.source); !page.empty())
    text += fmt::format("\nAll that is wrong in the paper: [errata](../{}).\n", page);
  return text;
}

/// Writes the run's name, its page of the gallery, and a picture of it, which
/// `write_algorithm_pages` draws.
std::string picture_section(experiment const& which) {
  return fmt::format(
      "\\htmlonly<iframe src=\"gallery/{0}.html\" title=\"{0} on {1}, step by step\" "
      "style=\"width: 100%; height: 60rem; border: 0\" loading=\"lazy\"></iframe>\n"
      "<p><a href=\"gallery/{0}.html\">In a window of its own</a></p>\\endhtmlonly\n\n"
      "The page is that of `lockstep view {2}`. All of it in one picture: a line for each "
      "processor "
      "and a column for each step. An arrow is a message, from its sender to its receiver. The "
      "more "
      "words it has, the thicker it is, and its colour is that of the phase. The same in a "
      "terminal: `lockstep explain {2}`.\n\n"
      "![The messages of {0} on {1}, step by step]({0}.svg)\n",
      which.name, which.teaching.on, teaching_command(which));
}

std::string call_section(experiment const& which) {
  auto const function = which.call.substr(0, which.call.find('('));
  return fmt::format(
      "Each processor calls `{}`, which `<{}>` declares. Parameters, errors, and what it costs: "
      "{}().\n",
      which.call, which.header, function);
}

std::string options_section(experiment const& which) {
  auto text = options_table(which);
  if (text.empty()) text = "None of its own.\n";
  return text +
         "\nThe options of every run, such as `--model` and `--json`: "
         "`lockstep run --help`.\n";
}

std::string cost_section(std::vector<similar_examples> const& groups) {
  std::string text;
  for (auto const& group : groups)
    text += fmt::format("### On {}\n\n{}\n", group.names(), cost_table(group));
  return text;
}

std::string measured_section(std::vector<similar_examples> const& groups) {
  std::string text =
      "Each cell: what a run counted, beside what is claimed. A lower bound is what no program for "
      "the same problem can do with less of. Every result was checked against a sequential "
      "computation.\n\n";
  for (auto const& group : groups)
    text += fmt::format("### On {}\n\n{}\n", group.names(), measured_table(group));
  return text;
}

}  // namespace

std::string page_of(experiment const& which) {
  auto const groups = measured_examples(which);
  std::string text = fmt::format("# {}\n\n{}.\n\nRuns on: {}.\n", which.name,
                                 plain(sentence(which.summary)), plain(which.topologies));
  text += fmt::format("\n## How it works\n\n{}", how_it_works(which));
  text += "\n## Step by step\n\n" + picture_section(which);
  text += "\n## In C++\n\n" + call_section(which);
  text += fmt::format("\n## Try it\n\n```sh\nlockstep run {} --on {}\n```\n", which.name,
                      which.examples.front());
  text += "\n## Cost\n\n" + cost_section(groups);
  text += "## Measured\n\n" + measured_section(groups);
  text += "## Errata\n\n" + errata_section(which, groups);
  text += "\n## Options\n\n" + options_section(which);
  text += fmt::format("\n## Source\n\n{}\n", plain(which.source));
  return text;
}

std::string picture_of(experiment const& which) {
  detail::message_log log;
  std::array<observer*, 1> const watching{&log};
  auto asked = teaching_request(which);
  asked.observers = watching;
  auto const result = which.run(asked);
  if (!result.correct)
    throw std::runtime_error(fmt::format("{}: a wrong result", teaching_command(which)));
  return space_time_diagram(*asked.network, result.record, log.messages());
}

void write_algorithm_pages(std::filesystem::path const& folder) {
  std::filesystem::remove_all(folder);
  std::filesystem::create_directories(folder / "algorithms");
  for (auto const& which : experiments()) {
    write_file(folder / "algorithms" / (which.name + ".md"), page_of(which));
    write_file(folder / "algorithms" / (which.name + ".svg"), picture_of(which));
  }
  write_file(folder / "algorithms.md", index_of_algorithms(algorithm_links::page_each));
}

}  // namespace lockstep::docs
