#pragma once

#include <atomic>
#include <concepts>
#include <cstddef>
#include <memory>
#include <memory_resource>

namespace lockstep {

namespace detail {
struct memory_deleter;
}

/// A processor's own memory (`processor::memory`): a memory resource that counts what is taken from
/// it. It converts to an allocator, so that a container can be made with it:
///
///   std::pmr::vector<long> block(words, me.memory());
///
/// Memory taken from it may outlive the run, for example in the program's result. A container that
/// is empty must not grow any more once the run's record and its copies are gone.
/// Errors: std::bad_alloc.
class processor_memory final : public std::pmr::memory_resource {
 public:
  explicit processor_memory(std::shared_ptr<std::pmr::memory_resource> upstream);
  processor_memory(processor_memory const&) = delete;
  processor_memory& operator=(processor_memory const&) = delete;

  /// Bytes that are held now.
  [[nodiscard]] std::size_t bytes() const noexcept { return m_bytes; }
  /// The most that were held at a time.
  [[nodiscard]] std::size_t peak_bytes() const noexcept { return m_peak_bytes; }

  // NOLINTBEGIN(google-explicit-constructor): containers take it as it is
  template <std::same_as<std::pmr::memory_resource> Resource>  // and no other pointer, nor a bool
  operator Resource*() noexcept {
    return this;
  }
  template <class T>
  operator std::pmr::polymorphic_allocator<T>() noexcept {
    return this;
  }
  // NOLINTEND(google-explicit-constructor)

 private:
  friend struct detail::memory_deleter;
  ~processor_memory() override;  // of itself, when neither the run nor anything taken is left
  void drop_reference() noexcept;

  void* do_allocate(std::size_t bytes, std::size_t alignment) override;
  void do_deallocate(void* block, std::size_t bytes, std::size_t alignment) override;
  [[nodiscard]] bool do_is_equal(memory_resource const& other) const noexcept override {
    return this == &other;
  }

  std::shared_ptr<std::pmr::memory_resource> m_upstream;
  std::size_t m_bytes = 0;
  std::size_t m_peak_bytes = 0;
  std::atomic<std::size_t> m_holds = 1;  ///< the run's, and one for each block
};

namespace detail {

/// The deleter by which the run holds a processor's memory.
struct memory_deleter {
  void operator()(processor_memory* memory) const noexcept { memory->drop_reference(); }
};
using held_memory = std::unique_ptr<processor_memory, memory_deleter>;

}  // namespace detail

}  // namespace lockstep
