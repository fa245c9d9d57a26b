#pragma once

#include <algorithm>
#include <cstddef>
#include <source_location>
#include <span>
#include <string_view>
#include <vector>

#include <lockstep/algorithms/collectives/detail/rounds.hpp>
#include <lockstep/algorithms/collectives/pieces.hpp>
#include <lockstep/detail/library_frame.hpp>
#include <lockstep/errors.hpp>
#include <lockstep/library_call.hpp>
#include <lockstep/processor.hpp>

namespace lockstep {

namespace detail {

/// Errors: invalid_argument unless p divides the number of elements.
void require_equal_blocks(std::size_t elements, int processors);

/// Columns of that many rows each, one after another, as rows.
template <payload_element T>
[[nodiscard]] std::vector<T> by_rows(std::vector<T> const& by_columns, std::size_t rows) {
  if (rows == 0) return {};
  std::vector<T> by_row(by_columns.size());
  auto const columns = by_columns.size() / rows;
  for (std::size_t column = 0; column < columns; ++column)
    for (std::size_t row = 0; row < rows; ++row)
      by_row[row * columns + column] = by_columns[column * rows + row];
  return by_row;
}

/// The rounds by messages, whose blocks are shown under that name.
template <payload_element T>
void exchange_blocks_by_messages(processor& me, std::span<T const> by_destination,
                                 std::span<T> by_source, std::size_t m, std::string_view name) {
  auto const block = [m](int of) { return static_cast<std::size_t>(of) * m; };
  in_shifted_rounds(
      me, [&](int to) { me.send(to, by_destination.subspan(block(to), m)); },
      [&](int from) {
        me.receive_into(from, by_source.subspan(block(from), m));
        if (me.is_shown()) me.show(name, labels_of_shifts(me, shifted(me, -from)));
      });
}

/// `transpose_blocks`, whose blocks are shown under that name: in a run with several exchanges each
/// has another.
template <payload_range Blocks>
[[nodiscard]] std::vector<std::ranges::range_value_t<Blocks>> transpose_blocks_as(
    std::string_view name, processor& me, Blocks const& blocks, access how = access::messages,
    std::source_location where = std::source_location::current()) {
  library_frame const frame(me, where);
  using element = std::ranges::range_value_t<Blocks>;
  auto const p = static_cast<std::size_t>(me.size());
  auto const source = std::span<element const>(blocks);
  require_equal_blocks(source.size(), me.size());
  auto const m = source.size() / p;
  std::vector<element> by_source(source.size());
  auto const block = [m](int of) { return static_cast<std::size_t>(of) * m; };
  std::ranges::copy(source.subspan(block(me.rank()), m),
                    std::span(by_source).subspan(block(me.rank()), m).begin());
  if (me.is_shown()) me.show(name, labels_of_shifts(me, 0));
  me.pipelined([&] {
    if (how == access::messages)
      return exchange_blocks_by_messages(me, source, std::span(by_source), m, name);
    for (int shift = 1; shift < me.size(); ++shift) {
      int const to = shifted(me, shift);
      int const from = shifted(me, -shift);
      move_in_round(me, how, source, {to, block(to), block(me.rank()), m}, std::span(by_source),
                    {from, block(me.rank()), block(from), m});
      if (me.is_shown()) me.show(name, labels_of_shifts(me, shift));
    }
  });
  return by_source;
}

}  // namespace detail

/// Exchanges blocks of one size, a different one for each pair: in round k = 1 .. p-1 processor i
/// sends to (i + k) mod p. What the paper calls the transpose primitive. Called by all processors
/// of a crossbar.
///
/// `blocks`: m elements per destination; p*m in all, indexed by destination.
/// Shows: "blocks", those that have come and those that have not gone.
/// Result: m elements per source; p*m in all, indexed by source.
/// Errors: invalid_argument if p does not divide the number of elements; size_mismatch if block
/// sizes differ between processors; and those of the machine.
///
/// **Cost** on a crossbar, one-port: p - 1 rounds, 1 start-up (pipelined), and the words of p - 1
/// blocks; strict.
/// The own block stays.
///
/// **Source** JaJa and Ryu 1994, Lemma 3.3; Bader, Helman and JaJa 1996, section 1.
///
/// **Example**
/// ```
/// lockstep::machine machine{lockstep::crossbar{4}};
/// auto run = machine.run([](lockstep::processor& me) {
///   return lockstep::transpose_blocks(me, std::vector<int>(8, me.rank()));
/// });
/// run.counts().words;  // 6
/// ```
template <payload_range Blocks>
[[nodiscard]] auto transpose_blocks(processor& me, Blocks const& blocks,
                                    access how = access::messages,
                                    std::source_location where = std::source_location::current()) {
  library_call const call(me, where);
  static_cast<void>(name_of(how));  // refuses any other number
  return detail::transpose_blocks_as("blocks", me, blocks, how);
}

/// Transposes a q x p matrix that has a column in each processor: processor j gets rows floor(jq/p)
/// to floor((j+1)q/p). In round s processor c sends to (c + s) mod p. Called by all processors of a
/// crossbar. Any q will do.
///
/// `column`: q elements, column `me.rank()`.
/// Result: this processor's rows, one after another, p elements each.
/// Errors: size_mismatch if columns are not of one length; those of the machine.
///
/// **Cost** on a crossbar, one-port: p - 1 rounds, 1 start-up (pipelined), (p - 1)m ceil(q/(pm))
/// words with packets of m words; strict.
///
/// **Source** JaJa and Ryu 1994, Lemma 3.3; where p does not divide q, lockstep.
///
/// **Example**
/// ```
/// lockstep::machine machine{lockstep::crossbar{3}};
/// auto run = machine.run([](lockstep::processor& me) {
///   int const c = me.rank();
///   return lockstep::transpose(me, std::vector<int>{c, 10 + c, 20 + c, 30 + c});
/// });
/// run.results()[2];    // {20, 21, 22, 30, 31, 32}
/// run.counts().words;  // 4
/// ```
template <payload_range Column>
[[nodiscard]] auto transpose(processor& me, Column const& column, access how = access::messages,
                             std::source_location where = std::source_location::current()) {
  library_call const call(me, where);
  static_cast<void>(name_of(how));
  using element = std::ranges::range_value_t<Column>;
  auto const source = std::span<element const>(column);
  pieces const rows(source.size(), me.size());
  auto const slot = [&](int from, int at) {
    return static_cast<std::size_t>(from) * rows.size(at);
  };
  auto const mine = rows.size(me.rank());
  std::vector<element> by_column(mine * static_cast<std::size_t>(me.size()));
  std::ranges::copy(source.subspan(rows.before(me.rank()), mine),
                    std::span(by_column).subspan(slot(me.rank(), me.rank())).begin());
  if (me.is_shown()) me.show("pieces", detail::labels_of_shifts(me, 0));
  me.pipelined([&] {
    for (int shift = 1; shift < me.size(); ++shift) {
      int const to = detail::shifted(me, shift);
      int const from = detail::shifted(me, -shift);
      detail::move_in_round(
          me, how, source, {to, rows.before(to), slot(me.rank(), to), rows.size(to)},
          std::span(by_column), {from, rows.before(me.rank()), slot(from, me.rank()), mine});
      if (me.is_shown()) me.show("pieces", detail::labels_of_shifts(me, shift));
    }
  });
  return detail::by_rows(by_column, mine);
}

}  // namespace lockstep
