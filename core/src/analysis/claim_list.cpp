#include <lockstep/claim_list.hpp>

#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

#include <lockstep/errors.hpp>

namespace lockstep {

namespace {

/// The sign between both sides of a hypothesis.
struct hypothesis_sign {
  std::string_view text;
  bool (*is_met)(double left, double right);
};

constexpr std::array hypothesis_signs{
    hypothesis_sign{" >= ", [](double left, double right) { return left >= right; }},
    hypothesis_sign{" <= ", [](double left, double right) { return left <= right; }},
    hypothesis_sign{" > ", [](double left, double right) { return left > right; }},
    hypothesis_sign{" < ", [](double left, double right) { return left < right; }},
    hypothesis_sign{" divides ",
                    [](double left, double right) { return std::fmod(right, left) == 0; }}};

}  // namespace

claim_list& claim_list::from(std::string source) {
  m_source = std::move(source);
  return *this;
}

claim_list& claim_list::with(std::string const& letter, double value) {
  m_letters.numbers[letter] = value;
  return *this;
}

claim_list& claim_list::equal(std::string_view metrics, std::string const& formula) {
  return compare(metrics, comparison::equal, formula);
}

claim_list& claim_list::equal(std::string_view metrics, std::string const& formula, double value) {
  return add(metrics, formula, value, comparison::equal);
}

claim_list& claim_list::at_most(std::string_view metrics, std::string const& formula) {
  return compare(metrics, comparison::at_most, formula);
}

claim_list& claim_list::at_most(std::string_view metrics, std::string const& formula,
                                double value) {
  return add(metrics, formula, value, comparison::at_most);
}

claim_list& claim_list::about(std::string_view metrics, std::string const& formula) {
  return compare(metrics, comparison::about, formula);
}

claim_list& claim_list::compare(std::string_view metrics, comparison how,
                                std::string const& formula) {
  return add(metrics, formula, value(formula), how);
}

claim_list& claim_list::table(std::string_view lines) {
  auto const before = m_claims.size();
  while (!lines.empty()) {
    auto const end = std::min(lines.find('\n'), lines.size());
    auto line = lines.substr(0, end);
    lines.remove_prefix(std::min(end + 1, lines.size()));
    line.remove_prefix(std::min(line.find_first_not_of(' '), line.size()));
    if (!line.empty()) add_line(line);
  }
  m_last = before;
  return *this;
}

void claim_list::add_line(std::string_view line) {
  constexpr std::string_view source = "from ";
  if (line.starts_with(source)) {
    m_source = line.substr(source.size());
    return;
  }
  constexpr std::string_view equal_sign = " = ";
  constexpr std::string_view at_most_sign = " <= ";
  auto const at = std::min(line.find(equal_sign), line.find(at_most_sign));
  if (at != std::string_view::npos) {
    bool const is_equal = line.substr(at).starts_with(equal_sign);
    auto const& sign = is_equal ? equal_sign : at_most_sign;
    compare(line.substr(0, at), is_equal ? comparison::equal : comparison::at_most,
            std::string(line.substr(at + sign.size())));
    return;
  }
  throw invalid_argument(fmt::format(
      R"("{}" claims nothing; write, for example, "steps = C/2 + 2" or "from SOURCE")", line));
}

claim_list& claim_list::erratum(std::string const& reason) {
  if (reason.empty()) return *this;
  for (auto at = m_last; at < m_claims.size(); ++at) m_claims[at].erratum = reason;
  return *this;
}

claim_list& claim_list::where(std::string const& text, bool is_met) {
  for (auto at = m_last; at < m_claims.size(); ++at) {
    m_claims[at].where.push_back({text, is_met});
    if (!is_met && m_claims[at].erratum.empty()) m_claims[at].erratum = "made for " + text;
  }
  return *this;
}

claim_list& claim_list::where(hypothesis const& supposed) {
  return where(supposed.text, supposed.is_met());
}

claim_list& claim_list::where(std::string const& text) { return where(hypothesis_of(text)); }

claim_list& claim_list::evidence(std::string const& why) {
  if (why.empty()) return *this;
  for (auto at = m_last; at < m_claims.size(); ++at) m_claims[at].evidence = why;
  return *this;
}

claim_list& claim_list::priced_by(block_distributed_model const& model) {
  for (auto at = m_last; at < m_claims.size(); ++at) m_claims[at].model = model;
  return *this;
}

double claim_list::value(std::string_view formula) const {
  if (auto const found = value_of(formula, m_letters)) return *found;
  throw invalid_argument(fmt::format(
      "the formula \"{}\" cannot be evaluated; say with() what its letters stand for, or give its "
      "value",
      formula));
}

hypothesis claim_list::hypothesis_of(std::string const& text) const {
  for (auto const& sign : hypothesis_signs) {
    auto const at = text.find(sign.text);
    if (at == std::string::npos) continue;
    auto const left = value(std::string_view(text).substr(0, at));
    auto const right = value(std::string_view(text).substr(at + sign.text.size()));
    return {text, std::isfinite(left) && std::isfinite(right) && sign.is_met(left, right)};
  }
  throw invalid_argument(fmt::format(
      R"("{}" supposes nothing that can be evaluated; write, for example, "n >= p^3", or say whether it is met)",
      text));
}

claim_list& claim_list::add(std::vector<claim> const& claims) {
  m_last = m_claims.size();
  m_claims.insert(m_claims.end(), claims.begin(), claims.end());
  return *this;
}

claim_list& claim_list::add(std::string_view metrics, std::string const& formula, double value,
                            comparison how) {
  m_last = m_claims.size();
  while (!metrics.empty()) {
    auto const end = std::min(metrics.find(','), metrics.size());
    auto name = metrics.substr(0, end);
    name.remove_prefix(std::min(name.find_first_not_of(' '), name.size()));
    if (name.empty() || name.find_first_of(" =<") != std::string_view::npos)
      throw invalid_argument(fmt::format(
          R"("{}" is not the name of a metric; write, for example, "steps, startups")", name));
    m_claims.push_back({std::string(name), formula, value, how, m_source});
    metrics.remove_prefix(std::min(end + 1, metrics.size()));
  }
  return *this;
}

}  // namespace lockstep
