#include "harness/explanations.hpp"

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <optional>
#include <regex>
#include <set>
#include <span>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include <lockstep/errors.hpp>
#include <lockstep/experiments/registry.hpp>
#include <lockstep/topologies/parse.hpp>

#include "catch.hpp"

namespace {

[[nodiscard]] auto matches_of(std::string const& text, char const* expression) {
  std::regex const pattern(expression);
  return std::distance(std::sregex_iterator(text.begin(), text.end(), pattern),
                       std::sregex_iterator());
}

[[nodiscard]] std::string text_of(std::filesystem::path const& path) {
  std::ifstream file(path);
  REQUIRE(file);
  return {std::istreambuf_iterator<char>(file), {}};
}

/// "lockstep::prefix(me, plus, value)" calls "prefix".
[[nodiscard]] std::string called_by(std::string const& call) {
  std::smatch found;
  REQUIRE(std::regex_match(call, found, std::regex(R"(lockstep::(\w+)\(me\b.*\))")));
  return found[1];
}

/// What the file of an experiment "an" would say.
[[nodiscard]] lockstep::written_explanation written_with(char const* teaching, char const* reasons,
                                                         char const* variants = "") {
  return {.name = "an",
          .call = "",
          .header = "",
          .teaching = teaching,
          .reasons = reasons,
          .text = "Usual.",
          .variants = variants};
}

[[nodiscard]] std::string refusal_of(lockstep::experiment& which, char const* teaching,
                                     char const* reasons = "", char const* variants = "") {
  try {
    explain(which, written_with(teaching, reasons, variants));
  } catch (lockstep::invalid_argument const& refused) {
    return refused.message();
  }
  return "nothing";
}

}  // namespace

TEST_CASE("every algorithm is explained in five sentences of one paragraph", "[explanations]") {
  for (auto const& which : lockstep::experiments()) {
    INFO(which.name);
    auto const& text = which.explanation;
    CHECK(matches_of(text, R"([.!?]( |$))") == 5);
    CHECK(matches_of(text, R"([.!?] [A-Z])") == 4);
    CHECK(text.ends_with('.'));
    CHECK(text.find_first_of("\n<>*`") == std::string::npos);
    CHECK(matches_of(text, "steps?|rounds?|start-ups?") > 0);
  }
}

TEST_CASE("every phase that an explanation quotes is one of the run's", "[explanations]") {
  for (auto const& which : lockstep::experiments()) {
    auto const result = which.run(teaching_request(which));
    std::regex const quoted("\"([^\"]+)\"");
    for (std::sregex_iterator found(which.explanation.begin(), which.explanation.end(), quoted),
         end;
         found != end; ++found) {
      auto const words = (*found)[1].str();
      INFO(which.name << " says \"" << words << "\"");
      auto const& phases = result.record.phases();
      bool const is_phase = std::ranges::any_of(
          phases, [&](auto const& phase) { return phase.name.starts_with(words); });
      bool const is_choice = std::ranges::any_of(which.parameters, [&](auto const& taken) {
        return std::ranges::find(taken.names, words) != taken.names.end();
      });
      CHECK((is_phase || is_choice));
    }
  }
}

namespace {

/// Adds the names of the phases with steps in a run, if the network and the options go together.
void add_phases(std::set<std::string>& names, lockstep::experiment const& which,
                lockstep::experiment_request const& asked) {
  constexpr int most_processors = 64;
  if (asked.network->size() > most_processors) return;
  try {
    for (auto const& phase : which.run(asked).record.phases())
      if (phase.steps > 0) names.insert(phase.name);
  } catch (lockstep::error const& /*not with these options, or not on this network*/) {
  }
}

/// Makes the request of the teaching example, but not by the textbook's form, which fewer networks have.
lockstep::experiment_request in_usual_form(lockstep::experiment const& which) {
  auto asked = teaching_request(which);
  if (asked.parameters.contains("textbook")) asked.parameters["textbook"] = false;
  return asked;
}

/// Finds the names of phases of the teaching example, on the other examples, and with each choice.
std::set<std::string> phases_of(lockstep::experiment const& which) {
  std::set<std::string> names;
  add_phases(names, which, teaching_request(which));
  auto asked = in_usual_form(which);
  for (auto const& on : which.examples) {
    asked.network = lockstep::parse(on);
    add_phases(names, which, asked);
    for (auto const& taken : which.parameters) {
      auto other = asked;
      for (auto const& choice : taken.names) {
        other.parameters[taken.name] = choice;
        add_phases(names, which, other);
      }
      if (!std::holds_alternative<bool>(taken.fallback)) continue;
      other.parameters[taken.name] = true;
      add_phases(names, which, other);
    }
  }
  return names;
}

}  // namespace

TEST_CASE("each step of every teaching example has a reason, in a few words", "[explanations]") {
  for (auto const& which : lockstep::experiments()) {
    INFO(which.name);
    auto const result = which.run(teaching_request(which));
    std::uint64_t steps = 0;
    for (auto const& phase : result.record.phases()) {
      INFO("phase " << phase.name);
      if (phase.steps > 0) CHECK_FALSE(reason_for(which.reasons, phase.name).empty());
      steps += phase.steps;
    }
    if (steps < result.record.counts().steps) CHECK_FALSE(reason_for(which.reasons, "").empty());
    for (auto const& [phase, text] : which.reasons) {
      INFO(text);
      CHECK(matches_of(text, "^[a-z].*[a-zA-Z0-9]$") == 1);
      CHECK(text.size() <= 120);
      CHECK(text.find_first_of("<>*`") == std::string::npos);
    }
  }
}

