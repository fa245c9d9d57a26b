#include "engine/cluster/shared_addresses.hpp"

#include <link.h>

#include <algorithm>

#include <fmt/format.h>

namespace lockstep::detail {

namespace {

constexpr unsigned bits_of_offset = 48;

}  // namespace

std::vector<shared_addresses::loaded_file> shared_addresses::files_of_process() {
  std::vector<loaded_file> files;
  ::dl_iterate_phdr(
      [](dl_phdr_info* info, std::size_t, void* to) {
        loaded_file file{info->dlpi_name == nullptr ? "" : info->dlpi_name, info->dlpi_addr,
                         ~std::uintptr_t{0}, 0};
        for (int at = 0; at < info->dlpi_phnum; ++at) {
          auto const& part = info->dlpi_phdr[at];
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
    : m_own(files_of_process()), m_base_here(static_cast<std::size_t>(processes)) {}

void shared_addresses::write(byte_writer& to) const {
  to.put(m_own.size());
  for (auto const& one : m_own) {
    to.put_text(one.name);
    to.put(one.end - one.begin);
  }
}

void shared_addresses::read(int process, byte_reader& from) {
  auto& bases = m_base_here[static_cast<std::size_t>(process)];
  auto const files = from.get<std::size_t>();
  for (std::size_t at = 0; at < files; ++at) {
    auto const name = from.get_text();
    auto const size = from.get<std::uintptr_t>();
    auto const here = std::ranges::find_if(
        m_own, [&](auto const& one) { return one.name == name && one.end - one.begin == size; });
    if (at == 0 && here != m_own.begin())
      throw process_lost(fmt::format(
          "process {} of the cluster runs another executable: start the same one everywhere",
          process));
    bases.push_back(here == m_own.end() ? 0 : here->base + 1);
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
  auto const& bases = m_base_here[static_cast<std::size_t>(process)];
  auto const file = static_cast<std::size_t>(address >> bits_of_offset) - 1;
  if (file >= bases.size() || bases[file] == 0)
    throw process_lost(fmt::format(
        "process {} of the cluster has loaded a library that this one has not: start them alike",
        process));
  return bases[file] - 1 + (address & ((std::uint64_t{1} << bits_of_offset) - 1));
}

}  // namespace lockstep::detail
