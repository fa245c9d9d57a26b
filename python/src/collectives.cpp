#include "processor_object.hpp"

namespace lockstep::python {

PyMethodDef const* collective_methods() {
  static PyMethodDef const all[] = {{nullptr, nullptr, 0, nullptr}};
  return all;
}

}  // namespace lockstep::python
