#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <map>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include <lockstep/errors.hpp>
#include <lockstep/experiments/registry.hpp>
#include <lockstep/topologies/parse.hpp>

#include "catch.hpp"

// A formula is stated once, where it is claimed. What a header's docstring says of costs is quoted from
// there: each formula before "steps", "words", ... in a paragraph that begins with **Cost** is one that
// an algorithm of the header's folder claims of its steps, its words, ...

namespace {

using words_of_text = std::vector<std::string>;

/// The figure of counts that a word of a docstring stands for; empty for other words.
std::string figure_named(std::string const& word) {
  static std::map<std::string, std::string> const figures{
      {"step", "steps"},         {"steps", "steps"},   {"start-up", "startups"},
      {"start-ups", "startups"}, {"words", "words"},   {"hops", "hops"},
      {"messages", "messages"},  {"rounds", "rounds"}, {"rearrangements", "rearrangements"}};
  auto const found = figures.find(word.substr(0, word.find_first_of(",;:.)")));
  return found == figures.end() ? "" : found->second;
}

bool ends_a_clause(std::string const& word) {
  return std::string_view(",;:").find(word.back()) != std::string_view::npos;
}

/// Whether it can be a part of a formula: a number, a letter, an operator, a function with its argument.
bool is_of_a_formula(std::string const& word) {
  static std::regex const pattern(R"(.*[0-9()^/+*].*|-|sum|log|N_.|[b-zA-Z])");
  return !word.starts_with("(pipelined") && std::regex_match(word, pattern);
}

/// A formula that a docstring quotes, without spaces, and what of.
struct quotation {
  std::string figure, formula;
};

/// Finds each run of parts of a formula that stands before the name of a figure: "C/2 + 2 steps and
/// start-ups" are two. "packets of m words" and "n words," say how large something is.
std::vector<quotation> quotations_in(words_of_text const& text) {
  std::vector<quotation> found;
  for (std::size_t i = 1; i < text.size(); ++i) {
    auto figure = figure_named(text[i]);
    if (figure.empty()) continue;
    auto first = i;
    while (first > 0 && is_of_a_formula(text[first - 1]) && !ends_a_clause(text[first - 1]))
      --first;
    if (first == i || (first + 1 == i && (text[first] == "m" || text[first] == "n"))) continue;
    std::string formula;
    for (auto part = first; part < i; ++part) formula += text[part];
    found.push_back({figure, formula});
    for (auto next = i + 1; next < text.size() && !text[next - 1].ends_with('.'); ++next) {
      if (text[next] == "and") continue;
      figure = figure_named(text[next]);
      if (figure.empty()) break;
      found.push_back({figure, formula});
    }
  }
  return found;
}

void add_words(words_of_text& words, std::string const& text) {
  std::istringstream split(text);
  for (std::string word; split >> word;) words.push_back(word);
}

words_of_text cells_of(std::string const& row) {
  words_of_text cells;
  std::istringstream split(row.substr(1));
  for (std::string cell; std::getline(split, cell, '|');) cells.push_back(cell);
  return cells;
}

/// Reads a row of a table: "| relay | 12k + 10d - 24 |" under "| scheme | steps |" is "12k + 10d - 24
/// steps". H(k, d) is a sum that the docstring names.
void add_row(words_of_text& words, words_of_text const& heads, std::string const& row) {
  auto const cells = cells_of(row);
  for (std::size_t i = 1; i < cells.size() && i < heads.size(); ++i) {
    if (cells[i].find_first_of("0123456789kdp") == std::string::npos ||
        cells[i].find('H') != std::string::npos)
      continue;
    add_words(words, cells[i] + heads[i]);
    words.emplace_back(".");
  }
}

/// Reads what the docstrings of a header say on costs.
words_of_text texts_on_costs(std::filesystem::path const& header) {
  words_of_text words;
  words_of_text heads;
  std::ifstream in(header);
  bool reads = false;
  for (std::string line; std::getline(in, line);) {
    auto const begin = line.find("///");
    auto const text =
        begin == std::string::npos ? "" : line.substr(std::min(begin + 4, line.size()));
    if (text.starts_with("**Cost**")) {
      reads = true;
      words.emplace_back(".");
      add_words(words, text.substr(text.find(' ')));
    } else if (begin == std::string::npos || text.starts_with("**")) {
      reads = false;
      heads.clear();
    } else if (reads && text.starts_with('|') && heads.empty()) {
      heads = cells_of(text);
    } else if (reads && text.starts_with('|')) {
      add_row(words, heads, text);
    } else if (reads) {
      add_words(words, text);
    }
  }
  return words;
}

std::string without_spaces(std::string text) {
  std::erase(text, ' ');
  return text;
}

using claimed_formulas = std::map<std::string, std::set<std::string>>;  // of each figure

/// Adds what an algorithm claims on a network, with one parameter set, on each kind of ports.
void add_claims(claimed_formulas& all, lockstep::experiment const& which, std::string const& on,
                std::string const& parameter = {}, lockstep::parameter_value const& value = {}) {
  for (auto const with : {lockstep::ports::one, lockstep::ports::all, lockstep::ports::per_pass}) {
    lockstep::experiment_request asked{.network = lockstep::parse(on)};
    asked.options.ports = with;
    for (auto const& taken : which.parameters) asked.parameters[taken.name] = taken.fallback;
    asked.parameters["seed"] = std::int64_t{1};
    if (asked.parameters.contains("n"))  // of matrices n x n elements
      asked.parameters["n"] = std::int64_t{which.name.starts_with("matrix-") ? 16 : 1024};
    if (asked.parameters.contains("second")) asked.parameters["n"] = std::int64_t{48};
    if (!parameter.empty()) asked.parameters[parameter] = value;
    try {
      for (auto const& claimed : which.run(asked).claims)
        all[claimed.figure].insert(without_spaces(claimed.formula));
    } catch (lockstep::error const& /*not with these ports, or not on this network*/) {
    }
  }
}

/// The folder of the headers with an algorithm's programs.
std::string family_of(std::string const& algorithm) {
  static std::map<std::string, std::string> const others{{"gather", "collectives"},
                                                         {"gatherv", "collectives"},
                                                         {"scatterv", "collectives"},
                                                         {"all-gatherv", "collectives"},
                                                         {"all-to-allv", "collectives"},
                                                         {"exclusive-scan", "collectives"},
                                                         {"concentrate", "routing"},
                                                         {"inverse-concentrate", "routing"},
                                                         {"monotone-route", "routing"},
                                                         {"msbt-broadcast", "routing"},
                                                         {"msbt-sum", "routing"},
                                                         {"segmented-prefix", "prefix"},
                                                         {"data-distribution", "prefix"},
                                                         {"distribute-elements", "random_access"},
                                                         {"vector-scan", "random_access"},
                                                         {"vector-combine-scan", "random_access"},
                                                         {"goal", "schedules"}};
  if (auto const found = others.find(algorithm); found != others.end()) return found->second;
  auto header = algorithm + ".hpp";
  std::ranges::replace(header, '-', '_');
  for (auto const& folder : std::filesystem::directory_iterator(LOCKSTEP_HEADERS))
    if (auto const name = folder.path().filename().string();
        name != "textbook" && std::filesystem::exists(folder.path() / header))
      return name;
  FAIL("no header of " << algorithm);
  return {};
}

/// The claims of each family, and under "textbook" all.
std::map<std::string, claimed_formulas> claims_by_family() {
  std::map<std::string, claimed_formulas> all;
  for (auto const& which : lockstep::experiments()) {
    claimed_formulas claims;
    for (auto const& on : which.examples) {
      add_claims(claims, which, on);
      for (auto const& taken : which.parameters)
        if (!taken.of_made_input)  // which does not change what is claimed
          for (auto const& name : taken.names) add_claims(claims, which, on, taken.name, name);
    }
    for (auto const& taken : which.parameters)
      if (std::holds_alternative<bool>(taken.fallback))
        add_claims(claims, which, which.examples.front(), taken.name, true);
    for (auto const& taken : which.parameters)
      if (taken.least)
        for (auto const more : {1, 2})
          add_claims(claims, which, which.examples.front(), taken.name, *taken.least + more);
    for (auto const& family : {family_of(which.name), std::string("textbook")})
      for (auto const& [figure, formulas] : claims)
        all[family][figure].insert(formulas.begin(), formulas.end());
  }
  return all;
}

}  // namespace

