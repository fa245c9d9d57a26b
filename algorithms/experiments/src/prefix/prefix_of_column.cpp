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
#include "harness/harness.hpp"
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
[[nodiscard]] run_record run_on_blocks(machine const& on, arguments const& given,
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
      given.request().observers);
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
[[nodiscard]] experiment_result prefix_of(arguments const& given, std::string const& name,
                                          std::span<Number const> values) {
  auto const plus = operator_from<Number>(given);
  auto const kind = given[kind_of_prefix];
  auto const file = given.request().input->string();
  if (plus.is_addition) require_sums_fit(values, kind, file);
  auto const on = machine_for(given, {});
  std::optional<output_file> out;
  if (given.request().output) out.emplace(*given.request().output);
  std::vector<Number> prefixes(values.size());
  auto run = run_on_blocks<Number>(on, given, plus, kind, values, prefixes);
  bool const correct = are_correct<Number>(prefixes, values, plus, kind);
  auto result = result_of(given, std::move(run), correct);
  if (out && correct) write_result(result, [&] { write<Number>(*out, name, values, prefixes); });
  result.claims = prefix_claims(given.network(), 1, given.request().options.ports);
  result.figures["rows"] = static_cast<std::int64_t>(values.size());
  result.figures["block"] =
      static_cast<std::int64_t>(even_block(values.size(), on.size(), 0).count);
  result.parameters["column"] = name;
  return result;
}

}  // namespace

experiment_result prefix_of_column(arguments const& given, number_parser::memory* available) {
  require_prefix_network(given.network());
  auto const found = read_csv_column(*given.request().input, given[input_column], available);
  return std::visit(
      [&]<class Number>(std::vector<Number> const& values) {
        require_memory_for_prefixes<Number>(values.size(), available(),
                                            given.request().input->string());
        return prefix_of<Number>(given, found.name, values);
      },
      found.values);
}

}  // namespace lockstep
