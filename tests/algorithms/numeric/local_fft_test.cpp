#include <lockstep/algorithms/numeric/local_fft.hpp>

#include <complex>
#include <cstddef>
#include <span>
#include <vector>

#include "algorithms/numeric/numeric_samples.hpp"
#include "catch.hpp"

using lockstep::fft_direction;

namespace {

template <class Real>
std::vector<std::complex<Real>> transformed(std::vector<std::complex<Real>> x, std::size_t length,
                                            fft_direction direction) {
  lockstep::local_fft{}(std::span(x), length, direction);
  return x;
}

}  // namespace

TEST_CASE("local transforms are the sums of the definition, for every length up to 130",
          "[numeric]") {
  for (std::size_t n = 0; n <= 130; ++n)
    for (auto const direction : {fft_direction::forward, fft_direction::backward}) {
      INFO(n);
      auto const x = samples::signal<double>(n);
      auto const right = samples::summed_up(x, direction);
      CHECK(samples::distance(transformed(x, n, direction), right) < 2e-15);
      auto const y = samples::signal<float>(n);
      CHECK(samples::distance(transformed(y, n, direction), samples::summed_up(y, direction)) <
            1e-6);
    }
}

TEST_CASE("local transforms of long lengths lose a few roundings", "[numeric]") {
  // powers of two, products of small primes, a prime (by chirps), twice a prime
  for (std::size_t const n : {4096U, 3600U, 2021U, 1009U, 2018U}) {
    INFO(n);
    auto const x = samples::signal<double>(n);
    auto const forward = transformed(x, n, fft_direction::forward);
    CHECK(samples::distance(forward, samples::summed_up(x, fft_direction::forward)) < 3e-15);
  }
}

TEST_CASE("interleaved sequences are transformed each by itself", "[numeric]") {
  for (std::size_t const length : {1U, 2U, 6U, 16U, 37U})
    for (std::size_t const sequences : {1U, 2U, 5U}) {
      INFO(length << " x " << sequences);
      auto const x = samples::signal<double>(length * sequences);
      auto const y = transformed(x, length, fft_direction::forward);
      for (std::size_t s = 0; s < sequences; ++s) {
        std::vector<std::complex<double>> alone;
        std::vector<std::complex<double>> measured;
        for (std::size_t i = 0; i < length; ++i) {
          alone.push_back(x[i * sequences + s]);
          measured.push_back(y[i * sequences + s]);
        }
        CHECK(samples::distance(measured, samples::summed_up(alone, fft_direction::forward)) <
              2e-15);
      }
    }
}

TEST_CASE("there and back is n times the signal, and energy is kept", "[numeric]") {
  for (std::size_t const n : {8U, 60U, 101U, 1024U}) {
    auto const x = samples::signal<double>(n, static_cast<unsigned>(n));
    auto const y = transformed(x, n, fft_direction::forward);
    auto back = transformed(y, n, fft_direction::backward);
    for (auto& each : back) each /= static_cast<double>(n);
    INFO(n);
    CHECK(samples::distance(back, x) < 3e-15);
    double in_time = 0;
    double in_frequency = 0;
    for (auto const& each : x) in_time += std::norm(each);
    for (auto const& each : y) in_frequency += std::norm(each);
    CHECK(in_frequency == Approx(static_cast<double>(n) * in_time));
  }
}
