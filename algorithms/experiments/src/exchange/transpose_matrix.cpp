#include "exchange/transpose_matrix.hpp"

#include <optional>
#include <string>
#include <utility>
#include <variant>

#include <fmt/format.h>

#include <lockstep/experiments/output_file.hpp>

#include "exchange/complete_exchange.hpp"
#include "files/matrix_file.hpp"
#include "files/write_result.hpp"
#include "harness/stages.hpp"

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

template <class Number>
[[nodiscard]] experiment_result transpose(arguments const& given, exchange_schedule const& schedule,
                                          square_matrix<Number> const& input) {
  auto const& asked = given.request();
  std::optional<output_file> out;
  if (asked.output) out.emplace(*asked.output);
  square_matrix<Number> transposed{input.size, std::vector<Number>(input.entries.size())};
  auto const on = machine_for(given, {.strict = strictness::always});
  begin_stage("running on " + asked.network->spec());
  auto run = detail::transpose_on(on, schedule, input, transposed, asked.observers);
  begin_check();
  auto result = result_of(given, std::move(run), detail::is_transpose(input, transposed));
  if (!out || !result.correct) return result;
  begin_stage("writing " + out->path().string(), transposed.entries.size());
  write_result(result, [&] { write_matrix(*out, transposed); });
  return result;
}

}  // namespace

distributed_matrix matrix_to_transpose(arguments const& given) {
  auto input = read_matrix(*given.request().input);
  auto const words = std::visit(
      [&]<class Number>(square_matrix<Number> const& of) {
        require_even_shares(of.size, given);
        auto const rows = of.size / static_cast<std::size_t>(given.processors());
        // The blocks twice, as the exchange holds them, and the transpose.
        require_memory(given, memory_for_blocks(given, rows * rows, sizeof(Number), 3));
        return std::uint64_t{rows * rows};
      },
      input);
  return {std::move(input), words};
}

experiment_result transpose_matrix(arguments const& given, exchange_schedule const& schedule,
                                   matrix const& input) {
  return std::visit([&](auto const& numbers) { return transpose(given, schedule, numbers); },
                    input);
}

}  // namespace lockstep
