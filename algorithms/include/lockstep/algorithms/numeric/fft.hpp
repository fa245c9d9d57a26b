#pragma once

#include <algorithm>
#include <complex>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <source_location>
#include <span>
#include <utility>
#include <vector>

#include <lockstep/algorithms/collectives/collective_claims.hpp>
#include <lockstep/algorithms/collectives/detail/rounds.hpp>
#include <lockstep/algorithms/detail/show_values.hpp>
#include <lockstep/algorithms/numeric/detail/complex_roots.hpp>
#include <lockstep/algorithms/numeric/local_fft.hpp>
#include <lockstep/claim.hpp>
#include <lockstep/detail/library_frame.hpp>
#include <lockstep/library_call.hpp>
#include <lockstep/processor.hpp>

namespace lockstep {

/// Which elements of the spectrum a processor gets: those whose index mod n/p is one of its rows.
enum class fft_layout : std::uint8_t {
  cyclic,  ///< rows j, j + p, ..: where p^2 divides n these are y_j, y_{j+p}, .., as in the input
  block    ///< the rows r with j = floor(r p/(n/p))
};

/// Options of `fft`. All processors pass the same.
struct fft_options {
  fft_direction direction = fft_direction::forward;
  fft_layout layout = fft_layout::cyclic;
};

/// The rows of an n/p x p matrix that a processor gets.
struct fft_rows {
  std::size_t first = 0;
  std::size_t step = 1;
  std::size_t count = 0;
};

/// Tells which rows go to processor `rank`. `rows`: n/p, of the matrix.
/// Errors: invalid_argument for no such layout or processor, and p < 1.
[[nodiscard]] fft_rows fft_rows_of(fft_layout layout, std::size_t rows, int p, int rank,
                                   std::source_location where = std::source_location::current());

/// Tells which element of the spectrum of n elements is element `place` of what processor `rank` gets.
/// Errors: those of `fft_rows_of`; invalid_argument for a processor that gets none.
[[nodiscard]] std::size_t fft_index(fft_layout layout, std::size_t n, int p, int rank,
                                    std::size_t place,
                                    std::source_location where = std::source_location::current());

namespace detail {

/// Takes a row's elements to the processor that gets it, multiplied by their twiddle factors.
template <std::floating_point Real>
class fft_transposition {
 public:
  using number = std::complex<Real>;

  fft_transposition(processor const& me, std::vector<number> const& column,
                    fft_options const& options)
      : m_column(column),
        m_layout(options.layout),
        m_own(fft_rows_of(options.layout, column.size(), me.size(), me.rank())),
        m_twiddles(static_cast<std::size_t>(me.rank()),
                   std::max<std::size_t>(column.size() * static_cast<std::size_t>(me.size()), 1),
                   column.size(), options.direction == fft_direction::forward,
                   options.direction == fft_direction::forward
                       ? 1
                       : 1 / (static_cast<Real>(std::max<std::size_t>(column.size(), 1)) *
                              static_cast<Real>(me.size()))),
        m_gathered(m_own.count * static_cast<std::size_t>(me.size())) {}

  /// Result: this processor's rows, one column after another.
  [[nodiscard]] std::vector<number> operator()(
      processor& me, std::source_location where = std::source_location::current()) && {
    library_frame const frame(me, where);
    std::ranges::copy(rows_for(me, me.rank()), from_column(me.rank()).begin());
    me.pipelined([&] {
      in_shifted_rounds(
          me, [&](int to) { me.send(to, rows_for(me, to)); },
          [&](int from) {
            auto received = me.receive<number>(from, m_own.count);
            std::ranges::copy(received, from_column(from).begin());
            m_spare.push_back(std::move(received));
            show_values(me, "rows", m_gathered);
          });
    });
    return std::move(m_gathered);
  }

 private:
  [[nodiscard]] std::span<number> from_column(int rank) {
    return std::span(m_gathered).subspan(static_cast<std::size_t>(rank) * m_own.count, m_own.count);
  }

