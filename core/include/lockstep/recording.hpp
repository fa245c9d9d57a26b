#pragma once

#include <concepts>
#include <filesystem>
#include <memory>

namespace lockstep {

class machine;
class observer;

namespace detail {

/// Makes an observer that keeps all that a page of the run shows, and that writes such a page to
/// `page_of_failure` (unless it is nullptr) when the run fails. Defined in lockstep::view: only programs
/// that ask for it need that library.
[[nodiscard]] std::shared_ptr<observer> record_run(machine const& on,
                                                   std::filesystem::path const* page_of_failure);

/// Keeps a file's name until the program ends, each name once, and returns it.
[[nodiscard]] std::filesystem::path const& keep_file_name(std::filesystem::path const& name);

}  // namespace detail

/// Whether a machine records its runs: true or false. A program that says either links
/// `lockstep::view`, or `lockstep::lockstep`, which has it.
class recording {
 public:
  constexpr recording() noexcept = default;
  // Options are set as `{.recorded = true}`.
  // NOLINTNEXTLINE(google-explicit-constructor)
  constexpr recording(bool wanted) noexcept : m_begin(wanted ? &detail::record_run : nullptr) {}

  // NOLINTNEXTLINE(google-explicit-constructor)
  [[nodiscard]] constexpr operator bool() const noexcept { return m_begin != nullptr; }
  /// Makes what records a run of that machine; nullptr if nothing is recorded.
  [[nodiscard]] std::shared_ptr<observer> begin(machine const& on) const {
    return m_begin == nullptr ? nullptr : m_begin(on, nullptr);
  }

 private:
  decltype(&detail::record_run) m_begin = nullptr;
};

/// The file for the page of a run that fails; none by default. A program that names one links
/// `lockstep::view`, or `lockstep::lockstep`, which has it. Copies are the size of two pointers: each name
/// is kept once, until the program ends.
class failure_page {
 public:
  constexpr failure_page() noexcept = default;
  // Options are set as `{.view_failure = "failed.html"}`.
  template <class File>
    requires(std::constructible_from<std::filesystem::path, File const&> &&
             !std::same_as<File, failure_page>)
  // NOLINTNEXTLINE(google-explicit-constructor)
  failure_page(File const& file)
      : m_file(&detail::keep_file_name(file)), m_begin(&detail::record_run) {}

  /// The file's name; nullptr for none.
  [[nodiscard]] constexpr std::filesystem::path const* file() const noexcept { return m_file; }
  /// Makes what records a run of that machine, and writes the page if it fails; nullptr without a file.
  [[nodiscard]] std::shared_ptr<observer> begin(machine const& on) const {
    return m_begin == nullptr ? nullptr : m_begin(on, m_file);
  }

 private:
  // Machine options have no destructor: they may be constants, and g++ 12 destroys a member of a nested
  // aggregate twice where a later initializer throws.
  std::filesystem::path const* m_file = nullptr;
  decltype(&detail::record_run) m_begin = nullptr;
};

}  // namespace lockstep
