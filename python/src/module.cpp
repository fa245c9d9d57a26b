// The module lockstep._lockstep: machines, runs, counts and expectations. Processors, which programs
// call in every step, are classes of Python's own interface (processor_object.cpp).

#include <pybind11/pybind11.h>

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <pybind11/stl.h>

#include <lockstep/claim.hpp>
#include <lockstep/cost_model_registry.hpp>
#include <lockstep/counts.hpp>
#include <lockstep/detail/tool_answer.hpp>
#include <lockstep/expectation.hpp>
#include <lockstep/json.hpp>
#include <lockstep/machine.hpp>
#include <lockstep/run.hpp>
#include <lockstep/timeline.hpp>
#include <lockstep/topologies/catalog.hpp>
#include <lockstep/topologies/graph.hpp>
#include <lockstep/topologies/parse.hpp>
#include <lockstep/topology.hpp>
#include <lockstep/view_notes.hpp>

#include "ending_interpreter.hpp"
#include "library.hpp"
#include "lists.hpp"
#include "processor_object.hpp"
#include "program_run.hpp"
#include "source_lines.hpp"
#include "traces.hpp"

namespace py = pybind11;
using pybind11::literals::operator""_a;

namespace lockstep::python {

namespace {

/// Processors from which stacks are copied, which takes less memory, and no more time.
constexpr int fewest_copied = 4'096;

// --- machines ---

/// Finds a choice by its name. Errors: invalid_argument, with the names that there are.
template <class Choice>
Choice choice_of(char const* option, std::string const& name,
                 std::vector<std::pair<std::string_view, Choice>> const& choices) {
  std::string names;
  for (auto const& [known, choice] : choices) {
    if (name == known) return choice;
    names += (names.empty() ? "\"" : ", \"") + std::string(known) + '"';
  }
  throw invalid_argument(std::string(option) + " is \"" + name + "\": take one of " + names);
}

/// A network of somebody's own.
struct python_network {
  std::shared_ptr<topology const> made;
};

python_network make_graph(int processors, std::vector<std::pair<int, int>> const& pairs,
                          std::string const& name,
                          std::optional<std::vector<std::pair<double, double>>> const& places) {
  std::vector<lockstep::link> links;
  links.reserve(pairs.size());
  for (auto const& [from, to] : pairs) links.push_back({from, to});
  graph made(processors, std::move(links), name);
  if (places) {
    std::vector<layout_point> points;
    for (auto const& [x, y] : *places) points.push_back({x, y});
    made.place(std::move(points));
  }
  return {std::make_shared<graph const>(std::move(made))};
}

struct python_machine {
  std::shared_ptr<topology const> network;
  machine made;
  bool bytes_count;
  std::optional<std::string> trace;
};

/// Writes a value for a message, in one line.
std::string written(py::handle value) {
  return py::module_::import("lockstep.arguments").attr("written")(value).cast<std::string>();
}

/// Reads an option that is a path.
std::string path_of(std::string const& name, py::handle value) {
  if (!py::isinstance<py::str>(value) && !py::hasattr(value, "__fspath__"))
    throw py::type_error(name + " is a path, and not " + written(value));
  return py::module_::import("os").attr("fspath")(value).cast<std::string>();
}

/// Reads an option that is a whole number.
std::uint64_t amount_of(std::string const& name, py::handle value);

python_machine make_machine(py::object const& given, std::string const& named_ports,
                            std::optional<std::string> const& named_switching, bool strict,
                            py::object const& packet,
                            std::optional<std::string> const& named_stacks, py::object const& stack,
                            py::object const& max_steps, std::string const& count, bool recorded,
                            bool clocked, py::object const& view_failure, py::object const& trace) {
  bool const is_text = py::isinstance<py::str>(given);
  if (!is_text && !py::isinstance<python_network>(given))
    throw py::type_error(
        "a network is a text such as \"torus:4x4\", or what graph makes, and not " +
        written(given));
  std::shared_ptr<topology const> const network =
      is_text ? parse(given.cast<std::string>()) : given.cast<python_network const&>().made;
  machine_options options;
  options.ports =
      choice_of<ports>("ports", named_ports,
                       {{"one", ports::one}, {"all", ports::all}, {"per-pass", ports::per_pass}});
  if (named_switching)
    options.switching = choice_of<switching>(
        "switching", *named_switching,
        {{"neighbour", switching::neighbour}, {"cut-through", switching::cut_through}});
  options.strict = strict;
  options.packet = amount_of("packet", packet);
  options.workers = 1;  // Python runs in one thread
  options.stack = amount_of("stack", stack);
  options.stacks = named_stacks
                       ? choice_of<stacks>("stacks", *named_stacks,
                                           {{"own", stacks::own}, {"copied", stacks::copied}})
                   : network->size() < fewest_copied ? stacks::own
                                                     : stacks::copied;
  options.max_steps = amount_of("max_steps", max_steps);
  options.recorded = recorded;
  options.clocked = clocked;
  if (!view_failure.is_none())
    options.view_failure = failure_page(path_of("view_failure", view_failure));
  bool const bytes = choice_of<bool>("count", count, {{"elements", false}, {"bytes", true}});
  python_machine made{network, machine(network, options), bytes, std::nullopt};
  if (!trace.is_none()) {
    made.trace = path_of("trace", trace);
    trace_file::require_format(*made.trace, made.made);
  }
  return made;
}

// --- runs ---

struct python_run {
  run_record record;
  py::object results;
  std::uint64_t pickled;
};

/// The counts of a run, which know it: an expectation that fails tells where the run differs.
struct python_counts {
  lockstep::counts figures;
  std::shared_ptr<python_run const> of;  ///< nullptr for those of a step or phase
};

/// Shortens a report to a line: the figures that differ, and the first message where they do.
std::string brief(std::string const& report) {
  std::string line;
  std::string text;
  int messages = 0;
  for (std::size_t at = report.find('\n'); at != std::string::npos;) {  // after the counts
    auto const end = report.find('\n', at + 1);
    line = report.substr(at + 1, end == std::string::npos ? end : end - at - 1);
    at = end;
    bool const is_message = line.starts_with("    ");
    messages = is_message ? messages + 1 : 0;
    if (line.empty() || messages > 1) continue;
    line.erase(0, line.find_first_not_of(' '));
    text += (text.empty() ? "" : text.ends_with(':') ? " " : "; ") + line;
  }
  return text;
}

/// An expectation, and the report on what it was last compared with.
struct python_expectation {
  expectation wanted;
  std::string report{};

