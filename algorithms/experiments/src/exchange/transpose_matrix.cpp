#include "exchange/transpose_matrix.hpp"

#include <string>

#include <fmt/format.h>

#include "exchange/block_memory.hpp"

namespace lockstep::detail {

namespace {

void require_even_shares(std::size_t size, experiment_request const& asked) {
  auto const processors = static_cast<std::size_t>(asked.network->size());
  if (size % processors == 0) return;
  auto const below = size / processors * processors;
  auto const above = below + processors;
  auto const smaller = below == 0 ? std::string() : fmt::format("{0} x {0} or ", below);
  throw bad_input(fmt::format(
      "{}: {} x {} numbers cannot be dealt out evenly to the {} processors of {}; "
      "{}{} x {} could",
      asked.input->string(), size, size, processors, asked.network->spec(), smaller, above, above));
}

/// The blocks twice, as the exchange holds them, and the transpose.
template <class Number>
void require_memory(square_matrix<Number> const& input, experiment_request const& asked) {
  auto const rows = input.size / static_cast<std::size_t>(asked.network->size());
  lockstep::require_memory(*asked.network,
                           {.words = rows * rows,
                            .bytes_of_a_word = sizeof(Number),
                            .copies = 2,
                            .bytes_besides = input.entries.size() * sizeof(Number)});
}

}  // namespace

matrix matrix_to_transpose(experiment_request const& asked) {
  auto input = read_matrix(*asked.input);
  std::visit(
      [&](auto const& of) {
        require_even_shares(of.size, asked);
        require_memory(of, asked);
      },
      input);
  return input;
}

}  // namespace lockstep::detail
