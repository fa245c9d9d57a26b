#include <lockstep/claim_list.hpp>

#include <fmt/format.h>

#include <lockstep/errors.hpp>

namespace lockstep {

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

claim_list& claim_list::compare(std::string_view metrics, comparison how,
                                std::string const& formula) {
  return add(metrics, formula, value(formula), how);
}

claim_list& claim_list::erratum(std::string const& reason) {
  for (auto at = m_last; at < m_claims.size(); ++at) m_claims[at].erratum = reason;
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

claim_list& claim_list::add(std::vector<claim> const& claims) {
  m_last = m_claims.size();
  m_claims.insert(m_claims.end(), claims.begin(), claims.end());
  return *this;
}

claim_list& claim_list::add(std::string_view metrics, std::string const& formula, double value,
                            comparison how) {
  m_last = m_claims.size();
  constexpr std::string_view separator = ", ";
  while (!metrics.empty()) {
    auto const end = metrics.find(separator);
    m_claims.push_back({std::string(metrics.substr(0, end)), formula, value, how, m_source});
    metrics.remove_prefix(end == std::string_view::npos ? metrics.size() : end + separator.size());
  }
  return *this;
}

}  // namespace lockstep
