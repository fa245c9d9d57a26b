#include "engine/cluster/shared_addresses.hpp"

#include <link.h>

#include <algorithm>
#include <cstring>

#include <fmt/format.h>

namespace lockstep::detail {

namespace {

constexpr unsigned bits_of_offset = 48;
constexpr std::uint64_t offset_mask = (std::uint64_t{1} << bits_of_offset) - 1;

/// Finds the build id that a linker gave a file, in a segment of notes; empty without one.
std::string build_id_in(std::byte const* notes, std::size_t size) {
  auto const padded = [](std::size_t bytes) { return (bytes + 3) / 4 * 4; };
  while (size >= sizeof(ElfW(Nhdr))) {
    ElfW(Nhdr) head;
    std::memcpy(&head, notes, sizeof(head));
    auto const whole = sizeof(head) + padded(head.n_namesz) + padded(head.n_descsz);
    if (whole > size) break;
    auto const* const name = notes + sizeof(head);
    if (head.n_type == NT_GNU_BUILD_ID && head.n_namesz == 4 && std::memcmp(name, "GNU", 4) == 0)
      return {reinterpret_cast<char const*>(name + 4), head.n_descsz};
    notes += whole;
    size -= whole;
  }
  return {};
}

}  // namespace

std::vector<shared_addresses::loaded_file> shared_addresses::files_of_process() {
  std::vector<loaded_file> files;
  ::dl_iterate_phdr(
      [](dl_phdr_info* info, std::size_t, void* to) {
        loaded_file file{info->dlpi_name == nullptr ? "" : info->dlpi_name,
                         {},
                         info->dlpi_addr,
                         ~std::uintptr_t{0},
                         0};
        for (int at = 0; at < info->dlpi_phnum; ++at) {
          auto const& part = info->dlpi_phdr[at];
          if (part.p_type == PT_NOTE && file.build_id.empty())
            file.build_id = build_id_in(
                reinterpret_cast<std::byte const*>(info->dlpi_addr + part.p_vaddr), part.p_memsz);
          if (part.p_type != PT_LOAD) continue;
          file.begin = std::min<std::uintptr_t>(file.begin, info->dlpi_addr + part.p_vaddr);
          file.end =
              std::max<std::uintptr_t>(file.end, info->dlpi_addr + part.p_vaddr + part.p_memsz);
        }
        static_cast<std::vector<loaded_file>*>(to)->push_back(std::move(file));
        return 0;
      },
      &files);
  return files;
}

shared_addresses::shared_addresses(int processes)
    : m_own(files_of_process()), m_here(static_cast<std::size_t>(processes)) {}

void shared_addresses::write(byte_writer& to) const {
  to.put(m_own.size());
  for (auto const& one : m_own) {
    to.put_text(one.name);
    to.put_text(one.build_id);
    to.put(one.end - one.begin);
  }
}

void shared_addresses::read(int process, byte_reader& from) {
  auto& files = m_here[static_cast<std::size_t>(process)];
  auto const count = from.get<std::size_t>();
  for (std::size_t at = 0; at < count; ++at) {
    auto const name = from.get_text();
    auto const build_id = from.get_text();
    auto const size = from.get<std::uintptr_t>();
    auto const here = std::ranges::find_if(m_own, [&](auto const& one) {
      return one.name == name && one.build_id == build_id && one.end - one.begin == size;
    });
    if (at == 0 && here != m_own.begin())
      throw process_lost(fmt::format(
          "process {} of the cluster runs another executable: start the same one everywhere",
          process));
    files.push_back(here == m_own.end() ? nullptr : &*here);
  }
}

wire_address shared_addresses::to_wire(std::uintptr_t address) const {
  if (address == 0) return 0;
  for (std::size_t at = 0; at < m_own.size(); ++at)
    if (m_own[at].begin <= address && address < m_own[at].end)
      return (std::uint64_t{at + 1} << bits_of_offset) | (address - m_own[at].base);
  throw invalid_argument(
      "a source line or an element type of the program lies in no file that was loaded when the "
      "run began, "
      "so that other processes of the cluster cannot know it: run such a program on one process");
}

std::uintptr_t shared_addresses::from_wire(int process, wire_address address) const {
  if (address == 0) return 0;
  auto const& files = m_here[static_cast<std::size_t>(process)];
  auto const file = static_cast<std::size_t>(address >> bits_of_offset) - 1;
  if (file >= files.size() || files[file] == nullptr)
    throw process_lost(fmt::format(
        "process {} of the cluster has loaded a library that this one has not: start them alike",
        process));
  auto const at = files[file]->base + (address & offset_mask);
  if (at < files[file]->begin || at >= files[file]->end)
    throw process_lost(fmt::format(
        "process {} of the cluster sent an address that lies in none of its files", process));
  return at;
}

}  // namespace lockstep::detail
