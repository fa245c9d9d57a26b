#include "option_values.hpp"

#include <algorithm>
#include <charconv>
#include <concepts>
#include <limits>
#include <system_error>
#include <variant>

namespace lockstep::cli {

namespace {

double real_number(std::string const& option, std::string const& text) {
  auto const value = plain_number(text);
  if (!value) throw usage_error(fmt::format("{}: '{}' is not a number", option, text));
  return *value;
}

/// A flag that is given is "true".
bool truth(std::string const& option, std::string const& text) {
  if (text != "true" && text != "false")
    throw usage_error(fmt::format("{}: a flag takes no value; leave out '{}'", option, text));
  return text == "true";
}

}  // namespace

std::optional<double> plain_number(std::string_view text) {
  double value = 0;
  auto const* const end = text.data() + text.size();
  auto const [stopped, problem] = std::from_chars(text.data(), end, value);
  if (problem != std::errc{} || stopped != end) return std::nullopt;
  return value;
}

std::int64_t whole_number(std::string const& option, std::string const& text) {
  std::int64_t value = 0;
  auto const* const end = text.data() + text.size();
  auto const [stopped, problem] = std::from_chars(text.data(), end, value);
  if (problem == std::errc::result_out_of_range)
    throw usage_error(fmt::format("{}: {} is too large; give a 64-bit number", option, text));
  if (problem != std::errc{} || stopped != end)
    throw usage_error(fmt::format("{}: '{}' is not a whole number", option, text));
  return value;
}

int clamped_number(std::string const& option, std::string const& text) {
  constexpr std::int64_t most = std::numeric_limits<int>::max();
  return static_cast<int>(std::clamp<std::int64_t>(whole_number(option, text), 0, most));
}

parameter_value value_like(parameter_value const& like, std::string const& option,
                           std::string const& text) {
  return std::visit(
      [&]<class T>(T const&) -> parameter_value {
        if constexpr (std::same_as<T, std::int64_t>) return whole_number(option, text);
        if constexpr (std::same_as<T, double>) return real_number(option, text);
        if constexpr (std::same_as<T, bool>) return truth(option, text);
        return text;
      },
      like);
}

bool is_flag(parameter const& one) { return std::holds_alternative<bool>(one.fallback); }

choices<cell_content> cell_contents() {
  return {{"senders", cell_content::senders},
          {"words", cell_content::words},
          {"values", cell_content::values}};
}

choices<ports> port_rules() {
  return {{"one", ports::one}, {"all", ports::all}, {"per-pass", ports::per_pass}};
}

choices<switching> switching_rules() {
  return {{"neighbour", switching::neighbour}, {"cut-through", switching::cut_through}};
}

choices<engine> engines() { return {{"fibers", engine::fibers}, {"threads", engine::threads}}; }

choices<bool> link_sharings() { return {{"none", false}, {"links", true}}; }
choices<bool> in_port_rules() { return {{"one", false}, {"free", true}}; }
choices<stacks> kinds_of_stacks() { return {{"own", stacks::own}, {"copied", stacks::copied}}; }

choices<input_values> kinds_of_values() {
  return {{"small", input_values::small}, {"real", input_values::real}};
}

choices<plot_scales> log_axes() {
  return {{"x", plot_scales::log_x},
          {"y", plot_scales::log_y},
          {"xy", plot_scales::log_xy},
          {"none", plot_scales::linear},
          {"auto", plot_scales::by_range}};
}

std::vector<std::string> values_of(std::string_view option) {
  if (option == "--show") return names_of(cell_contents());
  if (option == "--ports") return names_of(port_rules());
  if (option == "--engine") return names_of(engines());
  if (option == "--stacks") return names_of(kinds_of_stacks());
  if (option == "--values") return names_of(kinds_of_values());
  if (option == "--sharing") return names_of(link_sharings());
  if (option == "--log") return names_of(log_axes());
  if (option == "--in-port") return names_of(in_port_rules());
  return {};
}

}  // namespace lockstep::cli