TEST_CASE("every reason is for a phase of some run", "[explanations]") {
  for (auto const& which : lockstep::experiments()) {
    auto const names = phases_of(which);
    for (auto const& [phase, text] : which.reasons) {
      INFO(which.name << ": " << phase);
      CHECK((phase.empty() || std::ranges::any_of(names, [&](std::string const& name) {
               return name.starts_with(phase);
             })));
    }
  }
}

TEST_CASE("a reason is that of the longest beginning of a phase's name", "[explanations]") {
  std::vector<lockstep::phase_reason> const reasons{
      {"4 ", "turns"}, {"4 to rows", "brings rows together"}, {"", "sorts"}};
  CHECK(lockstep::reason_for(reasons, "4 to rows") == "brings rows together");
  CHECK(lockstep::reason_for(reasons, "4 to columns") == "turns");
  CHECK(lockstep::reason_for(reasons, "5") == "sorts");
  CHECK(lockstep::reason_for(std::span(reasons).first(2), "5").empty());
  lockstep::experiment which{.name = "an"};
  explain(which, written_with("tree:3", "why: sorts\nwhy \"1: a\": goes on: so\n"));
  CHECK(which.reasons ==
        std::vector<lockstep::phase_reason>{{"", "sorts"}, {"1: a", "goes on: so"}});
  CHECK_THAT(refusal_of(which, "tree:3", "because: so\n"),
             has_text("write why: TEXT, or why \"PHASE\": TEXT"));
}

