#pragma once

#if __has_include(<fftw3.h>)

#include <fftw3.h>

#include <complex>
#include <cstddef>
#include <map>
#include <memory>
#include <mutex>
#include <span>
#include <tuple>
#include <type_traits>

#include <lockstep/algorithms/numeric/local_fft.hpp>
#include <lockstep/detail/debug_containers.hpp>

namespace lockstep {

namespace detail {

/// FFTW's functions for a precision.
template <class Real>
struct fftw_functions;

template <>
struct fftw_functions<double> {
  using plan = fftw_plan;
  using number = fftw_complex;
  static constexpr auto make = &fftw_plan_many_dft;
  static constexpr auto execute = &fftw_execute_dft;
  static constexpr auto destroy = &fftw_destroy_plan;
  static constexpr auto alignment = &fftw_alignment_of;
};

template <>
struct fftw_functions<float> {
  using plan = fftwf_plan;
  using number = fftwf_complex;
  static constexpr auto make = &fftwf_plan_many_dft;
  static constexpr auto execute = &fftwf_execute_dft;
  static constexpr auto destroy = &fftwf_destroy_plan;
  static constexpr auto alignment = &fftwf_alignment_of;
};

/// FFTW makes and destroys one plan at a time in a process, whoever asks.
[[nodiscard]] inline std::mutex& fftw_planner() {
  static std::mutex planner;
  return planner;
}

/// The plans that have been made, each for a length, a number of sequences, a direction and whether
/// the elements lie as FFTW's vector instructions want them.
template <class Real>
class fftw_plans {
 public:
  using functions = fftw_functions<Real>;
  using number = typename functions::number;

  fftw_plans() = default;
  fftw_plans(fftw_plans const&) = delete;
  fftw_plans& operator=(fftw_plans const&) = delete;
  ~fftw_plans() {
    std::lock_guard const alone(fftw_planner());
    for (auto const& [key, plan] : m_plans) functions::destroy(plan);
  }

  void transform(std::span<std::complex<Real>> elements, std::size_t length,
                 fft_direction direction) {
    // NOLINTNEXTLINE(cppcoreguidelines-pro-type-reinterpret-cast): as both standards have it
    auto* const numbers = reinterpret_cast<number*>(elements.data());
    auto const sequences = elements.size() / length;
    functions::execute(plan_for(numbers, static_cast<int>(length), static_cast<int>(sequences),
                                direction == fft_direction::forward ? FFTW_FORWARD : FFTW_BACKWARD),
                       numbers, numbers);
  }

 private:
  [[nodiscard]] typename functions::plan plan_for(number* numbers, int length, int sequences,
                                                  int sign) {
    // NOLINTNEXTLINE(cppcoreguidelines-pro-type-reinterpret-cast)
    bool const aligned = functions::alignment(reinterpret_cast<Real*>(numbers)) == 0;
    std::lock_guard const alone(fftw_planner());
    auto& plan = m_plans[{length, sequences, sign, aligned}];
    if (plan == nullptr)
      plan =
          functions::make(1, &length, sequences, numbers, nullptr, sequences, 1, numbers, nullptr,
                          sequences, 1, sign, FFTW_ESTIMATE | (aligned ? 0U : FFTW_UNALIGNED));
    return plan;
  }

  std::map<std::tuple<int, int, int, bool>, typename functions::plan> m_plans;
};

}  // namespace detail

/// Local transforms by FFTW, for `fft` in place of `local_fft`. A program that includes this header
/// links fftw3 (double) and fftw3f (float) itself; without FFTW's headers there is nothing in it.
///
/// Plans are made once for each length and number of sequences, and shared by all processors and all
/// copies. FFTW uses up to 64 KiB of the stack besides: give the machine one of 256 KiB.
/// Up to 2^31 - 1 elements in a processor.
/// **Source** Frigo and Johnson, The design and implementation of FFTW3, 2005.
///
/// **Example**
/// ```
/// lockstep::machine machine{lockstep::crossbar{64}, {.stack = 256 * 1024}};
/// lockstep::fftw const by_fftw;
/// machine.run([&](lockstep::processor& me) { return lockstep::fft(me, column_of(me), {}, by_fftw); });
/// ```
class fftw {
 public:
  template <class Real>
  void operator()(std::span<std::complex<Real>> elements, std::size_t length,
                  fft_direction direction) const {
    if (length <= 1 || elements.empty()) return;
    if constexpr (std::is_same_v<Real, double>)
      m_doubles->transform(elements, length, direction);
    else
      m_floats->transform(elements, length, direction);
  }

 private:
  std::shared_ptr<detail::fftw_plans<double>> m_doubles =
      std::make_shared<detail::fftw_plans<double>>();
  std::shared_ptr<detail::fftw_plans<float>> m_floats =
      std::make_shared<detail::fftw_plans<float>>();
};

}  // namespace lockstep

#endif
