#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <iterator>
#include <span>
#include <vector>

#include <lockstep/counts.hpp>
#include <lockstep/detail/debug_containers.hpp>

namespace lockstep {

/// Steps in a row that have equal figures.
struct step_stretch {
  step_record first{};      ///< the record of the first of them
  std::uint64_t steps = 1;  ///< how many they are

  /// Gives the record of the step that comes `later` steps after the first.
  [[nodiscard]] step_record record(std::uint64_t later) const {
    auto of = first;
    of.step += later;
    return of;
  }
  [[nodiscard]] std::uint64_t last_step() const { return first.step + steps - 1; }

  friend bool operator==(step_stretch const&, step_stretch const&) = default;
};

/// The steps of a run: a random-access range that gives step_record by value. Its memory grows with
/// the stretches of equal steps, 176 bytes each, and not with the steps. Reading a step by its
/// index takes O(log stretches) time, going on to the next one O(1).
class step_list {
 public:
  class iterator;
  using value_type = step_record;
  using reference = step_record;
  using const_reference = step_record;
  using const_iterator = iterator;
  using size_type = std::size_t;
  using difference_type = std::ptrdiff_t;

  step_list() = default;
  step_list(std::initializer_list<step_record> steps);
  step_list(std::vector<step_record> const& steps);  // NOLINT(google-explicit-constructor)

  /// Copies all steps, 168 bytes each. Where few stretches have very many steps, take stretches().
  operator std::vector<step_record>() const;  // NOLINT(google-explicit-constructor)

  [[nodiscard]] size_type size() const noexcept { return m_ends.empty() ? 0 : m_ends.back(); }
  [[nodiscard]] bool empty() const noexcept { return m_ends.empty(); }
  /// `index` < size(), as for a vector.
  [[nodiscard]] step_record operator[](size_type index) const {
    return record_in(stretch_of(index), index);
  }
  [[nodiscard]] step_record front() const { return m_stretches.front().first; }
  [[nodiscard]] step_record back() const { return (*this)[size() - 1]; }
  [[nodiscard]] iterator begin() const noexcept;
  [[nodiscard]] iterator end() const noexcept;

  /// The stretches of equal steps, in order; neighbours differ.
  [[nodiscard]] std::span<step_stretch const> stretches() const noexcept { return m_stretches; }

  /// Whether that step is equal to the last one, and comes next.
  [[nodiscard]] bool goes_on_with(step_record const& next) const;
  /// Appends that many equal steps; `first` is the first.
  void append(step_record const& first, std::uint64_t steps = 1);

  friend bool operator==(step_list const&, step_list const&) = default;

 private:
  [[nodiscard]] std::size_t stretch_of(size_type index) const;
  [[nodiscard]] size_type begin_of(std::size_t stretch) const {
    return stretch == 0 ? 0 : m_ends[stretch - 1];
  }
  [[nodiscard]] step_record record_in(std::size_t stretch, size_type index) const {
    return m_stretches[stretch].record(index - begin_of(stretch));
  }

  std::vector<step_stretch> m_stretches;
  std::vector<size_type> m_ends;  ///< index after the last step of each stretch
};

/// An iterator over the steps.
class step_list::iterator {
 public:
  using iterator_concept = std::random_access_iterator_tag;
  using iterator_category = std::random_access_iterator_tag;  // as that of std::vector<bool>
  using value_type = step_record;
  using difference_type = std::ptrdiff_t;
  using reference = step_record;

  /// The pointer that `->` returns.
  class pointer {
   public:
    explicit pointer(step_record const& to) : m_to(to) {}
    [[nodiscard]] step_record const* operator->() const { return &m_to; }

   private:
    step_record m_to;
  };

  iterator() = default;

  [[nodiscard]] step_record operator*() const { return m_list->record_in(m_stretch, m_at); }
  [[nodiscard]] pointer operator->() const { return pointer(**this); }
  [[nodiscard]] step_record operator[](difference_type by) const { return *(*this + by); }

  iterator& operator++() {
    if (++m_at == m_list->m_ends[m_stretch]) ++m_stretch;
    return *this;
  }
  iterator operator++(int) {
    auto const before = *this;
    ++*this;
    return before;
  }
  iterator& operator--() {
    if (m_at-- == m_list->begin_of(m_stretch)) --m_stretch;
    return *this;
  }
  iterator operator--(int) {
    auto const before = *this;
    --*this;
    return before;
  }
  iterator& operator+=(difference_type by) {
    m_at += static_cast<size_type>(by);
    if (m_list != nullptr) m_stretch = m_list->stretch_of(m_at);
    return *this;
  }
  iterator& operator-=(difference_type by) { return *this += -by; }
  [[nodiscard]] friend iterator operator+(iterator at, difference_type by) { return at += by; }
  [[nodiscard]] friend iterator operator+(difference_type by, iterator at) { return at += by; }
  [[nodiscard]] friend iterator operator-(iterator at, difference_type by) { return at -= by; }
  [[nodiscard]] friend difference_type operator-(iterator const& left, iterator const& right) {
    return static_cast<difference_type>(left.m_at - right.m_at);
  }
  [[nodiscard]] friend bool operator==(iterator const& left, iterator const& right) {
    return left.m_at == right.m_at;
  }
  [[nodiscard]] friend auto operator<=>(iterator const& left, iterator const& right) {
    return left.m_at <=> right.m_at;
  }

 private:
  friend step_list;
  iterator(step_list const& list, size_type at, std::size_t stretch)
      : m_list(&list), m_at(at), m_stretch(stretch) {}

  step_list const* m_list = nullptr;
  size_type m_at = 0;
  std::size_t m_stretch = 0;  ///< the stretch that m_at lies in
};

inline step_list::iterator step_list::begin() const noexcept { return {*this, 0, 0}; }
inline step_list::iterator step_list::end() const noexcept {
  return {*this, size(), m_stretches.size()};
}

namespace detail {

/// Equal steps that are shown one by one; more of them are shown as one.
inline constexpr std::uint64_t most_equal_rows = 1'000;

/// Calls visit(record of the first step, last step) for each row in which steps are shown.
template <class Visitor>
void for_each_row(step_list const& steps, Visitor&& visit) {
  for (auto const& one : steps.stretches()) {
    if (one.steps > most_equal_rows) {
      visit(one.first, one.last_step());
      continue;
    }
    for (std::uint64_t later = 0; later < one.steps; ++later)
      visit(one.record(later), one.first.step + later);
  }
}

}  // namespace detail

}  // namespace lockstep
