#include <lockstep/algorithms/numeric/fft.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <complex>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <istream>
#include <ostream>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include <fmt/format.h>

#include "files/input_file.hpp"
#include "files/npy_file.hpp"
#include "files/write_result.hpp"
#include "harness/bdm_parameters.hpp"
#include "harness/experiment_list.hpp"
#include "harness/harness.hpp"
#include "harness/sources.hpp"
#include "harness/stages.hpp"
#include "numeric/check_spectrum.hpp"
#include "numeric/numeric_machine.hpp"
#include "numeric/sequential_transform.hpp"

namespace lockstep {

namespace {

constexpr integer_parameter length_of_signal{
    "n",
    "complex numbers that are generated where there is no input file; p divides them",
    4096,
    0,
    std::int64_t{1} << 28U,
    true};
constexpr choice_parameter layout_of_spectrum{
    "layout", "which rows a processor gets: cyclic (j, j + p, ..) or block (n/p^2 in a row)",
    std::array{named_choice{"cyclic", fft_layout::cyclic},
               named_choice{"block", fft_layout::block}}};
constexpr choice_parameter precision_of_signal{
    "precision", "of generated numbers: double or float",
    std::array{named_choice{"double", true}, named_choice{"float", false}}, true};
constexpr flag_parameter backward_transform{
    "backward", "with exp(+2 pi i/n), divided by n: the inverse of the other"};

[[nodiscard]] any_signal read_signal(std::filesystem::path const& file) {
  return read_input(file, "name an .npy file with a complex signal",
                    [&](std::istream& in) { return read_npy_signal(in, file); });
}

/// How messages about the signal begin: "FILE: ".
[[nodiscard]] std::string name_of_input(arguments const& given) {
  return (given.request().input ? given.request().input->string() : std::string("fft")) + ": ";
}

/// Errors: bad_input for a number that is not finite, or a length that p does not divide.
template <class Real>
void require_transformable(arguments const& given, std::vector<std::complex<Real>> const& signal) {
  auto const p = static_cast<std::size_t>(given.processors());
  auto const below = signal.size() / p * p;
  auto const file = name_of_input(given);
  if (below != signal.size()) {
    auto const text =
        fmt::format("{}{} numbers cannot be dealt out evenly to {} processors; give {}{}", file,
                    signal.size(), p, below == 0 ? "" : fmt::format("{} or ", below), below + p);
    if (given.request().input) throw bad_input(text);
    throw invalid_argument(text);
  }
  auto const bad = std::ranges::find_if_not(signal, [](auto const& each) {
    return std::isfinite(each.real()) && std::isfinite(each.imag());
  });
  if (bad != signal.end())
    throw bad_input(fmt::format("{}number {} is not finite; give finite numbers", file,
                                bad - signal.begin() + 1));
}

/// Requires memory for a signal and what it is compared with before it is made.
/// Errors: out_of_memory, with the figures.
void require_memory_for_signal(arguments const& given) {
  std::size_t const n = given[length_of_signal];
  constexpr double copies = 7;  // the signal, columns, messages, rows, spectrum; two in long double
  require_memory(given, {.bytes_each = copies * sizeof(std::complex<double>) *
                                       static_cast<double>(n) / given.processors(),
                         .held = "the signal, its spectrum and what that is compared with",
                         .remedy = "a shorter signal"});
}

template <class Real>
[[nodiscard]] std::vector<std::complex<Real>> generated_signal(arguments const& given) {
  std::vector<std::complex<Real>> signal(given[length_of_signal]);
  auto const real = [&](std::size_t index) {
    constexpr std::int64_t half = std::int64_t{1} << 23U;
    auto const bits = generated_word(given.seed(), 0, 0, index) >> 40U;
    return static_cast<Real>(static_cast<std::int64_t>(bits) - half) / static_cast<Real>(half);
  };
  for (std::size_t i = 0; i < signal.size(); ++i) signal[i] = {real(2 * i), real(2 * i + 1)};
  return signal;
}

/// The columns that the processors begin with.
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

/// A signal, its spectrum, and the right spectrum.
template <class Real>
struct transformed_signal {
  std::vector<std::complex<Real>> const& signal;
  std::vector<std::complex<Real>> spectrum;
  fft_direction direction;
};

/// Compares with a transform in long double, and the library's transform with it.
/// Errors: bad_input for a spectrum that its type does not hold.
template <class Real>
void add_errors(arguments const& given, experiment_result& result,
                transformed_signal<Real> const& of) {
  using numbers = std::span<std::complex<Real> const>;
  auto const n = of.signal.size();
  begin_check(pieces_of_transform(n));
  auto const right = sequential_transform(
      std::vector<long_complex>(of.signal.begin(), of.signal.end()), of.direction);
  bool const scaled = of.direction == fft_direction::backward && n > 0;
  auto const check = check_spectrum(numbers(of.spectrum), std::span<long_complex const>(right),
                                    scaled ? 1 / static_cast<long double>(n) : 1);
  if (!check.refusal.empty()) throw bad_input(name_of_input(given) + check.refusal);
  result.correct = check.error <= check.largest;
  result.figures["error"] = check.error;
  auto const& libraries = given.request().libraries;
  result.figures["transforms"] = libraries.transforms.empty() ? "lockstep" : libraries.transforms;
  if (auto const& transform = libraries.transform_of<Real>()) {
    auto whole = of.signal;
    transform(std::span(whole), n, of.direction);
    result.figures["library_error"] = relative_error(numbers(whole), right, 1);
  }
}

/// Transforms it with that program for local transforms, and puts the spectrum in order.
template <class Real, class Transform>
[[nodiscard]] experiment_result transform_signal(arguments const& given, machine_needs const& needs,
                                                 fft_options const& options,
                                                 transformed_signal<Real>& of,
                                                 Transform const& transform) {
  auto run = run_program(given, needs, [&](processor& me) {
    return fft(me, column_of(of.signal, me), options, transform);
  });
  of.spectrum.resize(of.signal.size());
  for (int rank = 0; auto const& part : run.results()) {
    for (std::size_t place = 0; place < part.size(); ++place)
      of.spectrum[fft_index(options.layout, of.signal.size(), given.processors(), rank, place)] =
          part[place];
    ++rank;
  }
  return result_of(given, std::move(run), true);
}

template <class Real>
[[nodiscard]] experiment_result run_on_signal(arguments const& given,
                                              std::vector<std::complex<Real>> const& signal) {
  require_transformable(given, signal);
  asked_output out(given);
  fft_options const options{
      given[backward_transform] ? fft_direction::backward : fft_direction::forward,
      given[layout_of_spectrum]};
  auto const p = static_cast<std::size_t>(given.processors());
  auto const numbers_each = signal.size() / p;
  machine_needs const needs{
      .strict = strictness::always,
      .packet = packet_from(given),
      .one_port = true,
      .bytes_each = 7.0 * sizeof(std::complex<Real>) * static_cast<double>(numbers_each),
      .held = "the signal, the messages and the spectrum",
      .remedy = "a shorter signal"};
  transformed_signal<Real> of{signal, {}, options.direction};
  auto const& lent = given.request().libraries.transform_of<Real>();
  bdm_machine const on{given.processors(), given[latency], needs.packet};
  auto claims = fft_claims(on, signal.size());
  expect_steps(claims);
  auto result = lent ? transform_signal(given, needs, options, of, lent)
                     : transform_signal(given, needs, options, of, local_fft{});
  add_errors(given, result, of);
  result.claims = std::move(claims);
  result.parameters["n"] = static_cast<std::int64_t>(signal.size());
  result.parameters["precision"] = std::string(std::is_same_v<Real, double> ? "double" : "float");
  bool const moves = p > 1 && !signal.empty();
  result.bounds =
      lower_bounds(result.record,
                   moves ? traffic_requirement{.distance = 1, .joined = p} : traffic_requirement{});
  out.take(result, of.spectrum.size(), [&](std::ostream& file) {
    write_npy(file, std::span<std::complex<Real> const>(of.spectrum));
  });
  return result;
}

[[nodiscard]] experiment_result run_fft(experiment_request const& asked) {
  auto const with_room = with_room_for_libraries(asked);
  arguments const given(with_room);
  require_crossbar(given);
  if (asked.input)
    return std::visit([&](auto const& signal) { return run_on_signal(given, signal); },
                      read_signal(*asked.input));
  require_memory_for_signal(given);
  if (given[precision_of_signal]) return run_on_signal(given, generated_signal<double>(given));
  return run_on_signal(given, generated_signal<float>(given));
}

}  // namespace

experiment fft_experiment() {
  return {.name = "fft",
          .summary =
              "discrete Fourier transform of n complex numbers, with one transposition; generated, "
              "or those of an input file (.npy, complex128 or complex64)",
          .topologies = "crossbar",
          .source = cited(jaja_ryu_1994, "Theorem 5.4"),
          .examples = {"crossbar:8", "crossbar:4", "crossbar:16", "crossbar:64"},
          .parameters = {length_of_signal, layout_of_spectrum, precision_of_signal,
                         backward_transform, latency, packet_size},
          .takes_files = true,
          .run = run_fft};
}

}  // namespace lockstep
