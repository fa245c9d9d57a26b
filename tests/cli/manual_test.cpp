#include "commands/manual.hpp"
#include "contains.hpp"

#include <sstream>
#include <string>
#include <variant>
#include <vector>

#include <lockstep/experiments/papers.hpp>
#include <lockstep/experiments/registry.hpp>

#include "../catch.hpp"
#include "commands/command_line.hpp"
#include "commands/models.hpp"

using namespace lockstep;

namespace {

/// The page as it is read, but for requests and fonts.
std::string plain_page() {
  std::string text = cli::manual_page(experiments());
  for (auto const& [written, meant] : {std::pair<std::string, std::string>{"\\-", "-"},
                                       {"\\fB", ""},
                                       {"\\fI", ""},
                                       {"\\fR", ""},
                                       {"\\(ha", "^"}})
    for (auto place = text.find(written); place != std::string::npos; place = text.find(written))
      text.replace(place, written.size(), meant);
  return text;
}

/// The page from that section's title to the next one's.
std::string section(std::string const& page, std::string const& title) {
  auto const start = page.find(".SH " + title + "\n");
  if (start == std::string::npos) return {};
  return page.substr(start, page.find(".SH ", start + 1) - start);
}

}  // namespace

TEST_CASE("the manual has the sections of a manual", "[manual]") {
  auto const page = plain_page();
  CHECK(page.starts_with(".TH LOCKSTEP 1 "));
  for (auto const* title : {"NAME", "SYNOPSIS", "DESCRIPTION", "COMMANDS", "OPTIONS", "EXIT STATUS",
                            "FILES", "EXAMPLES", "SEE ALSO"}) {
    INFO(title);
    CHECK(section(page, title).size() > 20);
  }
}

TEST_CASE("the manual names every command and every option", "[manual]") {
  auto const page = plain_page();
  for (auto const& command : cli::known_commands(experiments())) {
    INFO(command.name);
    CHECK(contains(section(page, "COMMANDS"), ".TP\n" + command.name + '\n'));
    CHECK(contains(section(page, "SYNOPSIS"), "lockstep " + command.name + ' '));
    auto options = section(page, "OPTIONS");
    auto const start = options.find(".SS lockstep " + command.name + '\n');
    REQUIRE(start != std::string::npos);
    options = options.substr(start, options.find(".SS ", start + 1) - start);
    for (auto const& option : command.options) {
      INFO(option.name);
      CHECK(contains(options, option.name));
    }
  }
}

TEST_CASE("the manual names every algorithm with its options, and models, papers, figures",
          "[manual]") {
  auto const page = plain_page();
  for (auto const& one : experiments()) {
    auto text = section(page, "ALGORITHMS");
    INFO(one.name);
    auto const start = text.find(".SS " + one.name + '\n');
    REQUIRE(start != std::string::npos);
    text = text.substr(start, text.find(".SS ", start + 1) - start);
    for (auto const& parameter : one.parameters) CHECK(contains(text, "--" + parameter.name));
  }
  for (auto const& one : lockstep::cli::model_entries())
    CHECK(contains(section(page, "COST MODELS"), std::string(one.name)));
  for (auto const& one : papers()) CHECK(contains(section(page, "PAPERS AND FIGURES"), one.name));
  for (auto const& one : figures()) CHECK(contains(section(page, "PAPERS AND FIGURES"), one.name));
}

TEST_CASE("the manual's examples are commands", "[manual]") {
  std::istringstream lines(section(plain_page(), "EXAMPLES"));
  int found = 0;
  for (std::string line; std::getline(lines, line);) {
    if (!line.starts_with("lockstep ")) continue;
    ++found;
    std::istringstream text(line);
    std::vector<std::string> words;
    for (std::string word; text >> word;) words.push_back(word);
    std::vector<char const*> arguments;
    for (auto const& word : words) arguments.push_back(word.c_str());
    INFO(line);
    if (line.starts_with("lockstep compare ")) continue;  // of files that there are not
    CHECK_NOTHROW(cli::read_command_line(static_cast<int>(arguments.size()), arguments.data(),
                                         experiments()));
  }
  CHECK(found == 9);
}
