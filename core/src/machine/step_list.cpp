#include <lockstep/step_list.hpp>

#include <algorithm>
#include <ranges>

namespace lockstep {

static_assert(std::ranges::random_access_range<step_list>);
static_assert(std::ranges::sized_range<step_list>);

step_list::step_list(std::initializer_list<step_record> steps) {
  for (auto const& one : steps) append(one);
}

step_list::step_list(std::vector<step_record> const& steps) {
  for (auto const& one : steps) append(one);
}

step_list::operator std::vector<step_record>() const { return {begin(), end()}; }

bool step_list::goes_on_with(step_record const& next) const {
  return !m_stretches.empty() && m_stretches.back().record(m_stretches.back().steps) == next;
}

void step_list::append(step_record const& first, std::uint64_t steps) {
  if (steps == 0) return;
  auto const end = size() + steps;
  if (goes_on_with(first)) {
    m_stretches.back().steps += steps;
    m_ends.back() = end;
  } else {
    m_ends.push_back(end);
    try {
      m_stretches.push_back({first, steps});
    } catch (...) {
      m_ends.pop_back();  // one for each stretch, also where memory runs out
      throw;
    }
  }
}

std::size_t step_list::stretch_of(size_type index) const {
  return static_cast<std::size_t>(std::ranges::upper_bound(m_ends, index) - m_ends.begin());
}

}  // namespace lockstep
