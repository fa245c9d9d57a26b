#include "papers/shankar_ranka/wide_writes.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <lockstep/algorithms/random_access/access_patterns.hpp>
#include <lockstep/algorithms/random_access/random_access_write.hpp>
#include <lockstep/machine.hpp>
#include <lockstep/topologies/crossbar.hpp>

#include "harness/stages.hpp"
#include "papers/claimed_cells.hpp"
#include "papers/shankar_ranka/errata.hpp"
#include "papers/shankar_ranka/stage_counts.hpp"
#include "papers/shankar_ranka/text_rows.hpp"
#include "random_access/supposed_sizes.hpp"

namespace lockstep {

namespace {

/// An element that travels as m words.
template <std::size_t M>
struct wide_element {
  std::array<std::uint64_t, M> words{};

  friend bool operator==(wide_element const&, wide_element const&) = default;
};

}  // namespace

template <std::size_t M>
inline constexpr std::uint64_t words_of<wide_element<M>> = M;

namespace {

/// Adds word by word.
struct wide_sum {
  template <std::size_t M>
  [[nodiscard]] wide_element<M> operator()(wide_element<M> a, wide_element<M> const& b) const {
    for (std::size_t i = 0; i < M; ++i) a.words[i] += b.words[i];
    return a;
  }
};

/// A write of elements of some words.
struct wide_case {
  int p = 4;
  std::size_t n = 64;
  access_pattern pattern = access_pattern::random;
};

/// The counts of a write, and whether it is right.
struct wide_result {
  run_record record;
  bool is_correct = true;
};

/// Makes the value that element i writes; its words differ.
template <std::size_t M>
[[nodiscard]] wide_element<M> value_of(std::size_t i) {
  wide_element<M> made;
  for (std::size_t word = 0; word < M; ++word) made.words[word] = (word + 1) * (i + 1);
  return made;
}

template <std::size_t M>
using wide_cells = std::vector<extended<wide_element<M>>>;

/// Whether the cells of all processors are what a sequential write makes.
template <std::size_t M>
[[nodiscard]] bool are_written(std::vector<wide_cells<M>> const& blocks,
                               bucket_layout const& layout,
                               std::vector<std::size_t> const& pointers) {
  wide_cells<M> expected(layout.elements());
  for (std::size_t i = 0; i < pointers.size(); ++i) {
    auto& cell = expected[pointers[i]];
    cell = cell.is_there ? wide_sum()(cell.value, value_of<M>(i)) : value_of<M>(i);
  }
  std::size_t address = 0;
  for (auto const& block : blocks)
    for (auto const& cell : block) {
      if (address == expected.size()) return false;
      auto const& wanted = expected[address++];
      if (cell.is_there != wanted.is_there || (wanted.is_there && cell.value != wanted.value))
        return false;
    }
  return address == expected.size();
}

template <std::size_t M>
[[nodiscard]] wide_result written(bucket_layout const& layout, access_pattern pattern) {
  begin_run(fmt::format("writing elements of {} words", M));
  auto const pointers = generated_pointers(pattern, layout, 1);
  machine const on(crossbar{layout.processors()}, {.strict = true});
  auto run = on.run([&](processor& me) {
    auto const mine = own_part(pointers, layout, me.rank());
    std::vector<wide_element<M>> values;
    for (std::size_t i = 0; i < mine.size(); ++i)
      values.push_back(value_of<M>(layout.first_of(me.rank()) + i));
    return combined_writes(me, layout, mine, std::span<wide_element<M> const>(values), wide_sum())
        .cells;
  });
  bool const is_correct = are_written<M>(run.results(), layout, pointers);
  return {std::move(run), is_correct};
}

[[nodiscard]] std::uint64_t port_words_in(run_record const& record) {
  std::uint64_t sum = 0;
  for (auto const& phase : record.phases()) sum += phase.port_words;
  return sum;
}

/// Makes the row of a write. All terms: each phase but those that count hits has m times the words of
/// elements of one word, whose sum section 4's table bounds.
template <std::size_t M>
[[nodiscard]] paper_row row_of_write(wide_case const& of) {
  bucket_layout const layout(of.n, of.p, best_buckets_each(of.n, of.p));
  auto const [record, is_correct] = written<M>(layout, of.pattern);
  auto const cube = std::size_t{1} * static_cast<std::size_t>(of.p) *
                    static_cast<std::size_t>(of.p) * static_cast<std::size_t>(of.p);
  auto const total = port_words_in(record);
  claimed_cells cells({{"p", of.p},
                       {"n", static_cast<double>(of.n)},
                       {"m", static_cast<double>(M)},
                       {"k", static_cast<double>(layout.buckets_each())}});
  cells.at_most("start-ups, stages", "3p", stages_in(record).startups)
      .about("start-ups, all", "3p", record.counts().startups, startups_of_vectors())
      .at_most("total, all terms", "3m n/p + 4kp + 4m ceil(n/(kp)) + m p(p - 1)", total)
      .ours()
      .where(detail::words_of_accesses)
      .where(detail::elements_of_buckets)
      .about("total", "3m n/p", total, of.n < cube ? whole_elements() : terms_of_lower_order());
  return {fmt::format("p = {}, n = {}, m = {}, {}", of.p, of.n, M, name_of(of.pattern)),
          "arbitrary", cells.cells(), is_correct};
}

}  // namespace

paper_table wide_writes(int most_processors) {
  paper_table table{"Section 7: writes of elements of m words; totals by port_words", {}, "input"};
  using enum access_pattern;
  for (int const p : {4, 8, 16, 32}) {
    if (p > most_processors) continue;
    auto const cube =
        static_cast<std::size_t>(p) * static_cast<std::size_t>(p) * static_cast<std::size_t>(p);
    for (auto const pattern : {random, permutation, few_hot, one_hot, singles}) {
      table.rows.push_back(row_of_write<2>({p, cube, pattern}));
      table.rows.push_back(row_of_write<4>({p, cube, pattern}));
      table.rows.push_back(row_of_write<4>({p, cube / 4, pattern}));
      table.rows.push_back(row_of_write<4>({p, 4 * cube, pattern}));
    }
  }
  return table;
}

}  // namespace lockstep
