#pragma once

#include <concepts>
#include <cstdint>
#include <string_view>

#include <lockstep/counts.hpp>

namespace lockstep {

/// A cost model prices counts, of a run or a phase. Anything with these three members is one:
///   std::string_view name() const; std::string_view unit() const;
///   double time(counts const&, int processors) const;
template <class Model>
concept cost_model = requires(Model const& model, counts const& of, int processors) {
  { model.name() } -> std::convertible_to<std::string_view>;
  { model.unit() } -> std::convertible_to<std::string_view>;
  { model.time(of, processors) } -> std::convertible_to<double>;
};

/// Computes the price by a model of local operations of one processor, and of nothing else; 0 from
/// a model that has no price of an operation.
template <cost_model Model>
[[nodiscard]] double time_of_work(Model const& model, std::uint64_t operations) {
  counts alone;
  alone.work = alone.operations = operations;
  return model.time(alone, 1);
}

}  // namespace lockstep
