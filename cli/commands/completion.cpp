#include "completion.hpp"

#include <algorithm>
#include <cctype>
#include <optional>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include <lockstep/experiments/papers.hpp>
#include <lockstep/topologies/catalog.hpp>

#include "command_line.hpp"
#include "models.hpp"
#include "usage_error.hpp"

namespace lockstep::detail {
[[nodiscard]] std::string_view bash_completion();  // by cmake/embed.cmake
[[nodiscard]] std::string_view zsh_completion();
}  // namespace lockstep::detail

namespace lockstep::cli {

namespace {

bool is_option(std::string_view word) { return word.starts_with('-'); }

/// The words before the one to complete, as far as they are understood.
struct line_so_far {
  command_entry const& command;
  experiment const* chosen = nullptr;     ///< of `run`, `explain` and `view`
  std::string argument;                   ///< "all-to-all", or empty as long as there is none
  std::vector<option_entry> options{};    ///< those that the command takes, with that algorithm
  std::optional<option_entry> pending{};  ///< the one among them whose value comes next
  std::vector<std::string> given{};       ///< options that stand there
};

template <class Entry, class Name>
Entry const* find_named(std::span<Entry const> entries, Name const& name) {
  auto const found = std::ranges::find(entries, name, &Entry::name);
  return found == entries.end() ? nullptr : &*found;
}

bool runs_algorithms(command_entry const& command) { return command.argument == "ALGORITHM"; }

/// An option of all algorithms' that this one does not know.
bool is_foreign(option_entry const& option, command_entry const& command,
                experiment const& chosen) {
  bool const is_page = command.name == "view" && option.name == "--output";
  if (option.name == "--input") return !chosen.takes_files;
  if (option.name == "--output") return !chosen.takes_files && !chosen.writes_file && !is_page;
  return option.name == "--words";
}

/// The command's options and the algorithm's; those of the algorithm come first.
std::vector<option_entry> options_with(command_entry const& command, experiment const* chosen) {
  if (chosen == nullptr) return command.options;
  auto options = options_of(*chosen);
  for (auto const& option : command.options)
    if (!is_foreign(option, command, *chosen)) options.push_back(option);
  return options;
}

/// The first word that is neither an option nor an option's value.
std::string argument_among(std::span<std::string const> words,
                           std::span<option_entry const> options) {
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (!is_option(words[i])) return words[i];
    auto const* const option = find_named(options, words[i]);
    if (option != nullptr && option->takes_value) ++i;
  }
  return {};
}

/// Every option that some algorithm takes: which of them takes a value does not depend on it.
std::vector<option_entry> all_options(command_entry const& command,
                                      std::span<experiment const> known) {
  auto options = command.options;
  if (runs_algorithms(command))
    for (auto const& one : known)
      for (auto& option : options_of(one)) options.push_back(std::move(option));
  return options;
}

line_so_far read_so_far(command_entry const& command, std::span<std::string const> words,
                        std::span<experiment const> known) {
  line_so_far line{.command = command,
                   .argument = argument_among(words, all_options(command, known))};
  if (runs_algorithms(command)) line.chosen = find_named(known, line.argument);
  line.options = options_with(command, line.chosen);
  for (auto const& word : words)
    if (is_option(word)) line.given.push_back(word.substr(0, word.find('=')));
  if (!words.empty()) {
    auto const* const last = find_named(std::span<option_entry const>(line.options), words.back());
    if (last != nullptr && last->takes_value) line.pending = *last;
  }
  return line;
}

/// The size of that kind to try: the chosen algorithm's, if it runs there, else any.
std::string size_to_try(topology_kind const& kind, experiment const* chosen) {
  if (chosen != nullptr)
    for (auto const& example : chosen->examples)
      if (example.starts_with(fmt::format("{}:", kind.name))) return example;
  return std::string(kind.examples.front());
}

/// "torus:" and so on; once the kind stands there, a size to try.
std::vector<candidate> topologies(std::string_view begun, experiment const* chosen) {
  std::vector<candidate> found;
  for (auto const& one : topology_kinds()) {
    auto const kind = fmt::format("{}:", one.name);
    found.push_back(
        {begun.starts_with(kind) ? size_to_try(one, chosen) : kind, std::string(one.summary)});
    if (one.short_name.empty()) continue;
    auto const short_kind = fmt::format("{}:", one.short_name);
    found.push_back({begun.starts_with(short_kind) ? short_kind + '8' : short_kind,
                     fmt::format("processors; {}8 is {}8", short_kind, kind)});
  }
  return found;
}

/// "bsp" and so on; after "bsp:" and each comma its parameters.
std::vector<candidate> cost_models(std::string_view begun) {
  std::vector<candidate> found;
  for (auto const& one : model_entries()) {
    auto const lead = fmt::format("{}:", one.name);
    if (!begun.starts_with(lead)) {
      found.push_back({std::string(one.name), std::string(one.summary)});
      continue;
    }
    auto const settled = begun.substr(0, std::max(lead.size(), begun.rfind(',') + 1));
    for (auto const& parameter : parameter_names_of(one))
      found.push_back({fmt::format("{}{}=", settled, parameter), std::string(one.summary)});
  }
  return found;
}

/// Completes the value of an option, whose kind its help says first.
word_completions values_for(option_entry const& option, std::string_view begun,
                            experiment const* chosen) {
  word_completions found;
  if (option.help.starts_with("FILE ")) found.paths = path_kind::files;
  if (option.help.starts_with("FOLDER ")) found.paths = path_kind::folders;
  if (option.name == "--on") found.candidates = topologies(begun, chosen);
  if (option.name == "--model") found.candidates = cost_models(begun);
  for (auto const& value : option.values) found.candidates.push_back({value, ""});
  return found;
}

template <class Entry>
std::vector<candidate> names_and_summaries(std::span<Entry const> entries) {
  std::vector<candidate> found;
  for (auto const& one : entries) found.push_back({one.name, one.summary});
  return found;
}

std::vector<candidate> names_and_sources(std::span<paper_entry const> entries) {
  std::vector<candidate> found;
  for (auto const& one : entries) found.push_back({one.name, one.source});
  return found;
}

std::vector<candidate> arguments_of(command_entry const& command,
                                    std::span<experiment const> known) {
  if (runs_algorithms(command)) return names_and_summaries(known);
  if (command.name == "paper") return names_and_sources(papers());
  if (command.name == "figure") return names_and_summaries(figures());
  return {};
}

std::vector<candidate> options_left(line_so_far const& line) {
  std::vector<candidate> found;
  for (auto const& option : line.options)
    if (std::ranges::find(line.given, option.name) == line.given.end())
      found.push_back({option.name, option.help});
  return found;
}

/// Whatever may stand at the place of `begun`.
word_completions everything_for(line_so_far const& line, std::string_view begun,
                                std::span<experiment const> known) {
  if (line.pending) return values_for(*line.pending, begun, line.chosen);
  auto const equals = begun.find('=');
  if (is_option(begun) && equals != std::string_view::npos) {
    auto const* const option =
        find_named(std::span<option_entry const>(line.options), begun.substr(0, equals));
    if (option == nullptr || !option->takes_value) return {};
    auto found = values_for(*option, begun.substr(equals + 1), line.chosen);
    for (auto& one : found.candidates) one.text = fmt::format("{}={}", option->name, one.text);
    return found;
  }
  bool const takes_paths = line.command.name == "compare" || line.command.name == "grade";
  if (takes_paths && !is_option(begun)) return {.candidates = {}, .paths = path_kind::files};
  bool const wants_argument = line.argument.empty() && !line.command.argument.empty();
  if (wants_argument && !is_option(begun)) return {.candidates = arguments_of(line.command, known)};
  return {.candidates = options_left(line)};
}

std::vector<candidate> first_words(std::span<command_entry const> commands) {
  auto found = names_and_summaries(commands);
  found.push_back({"--help", "Show help and end"});
  found.push_back({"--version", "Show the version and end"});
  return found;
}

}  // namespace

