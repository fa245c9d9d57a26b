#pragma once

#include <concepts>
#include <filesystem>
#include <memory>
#include <utility>

namespace lockstep {

class machine;
class observer;

namespace detail {

/// Makes an observer that keeps all that a page of the run shows, and that writes such a page to
/// `page_of_failure` (unless it is nullptr) when the run fails. Defined in lockstep::view: only programs
/// that ask for it need that library.
[[nodiscard]] std::shared_ptr<observer> record_run(machine const& on,
                                                   std::filesystem::path const* page_of_failure);

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
/// `lockstep::view`, or `lockstep::lockstep`, which has it.
class failure_page {
 public:
  constexpr failure_page() noexcept = default;
  // Options are set as `{.view_failure = "failed.html"}`.
  template <class File>
    requires(std::constructible_from<std::filesystem::path, File const&> &&
             !std::same_as<File, failure_page>)
  // NOLINTNEXTLINE(google-explicit-constructor)
  failure_page(File const& file)
      : m_file(new std::filesystem::path(file)), m_begin(&detail::record_run) {}

  // Machine options may be constants, so that the file is held by hand.
  constexpr failure_page(failure_page const& other)
      : m_file(other.m_file == nullptr ? nullptr : copy_of(*other.m_file)),
        m_begin(other.m_begin) {}
  constexpr failure_page(failure_page&& other) noexcept
      : m_file(std::exchange(other.m_file, nullptr)),
        m_begin(std::exchange(other.m_begin, nullptr)) {}
  constexpr failure_page& operator=(failure_page other) noexcept {
    std::swap(m_file, other.m_file);
    std::swap(m_begin, other.m_begin);
    return *this;
  }
  constexpr ~failure_page() {
    if (m_file != nullptr) remove(m_file);
  }

  /// The file's name; nullptr for none.
  [[nodiscard]] constexpr std::filesystem::path const* file() const noexcept { return m_file; }
  /// Makes what records a run of that machine, and writes the page if it fails; nullptr without a file.
  [[nodiscard]] std::shared_ptr<observer> begin(machine const& on) const {
    return m_begin == nullptr ? nullptr : m_begin(on, m_file);
  }

 private:
  static std::filesystem::path const* copy_of(std::filesystem::path const& file) {
    return new std::filesystem::path(file);
  }
  static void remove(std::filesystem::path const* file) noexcept { delete file; }

  std::filesystem::path const* m_file = nullptr;
  decltype(&detail::record_run) m_begin = nullptr;
};

}  // namespace lockstep
