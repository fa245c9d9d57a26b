#include <lockstep/algorithms/numeric/fft.hpp>

#include <algorithm>
#include <array>
#include <bit>
#include <complex>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <istream>
#include <iterator>
#include <span>
#include <utility>
#include <variant>
#include <vector>

#include <lockstep/claim_list.hpp>

#include "files/input_file.hpp"
#include "files/npy_file.hpp"
#include "harness/bdm_parameters.hpp"
#include "harness/experiment_list.hpp"
#include "harness/harness.hpp"
#include "harness/solve.hpp"
#include "harness/sources.hpp"
#include "numeric/numeric_machine.hpp"
#include "numeric/supposed_sizes.hpp"
#include "numeric/textbook_time.hpp"
#include "numeric/transform_problem.hpp"

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

/// Requires memory for a signal and what it is compared with before it is made.
/// Errors: out_of_memory, with the figures.
void require_memory_for_signal(arguments const& given) {
  std::size_t const n = given[length_of_signal];
  constexpr double copies = 9;  // signal, columns, messages, rows, spectrum; four in long double
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
    if (takes_small_values(given)) return static_cast<Real>(bits % 10);
    return static_cast<Real>(static_cast<std::int64_t>(bits) - half) / static_cast<Real>(half);
  };
  for (std::size_t i = 0; i < signal.size(); ++i) signal[i] = {real(2 * i), real(2 * i + 1)};
  return signal;
}

/// Counts the operations of local transforms of that many elements together: one of each element in each of
/// log2(length) levels, whichever library computes them; the factors between levels are not counted apart. `length`: a power of two.
[[nodiscard]] std::uint64_t operations_of_levels(std::size_t elements, std::size_t length) {
  return elements * static_cast<std::uint64_t>(std::bit_width(length) - 1);
}

/// Whether all local transforms have lengths of powers of two: the operations of others are not counted.
[[nodiscard]] bool has_levels(int processors, std::size_t n) {
  return std::has_single_bit(n) && std::has_single_bit(static_cast<std::size_t>(processors));
}

/// Claims the operations of all levels, where they are counted.
[[nodiscard]] std::vector<claim> claims_of_levels(int processors, std::size_t n) {
  if (!has_levels(processors, n)) return {};
  return claim_list({{{"p", processors}, {"n", static_cast<double>(n)}}})
      .from("lockstep, the levels counted")
      .equal("operations", "n log2 n")
      .equal("work", "n log2 n/p")
      .where(detail::elements_of_fft);
}

/// Claims T_p, where the levels are counted and every processor has rows.
void claim_time(experiment_result& result, bdm_machine const& on, std::size_t n) {
  auto const p = static_cast<std::size_t>(on.p);
  if (!has_levels(on.p, n) || n < p * p) return;
  claim_list const letters(
      {{{"p", on.p}, {"n", static_cast<double>(n)}, {"m", static_cast<double>(on.packet)}}});
  claim_textbook_time(result, letters,
                      on.p == 1 ? "n log2 n" : "n log2 n/p + t_s + (p - 1)m ceil(n/(p^2 m))");
}

template <class Real>
[[nodiscard]] experiment_result run_on_signal(arguments const& given,
                                              std::vector<std::complex<Real>> signal) {
  fft_options const options{
      given[backward_transform] ? fft_direction::backward : fft_direction::forward,
      given[layout_of_spectrum]};
  transform_problem<Real> problem(given, std::move(signal), options);
  machine_needs const needs{
      .strict = strictness::always,
      .packet = packet_from(given),
      .one_port = true,
      .bytes_each =
          9.0 * sizeof(std::complex<Real>) *
          static_cast<double>(problem.size() / static_cast<std::size_t>(given.processors())),
      .held = "the signal, the messages and the spectrum",
      .remedy = "a shorter signal"};
  bdm_machine const on{given.processors(), given[latency], needs.packet};
  auto const solve_by = [&](auto const& transform) {
    bool const counts_levels = has_levels(on.p, problem.size());
    auto claims = claims_of_levels(on.p, problem.size());
    std::ranges::move(fft_claims(on, problem.size()), std::back_inserter(claims));
    auto result =
        solve(given, needs, std::move(claims), problem,
              [&](processor& me, std::vector<std::complex<Real>> column) {
                auto const transform_and_count = [&](std::span<std::complex<Real>> elements,
                                                     std::size_t length, fft_direction way) {
                  transform(elements, length, way);
                  if (counts_levels) me.work(operations_of_levels(elements.size(), length));
                };
                return fft(me, std::move(column), options, transform_and_count);
              });
    claim_time(result, on, problem.size());
    return result;
  };
  auto const& lent = given.request().libraries.transform_of<Real>();
  return lent ? solve_by(lent) : solve_by(local_fft{});
}

[[nodiscard]] experiment_result run_fft(experiment_request const& asked) {
  auto const with_room = with_room_for_libraries(asked);
  arguments const given(with_room);
  require_crossbar(given);
  if (asked.input)
    return std::visit([&](auto&& signal) { return run_on_signal(given, std::move(signal)); },
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
