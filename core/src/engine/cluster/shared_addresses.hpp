#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "engine/cluster/wire.hpp"

namespace lockstep::detail {

/// An address of the executable or of a library, as processes send it to each other: each has these files
/// elsewhere in its memory. 0 is nullptr.
using wire_address = std::uint64_t;

/// The files that this process and the others have loaded, by which addresses of types and source lines, which
/// lie there, are translated.
class shared_addresses {
 public:
  explicit shared_addresses(int processes);

  /// Writes the files that this process has loaded.
  void write(byte_writer& to) const;
  /// Reads which files another has loaded. Errors: process_lost if its executable is another.
  void read(int process, byte_reader& from);

  /// Errors: invalid_argument where the address lies in no file.
  [[nodiscard]] wire_address to_wire(std::uintptr_t address) const;
  /// Errors: process_lost where this process has not loaded that file.
  [[nodiscard]] std::uintptr_t from_wire(int process, wire_address address) const;

 private:
  struct loaded_file {
    std::string name;      ///< empty: the executable
    std::string build_id;  ///< empty where the linker gave none
    std::uintptr_t base = 0;
    std::uintptr_t begin = 0;
    std::uintptr_t end = 0;
  };

  [[nodiscard]] static std::vector<loaded_file> files_of_process();

  std::vector<loaded_file> m_own;
  /// The files of each process, as this one has loaded them; nullptr: not loaded here.
  std::vector<std::vector<loaded_file const*>> m_here;
};

}  // namespace lockstep::detail
