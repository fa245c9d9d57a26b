#include "algorithm_text.hpp"

#include <cctype>
#include <cmath>
#include <cstdint>
#include <variant>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace lockstep::docs {

std::string as_text(double value) {
  return std::trunc(value) == value ? fmt::format("{:.0f}", value) : fmt::format("{:.4g}", value);
}

std::string as_text(parameter_value const& value) {
  if (auto const* text = std::get_if<std::string>(&value)) return *text;
  if (auto const* is_so = std::get_if<bool>(&value)) return *is_so ? "yes" : "no";
  if (auto const* whole = std::get_if<std::int64_t>(&value)) return fmt::format("{}", *whole);
  return as_text(std::get<double>(value));
}

std::string plain(std::string_view text) {
  std::string result;
  for (char const character : text) {
    bool const second_dash = character == '-' && result.ends_with('-');
    if (second_dash || std::string_view("\\*_<>|`#").find(character) != std::string_view::npos)
      result += '\\';
    result += character;
  }
  return result;
}

std::string sentence(std::string text) {
  bool const is_name = text.size() > 1 && text[1] == ' ' && text[0] != 'a';
  if (!text.empty() && !is_name)
    text.front() = static_cast<char>(std::toupper(static_cast<unsigned char>(text.front())));
  return text;
}

namespace {

/// Says which runs a variant is for: "`--scheme ring`, `bucket` on a hypercube".
std::string condition_of(variant_explanation const& variant) {
  std::string text;
  if (!variant.parameter.empty())
    text = fmt::format("`--{}{}{}`", variant.parameter, variant.values.empty() ? "" : " ",
                       fmt::join(variant.values, "`, `"));
  if (auto const networks = networks_in_words(variant); !networks.empty())
    text += text.empty() ? 'O' + networks.substr(1) : ' ' + networks;
  if (!variant.phase.empty()) text += fmt::format(", with phase \"{}\"", variant.phase);
  return text;
}

}  // namespace

std::string how_it_works(experiment const& which) {
  auto text = plain(which.explanation) + '\n';
  for (auto const& variant : which.variants)
    text += fmt::format("\n{}: {}\n", condition_of(variant), plain(variant.explanation));
  return text;
}

std::string teaching_command(experiment const& which) {
  auto text = usual_command(which);
  for (auto const& [name, value] : which.teaching.parameters)
    if (std::holds_alternative<bool>(value)) text += " --" + name;
  return text;
}

std::string usual_command(experiment const& which) {
  auto text = fmt::format("{} --on {}", which.name, which.teaching.on);
  for (auto const& [name, value] : which.teaching.parameters)
    if (!std::holds_alternative<bool>(value)) text += fmt::format(" --{} {}", name, as_text(value));
  return text;
}

std::string options_table(experiment const& which) {
  std::string text;  // a table without rows would be shown as text
  if (!which.parameters.empty() || which.takes_files)
    text = "| option | what | default |\n|---|---|---|\n";
  for (auto const& taken : which.parameters)
    text += fmt::format("| `--{}` | {} | {} |\n", taken.name, plain(taken.help),
                        plain(as_text(taken.fallback)));
  if (which.takes_files)
    text +=
        "| `--input` | a file to work on, in place of made data | |\n"
        "| `--output` | a file for the result | |\n";
  return text;
}

}  // namespace lockstep::docs
