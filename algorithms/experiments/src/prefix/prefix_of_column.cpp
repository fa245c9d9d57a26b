#include "prefix/prefix_of_column.hpp"

#include <algorithm>
#include <array>
#include <concepts>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include <fmt/format.h>

#include <lockstep/algorithms/prefix/block_prefix.hpp>
#include <lockstep/experiments/output_file.hpp>
#include <lockstep/machine.hpp>

#include "files/csv_file.hpp"
#include "files/write_result.hpp"
#include "harness/parameters.hpp"
#include "prefix/check_prefixes.hpp"
#include "prefix/named_operator.hpp"
#include "prefix/require_sums_fit.hpp"

namespace lockstep {

namespace {

/// A row's prefix is held twice: by its processor, with a mark if the operator has no identity, and
/// in the result.
template <class Number>
void require_memory_for_prefixes(std::size_t rows, std::uint64_t available,
                                 std::string const& file) {
  auto const bytes = rows * (sizeof(Number) + sizeof(std::optional<Number>));
  if (bytes > available)
    throw bad_input(
        fmt::format("{}: the prefixes of {} rows take {} MiB, and {} are available; give a shorter "
                    "file",
                    file, rows, bytes >> 20U, available >> 20U));
}

/// Each processor writes the prefixes of its own block.
template <class Number>
[[nodiscard]] run_record run_on_blocks(machine const& on, experiment_request const& asked,
                                       named_operator<Number> const& plus, prefix_kind kind,
                                       std::span<Number const> values, std::span<Number> prefixes) {
  monoid const with_own_identity{plus.identity.value, plus};
  return on.run(
      [&](processor& me) {
        auto const [first, count] = even_block(values.size(), me.size(), me.rank());
        auto const block = values.subspan(first, count);
        auto const result = prefixes.subspan(first, count);
        if (plus.identity.is_there)
          std::ranges::copy(block_prefix(me, with_own_identity, block, kind), result.begin());
        else
          std::ranges::transform(block_prefix(me, plus, block, kind), result.begin(),
                                 [](std::optional<Number> const& of) { return of.value(); });
      },
      asked.observers);
}

template <class Number>
[[nodiscard]] bool are_correct(std::span<Number const> prefixes, std::span<Number const> values,
                               named_operator<Number> const& plus, prefix_kind kind) {
  if constexpr (std::floating_point<Number>)
    if (plus.is_addition) return are_rounded_sums(prefixes, values, kind);
  return are_prefixes(prefixes, values, plus, kind);
}

/// The two columns can be told apart when they are read again.
template <class Number>
void write(output_file& out, std::string const& name, std::span<Number const> values,
           std::span<Number const> prefixes) {
  std::array<written_column<Number>, 2> const columns{
      {{name, values}, {name == "prefix" ? "prefix of prefix" : "prefix", prefixes}}};
  write_csv<Number>(out.stream(), columns);
  out.complete();
}

template <class Number>
[[nodiscard]] experiment_result prefix_of(experiment_request const& asked, std::string const& name,
                                          std::span<Number const> values) {
  auto const plus = operator_from<Number>(asked);
  auto const kind = kind_from(asked);
  auto const file = asked.input->string();
  if (plus.is_addition) require_sums_fit(values, kind, file);
  machine const on(asked.network, asked.options);
  std::optional<output_file> out;
  if (asked.output) out.emplace(*asked.output);
  std::vector<Number> prefixes(values.size());
  auto run = run_on_blocks<Number>(on, asked, plus, kind, values, prefixes);
  bool const correct = are_correct<Number>(prefixes, values, plus, kind);
  experiment_result result{.record = std::move(run), .correct = correct};
  if (out && correct) write_result(result, [&] { write<Number>(*out, name, values, prefixes); });
  result.claims = prefix_claims(*asked.network, 1, asked.options.ports);
  result.figures["rows"] = static_cast<std::int64_t>(values.size());
  result.figures["block"] =
      static_cast<std::int64_t>(even_block(values.size(), on.size(), 0).count);
  result.parameters = asked.parameters;
  result.parameters["column"] = name;
  return result;
}

}  // namespace

experiment_result prefix_of_column(experiment_request const& asked,
                                   number_parser::memory* available) {
  require_prefix_network(*asked.network);
  auto const column = read_csv_column(*asked.input, text_parameter(asked, "column", ""), available);
  return std::visit(
      [&]<class Number>(std::vector<Number> const& values) {
        require_memory_for_prefixes<Number>(values.size(), available(), asked.input->string());
        return prefix_of<Number>(asked, column.name, values);
      },
      column.values);
}

}  // namespace lockstep