TEST_CASE("formulas are found in a sentence") {
  auto const in = [](std::string const& sentence) {
    words_of_text words;
    add_words(words, sentence);
    std::string all;
    for (auto const& [figure, formula] : quotations_in(words)) all += formula + " " + figure + "; ";
    return all;
  };
  CHECK(in("torus C/2 + 2 steps and start-ups, RC^2 m/2 words.") ==
        "C/2+2 steps; C/2+2 startups; RC^2m/2 words; ");
  CHECK(in("packets of m words: p - 1 rounds, 1 start-up (pipelined), most of the words") ==
        "p-1 rounds; 1 startups; ");
}

TEST_CASE("formulas in docstrings are quoted from claims of their family") {
  auto const claimed = claims_by_family();
  std::size_t quoted = 0;
  for (auto const& entry : std::filesystem::recursive_directory_iterator(LOCKSTEP_HEADERS)) {
    if (entry.path().extension() != ".hpp") continue;
    auto const family = entry.path().parent_path().filename().string();
    for (auto const& [figure, formula] : quotations_in(texts_on_costs(entry.path()))) {
      INFO(family << "/" << entry.path().filename().string() << ": " << formula << " " << figure);
      REQUIRE(claimed.contains(family));
      REQUIRE(claimed.at(family).contains(figure));
      CHECK(claimed.at(family).at(figure).contains(formula));
      ++quoted;
    }
  }
  CHECK(quoted > 50);
}
