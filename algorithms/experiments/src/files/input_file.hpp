#pragma once

#include <cstdint>
#include <filesystem>
#include <istream>
#include <streambuf>
#include <string>
#include <vector>

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
    int m_descriptor;
    int m_problem;
    std::vector<char> m_piece;
  };

  std::string m_name;
  std::string m_would_do;
  buffer m_buffer;
};

/// The bytes of a file; 0 where that is not known, as of a pipe.
[[nodiscard]] std::uint64_t bytes_of_file(std::filesystem::path const& file);

/// Opens the file and returns the result of `read(stream)`.
/// Errors: bad_input for a file that cannot be read, up to its end; what `read` throws.
template <class Read>
[[nodiscard]] auto read_input(std::filesystem::path const& file, std::string const& would_do,
                              Read const& read) {
  begin_stage("reading " + file.string(), bytes_of_file(file));
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
