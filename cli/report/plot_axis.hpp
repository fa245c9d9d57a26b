#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace lockstep::cli {

/// Writes a number along an axis: whole ones in groups, those of seven digits or more with a power of ten.
[[nodiscard]] std::string number_text(double value);
/// Writes a number with about three digits.
[[nodiscard]] std::string rounded_text(double value);
/// Writes a number with a binary prefix where that is shorter: 128Ki.
[[nodiscard]] std::string binary_text(double value);

/// The numbers along an axis, and where they stand on it.
class plot_axis {
 public:
  /// `is_logarithmic`: nothing where it depends on the range of the numbers.
  plot_axis(std::vector<double> numbers, std::optional<bool> is_logarithmic, bool begins_at_0);

  [[nodiscard]] bool has_place(double number) const { return !m_is_logarithmic || number > 0; }
  /// From 0 to 1 along the axis, and beyond it for numbers that it does not have.
  [[nodiscard]] double place(double number) const {
    return (bent(number) - bent(m_least)) / (bent(m_most) - bent(m_least));
  }
  /// The numbers that it is given, where they are no more than that.
  [[nodiscard]] std::vector<double> own_numbers(std::size_t most) const {
    return m_numbers.size() <= most ? m_numbers : std::vector<double>();
  }
  /// Round numbers along the axis, about as many as it has room for.
  [[nodiscard]] std::vector<double> round_numbers(std::size_t most = 100) const;

 private:
  [[nodiscard]] double bent(double number) const;
  void widen(bool begins_at_0);
  [[nodiscard]] std::vector<double> powers(bool of_ten_alone) const;
  [[nodiscard]] std::vector<double> steps(double wanted) const;

  bool m_is_logarithmic = false;
  double m_least = 0;
  double m_most = 1;
  std::vector<double> m_numbers;
};

}  // namespace lockstep::cli
