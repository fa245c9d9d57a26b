#include "routing/expected_arrivals.hpp"

#include <numeric>

namespace lockstep {

namespace {

/// An element of a sequential loop, with the processor that it goes through.
template <class Visit>
void for_each_element(h_relation_input const& input, Visit const& visit) {
  auto const p = input.destinations.size();
  std::vector<std::size_t> sent(p);
  for (std::size_t i = 0; i < p; ++i) {
    std::ranges::fill(sent, std::size_t{0});
    for (std::size_t number = 0; number < input.destinations[i].size(); ++number) {
      auto const j = static_cast<std::size_t>(input.destinations[i][number]);
      auto const through = (i + j + sent[j]++) % p;
      visit(labelled{static_cast<int>(j), static_cast<int>(i), static_cast<std::uint32_t>(number)},
            through);
    }
  }
}

}  // namespace

std::span<labelled const> expected_arrivals::at(int rank) const {
  auto const begin = m_begins[static_cast<std::size_t>(rank)];
  auto const end = m_begins[static_cast<std::size_t>(rank) + 1];
  return std::span(m_elements).subspan(begin, end - begin);
}

expected_arrivals expected_arrivals::by_source(h_relation_input const& input) {
  auto const p = input.destinations.size();
  std::vector<std::vector<labelled>> at(p);
  expected_arrivals expected;
  for_each_element(input, [&](labelled const& element, std::size_t) {
    at[static_cast<std::size_t>(element.home)].push_back(element);
    if (element.home != element.source) expected.m_phases_with_words = 1;
  });
  for (auto const& of_one : at) {
    expected.m_begins.push_back(expected.m_elements.size());
    expected.m_elements.insert(expected.m_elements.end(), of_one.begin(), of_one.end());
  }
  expected.m_begins.push_back(expected.m_elements.size());
  return expected;
}

expected_arrivals expected_arrivals::through_bins(h_relation_input const& input) {
  auto const p = input.destinations.size();
  std::vector<std::size_t> ends(p * p + 1);  // of the bins (destination, intermediate)
  bool travels_first = false;
  bool travels_second = false;
  auto const bin = [p](labelled const& element, std::size_t through) {
    return static_cast<std::size_t>(element.home) * p + through;
  };
  for_each_element(input, [&](labelled const& element, std::size_t through) {
    ++ends[bin(element, through) + 1];
    travels_first = travels_first || std::cmp_not_equal(through, element.source);
    travels_second = travels_second || std::cmp_not_equal(through, element.home);
  });
  std::partial_sum(ends.begin(), ends.end(), ends.begin());
  expected_arrivals expected;
  for (std::size_t j = 0; j <= p; ++j) expected.m_begins.push_back(ends[j * p]);
  expected.m_elements.resize(ends.back());
  for_each_element(input, [&](labelled const& element, std::size_t through) {
    expected.m_elements[ends[bin(element, through)]++] = element;
  });
  expected.m_phases_with_words = (travels_first ? 1 : 0) + (travels_second ? 1 : 0);
  return expected;
}

}  // namespace lockstep
