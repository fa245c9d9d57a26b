#include "sorting/key_column.hpp"

#include <cstddef>
#include <istream>
#include <string>
#include <utility>
#include <vector>

#include "files/csv_rows.hpp"
#include "files/input_file.hpp"
#include "in_quotes.hpp"
#include "sorting/key_collector.hpp"

namespace lockstep {

key_column read_key_column(std::filesystem::path const& file, std::string_view name,
                           std::optional<key_type> type, keys_taken taken,
                           std::uint64_t (*available)()) {
  return read_input(file, "name a CSV file", [&](std::istream& in) {
    std::string text;
    csv_rows rows(in, file.string(), &text);
    auto const column = rows.column(name);
    key_collector keys(file.string(), type, available, taken, in_quotes(rows.names()[column]));
    std::vector<std::uint64_t> ends{rows.end_of_row()};
    for (std::size_t asked_for = 0; rows.next(); ends.push_back(rows.end_of_row())) {
      keys.take(rows.field(column), rows.line());
      if (text.size() <= asked_for) continue;
      asked_for = text.capacity();
      require_room_for_keys(asked_for, file.string(), available);  // before it grows twice as large
    }
    return key_column{std::move(keys).finish(), csv_table(std::move(text), std::move(ends))};
  });
}

}  // namespace lockstep
