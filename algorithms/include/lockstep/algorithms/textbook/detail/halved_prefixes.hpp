#pragma once

#include <algorithm>
#include <cstddef>
#include <span>
#include <vector>

#include <lockstep/payload.hpp>
#include <lockstep/processor.hpp>

namespace lockstep::detail {

/// Which of k prefixes a processor of a hypercube keeps in each dimension of halving.
class halved_prefixes {
 public:
  /// Errors: invalid_argument on another network than a hypercube.
  halved_prefixes(processor const& me, std::size_t prefixes);

  [[nodiscard]] std::size_t dimensions() const { return m_dimensions; }

  /// This processor's part in one dimension.
  struct share {
    int partner;
    bool is_after;  ///< whether the partner comes before this processor
    std::vector<std::size_t>
        kept;  ///< the prefixes that agree with its rank in the bits up to this
    std::vector<std::size_t> given;  ///< those that its partner keeps
    std::size_t steps;  ///< the most prefixes that any processor keeps
  };
  [[nodiscard]] share in_dimension(std::size_t i, bool is_forward) const;

 private:
  std::size_t m_rank;
  std::size_t m_prefixes;
  std::size_t m_dimensions = 0;
};

template <payload_element T>
[[nodiscard]] std::vector<T> values_at(std::vector<std::size_t> const& places,
                                       std::vector<T> const& among) {
  std::vector<T> values;
  values.reserve(places.size());
  for (auto const place : places) values.push_back(among[place]);
  return values;
}

/// Exchanges these values for `arriving` values of the partner, one word a step, and takes that
/// many steps in all.
template <payload_element T>
[[nodiscard]] std::vector<T> exchange_words(processor& me, int partner,
                                            std::vector<T> const& out,
                                            std::size_t arriving,
                                            std::size_t steps) {
  std::vector<T> in;
  for (std::size_t step = 0; step < steps; ++step) {
    if (step < out.size()) me.send(partner, out[step]);
    if (step < arriving)
      in.push_back(me.receive_value<T>(partner));
    else
      me.idle();
  }
  return in;
}

}  // namespace lockstep::detail
