#include <lockstep/memory.hpp>

#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <limits>
#include <optional>
#include <string>

namespace lockstep {

namespace {

constexpr auto unlimited = std::numeric_limits<std::uint64_t>::max();

std::optional<std::uint64_t> number_in(std::string const& path) {
  std::ifstream file(path);
  std::uint64_t number = 0;
  if (file >> number) return number;
  return std::nullopt;
}

std::uint64_t left_of(std::optional<std::uint64_t> limit, std::optional<std::uint64_t> used) {
  if (!limit) return unlimited;
  return *limit > used.value_or(0) ? *limit - used.value_or(0) : 0;
}

std::uint64_t available_on_system() {
  std::ifstream file("/proc/meminfo");
  std::string name;
  std::uint64_t kibibytes = 0;
  std::string unit;
  while (file >> name >> kibibytes && std::getline(file, unit))
    if (name == "MemAvailable:") return kibibytes * 1024;
  return unlimited;
}

/// Finds the memory left in the control groups from this process's up to the root (version 2).
std::uint64_t left_in_unified_group(std::string group) {
  std::uint64_t left = unlimited;
  for (;;) {
    auto const folder = "/sys/fs/cgroup" + group;
    left = std::min(
        left, left_of(number_in(folder + "/memory.max"), number_in(folder + "/memory.current")));
    auto const parent = group.rfind('/');
    if (group.empty() || parent == std::string::npos) return left;
    group.resize(parent);
  }
}

std::uint64_t left_in_control_group() {
  std::uint64_t left = unlimited;
  std::ifstream file("/proc/self/cgroup");
  for (std::string line; std::getline(file, line);) {
    auto const path = line.substr(line.rfind(':') + 1);
    if (line.starts_with("0::"))
      left = std::min(left, left_in_unified_group(path == "/" ? "" : path));
    if (line.find(":memory:") == std::string::npos) continue;
    for (auto const& folder :
         {"/sys/fs/cgroup/memory" + path, std::string("/sys/fs/cgroup/memory")})
      left = std::min(left, left_of(number_in(folder + "/memory.limit_in_bytes"),
                                    number_in(folder + "/memory.usage_in_bytes")));
  }
  return left;
}

}  // namespace

std::uint64_t available_memory() {
  return std::min({available_on_system(), left_in_control_group(), available_address_space()});
}

std::uint64_t available_address_space() {
  rlimit limit{};
  if (::getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return unlimited;
  auto const mapped_pages = number_in("/proc/self/statm");  // the first of its numbers
  auto const page = static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
  return left_of(limit.rlim_cur, mapped_pages.value_or(0) * page);
}

}  // namespace lockstep
