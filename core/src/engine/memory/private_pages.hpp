#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <memory_resource>
#include <vector>

namespace lockstep::detail {

/// The memory of a guarded machine's processors: each has pages of its own, which can be touched
/// while it runs and while none does.
class private_pages : public std::enable_shared_from_this<private_pages> {
 public:
  static constexpr int nobody = -1;
  /// Each needs a mapping of its own, and the system allows some 65,000.
  static constexpr int most_processors = 16'384;

  /// Errors: std::bad_alloc if the address space is used up.
  explicit private_pages(int processors);
  private_pages(private_pages const&) = delete;
  private_pages& operator=(private_pages const&) = delete;
  ~private_pages();

  /// Makes the resource that a processor's memory is taken from. It keeps all pages alive.
  [[nodiscard]] std::shared_ptr<std::pmr::memory_resource> resource_of(int rank);

  /// Closes the pages of all but this processor, and opens its own.
  void open_only(int rank);
  void open_all();

  /// A scope that opens all pages when it ends.
  class reopen_on_exit {
   public:
    explicit reopen_on_exit(private_pages* pages) : m_pages(pages) {}
    reopen_on_exit(reopen_on_exit const&) = delete;
    reopen_on_exit& operator=(reopen_on_exit const&) = delete;
    ~reopen_on_exit() {
      if (m_pages != nullptr) m_pages->open_all();
    }

   private:
    private_pages* m_pages;
  };

  // These may be called in a signal handler.
  /// Finds the owner of the pages that the address lies in, or `nobody`.
  [[nodiscard]] int owner_of(std::byte const* address) const noexcept;
  bool open(int rank) noexcept;

 private:
  /// Consecutive addresses of one processor.
  class slot final : public std::pmr::memory_resource {
   public:
    slot(std::byte* begin, std::byte* end) : m_begin(begin), m_used_end(begin), m_end(end) {}
    [[nodiscard]] bool has(std::byte const* address) const noexcept {
      return address >= m_begin && address < m_used_end;
    }
    bool protect(int protection) const noexcept;

   private:
    void* do_allocate(std::size_t bytes, std::size_t alignment) override;
    void do_deallocate(void* block, std::size_t bytes, std::size_t alignment) override;
    [[nodiscard]] bool do_is_equal(memory_resource const& other) const noexcept override {
      return this == &other;
    }

    std::byte* m_begin;
    std::byte* m_used_end;
    std::byte* m_end;
    std::map<std::byte*, std::size_t> m_free;  ///< bytes by begin
  };

  std::size_t m_slot_bytes;
  std::size_t m_bytes;
  std::byte* m_memory;
  std::vector<slot> m_slots;
  std::vector<int> m_open;  ///< reserved for all, since a signal handler adds to it
};

}  // namespace lockstep::detail
