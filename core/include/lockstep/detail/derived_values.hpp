#pragma once

#include <atomic>
#include <concepts>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include <lockstep/detail/debug_containers.hpp>

namespace lockstep {
class topology;
}

namespace lockstep::detail {

/// Values that follow from one immutable object alone, at most one of each type. Each is made when
/// it is first asked for, and kept as long as the object, so all processors of a run share it.
/// Any number of threads may ask at the same time.
class derived_values {
 public:
  derived_values() = default;
  derived_values(derived_values const&) = delete;
  derived_values& operator=(derived_values const&) = delete;

  /// Gives the value of that type; the first one to ask makes it, and may ask for others meanwhile,
  /// but may not wait for another processor. If `make` throws there is no value yet.
  /// Cost: once it is made, a walk along the list of values, without a lock.
  template <class Value, std::invocable Make>
  Value const& get(Make const& make) {
    if (auto const* const known = find(&type_tag<Value>)) [[likely]]
      return *static_cast<Value const*>(known);
    return made<Value>(make);
  }

 private:
  /// Makes a value, unless another thread has made it meanwhile.
  template <class Value, std::invocable Make>
  [[gnu::noinline]] Value const& made(Make const& make) {
    std::scoped_lock const one_at_a_time(m_one_at_a_time);
    if (auto const* const known = find(&type_tag<Value>)) return *static_cast<Value const*>(known);
    std::shared_ptr<Value const> value(new Value(make()));
    auto const& kept = *value;
    m_all.push_back(std::make_unique<entry const>(
        entry{&type_tag<Value>, std::move(value), m_latest.load(std::memory_order_relaxed)}));
    m_latest.store(m_all.back().get(), std::memory_order_release);
    return kept;
  }

  /// Stands for a type by its address, which is faster to compare than a type's name.
  template <class Value>
  static constexpr char type_tag = 0;

  struct entry {
    char const* type;
    std::shared_ptr<void const> value;
    entry const* earlier;
  };

  [[nodiscard]] void const* find(char const* type) const noexcept {
    for (auto const* each = m_latest.load(std::memory_order_acquire); each; each = each->earlier)
      if (each->type == type) return each->value.get();
    return nullptr;
  }

  std::atomic<entry const*> m_latest = nullptr;
  std::recursive_mutex m_one_at_a_time;
  std::vector<std::unique_ptr<entry const>> m_all;
};

/// Finds the values that follow from a network. They end with it; a copy of the network makes its
/// own.
[[nodiscard]] derived_values& derived_values_of(topology const& network) noexcept;

}  // namespace lockstep::detail
