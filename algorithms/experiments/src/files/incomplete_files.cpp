#include "files/incomplete_files.hpp"

#include <unistd.h>

#include <array>
#include <atomic>
#include <cstddef>
#include <memory>
#include <utility>

namespace lockstep::detail {

namespace {

/// As many as are open at a time; of more, some are left behind by a signal.
constexpr std::size_t most_files = 64;

using place = std::atomic<std::string*>;
static_assert(place::is_always_lock_free);

/// A signal handler reaches only globals. Who takes a path out of its place owns it.
std::array<place, most_files>& places() noexcept {
  static constinit std::array<place, most_files> all{};
  return all;
}

}  // namespace

incomplete_file::incomplete_file(std::string path) : m_place(most_files) {
  auto owned = std::make_unique<std::string>(std::move(path));
  for (m_place = 0; m_place < most_files; ++m_place) {
    std::string* nobody = nullptr;
    if (!places()[m_place].compare_exchange_strong(nobody, owned.get())) continue;
    static_cast<void>(owned.release());
    return;
  }
}

incomplete_file::~incomplete_file() {
  if (m_place == most_files) return;
  std::unique_ptr<std::string> const owned(places()[m_place].exchange(nullptr));
}

void remove_incomplete_files() noexcept {
  // A path taken out is not freed: a signal may have come within the allocator.
  for (auto& each : places())
    if (auto const* const path = each.exchange(nullptr)) ::unlink(path->c_str());
}

}  // namespace lockstep::detail
