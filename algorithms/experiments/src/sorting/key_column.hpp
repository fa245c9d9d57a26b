#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string_view>

#include <lockstep/memory.hpp>

#include "files/csv_table.hpp"
#include "sorting/key_file.hpp"

namespace lockstep {

/// The keys of a CSV file's rows, and these rows.
struct key_column {
  key_vector keys;
  csv_table table;
};

/// Reads a CSV file whose column of that name holds keys, as in the lines of a text (`read_keys`);
/// `type`, `taken`: as there. No rows are a column without keys.
/// Errors: bad_input, in one line, for a file that cannot be read or that is not CSV
/// (`csv_records`), has no such column or several of them, rows of other lengths than the first
/// line, anything else than a key in the column, or more keys than there is memory for.
[[nodiscard]] key_column read_key_column(std::filesystem::path const& file, std::string_view name,
                                         std::optional<key_type> type, keys_taken taken,
                                         std::uint64_t (*available)() = available_memory);

}  // namespace lockstep
