#include "handout/clip.hpp"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>
#include <stdexcept>
#include <system_error>

#include <fmt/format.h>

namespace lockstep::cli {

namespace {

namespace fs = std::filesystem;

/// A folder for files that are needed for a while.
class temporary_folder {
 public:
  temporary_folder() {
    std::error_code unknown;
    auto const parent = fs::temp_directory_path(unknown);
    auto name = ((unknown ? fs::path("/tmp") : parent) / "lockstep-clip-XXXXXX").string();
    if (::mkdtemp(name.data()) == nullptr)
      throw std::runtime_error("no temporary folder for the frames of a clip can be made");
    m_path = name;
  }
  temporary_folder(temporary_folder const&) = delete;
  temporary_folder& operator=(temporary_folder const&) = delete;
  ~temporary_folder() {
    std::error_code ignored;
    fs::remove_all(m_path, ignored);
  }

  [[nodiscard]] fs::path file(std::string const& name) const { return m_path / name; }

 private:
  fs::path m_path;
};

std::string bytes_of(fs::path const& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

/// Runs a program of the path with its complaints in a file. Result: whether it succeeded.
bool succeeds(std::vector<std::string> words, fs::path const& complaints) {
  std::vector<char*> arguments;
  for (auto& one : words) arguments.push_back(one.data());
  arguments.push_back(nullptr);
  posix_spawn_file_actions_t streams;
  posix_spawn_file_actions_init(&streams);
  posix_spawn_file_actions_addopen(&streams, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_addopen(&streams, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
  posix_spawn_file_actions_addopen(&streams, STDERR_FILENO, complaints.c_str(), O_WRONLY | O_CREAT,
                                   0600);
  pid_t process = 0;
  int const problem =
      posix_spawnp(&process, arguments.front(), &streams, nullptr, arguments.data(), environ);
  posix_spawn_file_actions_destroy(&streams);
  if (problem != 0) return false;
  int status = 0;
  while (waitpid(process, &status, 0) < 0 && errno == EINTR) {
  }
  return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

std::string first_line_of(std::string const& text) { return text.substr(0, text.find('\n')); }

}  // namespace

bool can_make_clips() {
  auto const* const path = std::getenv("PATH");
  std::istringstream folders(path == nullptr ? "" : path);
  for (std::string folder; std::getline(folders, folder, ':');)
    if (::access((fs::path(folder) / "ffmpeg").c_str(), X_OK) == 0) return true;
  return false;
}

std::string clip_of(std::vector<drawing> const& frames, std::string_view format) {
  temporary_folder const folder;
  for (std::size_t i = 0; i < frames.size(); ++i) {
    std::ofstream out(folder.file(fmt::format("{:04}.svg", i)), std::ios::binary);
    if (!(out << as_svg(frames[i])).flush())
      throw std::runtime_error("a frame of the clip cannot be written to a temporary file");
  }
  auto const clip = folder.file(fmt::format("clip.{}", format));
  std::vector<std::string> words{
      "ffmpeg",     "-nostdin", "-loglevel", "error",
      "-framerate", "1/2",      "-i",        folder.file("%04d.svg").string()};
  if (format == "gif")  // few colours, chosen for all frames together
    words.insert(words.end(), {"-filter_complex", "split[a][b];[a]palettegen[c];[b][c]paletteuse"});
  else  // players expect more than one frame every two seconds; the last one lasts as long as the others
    words.insert(words.end(), {"-vf", "tpad=stop_mode=clone:stop_duration=2", "-r", "10",
                               "-pix_fmt", "yuv420p"});
  words.push_back(clip.string());
  auto const complaints = folder.file("complaints.txt");
  auto bytes = succeeds(words, complaints) ? bytes_of(clip) : std::string();
  if (!bytes.empty()) return bytes;
  auto const complaint = first_line_of(bytes_of(complaints));
  throw std::runtime_error(fmt::format("ffmpeg made no clip: {}",
                                       complaint.empty() ? "it says nothing of why" : complaint));
}

}  // namespace lockstep::cli