  /// In memory that came with an earlier message, if any is left.
  [[nodiscard]] std::vector<number> rows_for(processor const& me, int to) {
    std::vector<number> rows;
    if (!m_spare.empty()) {
      rows = std::move(m_spare.back());
      m_spare.pop_back();
    }
    auto const of = fft_rows_of(m_layout, m_column.size(), me.size(), to);
    rows.resize(of.count);
    auto row = of.first;
    for (auto& each : rows) {
      each = times(m_column[row], m_twiddles[row]);
      row += of.step;
    }
    return rows;
  }

  std::vector<number> const& m_column;
  fft_layout m_layout;
  fft_rows m_own;
  root_powers<Real> m_twiddles;
  std::vector<number> m_gathered;
  std::vector<std::vector<number>> m_spare;
};

}  // namespace detail

/// The discrete Fourier transform of n complex numbers, where processor c has those with index c,
/// c + p, ..: an n/p x p matrix by rows, a column in each processor. Local transforms of the columns,
/// the twiddle factors, a transposition, local transforms of the rows. Called by all processors of a
/// crossbar. A complex number is one word.
///
/// `forward` is y_j = sum of x_k exp(-2 pi i jk/n), as numpy.fft.fft. `backward` is its inverse, as
/// numpy.fft.ifft: the sum with exp(+2 pi i jk/n), divided by n. The paper's y = W_n x is n times this.
///
/// `mine`: n/p elements, this processor's column.
/// `transform(elements, length, direction)`: transforms interleaved sequences in place, unscaled, as
/// `local_fft` does; `fftw` does it by FFTW.
/// Shows: "column" and "rows", the magnitudes of their elements.
/// Result: for each k2 = 0 .. p - 1 the elements y[k1 + (n/p) k2], k1 over this processor's rows;
/// `fft_index` tells the index of each. The layout `cyclic` gives processor j y_j, y_{j+p}, .. where
/// p^2 divides n.
/// Errors: size_mismatch if columns are not of one length; invalid_argument for no such layout; those
/// of the machine and of `transform`.
///
/// **Cost** on a crossbar, one-port: p - 1 rounds, 1 start-up (pipelined), (p - 1)m ceil(n/(p^2 m))
/// words with packets of m words, whether or not p^2 divides n; O((n/p) log n) local operations. Strict.
///
/// **Source** JaJa and Ryu 1994, Theorem 5.4, whose result holds y by rows, not by columns.
///
/// **Example**
/// ```
/// lockstep::machine machine{lockstep::crossbar{2}};
/// auto run = machine.run([](lockstep::processor& me) {
///   std::vector<std::complex<double>> mine(2, me.rank() == 0 ? 1.0 : 0.0);  // 1, 0, 1, 0
///   return lockstep::fft(me, std::move(mine));
/// });
/// run.results()[0];    // {2, 2}: y_0 and y_2; y_1 and y_3 are 0
/// run.counts().words;  // 1
/// ```
template <std::floating_point Real, class Transform = local_fft>
[[nodiscard]] std::vector<std::complex<Real>> fft(
    processor& me, std::vector<std::complex<Real>> mine, fft_options const& options = {},
    Transform const& transform = {}, std::source_location where = std::source_location::current()) {
  library_call const call(me, where);
  detail::show_values(me, "column", mine);
  transform(std::span(mine), mine.size(), options.direction);
  detail::show_values(me, "column", mine);
  auto rows = detail::fft_transposition<Real>(me, mine, options)(me);
  transform(std::span(rows), static_cast<std::size_t>(me.size()), options.direction);
  detail::show_used_up(me, "column");
  detail::show_values(me, "rows", rows);
  return rows;
}

/// Makes the claims, the paper's and ours, about the cost of `fft` of n elements, where p divides
/// n.
/// Errors: invalid_argument for p < 1, packets of 0 words, or a p that does not divide n.
[[nodiscard]] std::vector<claim> fft_claims(bdm_machine const& on, std::size_t n);

}  // namespace lockstep