word_completions completions(std::vector<std::string> const& words, tool const& of) {
  auto const begun = words.empty() ? std::string_view{} : std::string_view(words.back());
  auto const commands = known_commands(of);
  word_completions found;
  if (words.size() < 2) {
    found.candidates = first_words(commands);
  } else if (auto const* const entry =
                 find_named(std::span<command_entry const>(commands), words.front())) {
    std::span<std::string const> const between(words.begin() + 1, words.end() - 1);
    found = everything_for(read_so_far(*entry, between, of.known), begun, of.known);
  }
  std::erase_if(found.candidates,
                [&](candidate const& one) { return !one.text.starts_with(begun); });
  return found;
}

std::string completion_script(std::string_view shell, std::string_view tool) {
  if (shell != "bash" && shell != "zsh")
    throw usage_error(fmt::format("completion: '{}' is not one of bash, zsh", shell));
  std::string const name(tool.substr(tool.rfind('/') + 1));
  auto function = "_" + name;
  std::ranges::replace_if(
      function, [](unsigned char one) { return std::isalnum(one) == 0; }, '_');
  // The last line of each script names its function, `_lockstep`, and the tool.
  std::string script(shell == "bash" ? detail::bash_completion() : detail::zsh_completion());
  script.erase(script.rfind('\n', script.size() - 2) + 1);
  script += shell == "bash" ? "complete -F _lockstep" : "compdef _lockstep";
  constexpr std::string_view written = "_lockstep";
  for (auto place = script.find(written); place != std::string::npos;
       place = script.find(written, place + function.size()))
    script.replace(place, written.size(), function);
  return fmt::format("{} '{}'\n", script, name);
}

std::string as_lines(word_completions const& of) {
  std::string text;
  for (auto const& one : of.candidates) {
    auto help = one.help;
    std::ranges::replace(help, '\n', ' ');
    text += fmt::format("{}\t{}\n", one.text, help);
  }
  if (of.paths == path_kind::files) text += "<files>\n";
  if (of.paths == path_kind::folders) text += "<folders>\n";
  return text;
}

}  // namespace lockstep::cli