namespace {

/// Writes a run as it is typed.
[[nodiscard]] std::string words_of(lockstep::experiment const& which,
                                   lockstep::experiment_request const& asked) {
  auto text = which.name + " --on " + asked.network->spec();
  for (auto const& [name, value] : asked.parameters) {
    if (auto const* const word = std::get_if<std::string>(&value))
      text += " --" + name + " " + *word;
    else if (auto const* const number = std::get_if<std::int64_t>(&value))
      text += " --" + name + " " + std::to_string(*number);
  }
  return text;
}

/// Runs it; nothing where the network and the options do not go together.
[[nodiscard]] std::optional<lockstep::experiment_result> result_of(
    lockstep::experiment const& which, lockstep::experiment_request const& asked) {
  try {
    return which.run(asked);
  } catch (lockstep::error const& /*not with these options, or not on this network*/) {
    return std::nullopt;
  }
}

[[nodiscard]] lockstep::parameter const* scheme_of(lockstep::experiment const& which) {
  auto const found = std::ranges::find(which.parameters, "scheme", &lockstep::parameter::name);
  return found == which.parameters.end() ? nullptr : &*found;
}

/// Lists networks of every kind, and those of at most 64 processors on which an experiment is shown.
[[nodiscard]] std::set<std::string> networks_for(lockstep::experiment const& which) {
  std::set<std::string> networks{"crossbar:8",         "crossbar:6",  "hypercube:3",
                                 "torus:4x4",          "torus:3x5",   "mesh:3x4",
                                 "mesh:4x4",           "ring:8",      "tree:3",
                                 "shuffle-exchange:3", "butterfly:2", "graph:0-1,1-2,2-0,2-3"};
  for (auto const& on : which.examples)
    if (lockstep::parse(on)->size() <= 64) networks.insert(on);
  return networks;
}

std::vector<std::string> names_of(lockstep::experiment const& which, std::string_view parameter) {
  auto const taken = std::ranges::find(which.parameters, parameter, &lockstep::parameter::name);
  return taken == which.parameters.end() ? std::vector<std::string>() : taken->names;
}

/// Calls `check(request, result)` for every scheme of an experiment, or none, on every kind of network,
/// with blocks of a word and of several, and trees of several levels.
template <class Check>
void for_each_run(lockstep::experiment const& which, Check const& check) {
  struct sizes {
    std::int64_t words;
    std::int64_t tau;
    std::int64_t packet;
  };
  auto const* const by = scheme_of(which);
  for (auto const& on : networks_for(which)) {
    auto asked = in_usual_form(which);
    asked.network = lockstep::parse(on);
    for (auto const& scheme : by == nullptr ? std::vector<std::string>{""} : by->names)
      for (auto const [words, tau, packet] : {sizes{1, 16, 1}, sizes{24, 2, 1}, sizes{1, 16, 4}}) {
        if (by != nullptr) asked.parameters["scheme"] = scheme;
        if (asked.parameters.contains("words")) asked.parameters["words"] = words;
        if (asked.parameters.contains("tau")) asked.parameters["tau"] = tau;
        if (asked.parameters.contains("packet")) asked.parameters["packet"] = packet;
        INFO(words_of(which, asked));
        asked.options.ports = lockstep::ports::one;
        auto result = result_of(which, asked);
        if (!result) {  // some schemes need all ports
          asked.options.ports = lockstep::ports::all;
          result = result_of(which, asked);
        }
        if (result) check(asked, *result);
      }
    for (auto const& taken : which.parameters) {  // each name of what other variants are for
      if (taken.name == "scheme" ||
          std::ranges::find(which.variants, taken.name,
                            &lockstep::variant_explanation::parameter) == which.variants.end())
        continue;
      auto other = in_usual_form(which);
      other.network = asked.network;
      for (auto const& name : taken.names) {
        other.parameters[taken.name] = name;
        if (auto const result = result_of(which, other)) check(other, *result);
        if (!other.parameters.contains("pattern")) continue;
        auto in_order = other;  // some variants need that
        in_order.parameters["pattern"] = std::string("monotonic");
        if (auto const result = result_of(which, in_order)) check(in_order, *result);
        in_order.parameters["n"] = std::int64_t{1'000};
        in_order.parameters["tau"] =
            std::int64_t{1};  // where start-ups cost little, auto takes others
        if (auto const result = result_of(which, in_order)) check(in_order, *result);
        auto larger = other;  // whose buckets are stretched
        larger.parameters["n"] = std::int64_t{256};
        if (auto const result = result_of(which, larger)) check(larger, *result);
        if (taken.name == "variant") continue;
        for (auto const& variant : names_of(which, "variant")) {
          larger.parameters["variant"] = variant;
          if (auto const result = result_of(which, larger)) check(larger, *result);
        }
      }
    }
    for (auto const& taken : which.parameters) {  // each flag alone
      if (!std::holds_alternative<bool>(taken.fallback) || taken.name == "textbook") continue;
      auto flagged = in_usual_form(which);
      flagged.network = asked.network;
      flagged.parameters[taken.name] = true;
      if (auto const result = result_of(which, flagged)) check(flagged, *result);
      for (auto const* const rows : {"0", "1"}) {  // with those of a multi-way merge sort
        auto with_rows = flagged;
        if (which.name != "multiway-merge-sort") break;
        with_rows.parameters["l"] = std::string(rows);
        if (auto const result = result_of(which, with_rows)) check(with_rows, *result);
        with_rows.parameters[taken.name] = false;
        if (auto const result = result_of(which, with_rows)) check(with_rows, *result);
      }
      for (auto const& values : which.variants)
        for (auto const& value :
             values.parameter == "scheme" ? std::vector<std::string>() : values.values) {
          flagged.parameters[values.parameter] = value;
          if (auto const result = result_of(which, flagged)) check(flagged, *result);
        }
    }
  }
}

/// Checks that a run has a reason for each of its steps. Result: those that it has.
std::set<lockstep::phase_reason const*> check_reasons(lockstep::experiment const& which,
                                                      lockstep::experiment_result const& result) {
  auto const reasons = lockstep::explanation_of(which, result).reasons;
  std::set<lockstep::phase_reason const*> used;
  auto const use = [&](std::string const& phase) {
    INFO("phase " << phase);
    auto const text = reason_for(reasons, phase);
    CHECK_FALSE(text.empty());
    for (auto const& each : reasons)
      if (each.text == text && phase.starts_with(each.phase)) used.insert(&each);
  };
  std::uint64_t rounds = 0;  // also those in which nobody has anything to send
  for (auto const& phase : result.record.phases()) {
    if (phase.rounds > 0) use(phase.name);
    rounds += phase.rounds;
  }
  if (rounds < result.record.counts().rounds) use("");
  return used;
}

}  // namespace

TEST_CASE("each step by every scheme has a reason, and every reason of a scheme is used",
          "[explanations][schemes]") {
  int experiments_with_schemes = 0;
  for (auto const& which : lockstep::experiments()) {
    if (which.variants.empty() && scheme_of(which) == nullptr) continue;
    ++experiments_with_schemes;
    std::set<lockstep::phase_reason const*> used;
    for_each_run(which, [&](auto const& /*asked*/, auto const& result) {
      used.merge(check_reasons(which, result));
    });
    used.merge(check_reasons(which, which.run(teaching_request(which))));
    auto const check_used = [&](std::vector<lockstep::phase_reason> const& reasons) {
      for (auto const& each : reasons) {
        INFO(which.name << ": " << each.text);
        CHECK(used.contains(&each));
      }
    };
    check_used(which.reasons);
    for (auto const& variant : which.variants) check_used(variant.reasons);
  }
  CHECK(experiments_with_schemes >= 14);
}

TEST_CASE("reasons of other schemes are a few words, and their texts two or three sentences",
          "[explanations][schemes]") {
  for (auto const& which : lockstep::experiments())
    for (auto const& variant : which.variants) {
      auto const& text = variant.explanation;
      INFO(which.name << ": " << text);
      auto const sentences = matches_of(text, R"([.!?]( |$))");
      CHECK((sentences == 2 || sentences == 3));
      CHECK(matches_of(text, R"([.!?] [A-Z])") == sentences - 1);
      CHECK(text.ends_with('.'));
      CHECK(text.find_first_of("\n<>*`") == std::string::npos);
      for (auto const& reason : variant.reasons) {
        INFO(reason.text);
        CHECK(matches_of(reason.text, "^[a-z]+s .*[a-zA-Z0-9]$") == 1);
        CHECK(matches_of(reason.text, R"(\b[Ii]t\b)") == 0);
        CHECK(reason.text.size() <= 120);
        CHECK(reason.text.find_first_of("<>*`") == std::string::npos);
      }
    }
}

TEST_CASE("an explanation of other schemes is that of some run, and quotes phases of each",
          "[explanations][schemes]") {
  std::regex const quoted("\"([^\"]+)\"");
  for (auto const& which : lockstep::experiments()) {
    if (which.variants.empty()) continue;
    std::set<std::string_view> found;
    for_each_run(which, [&](auto const& asked, auto const& result) {
      std::string const text(lockstep::explanation_of(which, result).text);
      found.insert(lockstep::explanation_of(which, result).text);
      if (text == which.explanation || asked.network->size() < 3) return;
      auto const& phases = result.record.phases();
      for (std::sregex_iterator each(text.begin(), text.end(), quoted), end; each != end; ++each) {
        INFO("quotes " << (*each)[1]);
        CHECK(std::ranges::find(phases, (*each)[1].str(), [](auto const& phase) {
                return std::string(phase.name);
              }) != phases.end());
      }
    });
    for (auto const& variant : which.variants) {
      INFO(which.name << ": " << variant.explanation);
      CHECK(found.contains(variant.explanation));
      if (variant.parameter.empty()) continue;
      auto const taken =
          std::ranges::find(which.parameters, variant.parameter, &lockstep::parameter::name);
      REQUIRE(taken != which.parameters.end());
      for (auto const& value : variant.values)
        CHECK(std::ranges::find(taken->names, value) != taken->names.end());
    }
  }
}

TEST_CASE("the usual explanation is for the scheme of the teaching example alone",
          "[explanations][schemes]") {
  std::map<std::string, std::set<std::string>> const expected{
      {"broadcast", {"automatic", "transpose"}},
      {"reduce", {"automatic", "transpose", "k-ary"}},
      {"all-reduce", {"automatic", "transpose", "k-ary"}},
      {"scatter", {"direct"}},
      {"gather", {"direct"}},
      {"all-gather", {"direct"}},
      {"all-to-all", {"paper", "fewest-rearrangements"}},
      {"reduce-scatter", {"bucket"}},
      {"scan", {"recursive-doubling"}},
      {"exclusive-scan", {"binomial"}},
      {"gatherv", {"binomial"}},
      {"scatterv", {"binomial"}},
      {"all-gatherv", {"bucket"}},
      {"all-to-allv", {"bucket"}}};
  for (auto const& [name, schemes] : expected) {
    INFO(name);
    auto const& which = *lockstep::find_experiment(name);
    CHECK(lockstep::explanation_of(which, which.run(teaching_request(which))).text ==
          which.explanation);
    std::set<std::string> usual;
    for_each_run(which, [&](auto const& /*asked*/, auto const& result) {
      if (lockstep::explanation_of(which, result).text != which.explanation) return;
      auto const figure = result.figures.find("scheme");
      auto const& taken =
          figure == result.figures.end() ? result.parameters.at("scheme") : figure->second;
      usual.insert(std::get<std::string>(taken));
    });
    CHECK(usual == schemes);
  }
}

namespace {

/// Words that name a family of networks, and those on which they may stand.
struct family_words {
  char const* words;
  std::set<std::string> kinds;
};

/// Finds the words of a text that name another family of networks than the one of this kind; with a
/// reason where an experiment may use them. Rings, lines, rows and columns are made by algorithms on many
/// networks, and so are trees that are not called a network: those do not count.
[[nodiscard]] std::vector<std::string> other_families_in(std::string const& text,
                                                         std::string const& kind) {
  static std::vector<family_words> const families{
      {R"(\b(hypercubes?|(sub)?cubes?)\b)", {"hypercube"}},
      {R"(\b(torus|tori)\b)", {"torus"}},
      {R"(\bmesh(es)?\b)", {"mesh"}},
      {R"(\bgrids?\b)", {"torus", "mesh"}},
      {R"(\bshuffle)", {"shuffle-exchange"}},
      {R"(\bcrossbars?\b)", {"crossbar"}},
      {R"(\bbutterfl)", {"butterfly"}},
      {R"(\b((on|of) a tree\b|up a tree and down again))", {"tree"}}};
  std::vector<std::string> found;
  for (auto const& [words, kinds] : families) {
    std::smatch match;
    if (!kinds.contains(kind) && std::regex_search(text, match, std::regex(words)))
      found.push_back(match.str());
  }
  return found;
}

/// Joins what a page says of a run: the text, and the reasons.
[[nodiscard]] std::string all_of(lockstep::run_explanation const& shown) {
  std::string text(shown.text);
  for (auto const& reason : shown.reasons) text += " " + reason.text;
  return text;
}

}  // namespace

TEST_CASE("families of networks are found in a text", "[explanations]") {
  using names = std::vector<std::string>;
  CHECK(other_families_in("In d steps on a hypercube.", "tree") == names{"hypercube"});
  CHECK(other_families_in("In d steps on a hypercube.", "hypercube").empty());
  CHECK(other_families_in("A torus and a mesh.", "torus") == names{"mesh"});
  CHECK(other_families_in("Lines of a grid, submeshes.", "mesh").empty());
  CHECK(other_families_in("Lines of a grid.", "crossbar") == names{"grid"});
  CHECK(other_families_in("Steps on a tree of d levels.", "crossbar") == names{"on a tree"});
  CHECK(other_families_in("Down the k-ary tree, round a ring.", "crossbar").empty());
}

TEST_CASE("an explanation names no other network than that of its run",
          "[explanations][networks]") {
  // The words of an arrangement that these make of the processors of any network.
  std::map<std::string, std::string> const own_words{
      {"matrix-product", "cube"},  // q^3 processors of a crossbar are a cube with q a side
  };
  for (auto const& which : lockstep::experiments()) {
    std::set<std::string> told;
    for_each_run(which, [&](auto const& asked, auto const& result) {
      auto const spec = asked.network->spec();
      auto const kind = spec.substr(0, spec.find(':'));
      auto const text = all_of(lockstep::explanation_of(which, result));
      if (!told.insert(kind + text).second) return;
      for (auto const& name : other_families_in(text, kind)) {
        INFO(which.name << " on a " << kind << " speaks of \"" << name << "\": " << text);
        auto const own = own_words.find(which.name);
        CHECK((own != own_words.end() && own->second == name));
      }
    });
    CHECK_FALSE(told.empty());
  }
}

TEST_CASE("what sorts move is called keys, as it is shown", "[explanations]") {
  std::regex const other_words(R"(\b(elements?|values?|records?)\b)");
  int sorts = 0;
  for (auto const& which : lockstep::experiments()) {
    if (!which.name.ends_with("sort")) continue;
    ++sorts;
    auto texts = which.explanation;
    for (auto const& reason : which.reasons) texts += " " + reason.text;
    for (auto const& variant : which.variants) {
      texts += " " + variant.explanation;
      for (auto const& reason : variant.reasons) texts += " " + reason.text;
    }
    INFO(which.name << ": " << texts);
    CHECK_FALSE(std::regex_search(texts, other_words));
  }
  CHECK(sorts >= 13);
}

TEST_CASE("a prefix is explained on the network of its run", "[explanations][networks]") {
  auto const& which = *lockstep::find_experiment("prefix");
  auto asked = in_usual_form(which);
  auto const text_on = [&](char const* on) {
    asked.network = lockstep::parse(on);
    auto const text = lockstep::explanation_of(which, which.run(asked)).text;
    CHECK(lockstep::explanation_of(which, *asked.network, asked.parameters).text == text);
    return std::string(text);
  };
  CHECK(text_on("tree:3").find("4(d - 1) steps") != std::string::npos);
  CHECK(text_on("hypercube:3").find("over dimension 0") != std::string::npos);
  CHECK(text_on("shuffle-exchange:3").find("3d") != std::string::npos);
}

TEST_CASE("each form of a paper or textbook has an example that goes by it", "[explanations]") {
  int with_form = 0;
  for (auto const& which : lockstep::experiments()) {
    INFO(which.name);
    auto const example = textbook_example(which);
    CHECK(example.has_value() == std::ranges::any_of(which.parameters, [](auto const& taken) {
            return taken.name == "textbook";
          }));
    if (!example) continue;
    ++with_form;
    CHECK(example->parameters.at("textbook") == lockstep::parameter_value(true));
    auto asked = teaching_request(which);
    asked.network = lockstep::parse(example->on);
    for (auto const& [name, value] : example->parameters) asked.parameters[name] = value;
    CHECK(which.run(asked).correct);
    // The teaching example is by that form, but where its network has none, or where elements could not be
    // followed through all passes.
    CHECK(example->on == (which.name == "pipelined-prefix" ? "hypercube:3" : which.teaching.on));
    bool const is_shown_otherwise = which.name == "pipelined-prefix" || which.name == "radix-sort";
    CHECK(which.teaching.parameters.contains("textbook") != is_shown_otherwise);
  }
  CHECK(with_form == 17);
  CHECK_FALSE(lockstep::textbook_example({.name = "none"}).has_value());
}

namespace {

/// Reads the runs of a lesson's first command: that which `lockstep view` shows, and the one beside.
[[nodiscard]] std::vector<std::string> runs_of_lesson(std::filesystem::path const& lesson) {
  auto const text = std::regex_replace(text_of(lesson), std::regex(R"(\\\n\s*)"), "");
  std::smatch found;
  REQUIRE(std::regex_search(text, found, std::regex(R"(\nlockstep view ([^\n]*))")));
  auto const line = found[1].str();
  std::smatch run;
  std::regex const form(R"re(([a-z0-9-]+ --on .*?)(?: --beside "([^"]+)")? --output .*)re");
  REQUIRE(std::regex_match(line, run, form));
  std::vector<std::string> runs{run[1]};
  if (run[2].matched) runs.push_back(run[2]);
  return runs;
}

}  // namespace

TEST_CASE("each step of the lessons' runs has a reason", "[explanations][schemes]") {
  int lessons = 0;
  for (auto const& folder : std::filesystem::directory_iterator(LOCKSTEP_LESSONS)) {
    auto const lesson = folder.path() / "lesson.md";
    if (!std::filesystem::exists(lesson)) continue;
    ++lessons;
    for (auto const& typed : runs_of_lesson(lesson)) {
      INFO(typed);
      std::istringstream words(typed);
      std::string name;
      std::string option;
      words >> name;
      auto const* const which = lockstep::find_experiment(name);
      REQUIRE(which != nullptr);
      auto asked = teaching_request(*which);
      for (auto const& taken : which->parameters) asked.parameters[taken.name] = taken.fallback;
      for (std::string value; words >> option;) {
        auto const name_of_option = option.substr(2);
        if (name_of_option == "textbook") {
          asked.parameters.at(name_of_option) = true;
          continue;
        }
        REQUIRE(words >> value);
        if (name_of_option == "on") {
          asked.network = lockstep::parse(value);
          continue;
        }
        REQUIRE(asked.parameters.contains(name_of_option));
        if (std::holds_alternative<std::int64_t>(asked.parameters.at(name_of_option)))
          asked.parameters[name_of_option] = std::int64_t{std::stoll(value)};
        else
          asked.parameters[name_of_option] = value;
      }
      check_reasons(*which, which->run(asked));
    }
  }
  CHECK(lessons == 10);
}

TEST_CASE("a run in a ring is explained by its ring", "[explanations][schemes]") {
  auto const& which = *lockstep::find_experiment("all-reduce");
  auto asked = in_usual_form(which);
  asked.network = lockstep::parse("ring:8");
  asked.parameters["scheme"] = std::string("ring");
  auto const ring = lockstep::explanation_of(which, which.run(asked));
  CHECK(ring.text != which.explanation);
  CHECK(ring.text.find("form one ring") != std::string_view::npos);
  CHECK(reason_for(ring.reasons, "").find("round its ring") != std::string::npos);
  // Before it has run, and after the cheapest was asked for.
  CHECK(lockstep::explanation_of(which, *asked.network, asked.parameters).text == ring.text);
  asked.network = lockstep::parse("hypercube:3");
  asked.parameters["scheme"] = std::string("automatic");
  asked.parameters["words"] = std::int64_t{1};
  auto const cheapest = which.run(asked);
  CHECK(std::get<std::string>(cheapest.figures.at("scheme")) == "recursive-doubling");
  CHECK(lockstep::explanation_of(which, cheapest).text.starts_with("Partners swap their sums"));
  CHECK(lockstep::explanation_of(which, *asked.network, asked.parameters).text ==
        which.explanation);
}

namespace {

using parameter_values = std::map<std::string, lockstep::parameter_value>;

[[nodiscard]] lockstep::parameter scheme_parameter(std::vector<std::string> names) {
  return {.name = "scheme", .help = "", .fallback = std::string(), .names = std::move(names)};
}

/// An experiment that takes --scheme a, b or c, and --fused; its explanation is "Usual.", but for these runs.
[[nodiscard]] lockstep::experiment explained_by(char const* variants) {
  lockstep::experiment which{.name = "an",
                             .parameters = {scheme_parameter({"a", "b", "c"}),
                                            {.name = "fused", .help = "", .fallback = false}}};
  explain(which, written_with("tree:3", "why: sorts\n", variants));
  return which;
}

}  // namespace

TEST_CASE("the first variant that fits a run explains it", "[explanations]") {
  auto const which = explained_by(
      "for --scheme a,b and phase \"up\"\nwhy \"up\": goes up\n\nOne\ntwo.\n\n"
      "for --scheme b\nwhy: goes on\n\nThree.");
  REQUIRE(which.variants.size() == 2);
  CHECK(which.variants[0].values == std::vector<std::string>{"a", "b"});
  CHECK(which.variants[0].phase == "up");
  CHECK(which.variants[0].explanation == "One two.");
  CHECK(which.variants[0].reasons == std::vector<lockstep::phase_reason>{{"up", "goes up"}});
  auto const text_with = [&](std::string const& scheme) {
    return lockstep::explanation_of(which, *lockstep::parse("tree:3"),
                                    parameter_values{{"scheme", scheme}})
        .text;
  };
  CHECK(text_with("a") == "Usual.");  // without a phase
  CHECK(text_with("b") == "Three.");
  CHECK(text_with("c") == "Usual.");
  CHECK(lockstep::explanation_of(which, *lockstep::parse("tree:3"), {}).text == "Usual.");
}

TEST_CASE("a variant can be for some networks, alone and with a scheme",
          "[explanations][networks]") {
  auto const which = explained_by(
      "for network torus,mesh and --scheme a\nwhy: turns\n\nOne.\n\n"
      "for network shuffle-exchange and phase \"up\"\nwhy: goes\n\nTwo.\n\n"
      "for network shuffle-exchange\nwhy: goes\n\nThree.\n\n"
      "for network mesh and --scheme a,b and phase \"up\"\nwhy: goes\n\nFour.");
  REQUIRE(which.variants.size() == 4);
  CHECK(which.variants[0].networks == std::vector<std::string>{"torus", "mesh"});
  CHECK(which.variants[0].parameter == "scheme");
  CHECK(networks_in_words(which.variants[0]) == "on a torus or a mesh");
  CHECK(which.variants[1].parameter.empty());
  CHECK(which.variants[1].phase == "up");
  CHECK(which.variants[3].values == std::vector<std::string>{"a", "b"});
  CHECK(which.variants[3].phase == "up");
  auto const text_on = [&](char const* on, std::string const& scheme) {
    return lockstep::explanation_of(which, *lockstep::parse(on), {{"scheme", scheme}}).text;
  };
  CHECK(text_on("mesh:2x2", "a") == "One.");
  CHECK(text_on("ring:4", "a") == "One.");  // a torus of one dimension
  CHECK(text_on("mesh:2x2", "b") == "Usual.");
  CHECK(text_on("tree:2", "a") == "Usual.");
  CHECK(text_on("shuffle-exchange:2", "a") == "Three.");
  CHECK(lockstep::networks_in_words({}).empty());
}

TEST_CASE("a variant can be for a flag, alone, on a network and with a phase", "[explanations]") {
  auto const which = explained_by(
      "for --fused and phase \"up\"\nwhy: goes\n\nOne.\n\n"
      "for network tree and --fused\nwhy: goes\n\nTwo.\n\n"
      "for --fused\nwhy: goes\n\nThree.");
  REQUIRE(which.variants.size() == 3);
  CHECK(which.variants[0].parameter == "fused");
  CHECK(which.variants[0].values.empty());
  CHECK(which.variants[0].phase == "up");
  CHECK(which.variants[1].networks == std::vector<std::string>{"tree"});
  auto const text_on = [&](char const* on, parameter_values const& parameters) {
    return lockstep::explanation_of(which, *lockstep::parse(on), parameters).text;
  };
  CHECK(text_on("tree:2", {{"fused", true}}) == "Two.");
  CHECK(text_on("ring:4", {{"fused", true}}) == "Three.");
  CHECK(text_on("ring:4", {{"fused", false}}) == "Usual.");
  CHECK(text_on("ring:4", {{"scheme", std::string("a")}}) == "Usual.");
  CHECK(text_on("ring:4", {}) == "Usual.");
}

TEST_CASE("merging in which sets follow their tokens is explained as such", "[explanations]") {
  auto const text_of_run = [](char const* name, char const* on, bool fused,
                              char const* l = nullptr) {
    auto const& which = *lockstep::find_experiment(name);
    auto asked = in_usual_form(which);
    asked.network = lockstep::parse(on);
    asked.parameters["fused"] = fused;
    if (l != nullptr) asked.parameters["l"] = std::string(l);
    return std::string(lockstep::explanation_of(which, which.run(asked)).text);
  };
  CHECK(text_of_run("merge", "hypercube:3", true) != text_of_run("merge", "hypercube:3", false));
  CHECK(text_of_run("merge-sort", "hypercube:3", true).find("3kd + 3d(d - 1)/2") !=
        std::string::npos);
  CHECK(text_of_run("merge-sort", "hypercube:3", false).find("4kd + 3d^2 - d") !=
        std::string::npos);
  CHECK(text_of_run("multiway-merge", "hypercube:4", true).find("10k + 5l + 6m - 10") !=
        std::string::npos);
  CHECK(text_of_run("multiway-merge", "hypercube:4", false).find("10k + 5l + 10m - 10") !=
        std::string::npos);
  CHECK(text_of_run("multiway-merge-sort", "hypercube:4", true, "1").find("10k + 5i + 6j - 10") !=
        std::string::npos);
  CHECK(text_of_run("multiway-merge-sort", "hypercube:4", true, "0").find("3kd + 3d(d - 1)/2") !=
        std::string::npos);
  CHECK(text_of_run("multiway-merge-sort", "hypercube:4", false, "0").find("4kd + 3d^2 - d") !=
        std::string::npos);
}

namespace {

/// A bound that an explanation states, as a function of p and of log2 p.
struct stated_startups {
  char const* experiment;
  char const* variant;
  char const* formula;  // in the text of runs on a hypercube
  std::uint64_t exchanges;
  std::uint64_t scans;
  std::uint64_t more;
};

}  // namespace

TEST_CASE("random accesses are explained by figures that hold on the network of the run",
          "[explanations][networks]") {
  for (auto const& [name, variant, formula, exchanges, scans, more] :
       {stated_startups{"random-access-write", "arbitrary", "4(p - 1) + 6 log2 p + 1", 4, 6, 1},
        {"random-access-write", "hybrid", "4(p - 1) + 6 log2 p + 1", 4, 6, 1},
        {"random-access-write", "hybrid-plain", "4(p - 1) + 6 log2 p + 1", 4, 6, 1},
        {"random-access-write", "limited", "4(p - 1) + 8 log2 p + 1", 4, 8, 1},
        {"random-access-write", "monotonic", "2(p - 1) + 3 log2 p", 2, 3, 0},
        {"random-access-read", "1", "8(p - 1) + 8 log2 p + 2", 8, 8, 2},
        {"random-access-read", "2", "6(p - 1) + 6 log2 p + 1", 6, 6, 1},
        {"random-access-read", "weighted", "6(p - 1) + 6 log2 p + 1", 6, 6, 1},
        {"random-access-read", "hybrid", "6(p - 1) + 6 log2 p + 1", 6, 6, 1}}) {
    auto const& which = *lockstep::find_experiment(name);
    auto asked = in_usual_form(which);
    asked.parameters["variant"] = std::string(variant);
    asked.parameters["pattern"] = std::string("monotonic");
    INFO(name << " --variant " << variant);
    for (std::uint64_t const d : {2, 3, 4}) {
      asked.network = lockstep::parse("hypercube:" + std::to_string(d));
      auto const result = which.run(asked);
      CHECK(lockstep::explanation_of(which, result).text.find(formula) != std::string_view::npos);
      auto const p = std::uint64_t{1} << d;
      CHECK(result.record.counts().startups <= exchanges * (p - 1) + scans * d + more);
    }
    for (char const* const on : {"torus:4x4", "mesh:3x4"}) {  // no figure of another network
      asked.network = lockstep::parse(on);
      auto const text = std::string(lockstep::explanation_of(which, which.run(asked)).text);
      INFO(text);
      CHECK(text.find("p - 1") == std::string::npos);
      CHECK(text.find("log2 p") == std::string::npos);
    }
  }
}

TEST_CASE("a section for values that there are not, or without a reason or a text, is refused",
          "[explanations]") {
  lockstep::experiment which{.name = "an", .parameters = {scheme_parameter({"a"})}};
  auto const refused = [&](char const* variants) {
    return refusal_of(which, "tree:3", "", variants);
  };
  for (auto const* const line :
       {"for a", "for network", "for network tree --scheme a", "for network tree and",
        "for phase \"a\"", "for --scheme a and network tree", "for network Tree"}) {
    INFO(line);
    CHECK_THAT(refused((std::string(line) + "\nwhy: so\n\nText.").c_str()),
               has_text("for --PARAMETER VALUE,VALUE"));
  }
  CHECK_THAT(refused("for network tree,bush\nwhy: so\n\nText."), has_text("network bush"));
  CHECK_THAT(refused("for --way a\nwhy: so\n\nText."), has_text("--way"));
  CHECK_THAT(refused("for --scheme a,b\nwhy: so\n\nText."), has_text("--scheme b"));
  CHECK_THAT(refused("for --scheme\nwhy: so\n\nText."), has_text("without a value"));
  CHECK_THAT(refused("for --scheme a\n\nText."), has_text("without a reason or a text"));
  CHECK_THAT(refused("for --scheme a\nwhy: so"), has_text("without a reason or a text"));
}

TEST_CASE("every algorithm's header declares what its call names", "[explanations]") {
  for (auto const& which : lockstep::experiments()) {
    INFO(which.name << ": " << which.call << " in " << which.header);
    std::filesystem::path const include(LOCKSTEP_INCLUDE);
    CHECK(which.header.find("detail/") == std::string::npos);
    auto const header = text_of(include / which.header);
    auto const declared = "\\s" + called_by(which.call) + "\\(\\s*processor& me\\b";
    CHECK(matches_of(header, declared.c_str()) > 0);
  }
}

TEST_CASE("every teaching example is right, and small enough for a class", "[explanations]") {
  for (auto const& which : lockstep::experiments()) {
    auto const asked = teaching_request(which);
    auto const result = which.run(asked);
    INFO(which.name << " on " << which.teaching.on);
    CHECK(result.correct);
    CHECK(asked.network->size() <= 64);
    CHECK(result.record.counts().steps > 0);
    CHECK(result.record.counts().rounds <= 64);
  }
}

TEST_CASE("a teaching example sets options of the experiment", "[explanations]") {
  lockstep::experiment which{.name = "an",
                             .parameters = {lockstep::integer_parameter{"k", "packets", 8},
                                            lockstep::text_parameter{"pattern", "of traffic"},
                                            lockstep::flag_parameter{"plain", "as printed"}}};
  explain(which, {.name = "an",
                  .call = "lockstep::an(me)",
                  .header = "an.hpp",
                  .teaching = "tree:3 --k 4 --plain --pattern all",
                  .reasons = "",
                  .text = "One\nparagraph.",
                  .variants = ""});
  CHECK(which.explanation == "One paragraph.");
  CHECK(which.call == "lockstep::an(me)");
  CHECK(which.header == "an.hpp");
  CHECK(which.teaching.on == "tree:3");
  auto const asked = teaching_request(which);
  CHECK(asked.network->spec() == "tree:3");
  CHECK(std::get<std::int64_t>(asked.parameters.at("k")) == 4);
  CHECK(std::get<std::string>(asked.parameters.at("pattern")) == "all");
  CHECK(std::get<bool>(asked.parameters.at("plain")));
  CHECK(std::get<std::int64_t>(asked.parameters.at("seed")) == 1);
}

TEST_CASE("a teaching example with other options is refused", "[explanations]") {
  lockstep::experiment which{.name = "an",
                             .parameters = {lockstep::integer_parameter{"k", "packets", 8},
                                            lockstep::flag_parameter{"plain", "as printed"}}};
  CHECK_THAT(refusal_of(which, "tree:3 --m 4"), has_text("--m"));
  CHECK_THAT(refusal_of(which, "tree:3 --k 4x"), has_text("--k 4x"));
  CHECK_THAT(refusal_of(which, "tree:3 --plain yes"), has_text("yes, which is not an option"));
  CHECK_THAT(refusal_of(which, "tree:3 --k"), has_text("ends in --k"));
}

TEST_CASE("an experiment that nothing explains is refused", "[explanations]") {
  CHECK_THROWS_AS(lockstep::with_explanations({{.name = "unexplained"}}),
                  lockstep::invalid_argument);
}
