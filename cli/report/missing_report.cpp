#include "report/missing_report.hpp"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "report/text_table.hpp"

namespace lockstep::cli {

namespace {

std::vector<missing_statement> statements_of(paper_entry const& paper) {
  return paper.missing == nullptr ? std::vector<missing_statement>{} : paper.missing();
}

/// Counts them by reason.
std::map<std::string, std::uint64_t> kinds_of(std::vector<missing_statement> const& statements) {
  std::map<std::string, std::uint64_t> kinds;
  for (auto const& each : statements) ++kinds[each.kind];
  return kinds;
}

std::string reason_of(missing_statement const& each) {
  return each.why.empty() ? each.kind : fmt::format("{}; {}", each.kind, each.why);
}

}  // namespace

std::string missing_as_text(paper_entry const& of) {
  std::string text;
  for (auto const& line : wrapped(fmt::format("{}: {}", of.name, of.source), page_width))
    text += line + '\n';
  auto const statements = statements_of(of);
  if (statements.empty()) return text + "nothing is listed that no row has\n";
  text_table table({{"where", column_kind::text},
                    {"what the paper states", column_kind::prose},
                    {"why no row has it", column_kind::prose}});
  for (auto const& each : statements) table.add({each.place, each.statement, reason_of(each)});
  std::vector<std::string> totals;
  for (auto const& [kind, count] : kinds_of(statements))
    totals.push_back(fmt::format("{} {}", count, kind));
  text += '\n' + table.str() + '\n';
  auto const total = fmt::format("in no row    {}: {}", statements.size(), fmt::join(totals, ", "));
  for (auto const& line : wrapped(total, page_width)) text += line + '\n';
  return text;
}

nlohmann::ordered_json missing_as_json(paper_entry const& of) {
  auto const statements = statements_of(of);
  nlohmann::ordered_json json{{"paper", of.name}, {"source", of.source}};
  json["missing"] = nlohmann::ordered_json::array();
  for (auto const& each : statements)
    json["missing"].push_back({{"place", each.place},
                               {"statement", each.statement},
                               {"kind", each.kind},
                               {"why", each.why}});
  json["kinds"] = nlohmann::ordered_json::object();
  for (auto const& [kind, count] : kinds_of(statements)) json["kinds"][kind] = count;
  return json;
}

}  // namespace lockstep::cli
