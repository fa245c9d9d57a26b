#include "number_sample.hpp"

#include <algorithm>
#include <cmath>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <utility>
#include <variant>
#include <vector>

namespace lockstep::detail {

namespace {

[[nodiscard]] std::size_t parts_of(std::size_t count, std::size_t each) {
  return (count + each - 1) / each;
}

template <class Number>
[[nodiscard]] bool is_finite_number(Number value) {
  if constexpr (std::floating_point<Number>)
    return std::isfinite(value);
  else
    return true;
}

/// Equally wide parts from the least to the most of some numbers: of few whole ones one for each.
template <class Number>
class histogram_parts {
 public:
  histogram_parts(Number least, Number most) : m_least(least), m_most(most) {
    if (least == most) {
      m_parts = 1;
    } else if constexpr (std::integral<Number>) {
      auto const width = static_cast<std::uint64_t>(most) - static_cast<std::uint64_t>(least);
      if (width < most_histogram_parts) m_parts = static_cast<std::size_t>(width) + 1;
    }
  }

  [[nodiscard]] std::size_t size() const { return m_parts; }
  [[nodiscard]] std::size_t part_of(Number value) const {
    if (m_parts < most_histogram_parts)
      return m_parts == 1 ? 0 : static_cast<std::size_t>(value - m_least);
    // Halves, since the difference of two numbers may be beyond their type.
    auto const half = [](Number of) { return static_cast<double>(of) / 2; };
    double const share = (half(value) - half(m_least)) / (half(m_most) - half(m_least));
    return std::min(m_parts - 1, static_cast<std::size_t>(share * static_cast<double>(m_parts)));
  }

 private:
  Number m_least;
  Number m_most;
  std::size_t m_parts = most_histogram_parts;
};

/// Adds to a sample how its numbers are spread.
template <class Number>
void add_spread(number_sample& sample, std::vector<Number> const& numbers) {
  std::vector<Number> finite;
  std::ranges::copy_if(numbers, std::back_inserter(finite), is_finite_number<Number>);
  sample.not_finite = numbers.size() - finite.size();
  if (finite.empty()) return;
  auto const [least, most] = std::ranges::minmax(finite);
  sample.least = least;
  sample.most = most;
  long double sum = 0;
  for (Number const one : finite) sum += static_cast<long double>(one);
  sample.mean = static_cast<double>(sum / static_cast<long double>(finite.size()));
  histogram_parts const parts(least, most);
  sample.histogram.resize(parts.size());
  for (Number const one : finite) ++sample.histogram[parts.part_of(one)];
}

}  // namespace

number_sample sample_of(shown_numbers const& numbers) {
  return std::visit(
      []<class Number>(std::vector<Number> const& all) {
        number_sample sample{
            .count = all.size(),
            .every = std::max<std::size_t>(1, parts_of(all.size(), most_single_numbers))};
        std::vector<Number> kept;
        for (std::size_t at = 0; at < all.size(); at += sample.every) kept.push_back(all[at]);
        sample.numbers = std::move(kept);
        add_spread(sample, all);
        return sample;
      },
      numbers);
}

matrix_sample sample_of(shown_matrix const& matrix) {
  auto const columns = std::max<std::size_t>(1, matrix.columns);
  return std::visit(
      [columns]<class Number>(std::vector<Number> const& all) {
        auto const rows = parts_of(all.size(), columns);
        std::size_t every = 1;
        while (parts_of(rows, every) * parts_of(columns, every) > most_matrix_numbers) ++every;
        std::vector<Number> kept;
        for (std::size_t row = 0; row < rows; row += every)
          for (auto at = row * columns; at < std::min(all.size(), (row + 1) * columns); at += every)
            kept.push_back(all[at]);
        return matrix_sample{all.size(), rows, every, {parts_of(columns, every), std::move(kept)}};
      },
      matrix.numbers);
}

}  // namespace lockstep::detail
