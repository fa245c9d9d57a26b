#pragma once

#include <cstddef>
#include <string>

namespace lockstep::detail {

/// A file that is removed with the others by `remove_incomplete_files`, as long as this lives.
class incomplete_file {
 public:
  explicit incomplete_file(std::string path);
  incomplete_file(incomplete_file const&) = delete;
  incomplete_file& operator=(incomplete_file const&) = delete;
  ~incomplete_file();

 private:
  std::size_t m_place;
};

/// Removes them. May be called in a signal handler, after which the process has to end.
void remove_incomplete_files() noexcept;

}  // namespace lockstep::detail
