#include "papers/shankar_ranka/bucket_drawings.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "papers/shankar_ranka/drawn_write.hpp"

namespace lockstep {

namespace {

[[nodiscard]] std::size_t count_of(bucket_numbers const& all, std::uint64_t bucket) {
  return static_cast<std::size_t>(std::ranges::count(all, bucket));
}

/// Counts the elements of each processor in the buckets of each destination, of those buckets that
/// are wanted.
template <class IsWanted>
[[nodiscard]] element_matrix matrix_of_hits(shown_buckets const& of, bucket_layout const& layout,
                                            IsWanted const& is_wanted) {
  auto matrix = empty_matrix(processors_of_figures);
  for (std::size_t i = 0; i < matrix.size(); ++i)
    for (std::size_t bucket = 0; bucket < layout.buckets(); ++bucket)
      if (is_wanted(bucket))
        matrix[i][static_cast<std::size_t>(layout.owner_of_bucket(bucket))] += of.hits[i][bucket];
  return matrix;
}

[[nodiscard]] constexpr auto every_bucket() {
  return [](std::size_t /*bucket*/) { return true; };
}

[[nodiscard]] std::vector<std::string> bucket_row(std::string label,
                                                  bucket_numbers const& numbers) {
  std::vector<std::string> row{std::move(label)};
  for (auto const number : numbers) row.push_back(fmt::format("{}", number));
  return row;
}

[[nodiscard]] std::vector<std::string> bucket_names(std::size_t buckets) {
  std::vector<std::string> row{""};
  for (std::size_t bucket = 0; bucket < buckets; ++bucket) row.push_back(bucket_name(bucket));
  return row;
}

/// Writes the hits of lower ranks; rank 0 has none, and shows nothing.
[[nodiscard]] std::vector<std::string> row_before(int rank, shown_buckets const& of) {
  auto const label = "hits before " + processor_name(rank);
  if (rank > 0) return bucket_row(label, of.before[static_cast<std::size_t>(rank)]);
  std::vector<std::string> row(of.hits.front().size() + 1, "-");
  row.front() = label;
  return row;
}

/// Whether each processor has the hits of all, and, from rank 1 on, those of lower ranks.
[[nodiscard]] bool are_summed_up(shown_buckets const& of) {
  bucket_numbers sum(of.hits.front().size());
  for (std::size_t rank = 0; rank < of.hits.size(); ++rank) {
    if (rank > 0 && of.before[rank] != sum) return false;
    std::ranges::transform(sum, of.hits[rank], sum.begin(), std::plus<std::uint64_t>{});
  }
  return std::ranges::all_of(of.totals,
                             [&](bucket_numbers const& totals) { return totals == sum; });
}

[[nodiscard]] bool no_more_than(std::vector<std::size_t> const& numbers, std::size_t most) {
  return std::ranges::all_of(numbers, [&](std::size_t number) { return number <= most; });
}

[[nodiscard]] printed_figure figure_5(shown_buckets const& of, bucket_layout const& layout) {
  text_rows rows{bucket_names(layout.buckets())};
  for (int rank = 0; rank < processors_of_figures; ++rank)
    rows.push_back(
        bucket_row("hits of " + processor_name(rank), of.hits[static_cast<std::size_t>(rank)]));
  rows.push_back(bucket_row("sum, on every processor", of.totals.front()));
  for (int rank = 0; rank < processors_of_figures; ++rank) rows.push_back(row_before(rank, of));
  return {
      "Figure 5: Pre-processing at the Source Processor", aligned(rows),
      are_summed_up(of) && matrix_of_hits(of, layout, every_bucket()) == printed_in_figure_4(),
      "our text lacks the drawing; compared: the hits of a destination's two buckets are the "
      "matrix of Figure 4; 4.1, \"an identical vector in every processor\" with \"the total number "
      "of "
      "threads, from all the processors\"; \"The prefix scan is exclusive\", hits of lower ranks"};
}

/// Writes the buckets of a processor's slots: "[B_0 B_0 B_0 B_0][B_1 B_1 B_1 B_1]".
[[nodiscard]] std::string slots_text(bucket_numbers const& slots) {
  std::string text;
  for (std::size_t i = 0; i < slots.size();) {
    auto const bucket = slots[i];
    text += '[';
    for (bool is_first = true; i < slots.size() && slots[i] == bucket; ++i, is_first = false)
      text += fmt::format("{}{}", is_first ? "" : " ", bucket_name(bucket));
    text += ']';
  }
  return text;
}

[[nodiscard]] std::string all_slots_text(shown_buckets const& of) {
  text_rows rows;
  for (int rank = 0; rank < processors_of_figures; ++rank)
    rows.push_back({processor_name(rank), slots_text(of.slots[static_cast<std::size_t>(rank)])});
  return aligned(rows);
}

/// Counts the elements that each processor gets from each in stage 1, where they arrive.
[[nodiscard]] element_matrix counted_in_stage_1(told_run const& told) {
  auto matrix = empty_matrix(processors_of_figures);
  for (int rank = 0; rank < processors_of_figures; ++rank)
    for (auto const& element : told.last_blocks(rank, "stage 2", "elements"))
      ++matrix[static_cast<std::size_t>(element.source)][static_cast<std::size_t>(rank)];
  return matrix;
}

[[nodiscard]] bucket_numbers lengths_of(shown_buckets const& of, bucket_layout const& layout) {
  bucket_numbers lengths(layout.buckets());
  for (auto const& slots : of.slots)
    for (auto const bucket : slots) ++lengths[bucket];
  return lengths;
}

[[nodiscard]] printed_figure figure_6(drawn_write const& write, shown_buckets const& of) {
  auto const& layout = write.layout;
  auto const lengths = lengths_of(of, layout);
  std::vector<std::string> destinations{"destination"};
  for (std::size_t bucket = 0; bucket < layout.buckets(); ++bucket)
    destinations.push_back(processor_name(layout.owner_of_bucket(bucket)));
  text_rows rows{destinations, bucket_names(layout.buckets()), bucket_row("new length", lengths)};
  rows[1].front() = "bucket";
  auto const matrix = counted_in_stage_1(write.told);
  std::vector<std::size_t> of_destinations(static_cast<std::size_t>(processors_of_figures));
  for (std::size_t bucket = 0; bucket < lengths.size(); ++bucket)
    of_destinations[static_cast<std::size_t>(layout.owner_of_bucket(bucket))] += lengths[bucket];
  bool const is_bounded = no_more_than(row_sums_of(matrix), layout.block_size()) &&
                          no_more_than(column_sums_of(matrix), layout.block_size());
  return {"Figure 6: Communication between Source and Intermediate Processors",
          aligned(rows) + "\nelements of intermediate processors, in the order of slots\n" +
              all_slots_text(of) + "\nelements from each source to each intermediate processor\n" +
              matrix_text(matrix),
          is_bounded && of_destinations == column_sums_of(printed_in_figure_4()),
          "our text lacks the drawing; compared: the new lengths of a destination's buckets come "
          "to Figure 4's column sums; 4.2, no "
          "processor "
          "sends or gets more than n/p elements"};
}

/// The kinds of buckets on an intermediate processor.
enum class part_kind : std::uint8_t { full, preceding, succeeding, between };

/// A bucket's elements on one intermediate processor.
struct bucket_part {
  std::size_t bucket = 0;
  std::size_t elements = 0;  ///< here
  std::size_t length = 0;    ///< in all
  part_kind kind = part_kind::full;
};

/// Lists the buckets of an intermediate processor in the order of slots: what others have of them
/// tells their kinds.
[[nodiscard]] std::vector<bucket_part> parts_on(shown_buckets const& of, int rank) {
  std::vector<bucket_part> parts;
  auto const here = static_cast<std::size_t>(rank);
  for (auto const bucket : of.slots[here]) {
    if (!parts.empty() && parts.back().bucket == bucket) continue;
    bucket_part part{.bucket = bucket};
    bool has_lower = false;
    bool has_higher = false;
    for (std::size_t other = 0; other < of.slots.size(); ++other) {
      auto const elements = count_of(of.slots[other], bucket);
      part.length += elements;
      if (other == here) part.elements = elements;
      has_lower = has_lower || (other < here && elements > 0);
      has_higher = has_higher || (other > here && elements > 0);
    }
    if (has_lower) part.kind = has_higher ? part_kind::between : part_kind::preceding;
    if (has_higher && !has_lower) part.kind = part_kind::succeeding;
    parts.push_back(part);
  }
  return parts;
}

[[nodiscard]] bool is_partial(bucket_part const& part) { return part.kind != part_kind::full; }

[[nodiscard]] std::string part_text(bucket_part const& part) {
  return is_partial(part)
             ? fmt::format("{} ({} of {})", bucket_name(part.bucket), part.elements, part.length)
             : fmt::format("{} ({})", bucket_name(part.bucket), part.elements);
}

/// Names the parts of a kind, in their order.
[[nodiscard]] std::string named_parts(std::vector<bucket_part> const& parts, bool precedes,
                                      bool follows) {
  std::vector<std::string> names;
  for (auto const& part : parts) {
    bool const is_before = part.kind == part_kind::preceding || part.kind == part_kind::between;
    bool const is_behind = part.kind == part_kind::succeeding;
    if (is_before == precedes && is_behind == follows) names.push_back(part_text(part));
  }
  return fmt::format("{}", fmt::join(names, ", "));
}

[[nodiscard]] printed_figure figure_7(shown_buckets const& of) {
  text_rows rows{{"", "preceding partial", "full", "succeeding partial"}};
  bool is_as_said = true;
  for (int rank = 0; rank < processors_of_figures; ++rank) {
    auto const parts = parts_on(of, rank);
    rows.push_back({processor_name(rank), named_parts(parts, true, false),
                    named_parts(parts, false, false), named_parts(parts, false, true)});
    for (std::size_t i = 1; i + 1 < parts.size(); ++i)
      is_as_said = is_as_said && !is_partial(parts[i]);
  }
  return {"Figure 7: Ordering of Buckets in an Intermediate Processor", aligned(rows), is_as_said,
          "our text lacks the drawing; compared: 4.3.2, \"only the first and last buckets could be "
          "partial\""};
}

/// Says what becomes of a bucket's elements on an intermediate processor.
[[nodiscard]] std::vector<std::string> row_of_part(bucket_part const& part,
                                                   bucket_layout const& layout, std::size_t sent) {
  auto const owner = layout.owner_of_bucket(part.bucket);
  bool const is_sparse = part.elements <= layout.size(part.bucket);
  auto const kind = part.kind == part_kind::full ? is_sparse ? "full, sparse" : "full, dense"
                    : part.kind == part_kind::succeeding ? "succeeding partial"
                                                         : "preceding partial";
  return {"", bucket_name(part.bucket), fmt::format("{}", part.elements), kind,
          sent == 0 ? "" : fmt::format("{} to {}", sent, processor_name(owner))};
}

/// The buckets of all intermediate processors, and statements of the paper on its example.
struct second_stage {
  text_rows rows{{"", "bucket", "elements", "kind", "sends"}};
  std::vector<std::size_t> sparse{};    ///< full ones
  std::vector<int> with_both{};         ///< processors
  std::vector<std::size_t> sent{};      ///< values of each processor
  std::vector<std::size_t> arriving{};  ///< at each destination
  element_matrix to_owners{};           ///< values from each processor to each other
  bool only_first_sends = true;
};

[[nodiscard]] second_stage stage_between(shown_buckets const& of, bucket_layout const& layout) {
  second_stage found;
  found.arriving.resize(static_cast<std::size_t>(processors_of_figures));
  found.to_owners = empty_matrix(processors_of_figures);
  for (int rank = 0; rank < processors_of_figures; ++rank) {
    auto const& values = of.for_owners[static_cast<std::size_t>(rank)];
    auto const parts = parts_on(of, rank);
    found.sent.push_back(values.size());
    bool has_preceding = false;
    bool has_succeeding = false;
    auto const first_row = found.rows.size();
    for (auto const& part : parts) {
      auto const sent = count_of(values, part.bucket);
      bool const precedes = part.kind == part_kind::preceding || part.kind == part_kind::between;
      found.rows.push_back(row_of_part(part, layout, sent));
      found.only_first_sends = found.only_first_sends && precedes == (sent == 0);
      auto const owner = layout.owner_of_bucket(part.bucket);
      found.arriving[static_cast<std::size_t>(owner)] += sent;
      if (owner != rank)
        found.to_owners[static_cast<std::size_t>(rank)][static_cast<std::size_t>(owner)] += sent;
      has_preceding = has_preceding || precedes;
      has_succeeding = has_succeeding || part.kind == part_kind::succeeding;
      if (!is_partial(part) && part.elements <= layout.size(part.bucket))
        found.sparse.push_back(part.bucket);
    }
    if (found.rows.size() > first_row) found.rows[first_row].front() = processor_name(rank);
    if (has_preceding && has_succeeding) found.with_both.push_back(rank);
  }
  return found;
}

/// Counts the words of a phase's messages from each processor to each other.
[[nodiscard]] element_matrix words_in(told_run const& told, std::string_view phase) {
  auto matrix = empty_matrix(processors_of_figures);
  for (auto const& message : told.messages_in(phase))
    matrix[static_cast<std::size_t>(message.from)][static_cast<std::size_t>(message.to)] +=
        message.words;
  return matrix;
}

/// Lists the messages of the round in which processors with both send what the scan left out.
[[nodiscard]] std::string one_to_one_text(told_run const& told) {
  std::vector<std::string> messages;
  for (auto const& message : told.messages_in("one to one"))
    messages.push_back(fmt::format("{} -> {} ({} cells)", processor_name(message.from),
                                   processor_name(message.to), message.words));
  return fmt::format("preceding partial buckets that the scan ignores: {}\n",
                     fmt::join(messages, ", "));
}

[[nodiscard]] printed_figure figure_8(drawn_write const& write, shown_buckets const& of) {
  auto const& layout = write.layout;
  auto const found = stage_between(of, layout);
  bool const is_bounded = no_more_than(found.sent, layout.block_size() + layout.bucket_size()) &&
                          no_more_than(found.arriving, layout.block_size());
  bool const is_as_said = found.sparse == std::vector<std::size_t>{0, 2, 3, 6, 7} &&
                          found.with_both == std::vector<int>{1, 2} && found.only_first_sends &&
                          found.to_owners == words_in(write.told, "sends");
  return {"Figure 8: Communication between Intermediate and Destination Processors",
          aligned(found.rows) + one_to_one_text(write.told), is_as_said && is_bounded,
          "our text lacks the drawing; compared: 4.3.1, \"B_0, B_2, B_3, B_6 and B_7 are full "
          "buckets that are sparse\", P_1 and P_2 have a "
          "succeeding and a preceding one; 4.4, preceding ones are not sent, at most n/p + n/(kp) "
          "go out and n/p come in; the run's messages have as many words"};
}

[[nodiscard]] element_matrix without_diagonal(element_matrix matrix) {
  for (std::size_t i = 0; i < matrix.size(); ++i) matrix[i][i] = 0;
  return matrix;
}

[[nodiscard]] printed_figure figure_9(bucket_layout const& layout, shown_buckets const& of) {
  auto const lengths = lengths_of(of, layout);  // of dense buckets: others have no slots
  auto const matrix = matrix_of_hits(of, layout, every_bucket());
  auto const of_sparse =
      matrix_of_hits(of, layout, [&](std::size_t bucket) { return lengths[bucket] == 0; });
  constexpr std::size_t most_in_sparse = 4;
  bool is_as_said = matrix == without_diagonal(printed_in_figure_4());
  for (std::size_t bucket = 0; bucket < layout.buckets(); ++bucket)
    is_as_said =
        is_as_said && (lengths[bucket] == 0) == (of.totals.front()[bucket] <= most_in_sparse);
  bool const is_bounded = no_more_than(row_sums_of(of_sparse), layout.block_size()) &&
                          no_more_than(column_sums_of(of_sparse), layout.block_size());
  return {"Figure 9: The Hybrid RAW Algorithm",
          "(i) elements for other processors\n" + matrix_text(matrix) +
              "\n(ii) elements that each bucket receives\n" +
              aligned({bucket_names(layout.buckets()), bucket_row("", of.totals.front())}) +
              "\n(iii) those of sparse buckets, to their destinations\n" + matrix_text(of_sparse) +
              "\nthe others, in the order of slots\n" + all_slots_text(of),
          is_as_said && is_bounded,
          "our text lacks the drawing; compared: section 5, (i) is Figure 4's matrix without what "
          "stays, \"all buckets receiving 4 or less "
          "elements are sparse\", in (iii) no processor sends or gets more than n/p"};
}

}  // namespace

element_matrix printed_in_figure_4() {
  return {{3, 1, 3, 1}, {4, 0, 2, 2}, {4, 0, 2, 2}, {0, 2, 6, 0}};
}

shown_buckets buckets_in(told_run const& told) {
  shown_buckets found;
  for (int rank = 0; rank < processors_of_figures; ++rank) {
    found.hits.push_back(told.first_numbers(rank, "combine bucket hits", "values of the sum"));
    found.totals.push_back(told.last_numbers(rank, "combine bucket hits", "hits"));
    found.before.push_back(rank == 0 ? bucket_numbers()
                                     : told.last_numbers(rank, "scan bucket hits", "prefixes"));
    found.slots.push_back(told.last_numbers(rank, "stage 2", "buckets"));
    found.for_owners.push_back(told.last_numbers(rank, "", "buckets for owners"));
  }
  return found;
}

std::vector<printed_figure> bucket_drawings() {
  auto const write = told_write(pointers_of_figure_4(), access_variant::arbitrary);
  auto const hybrid = told_write(pointers_of_figure_4(), access_variant::hybrid);
  return bucket_drawings(write, buckets_in(write.told), buckets_in(hybrid.told));
}

std::vector<printed_figure> bucket_drawings(drawn_write const& write, shown_buckets const& of_write,
                                            shown_buckets const& of_hybrid) {
  return {figure_5(of_write, write.layout), figure_6(write, of_write), figure_7(of_write),
          figure_8(write, of_write), figure_9(write.layout, of_hybrid)};
}

}  // namespace lockstep
