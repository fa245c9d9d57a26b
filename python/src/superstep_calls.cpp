// post and deliver. A post carries as many elements as its value has words. Each is the number of the value's
// place in the run's list: so the machine counts what it would count of the words themselves.

#include <cstdint>
#include <cstring>
#include <utility>
#include <vector>

#include <lockstep/mailbox.hpp>

#include "other_calls.hpp"
#include "payloads.hpp"
#include "processor_object.hpp"
#include "program_run.hpp"
#include "type_slots.hpp"

namespace lockstep::python {

namespace {

/// A member's posts: the places of its values.
struct delivered_values {
  int from = 0;
  std::vector<std::uint64_t> places{};
};

PyObject* post(PyObject* object, PyObject* const* given, Py_ssize_t count, PyObject* named) {
  auto& self = *reinterpret_cast<processor_object*>(object);
  call_arguments arguments;
  int to = 0;
  if (!arguments.parse("post", {"to", "values"}, 2, given, count, named)) return nullptr;
  auto* const caller = caller_of(self);
  loaded_payload posted;
  if (caller == nullptr || !read_int(arguments[0], to) || !load(*caller, arguments[1], posted))
    return nullptr;
  return commit(self, *caller,
                call_of(
                    [=](processor& me, std::source_location where) {
                      std::vector<std::uint64_t> const words(posted.words, posted.place);
                      detail::untyped_calls::post(me, to,
                                                  {reinterpret_cast<std::byte const*>(words.data()),
                                                   words.size(), &type_of_payloads()},
                                                  where);
                    },
                    [posted](member& by) -> PyObject* {
                      if (posted.words == 0)
                        by.run->payloads().drop(posted.place);  // nothing carries it
                      Py_RETURN_NONE;
                    }));
}

/// Finds the values in the elements that a member posted.
std::vector<std::uint64_t> places_in(detail::delivered_mail const& mail,
                                     payload_store const& values) {
  std::vector<std::uint64_t> places;
  for (std::size_t at = 0; at < mail.count;) {
    std::uint64_t place = 0;
    std::memcpy(&place, mail.data + at * sizeof(place), sizeof(place));
    places.push_back(place);
    at += values.at(place).words;
  }
  return places;
}

/// Makes a list of pairs of a rank and the list of its values. New reference, or nullptr.
PyObject* listed(member& by, std::vector<delivered_values> const& all) {
  PyObject* const pairs = PyList_New(0);
  bool good = pairs != nullptr;
  for (auto const& one : all) {
    PyObject* const values = PyList_New(0);
    for (auto const place : one.places) {
      PyObject* const value = by.run->payloads().take(place);
      good = good && values != nullptr && value != nullptr && PyList_Append(values, value) == 0;
      Py_XDECREF(value);
    }
    PyObject* const pair = good ? Py_BuildValue("(iO)", one.from, values) : nullptr;
    good = pair != nullptr && PyList_Append(pairs, pair) == 0;
    Py_XDECREF(pair);
    Py_XDECREF(values);
  }
  if (good) return pairs;
  Py_XDECREF(pairs);
  return nullptr;
}

PyObject* deliver(PyObject* object, PyObject* const* given, Py_ssize_t count, PyObject* named) {
  auto& self = *reinterpret_cast<processor_object*>(object);
  call_arguments arguments;
  if (!arguments.parse("deliver", {"announced"}, 0, given, count, named)) return nullptr;
  auto* const caller = caller_of(self);
  int const announced = arguments.has(0) ? PyObject_IsTrue(arguments[0]) : 0;
  if (caller == nullptr || announced < 0) return nullptr;
  return commit(self, *caller,
                call_of(
                    [announced, run = caller->run](processor& me, std::source_location where) {
                      std::vector<delivered_values> all;
                      detail::untyped_calls::deliver(
                          me, type_of_payloads(), {.announced = announced != 0}, where,
                          [&](detail::delivered_mail const& mail) {
                            all.push_back({mail.from, places_in(mail, run->payloads())});
                          });
                      return all;
                    },
                    listed));
}

}  // namespace

std::vector<PyMethodDef> superstep_methods() {
  return {{"post", as_method(post), with_names,
           "post($self, to, values)\n--\n\nPut values into the mailbox of a processor, itself too: "
           "its next deliver gives them. Any number of posts, to anybody."},
          {"deliver", as_method(deliver), with_names,
           "deliver($self, announced=False)\n--\n\nEnd a superstep, with all members of the "
           "machine or subset: a list of (source, values), sorted by source, where values lists "
           "what it posted, in order. A value without words adds none. announced counts how "
           "members learn of their senders."}};
}

}  // namespace lockstep::python
