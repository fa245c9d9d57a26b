#include "exchange/transpose_matrix.hpp"

#include <string>
#include <variant>

#include <fmt/format.h>

#include "files/matrix_file.hpp"

namespace lockstep {

namespace {

void require_even_shares(std::size_t size, arguments const& given) {
  auto const processors = static_cast<std::size_t>(given.processors());
  if (size % processors == 0) return;
  auto const below = size / processors * processors;
  auto const above = below + processors;
  auto const smaller = below == 0 ? std::string() : fmt::format("{0} x {0} or ", below);
  throw bad_input(
      fmt::format("{}: {} x {} numbers cannot be dealt out evenly to the {} processors of {}; "
                  "{}{} x {} could",
                  given.request().input->string(), size, size, processors, given.network().spec(),
                  smaller, above, above));
}

}  // namespace

matrix matrix_to_transpose(arguments const& given) {
  auto input = read_matrix(*given.request().input);
  std::visit(
      [&]<class Number>(square_matrix<Number> const& of) {
        require_even_shares(of.size, given);
        auto const words = transpose_problem<Number>{given, of}.words_in_a_block();
        // The blocks twice, as the exchange holds them, and the transpose.
        require_memory(given, memory_for_blocks(given, words, sizeof(Number), 3));
      },
      input);
  return input;
}

}  // namespace lockstep
