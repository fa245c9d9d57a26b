#include <lockstep/recording.hpp>

#include <filesystem>
#include <mutex>
#include <set>

namespace lockstep::detail {

std::filesystem::path const& keep_file_name(std::filesystem::path const& name) {
  struct kept_names {
    std::mutex alone;
    std::set<std::filesystem::path> names;
  };
  // Never destroyed: options of static lifetime may outlive whatever is.
  static auto& kept = *new kept_names;
  std::scoped_lock const lock{kept.alone};
  return *kept.names.insert(name).first;
}

}  // namespace lockstep::detail