  [[nodiscard]] bool matches(run_record const& run) {
    auto const found = wanted.check(run);
    report = found.holds ? std::string() : in_python(found.report);
    return found.holds;
  }
};

/// Writes the rest of the trace of a run that failed, whose own error comes out.
void finish_quietly(trace_file& traced) {
  try {
    traced.finish();
  } catch (incomplete_trace const&) {
    return;
  }
}

std::shared_ptr<python_run> run(python_machine const& on, py::args const& given,
                                py::kwargs const& named) {
  if (given.empty()) throw py::type_error("run misses its program: run(program, ...)");
  py::object const program = given[0];
  py::tuple const arguments = given[py::slice(1, std::nullopt, std::nullopt)];
  if (PyCallable_Check(program.ptr()) == 0)
    throw py::type_error("run takes a program, a function of a processor, and not " +
                         written(program));
  if (program_run::runs_in_this_thread())
    throw invalid_argument(
        "a machine inside a Python program of another machine: run it before or after");
  if (program_run::refuse_generator(program.ptr())) throw py::error_already_set();
  program_run running(program.ptr(), arguments.ptr(), named.ptr(), on.network, on.bytes_count);
  std::optional<trace_file> traced;
  std::vector<observer*> observers;
  if (on.trace) observers.push_back(&traced.emplace(*on.trace, on.made).watching());
  auto record = kept_from_unwinding([&] { return running.execute(on.made, observers); });
  if (!record) {
    py::error_already_set const failure;
    if (traced) finish_quietly(*traced);
    throw failure;
  }
  if (traced) traced->finish();
  auto made = std::make_shared<python_run>();
  made->record = std::move(*record);
  made->results = py::reinterpret_steal<py::object>(running.take_results());
  made->pickled = running.payloads().pickled();
  return made;
}

/// Reads a whole number that is not negative.
std::uint64_t amount_of(std::string const& name, py::handle value) {
  PyObject* const whole = PyNumber_Index(value.ptr());
  auto const read = whole == nullptr ? 0 : PyLong_AsUnsignedLongLong(whole);
  Py_XDECREF(whole);
  if (PyErr_Occurred() == nullptr) return read;
  bool const is_type = whole == nullptr;
  PyErr_Clear();
  auto const text = name + " is a whole number, 0 or more" + ", and not " + written(value);
  if (is_type) throw py::type_error(text);
  throw invalid_argument(text);
}

py::dict dict_of(counts const& figures) {
  py::dict all;
  for_each_figure(figures, [&](char const* name, std::uint64_t value) { all[name] = value; });
  return all;
}

/// Refuses a name that is not a figure's, by a TypeError with those that there are, and with `more`.
[[noreturn]] void refuse_figure(char const* call, py::handle name, py::list const& more) {
  py::list names;
  py::list limits;
  for_each_figure(counts{}, [&](char const* figure, std::uint64_t) { names.append(figure); });
  for (auto const& one : more) names.append(one);
  for (auto const& one : names) limits.append(one.cast<std::string>() + "_at_most");
  auto const text = py::module_::import("lockstep.arguments").attr("unknown");
  throw py::type_error(text(call, name, names, limits).cast<std::string>());
}

/// Makes counts of figures by their names: those left out are 0, link_words as many as words.
python_counts counts_of(py::kwargs const& given) {
  std::array<std::uint64_t, sizeof(counts) / sizeof(std::uint64_t)> values{};
  std::size_t at = 0;
  for_each_figure(counts{}, [&](char const* name, std::uint64_t) {
    if (given.contains(name)) values.at(at) = amount_of(name, given[name]);
    ++at;
  });
  auto made = std::bit_cast<counts>(values);  // figures come in the order of declaration
  auto const known = dict_of(made);
  for (auto const& [name, value] : given)
    if (!known.contains(name)) refuse_figure("Counts", name, py::list());
  if (!given.contains("link_words")) made.link_words = made.words;
  return {made, nullptr};
}

/// A model's name, and its settings, as Python gives them: of a text `bdm:tau_words=7`, and by name.
struct chosen_model {
  std::string name;
  model_settings settings;
};

double setting_of(std::string const& name, py::handle value) {
  double const read = PyFloat_AsDouble(value.ptr());
  if (PyErr_Occurred() == nullptr) return read;
  PyErr_Clear();
  throw py::type_error(name + " is a number, and not " + written(value));
}

chosen_model model_of(std::string const& text, py::kwargs const& given) {
  auto const colon = text.find(':');
  chosen_model made{text.substr(0, colon), {}};
  auto at = colon;
  while (at != std::string::npos) {
    auto const end = text.find(',', at + 1);
    auto const one = text.substr(at + 1, end == std::string::npos ? end : end - at - 1);
    auto const equal = one.find('=');
    auto const value = py::str(equal == std::string::npos ? "" : one.substr(equal + 1));
    PyObject* const number = PyFloat_FromString(value.ptr());
    if (number == nullptr) {
      PyErr_Clear();
      throw invalid_argument("the model \"" + text + "\" has a parameter \"" + one +
                             "\"; write NAME:PARAMETER=NUMBER,...");
    }
    made.settings[one.substr(0, equal)] = PyFloat_AS_DOUBLE(number);
    Py_DECREF(number);
    at = end;
  }
  for (auto const& [name, value] : given) {
    auto const key = name.cast<std::string>();
    made.settings[key] = setting_of(key, value);
  }
  return made;
}

double time_of(counts const& figures, int processors, std::string const& model,
               py::kwargs const& settings) {
  auto const chosen = model_of(model, settings);
  return make_cost_model(chosen.name, chosen.settings).time(figures, processors);
}

python_expectation takes(py::kwargs const& figures) {
  python_expectation made;
  for (auto const& [key, value] : figures) {
    auto name = key.cast<std::string>();
    auto const limit = amount_of(name, value);
    constexpr std::string_view at_most = "_at_most";
    bool const is_limit = name.ends_with(at_most);
    if (is_limit) name.resize(name.size() - at_most.size());
    try {
      made.wanted = is_limit ? made.wanted.at_most(name, limit) : made.wanted.exactly(name, limit);
    } catch (invalid_argument const&) {
      refuse_figure("takes", key, py::make_tuple("makespan", "span"));
    }
  }
  return made;
}

void define_machine(py::module_& module) {
  py::class_<python_network>(
      module, "Network", "A network: that of a machine or a part of it, or one that graph makes.")
      .def_property_readonly(
          "spec", [](python_network const& self) { return self.made->spec(); },
          "What makes it, such as \"torus:4x4\"; of a network of your own its name.")
      .def_property_readonly(
          "size", [](python_network const& self) { return self.made->size(); },
          "How many processors there are.")
      .def_property_readonly(
          "links", [](python_network const& self) { return self.made->links(); },
          "How many links there are, each direction for itself.")
      .def_property_readonly(
          "degree", [](python_network const& self) { return self.made->degree(); },
          "The links that leave the processor with most.")
      .def_property_readonly(
          "diameter", [](python_network const& self) { return self.made->diameter(); },
          "The longest of the shortest ways between two processors, in links.")
      .def_property_readonly(
          "bisection_width",
          [](python_network const& self) { return self.made->bisection_width(); },
          "The links in the smallest cut into halves, where that is proven; else None.")
      .def_property_readonly(
          "switching",
          [](python_network const& self) {
            bool const is_neighbour = self.made->default_switching() == switching::neighbour;
            return is_neighbour ? "neighbour" : "cut-through";
          },
          "How messages cross it, unless the machine's option says otherwise.")
      .def_property_readonly(
          "axes",
          [](python_network const& self) {
            return list_of(self.made->axes(), [](auto const& axis) {
              return py::make_tuple(axis.size, axis.is_ring);
            });
          },
          "The dimensions of along: (size, whether it is a ring) of each.")
      .def(
          "neighbours",
          [](python_network const& self, int rank) {
            py::dict all;
            for (auto const& one : self.made->neighbours(rank)) all[py::int_(one.rank)] = one.name;
            return all;
          },
          py::arg("rank"),
          "The processors at the other end of a processor's links, and the links' names.")
      .def(
          "adjacent",
          [](python_network const& self, int from, int to) {
            return self.made->adjacent(from, to);
          },
          py::arg("source"), py::arg("to"), "Whether a link leads there.")
      .def(
          "route",
          [](python_network const& self, int from, int to) { return self.made->route(from, to); },
          py::arg("source"), py::arg("to"),
          "The processors that a message comes to on its way, the last included.")
      .def(
          "hops",
          [](python_network const& self, int from, int to) { return self.made->hops(from, to); },
          py::arg("source"), py::arg("to"), "The length of that route, in links.")
      .def(
          "end_of",
          [](python_network const& self, int from, std::pair<int, int> const& way) {
            return self.made->end_of(from, along{way.first, way.second});
          },
          py::arg("source"), py::arg("way"), "The rank that along(dimension, offset) leads to.")
      .def(
          "coordinates",
          [](python_network const& self, int rank) { return self.made->coordinates(rank); },
          py::arg("rank"), "The position of a processor, such as its row and column.")
      .def(
          "rank_at",
          [](python_network const& self, std::vector<int> const& place) {
            return self.made->rank_at(std::span<int const>(place));
          },
          py::arg("coordinates"), "The processor at a position.")
      .def(
          "members",
          [](python_network const& self, int rank, std::vector<int> const& varying) {
            return self.made->members(rank, dimensions(varying));
          },
          py::arg("rank"), py::arg("dimensions"),
          "The processors that differ from one at most in these dimensions.")
      .def(
          "__eq__",
          [](python_network const& self, python_network const& other) {
            return self.made == other.made;
          },
          py::is_operator())
      .def("__hash__",
           [](python_network const& self) {
             return std::hash<std::shared_ptr<topology const>>()(self.made);
           })
      .def("__repr__", [](python_network const& self) {
        return "<network " + self.made->spec() + " of " + std::to_string(self.made->size()) +
               " processors>";
      });
  module.def("_graph", &make_graph, py::arg("processors"), py::arg("links"), py::arg("name"),
             py::arg("places"));
  py::class_<python_machine>(module, "machine",
                             "A distributed-memory machine: processors joined by a network.")
      .def(py::init(&make_machine), py::arg("network"), py::kw_only(), py::arg("ports") = "one",
           py::arg("switching") = py::none(), py::arg("strict") = false, py::arg("packet") = 1,
           py::arg("stacks") = py::none(), py::arg("stack") = std::size_t{64} * 1024,
           py::arg("max_steps") = 1'000'000, py::arg("count") = "elements",
           py::arg("recorded") = false, py::arg("clocked") = false,
           py::arg("view_failure") = py::none(), py::arg("trace") = py::none(),
           "Make the machine of a network, such as \"torus:4x4\", or of one that graph makes.")
      .def_property_readonly(
          "size", [](python_machine const& self) { return self.made.size(); },
          "How many processors there are.")
      .def_property_readonly(
          "network", [](python_machine const& self) { return self.made.topology().spec(); },
          "The network, such as \"torus:4x4\".")
      .def_property_readonly(
          "topology", [](python_machine const& self) { return python_network{self.network}; },
          "The network: its links, routes and so on.")
      // The program has no name here, so that its own arguments may have any.
      .def("run", &run, "Run program(me, ...) on every processor, with the arguments that follow.")
      .def("__repr__", [](python_machine const& self) {
        return "lockstep.machine(\"" + self.made.topology().spec() + "\")";
      });
}

/// Docstrings of the figures, by name.
std::map<std::string_view, char const*> const& meaning_of_figures() {
  static std::map<std::string_view, char const*> const all{
      {"steps", "The last step in which a message came in."},
      {"rounds", "The same, empty messages included."},
      {"startups", "Steps, or pipelined runs of steps, that pay a start-up."},
      {"words", "The sum over steps of the words of the largest message."},
      {"volume", "All words of all messages."},
      {"messages", "All messages but empty ones."},
      {"hops", "The sum over steps of the longest route, in links."},
      {"barriers", "Steps - 1, or 0."},
      {"rearrangements", "Most calls of rearrange by one processor."},
      {"rearranged", "The sum over rearrangements of the largest, in words."},
      {"contention", "The largest number of messages on one directed link in one step."},
      {"serialised_steps", "Steps if messages that share a link take turns."},
      {"queued", "The longest wait of a message, in steps."},
      {"link_words", "The sum over steps of the most words over one directed link."},
      {"hot_startups",
       "Start-ups besides `startups`, of one-sided requests that meet at one owner."},
      {"work", "The sum over steps of the most local operations of a processor."},
      {"operations", "All local operations of all processors."},
      {"memory", "The most words of its own memory that a processor held at a time."}};
  return all;
}

void define_counts(py::module_& module) {
  py::class_<python_counts> counts_class(
      module, "Counts", "The exact cost of a run, a phase or a step: each figure by its name.");
  for_each_figure(lockstep::counts{}, [&](char const* name, std::uint64_t) {
    counts_class.def_property_readonly(
        name,
        [key = std::string_view(name)](python_counts const& self) {
          std::uint64_t found = 0;
          for_each_figure(self.figures, [&](std::string_view figure, std::uint64_t value) {
            if (figure == key) found = value;
          });
          return found;
        },
        meaning_of_figures().at(name));
  });
  counts_class
      .def(py::init(&counts_of),
           "Counts of these figures; those left out are 0, link_words as many as words.")
      .def("__eq__", [](python_counts const& self,
                        python_counts const& other) { return self.figures == other.figures; })
      .def(
          "__eq__",
          [](python_counts const& self, python_expectation& wanted) {
            return wanted.matches(self.of ? self.of->record : run_record(self.figures, {}, {}, {}));
          })
      .def("__eq__", [](python_counts const&, py::object const&) { return false; })
      .def(
          "time",
          [](python_counts const& self, int processors, std::string const& model,
             py::kwargs const& settings) {
            return time_of(self.figures, processors, model, settings);
          },
          py::arg("processors"), py::arg("model"),
          "Price the counts on that number of processors by a cost model, with its parameters by "
          "name.")
      .def(
          "as_dict", [](python_counts const& self) { return dict_of(self.figures); },
          "The figures as a dict.")
      .def("__repr__",
           [](python_counts const& self) { return "<counts: " + to_string(self.figures) + '>'; });
  counts_class.attr("__hash__") = py::none();
}

/// Finds the run that an object is, has or counts: of a machine, or of the library's. Nothing for others.
std::shared_ptr<run_record const> record_of(py::object const& of) {
  if (py::isinstance<python_run>(of)) {
    auto const run = of.cast<std::shared_ptr<python_run>>();
    return {run, &run->record};
  }
  if (py::isinstance<python_counts>(of)) {
    auto const& counts = of.cast<python_counts const&>();
    if (counts.of) return {counts.of, &counts.of->record};
    return std::make_shared<run_record const>(run_record(counts.figures, {}, {}, {}));
  }
  if (py::hasattr(of, "_run")) return record_of(of.attr("_run"));
  return nullptr;
}

void define_expectation(py::module_& module) {
  py::class_<python_expectation> expectation_class(
      module, "Expectation", "The expected cost of a run, to compare with run.counts.");
  expectation_class
      .def("__eq__",
           [](python_expectation& self, py::object const& other) {
             auto const found = record_of(other);
             return found && self.matches(*found);
           })
      .def(
          "check",
          [](python_expectation& self, py::object const& run) {
            auto const found = record_of(run);
            if (!found)
              throw py::type_error("check takes a run, or its counts, and not " + written(run));
            return self.matches(*found) ? std::string() : self.report;
          },
          py::arg("run"),
          "Compare with a run, or its counts: an empty text, or a report with the first step that "
          "differs.")
      .def(
          "contention_free",
          [](python_expectation const& self) {
            return python_expectation{self.wanted.contention_free()};
          },
          "Expect besides that no link carries two messages in a step.")
      .def("__repr__", [](python_expectation const& self) {
        if (self.report.empty()) return '<' + self.wanted.text() + '>';
        return '<' + self.wanted.text() + ", but " + brief(self.report) + '>';
      });
  expectation_class.attr("__hash__") = py::none();
  module.def("takes", &takes, "Expect figures: takes(steps=10, words=10, contention_at_most=1).");
}

/// Finds the text of a source, of a cell of a notebook, too.
std::optional<std::string> source_of(std::string const& file) {
  auto const lines = py::module_::import("linecache").attr("getlines")(file);
  if (py::len(lines) == 0) return std::nullopt;
  return py::str("").attr("join")(lines).cast<std::string>();
}

py::dict dict_of(timeline const& times) {
  py::dict all;
  all["model"] = times.model;
  all["unit"] = times.unit;
  all["makespan"] = times.makespan;
  all["utilisation"] = times.utilisation();
  all["text"] = times.path_text();
  py::list processors;
  for (auto const& one : times.processors) {
    py::dict entry;
    entry["overhead"] = one.overhead;
    entry["work"] = one.work;
    entry["waiting"] = one.waiting;
    entry["held"] = one.held;
    entry["barrier"] = one.barrier;
    entry["idled"] = one.idled;
    entry["tail"] = one.tail;
    processors.append(entry);
  }
  all["processors"] = processors;
  py::list path;
  for (auto const& one : times.critical_path) {
    py::dict entry;
    entry["rank"] = one.rank;
    entry["what"] = std::string(name_of(one.what));
    entry["begin"] = one.begin;
    entry["end"] = one.end;
    entry["other"] = one.other < 0 ? py::object(py::none()) : py::object(py::int_(one.other));
    entry["file"] = std::string(one.where.file_name());
    entry["line"] = one.where.line();
    path.append(entry);
  }
  all["critical_path"] = path;
  return all;
}

py::dict timeline_by(python_run const& run, std::string const& model, bool sharing, bool in_port,
                     py::kwargs const& settings) {
  auto const chosen = model_of(model, settings);
  auto clock = make_clock_model(chosen.name, chosen.settings);
  clock.share_links(sharing);
  if (!in_port) clock.take_in_ports(false);
  return dict_of(run.record.timeline(clock));
}

void define_run(py::module_& module) {
  using shared = std::shared_ptr<python_run>;
  py::class_<python_run, shared> run_class(module, "Run", "A run: its results, and what it cost.");
  run_class
      .def("__eq__", [](shared const& self,
                        python_expectation& wanted) { return wanted.matches(self->record); })
      .def("__eq__", [](py::object const& self, py::object const& other) { return self.is(other); })
      .def("__hash__",
           [](shared const& self) { return std::hash<python_run const*>()(self.get()); })
      .def_property_readonly(
          "results", [](python_run const& self) { return self.results; },
          "What the program returned on each processor, by rank.")
      .def_property_readonly(
          "counts",
          [](shared const& self) {
            return python_counts{self->record.counts(), self};
          },
          "What the run cost, to compare with takes(...).")
      .def_property_readonly(
          "phases",
          [](python_run const& self) {
            return list_of(self.record.phases(), [](auto const& phase) {
              return py::make_tuple(phase.name, python_counts{phase, nullptr});
            });
          },
          "The name and counts of each phase, in order.")
      .def_property_readonly(
          "labels",
          [](python_run const& self) {
            return list_of(self.record.labels(), [](auto const& one) {
              py::dict entry;
              entry["name"] = one.name;
              entry["inside"] = one.inside == no_label ? py::object(py::none())
                                                       : py::object(py::int_(one.inside));
              entry["first_step"] = one.first_step;
              for_each_figure(one,
                              [&](char const* name, std::uint64_t value) { entry[name] = value; });
              return entry;
            });
          },
          "A dict for each label: its name, the place in the list of the label that it is inside "
          "of, "
          "the step in which it was first given, and its figures.")
      .def_property_readonly(
          "steps",
          [](python_run const& self) {
            return list_of(self.record.steps(), [&](auto const& step) {
              auto entry = dict_of(step);
              entry["step"] = step.step;
              entry["largest"] = step.largest;
              bool const named = step.phase != no_phase;
              entry["phase"] =
                  named ? py::object(py::str(self.record.phases()[step.phase].name)) : py::none();
              return entry;
            });
          },
          "A dict for each step, of its figures.")
      .def_property_readonly(
          "processors",
          [](python_run const& self) {
            return list_of(self.record.processors(), [](auto const& one) {
              return py::dict("words_sent"_a = one.words_sent,
                              "words_received"_a = one.words_received,
                              "operations"_a = one.operations);
            });
          },
          "A dict for each processor: words sent and received, operations.")
      .def_property_readonly(
          "makespan", [](python_run const& self) { return self.record.makespan(); },
          "The steps until the last processor is done.")
      .def_property_readonly(
          "span", [](python_run const& self) { return self.record.span(); },
          "The operations on the longest path through work and messages.")
      .def_property_readonly(
          "choices", [](python_run const& self) { return self.record.choices(); },
          "The calls of receive_any in which the order of messages was a choice; 0: the run is "
          "the same for every order.")
      .def_property_readonly(
          "pickled", [](python_run const& self) { return self.pickled; },
          "How many messages had to be pickled.")
      .def_property_readonly(
          "size", [](python_run const& self) { return self.record.processors().size(); },
          "How many processors there are.")
      .def_property_readonly(
          "network", [](python_run const& self) { return self.record.network()->spec(); },
          "The network, such as \"torus:4x4\".")
      .def(
          "_time",
          [](python_run const& self, std::string const& model, py::kwargs const& settings) {
            return time_of(self.record.counts(), static_cast<int>(self.record.processors().size()),
                           model, settings);
          },
          py::arg("model"))
      .def("_timeline", &timeline_by, py::arg("model"), py::kw_only(), py::arg("sharing"),
           py::arg("in_port"))
      .def(
          "table", [](python_run const& self) { return self.record.table(); },
          "The steps as rows of text.")
      .def(
          "label_table", [](python_run const& self) { return self.record.label_table(); },
          "The labels as rows of text.")
      .def(
          "summary", [](python_run const& self) { return self.record.summary(); },
          "The counts as rows of text.")
      .def(
          "_view",
          [](python_run const& self, py::object const& file, std::string const& title) {
            auto const path = path_of("view: file", file);
            view_notes notes;
            notes.title = title;
            notes.source = source_of;
            self.record.view(std::filesystem::path(path), notes);
          },
          py::arg("file"), py::arg("title"))
      .def("_rows", [](python_run const& self) {
        py::list rows;
        for_each_figure(self.record.counts(), [&](char const* name, std::uint64_t value) {
          rows.append(py::make_tuple(name, value));
        });
        return rows;
      });
}

void define_answers(py::module_& module) {
  module.def("_run_of", [](detail::tool_answer const& answer) -> std::shared_ptr<python_run> {
    if (answer.record == nullptr) return nullptr;
    return std::make_shared<python_run>(python_run{*answer.record, py::none(), 0});
  });
}

/// Makes a dict of the parameters of a model, with the values that they have by default.
template <class Model>
py::dict parameters_of(Model const& model) {
  py::dict parameters;
  for (auto const& one : model.parameters()) parameters[py::str(std::string(one.name))] = one.value;
  return parameters;
}

void define_models(py::module_& module) {
  module.def(
      "models",
      [] {
        return list_of(registered_models(), [](registered_model const& model) {
          return py::dict("name"_a = model.name, "summary"_a = model.summary, "unit"_a = model.unit,
                          "parameters"_a = parameters_of(model));
        });
      },
      "The cost models that run.time takes, each a dict: name, summary, unit, parameters.");
  module.def(
      "clocks",
      [] {
        return list_of(registered_clocks(), [](registered_clock const& clock) {
          return py::dict("name"_a = clock.name, "summary"_a = clock.summary,
                          "parameters"_a = parameters_of(clock));
        });
      },
      "The clock models that run.timeline takes, each a dict: name, summary, parameters.");
  module.def(
      "networks",
      [] {
        return list_of(topology_kinds(), [](auto const& kind) {
          return py::dict("name"_a = kind.name, "syntax"_a = kind.syntax,
                          "summary"_a = kind.summary, "example"_a = kind.examples.front());
        });
      },
      "The kinds of networks, each a dict: name, syntax, summary, example.");
}

}  // namespace

namespace {

/// Makes a network's object; nullptr, and a Python error, where that fails.
template <class Make>
PyObject* object_of_network(Make make) {
  try {
    return py::cast(python_network{make()}).release().ptr();
  } catch (py::error_already_set& failed) {
    failed.restore();
  } catch (error const& failed) {
    PyObject* const exception = exception_of(failed);
    if (exception == nullptr) return nullptr;
    PyErr_SetObject(reinterpret_cast<PyObject*>(Py_TYPE(exception)), exception);
    Py_DECREF(exception);
  }
  return nullptr;
}

}  // namespace

PyObject* network_object(std::shared_ptr<topology const> network) {
  return object_of_network([&] { return std::move(network); });
}

PyObject* network_object(std::string const& specification) {
  return object_of_network([&] { return std::shared_ptr<topology const>(parse(specification)); });
}

}  // namespace lockstep::python

PYBIND11_MODULE(_lockstep, module) {
  using namespace lockstep::python;
  if (!source_lines::are_supported())
    throw std::runtime_error("this compiler's std::source_location has another layout");
  static_cast<void>(
      greenlet_calls::
          find());  // now: an import may let another thread go on, which must not wait for it
  py::register_exception_translator([](std::exception_ptr thrown) {
    try {
      if (thrown) std::rethrow_exception(thrown);
    } catch (lockstep::error const& failed) {
      PyObject* const exception = exception_of(failed);
      if (exception == nullptr) return;
      PyErr_SetObject(reinterpret_cast<PyObject*>(Py_TYPE(exception)), exception);
      Py_DECREF(exception);
    }
  });
  if (!add_processor_types(module.ptr())) throw py::error_already_set();
  define_machine(module);
  define_run(module);
  define_counts(module);
  define_expectation(module);
  define_models(module);
  define_library(module);
  define_answers(module);
}
