#include "random_access/read_problem.hpp"

#include <string_view>
#include <utility>

#include "harness/stages.hpp"

namespace lockstep {

std::vector<std::uint64_t> read_problem::part_of(processor const& me) const {
  std::vector<std::uint64_t> block;
  block.reserve(memory.size_of(me.rank()) * words);
  for (auto address = memory.first_of(me.rank()); address < memory.first_of(me.rank() + 1);
       ++address)
    for (std::size_t word = 0; word < words; ++word) block.push_back(stored(address, word));
  return block;
}

std::span<std::size_t const> read_problem::pointers_of(int rank) const {
  auto const first = std::min(readers.first_of(rank), pointers.size());
  return std::span(pointers).subspan(first,
                                     std::min(readers.first_of(rank + 1), pointers.size()) - first);
}

std::vector<needed_value> read_problem::needed() const {
  std::vector<needed_value> all;
  all.reserve(pointers.size());
  for (std::size_t i = 0; i < pointers.size(); ++i)
    if (pointers[i] != no_pointer)
      all.push_back({memory.owner(pointers[i]), pointers[i], readers.owner(i)});
  return all;
}

std::uint64_t read_problem::most_messages_in_order() const {
  std::vector<sender_and_receiver> messages;
  for (std::size_t i = 0; i < pointers.size(); ++i)
    if (pointers[i] != no_pointer && (i == 0 || pointers[i] != pointers[i - 1]))
      messages.push_back({memory.owner(pointers[i]), readers.owner(i)});
  return most_messages(std::move(messages), memory.processors());
}

void read_problem::write_rows(std::ostream& out) const {
  auto const write = [&](std::string_view text) {
    out.write(text.data(), static_cast<std::streamsize>(text.size()));
  };
  write(table->text.names());
  for (auto const row : pointers) {
    write(table->text.row(row));
    note_done(1);
  }
}

}  // namespace lockstep
