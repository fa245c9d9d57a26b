#include "command_part.hpp"

#include <algorithm>

#include <fmt/ranges.h>

#include "commands/suggest.hpp"

namespace lockstep::cli {

command_part::command_part(CLI::App& parser, tool const& of, std::string const& name,
                           std::string const& summary)
    : m_tool(of), m_options(*parser.add_subcommand(name, summary)) {
  m_options.allow_extras();
}

CLI::Option* command_part::add_text(char const* name, std::string& value, std::string const& help) {
  return m_options.add_option(name, value, help)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeLast)
      ->type_name("");
}

void command_part::refuse_extras() const {
  auto const extras = m_options.remaining();
  if (extras.empty()) return;
  auto const see = fmt::format("see {} {} --help", m_tool.name, m_options.get_name());
  auto const dashed = std::ranges::find_if(extras, [](auto const& one) { return one[0] == '-'; });
  if (dashed == extras.end())
    throw usage_error(fmt::format("unexpected argument '{}'; {}", extras.front(), see));
  std::vector<std::string> names;
  for (auto const* known : m_options.get_options())
    for (auto const& name : known->get_lnames()) names.push_back("--" + name);
  auto const option = dashed->substr(0, dashed->find('='));
  auto const near = nearest(option, names);
  throw usage_error(near.empty() ? fmt::format("there is no option {}; {}", option, see)
                                 : fmt::format("there is no option {}; did you mean {}?", option,
                                               fmt::join(near, " or ")));
}

}  // namespace lockstep::cli
