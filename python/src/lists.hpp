#pragma once

#include <pybind11/pybind11.h>

namespace lockstep::python {

/// Makes a list of what `entry_of` gives for each item.
template <class Items, class EntryOf>
[[nodiscard]] pybind11::list list_of(Items const& items, EntryOf const& entry_of) {
  pybind11::list all;
  for (auto const& one : items) all.append(entry_of(one));
  return all;
}

}  // namespace lockstep::python
