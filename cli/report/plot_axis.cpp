#include "plot_axis.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "text_table.hpp"

namespace lockstep::cli {

namespace {

constexpr double logarithmic_from = 20;  ///< times the smallest number

void leave_out_each_other(std::vector<double>& numbers) {
  std::size_t place = 0;
  std::erase_if(numbers, [&](double) { return place++ % 2 == 1; });
}

}  // namespace

std::string number_text(double value) {
  auto const size = std::abs(value);
  if (size != 0 && (size >= 1e6 || size < 1e-3)) {
    auto const exponent = static_cast<int>(std::floor(std::log10(size) + 1e-9));
    return fmt::format("{:.4g}e{}", value / std::pow(10, exponent), exponent);
  }
  if (value >= 0 && std::trunc(value) == value) return grouped(static_cast<std::uint64_t>(value));
  return fmt::format("{:.6g}", value);
}

std::string rounded_text(double value) {
  return number_text(std::trunc(value) == value ? value : std::stod(fmt::format("{:.3g}", value)));
}

std::string binary_text(double value) {
  constexpr std::array<std::string_view, 4> prefixes{"", "Ki", "Mi", "Gi"};
  std::size_t prefix = 0;
  for (; prefix + 1 < prefixes.size() && value >= 1024 && std::fmod(value, 1024) == 0; ++prefix)
    value /= 1024;
  return number_text(value) + std::string(prefixes.at(prefix));
}

plot_axis::plot_axis(std::vector<double> numbers, std::optional<bool> is_logarithmic,
                     bool begins_at_0) {
  std::ranges::sort(numbers);
  auto const positive =
      std::ranges::find_if(numbers, [](double one) { return one > 0; }) - numbers.begin();
  bool const by_range = !numbers.empty() && numbers.front() > 0 &&
                        numbers.back() > logarithmic_from * numbers.front();
  m_is_logarithmic =
      is_logarithmic.value_or(by_range) && positive < static_cast<std::ptrdiff_t>(numbers.size());
  if (m_is_logarithmic) numbers.erase(numbers.begin(), numbers.begin() + positive);
  if (!numbers.empty()) {
    m_least = numbers.front();
    m_most = numbers.back();
  }
  widen(begins_at_0);
  auto const twice = std::ranges::unique(numbers);
  numbers.erase(twice.begin(), twice.end());
  m_numbers = std::move(numbers);
}

std::vector<double> plot_axis::round_numbers(std::size_t most) const {
  if (!m_is_logarithmic) return steps(std::min<double>(6, static_cast<double>(most)));
  auto numbers = powers(false);
  if (numbers.size() > most) numbers = powers(true);
  while (numbers.size() > std::max<std::size_t>(most, 2)) leave_out_each_other(numbers);
  return numbers;
}

double plot_axis::bent(double number) const {
  return m_is_logarithmic ? std::log10(number) : number;
}

/// Leaves room at both ends; a linear one may begin at 0.
void plot_axis::widen(bool begins_at_0) {
  if (m_is_logarithmic) {
    auto const room = std::max(0.04 * std::log10(m_most / m_least), 0.05);
    m_least /= std::pow(10, room);
    m_most *= std::pow(10, room);
    return;
  }
  if (begins_at_0) m_least = std::min(m_least, 0.0);
  if (m_most == m_least) m_most += std::max(1.0, 1e-6 * std::abs(m_least));
  auto const room = 0.04 * (m_most - m_least);
  m_most += room;
  if (!begins_at_0 || m_least < 0) m_least -= room;
}

/// 1, 2, 5, 10, ... over few decades, else powers of ten, at most about eight.
std::vector<double> plot_axis::powers(bool of_ten_alone) const {
  auto const first = static_cast<int>(std::floor(std::log10(m_least)));
  auto const last = static_cast<int>(std::ceil(std::log10(m_most)));
  bool const are_few = std::log10(m_most / m_least) < (of_ten_alone ? 1 : 3);
  std::vector<double> numbers;
  for (int power = first; power <= last; power += are_few ? 1 : 1 + (last - first) / 9)
    for (double const factor : {1.0, 2.0, 5.0}) {
      auto const number = factor * std::pow(10, power);
      if ((factor > 1 && !are_few) || number < m_least || number > m_most) continue;
      numbers.push_back(number);
    }
  return numbers;
}

/// About that many round numbers at equal distances.
std::vector<double> plot_axis::steps(double wanted) const {
  auto const rough = (m_most - m_least) / wanted;
  auto const power = std::pow(10, std::floor(std::log10(rough)));
  auto const factor = rough / power;
  auto const step = power * (factor <= 1.5 ? 1 : factor <= 3 ? 2 : factor <= 7 ? 5 : 10);
  std::vector<double> numbers;
  for (auto at = std::ceil(m_least / step); at * step <= m_most; ++at) numbers.push_back(at * step);
  return numbers;
}

}  // namespace lockstep::cli
