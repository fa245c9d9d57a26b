#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <istream>
#include <optional>
#include <streambuf>
#include <string>
#include <vector>

#include <lockstep/cluster.hpp>
#include <lockstep/experiments/registry.hpp>

#include "harness/stages.hpp"

namespace lockstep {

/// A file that is read from its beginning to its end, and notes the bytes that it has read.
class input_file : public std::istream {
 public:
  /// Errors: bad_input for a file that cannot be read. `would_do`: what to name instead.
  input_file(std::filesystem::path const& file, std::string const& would_do);

  /// Errors: bad_input if reading has failed.
  void require_readable() const;

 private:
  class buffer : public std::streambuf {
   public:
    explicit buffer(std::filesystem::path const& file);
    buffer(buffer const&) = delete;
    buffer& operator=(buffer const&) = delete;
    ~buffer() override;

    /// Why it could not be opened or read: errno, or 0.
    [[nodiscard]] int problem() const noexcept { return m_problem; }

   protected:
    int_type underflow() override;

   private:
    void open(std::filesystem::path const& file);
    [[nodiscard]] std::size_t read_piece();

    cluster* m_processes;  ///< those that share inputs, or nullptr
    int m_descriptor = -1;
    int m_problem = 0;
    std::vector<char> m_piece;
  };

  std::string m_name;
  std::string m_would_do;
  buffer m_buffer;
};

/// The facts that are known of a file before it is read.
struct input_facts {
  bool can_be_read_once = false;         ///< as a pipe
  std::optional<std::uint64_t> bytes{};  ///< of a regular file
};

/// Looks at a file; where processes share inputs, process 0 does. Errors: process_lost.
[[nodiscard]] input_facts facts_of_input(std::filesystem::path const& file);

/// Opens the file and returns the result of `read(stream)`.
/// Errors: bad_input for a file that cannot be read, up to its end; what `read` throws.
template <class Read>
[[nodiscard]] auto read_input(std::filesystem::path const& file, std::string const& would_do,
                              Read const& read) {
  begin_stage("reading " + file.string(), facts_of_input(file).bytes.value_or(0));
  input_file in(file, would_do);
  try {
    auto made = read(in);
    in.require_readable();
    return made;
  } catch (bad_input const&) {
    in.require_readable();  // the missing part could not be read
    throw;
  }
}

}  // namespace lockstep
