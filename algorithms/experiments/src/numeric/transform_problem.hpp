#pragma once

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstddef>
#include <cstdint>
#include <ostream>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <lockstep/algorithms/numeric/fft.hpp>
#include <lockstep/errors.hpp>
#include <lockstep/experiments/experiment.hpp>
#include <lockstep/lower_bounds.hpp>

#include "files/npy_file.hpp"
#include "harness/arguments.hpp"
#include "numeric/check_spectrum.hpp"
#include "numeric/sequential_transform.hpp"

namespace lockstep {

/// Takes the column of a signal that a processor begins with: every p-th number.
template <class Real>
[[nodiscard]] std::vector<std::complex<Real>> column_of(
    std::vector<std::complex<Real>> const& signal, processor const& me) {
  auto const p = static_cast<std::size_t>(me.size());
  std::vector<std::complex<Real>> column;
  column.reserve(signal.size() / p);
  for (auto at = static_cast<std::size_t>(me.rank()); at < signal.size(); at += p)
    column.push_back(signal[at]);
  return column;
}

/// Puts the rows of all processors together, in order.
template <class Real>
[[nodiscard]] std::vector<std::complex<Real>> spectrum_of(
    std::vector<std::vector<std::complex<Real>>> const& parts, fft_layout layout) {
  std::size_t n = 0;
  for (auto const& part : parts) n += part.size();
  std::vector<std::complex<Real>> spectrum(n);
  int const p = static_cast<int>(parts.size());
  for (int rank = 0; rank < p; ++rank)
    for (std::size_t place = 0; auto const& number : parts[static_cast<std::size_t>(rank)])
      spectrum[fft_index(layout, n, p, rank, place++)] = number;
  return spectrum;
}

/// The transform problem: a signal, dealt out to the processors in columns, becomes its spectrum, in a
/// layout.
template <class Real>
class transform_problem {
 public:
  using numbers = std::vector<std::complex<Real>>;

  /// Errors: bad_input for a number that is not finite, or a file whose length p does not divide;
  /// invalid_argument for another such length.
  transform_problem(arguments const& given, numbers signal, fft_options const& options)
      : m_given(given), m_signal(std::move(signal)), m_options(options) {
    require_even_columns();
    auto const bad = std::ranges::find_if_not(m_signal, [](auto const& each) {
      return std::isfinite(each.real()) && std::isfinite(each.imag());
    });
    if (bad != m_signal.end())
      throw bad_input(fmt::format("{}number {} is not finite; give finite numbers", name_of_input(),
                                  bad - m_signal.begin() + 1));
  }

  [[nodiscard]] std::size_t size() const { return m_signal.size(); }

  [[nodiscard]] numbers part_of(processor const& me) const { return column_of(m_signal, me); }
  [[nodiscard]] std::uint64_t pieces_to_check() const { return pieces_of_transform(size()); }

  /// Puts the spectrum in order, if each processor has the rows of its layout, and compares it with a
  /// transform in long double, and the library's transform with that.
  /// Errors: bad_input for a spectrum that its type does not hold.
  [[nodiscard]] bool is_solved_by(std::vector<numbers> const& parts) {
    auto const p = parts.size();
    for (int rank = 0; auto const& part : parts)
      if (part.size() !=
          p * fft_rows_of(m_options.layout, size() / p, static_cast<int>(p), rank++).count)
        return false;
    m_spectrum = spectrum_of(parts, m_options.layout);
    auto const right = sequential_transform(
        std::vector<long_complex>(m_signal.begin(), m_signal.end()), m_options.direction);
    bool const scaled = m_options.direction == fft_direction::backward && size() > 0;
    m_check =
        check_spectrum<Real>(m_spectrum, right, scaled ? 1 / static_cast<long double>(size()) : 1);
    if (!m_check.refusal.empty()) throw bad_input(name_of_input() + m_check.refusal);
    if (auto const& transform = m_given.request().libraries.template transform_of<Real>()) {
      auto whole = m_signal;
      transform(std::span(whole), size(), m_options.direction);
      m_library_error = relative_error<Real>(whole, right, 1);
    }
    return m_check.error <= m_check.largest;
  }

  [[nodiscard]] std::uint64_t pieces_to_write() const { return m_spectrum.size(); }
  void write(std::ostream& out, std::vector<numbers> const& /*parts*/) const {
    write_npy(out, std::span<std::complex<Real> const>(m_spectrum));
  }

  [[nodiscard]] traffic_requirement least_traffic(std::vector<numbers> const& parts) const {
    if (parts.size() == 1 || size() == 0) return {};
    return {.distance = 1, .joined = parts.size()};
  }

  /// Adds n, the precision, the errors, and whose local transforms these are.
  void add_size_to(experiment_result& result) const {
    auto const& libraries = m_given.request().libraries;
    result.parameters["n"] = static_cast<std::int64_t>(size());
    result.parameters["precision"] = std::string(std::is_same_v<Real, double> ? "double" : "float");
    result.figures["error"] = m_check.error;
    result.figures["transforms"] = libraries.transforms.empty() ? "lockstep" : libraries.transforms;
    if (libraries.template transform_of<Real>()) result.figures["library_error"] = m_library_error;
  }

 private:
  /// How messages about the signal begin: "FILE: ".
  [[nodiscard]] std::string name_of_input() const {
    auto const& input = m_given.request().input;
    return (input ? input->string() : std::string("fft")) + ": ";
  }

  void require_even_columns() const {
    auto const p = static_cast<std::size_t>(m_given.processors());
    auto const below = size() / p * p;
    if (below == size()) return;
    auto const text = fmt::format(
        "{}{} numbers cannot be dealt out evenly to {} processors; give {}{}", name_of_input(),
        size(), p, below == 0 ? "" : fmt::format("{} or ", below), below + p);
    if (m_given.request().input) throw bad_input(text);
    throw invalid_argument(text);
  }

  arguments const& m_given;
  numbers m_signal;
  fft_options m_options;
  numbers m_spectrum{};
  spectrum_check m_check{};
  double m_library_error = 0;
};

}  // namespace lockstep
