// The module lockstep._lockstep: machines, runs, counts and expectations. Processors, which programs
// call in every step, are classes of Python's own interface (processor_object.cpp).

#include <pybind11/pybind11.h>

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include <pybind11/stl.h>

#include <lockstep/claim.hpp>
#include <lockstep/cost_model_registry.hpp>
#include <lockstep/counts.hpp>
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

#include "library.hpp"
#include "processor_object.hpp"
#include "program_run.hpp"
#include "source_lines.hpp"
#include "traces.hpp"

namespace py = pybind11;

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
  machine made;
  bool bytes_count;
  std::optional<std::string> trace;
};

python_machine make_machine(std::variant<std::string, python_network> const& given,
                            std::string const& named_ports,
                            std::optional<std::string> const& named_switching, bool strict,
                            std::uint64_t packet, std::optional<std::string> const& named_stacks,
                            std::size_t stack, std::uint64_t max_steps, std::string const& count,
                            bool recorded, bool clocked,
                            std::optional<std::string> const& view_failure,
                            py::object const& trace) {
  auto const* const own = std::get_if<python_network>(&given);
  std::shared_ptr<topology const> const network =
      own == nullptr ? parse(std::get<std::string>(given)) : own->made;
  machine_options options;
  options.ports =
      choice_of<ports>("ports", named_ports,
                       {{"one", ports::one}, {"all", ports::all}, {"per-pass", ports::per_pass}});
  if (named_switching)
    options.switching = choice_of<switching>(
        "switching", *named_switching,
        {{"neighbour", switching::neighbour}, {"cut-through", switching::cut_through}});
  options.strict = strict;
  options.packet = packet;
  options.workers = 1;  // Python runs in one thread
  options.stack = stack;
  options.stacks = named_stacks
                       ? choice_of<stacks>("stacks", *named_stacks,
                                           {{"own", stacks::own}, {"copied", stacks::copied}})
                   : network->size() < fewest_copied ? stacks::own
                                                     : stacks::copied;
  options.max_steps = max_steps;
  options.recorded = recorded;
  options.clocked = clocked;
  if (view_failure) options.view_failure = failure_page(*view_failure);
  bool const bytes = choice_of<bool>("count", count, {{"elements", false}, {"bytes", true}});
  python_machine made{machine(network, options), bytes, std::nullopt};
  if (!trace.is_none()) {
    made.trace = py::module_::import("os").attr("fspath")(trace).cast<std::string>();
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

  bool matches(run_record const& run) {
    auto const found = wanted.check(run);
    report = found.holds ? std::string() : found.report;
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

std::shared_ptr<python_run> run(python_machine const& on, py::function const& program,
                                py::args const& arguments, py::kwargs const& named) {
  if (program_run::runs_in_this_thread())
    throw invalid_argument(
        "a machine inside a Python program of another machine: run it before or after");
  if (program_run::refuse_generator(program.ptr())) throw py::error_already_set();
  program_run running(program.ptr(), arguments.ptr(), named.ptr(), on.made.size(), on.bytes_count);
  std::optional<trace_file> traced;
  std::vector<observer*> observers;
  if (on.trace) observers.push_back(&traced.emplace(*on.trace, on.made).watching());
  auto record = running.execute(on.made, observers);
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

py::dict dict_of(counts const& figures) {
  py::dict all;
  for_each_figure(figures, [&](char const* name, std::uint64_t value) { all[name] = value; });
  return all;
}

/// Makes counts of figures by their names: those left out are 0, link_words as many as words.
/// Errors: invalid_argument for a name that is not a figure's.
python_counts counts_of(py::kwargs const& given) {
  std::array<std::uint64_t, sizeof(counts) / sizeof(std::uint64_t)> values{};
  std::size_t at = 0;
  for_each_figure(counts{}, [&](char const* name, std::uint64_t) {
    if (given.contains(name)) values.at(at) = given[name].cast<std::uint64_t>();
    ++at;
  });
  auto made = std::bit_cast<counts>(values);  // figures come in the order of declaration
  for (auto const& [name, value] : given)
    static_cast<void>(metric_value(made, name.cast<std::string>()));
  if (!given.contains("link_words")) made.link_words = made.words;
  return {made, nullptr};
}

model_settings settings_of(py::kwargs const& given) {
  model_settings chosen;
  for (auto const& [name, value] : given) chosen[name.cast<std::string>()] = value.cast<double>();
  return chosen;
}

double time_of(counts const& figures, int processors, std::string const& model,
               py::kwargs const& settings) {
  return make_cost_model(model, settings_of(settings)).time(figures, processors);
}

python_expectation takes(py::kwargs const& figures) {
  python_expectation made;
  for (auto const& [key, value] : figures) {
    auto name = key.cast<std::string>();
    auto const limit = value.cast<std::uint64_t>();
    constexpr std::string_view at_most = "_at_most";
    if (name.ends_with(at_most)) {
      name.resize(name.size() - at_most.size());
      made.wanted = made.wanted.at_most(name, limit);
    } else {
      made.wanted = made.wanted.exactly(name, limit);
    }
  }
  return made;
}

void define_machine(py::module_& module) {
  py::class_<python_network>(module, "Network", "A network of your own, as graph makes it.")
      .def_property_readonly("size", [](python_network const& self) { return self.made->size(); })
      .def_property_readonly("links", [](python_network const& self) { return self.made->links(); })
      .def_property_readonly("degree",
                             [](python_network const& self) { return self.made->degree(); })
      .def_property_readonly("diameter",
                             [](python_network const& self) { return self.made->diameter(); })
      .def("route",
           [](python_network const& self, int from, int to) { return self.made->route(from, to); })
      .def("__repr__", [](python_network const& self) {
        return "<network " + self.made->spec() + " of " + std::to_string(self.made->size()) +
               " processors>";
      });
  module.def("_graph", &make_graph);
  py::class_<python_machine>(module, "machine",
                             "A distributed-memory machine: processors joined by a network.")
      .def(py::init(&make_machine), py::arg("network"), py::kw_only(), py::arg("ports") = "one",
           py::arg("switching") = py::none(), py::arg("strict") = false, py::arg("packet") = 1,
           py::arg("stacks") = py::none(), py::arg("stack") = std::size_t{64} * 1024,
           py::arg("max_steps") = 1'000'000, py::arg("count") = "elements",
           py::arg("recorded") = false, py::arg("clocked") = false,
           py::arg("view_failure") = py::none(), py::arg("trace") = py::none(),
           "Make the machine of a network, such as \"torus:4x4\", or of one that graph makes.")
      .def_property_readonly("size", [](python_machine const& self) { return self.made.size(); })
      .def_property_readonly("network",
                             [](python_machine const& self) { return self.made.topology().spec(); })
      // The program has no name here, so that its own arguments may have any.
      .def("run", &run, "Run program(me, ...) on every processor, with the arguments that follow.")
      .def("__repr__", [](python_machine const& self) {
        return "lockstep.machine(\"" + self.made.topology().spec() + "\")";
      });
}

void define_counts(py::module_& module) {
  py::class_<python_counts> counts_class(
      module, "Counts", "The exact cost of a run, a phase or a step: each figure by its name.");
  for_each_figure(lockstep::counts{}, [&](char const* name, std::uint64_t) {
    counts_class.def_property_readonly(
        name, [key = std::string_view(name)](python_counts const& self) {
          std::uint64_t found = 0;
          for_each_figure(self.figures, [&](std::string_view figure, std::uint64_t value) {
            if (figure == key) found = value;
          });
          return found;
        });
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

void define_expectation(py::module_& module) {
  py::class_<python_expectation> expectation_class(
      module, "Expectation", "The expected cost of a run, to compare with run.counts.");
  expectation_class
      .def("__eq__",
           [](python_expectation& self, python_counts const& other) {
             return self.matches(other.of ? other.of->record
                                          : run_record(other.figures, {}, {}, {}));
           })
      .def("__eq__", [](python_expectation const&, py::object const&) { return false; })
      .def(
          "check",
          [](python_expectation& self, python_run const& run) {
            return self.matches(run.record) ? std::string() : self.report;
          },
          py::arg("run"),
          "Compare with a run: an empty text, or a report with the first step that differs.")
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
  auto clock = make_clock_model(model, settings_of(settings));
  clock.share_links(sharing);
  if (!in_port) clock.take_in_ports(false);
  return dict_of(run.record.timeline(clock));
}

void define_run(py::module_& module) {
  using shared = std::shared_ptr<python_run>;
  py::class_<python_run, shared>(module, "Run", "A run: its results, and what it cost.")
      .def_property_readonly(
          "results", [](python_run const& self) { return self.results; },
          "What the program returned on each processor, by rank.")
      .def_property_readonly("counts",
                             [](shared const& self) {
                               return python_counts{self->record.counts(), self};
                             })
      .def_property_readonly(
          "phases",
          [](python_run const& self) {
            py::list all;
            for (auto const& phase : self.record.phases())
              all.append(py::make_tuple(phase.name, python_counts{phase, nullptr}));
            return all;
          },
          "The name and counts of each phase, in order.")
      .def_property_readonly(
          "labels",
          [](python_run const& self) {
            py::list all;
            for (auto const& one : self.record.labels()) {
              py::dict entry;
              entry["name"] = one.name;
              for_each_figure(one,
                              [&](char const* name, std::uint64_t value) { entry[name] = value; });
              all.append(entry);
            }
            return all;
          },
          "A dict for each label: its name and figures.")
      .def_property_readonly(
          "steps",
          [](python_run const& self) {
            py::list all;
            for (auto const& step : self.record.steps()) {
              auto entry = dict_of(step);
              entry["step"] = step.step;
              entry["largest"] = step.largest;
              bool const named = step.phase != no_phase;
              entry["phase"] =
                  named ? py::object(py::str(self.record.phases()[step.phase].name)) : py::none();
              all.append(entry);
            }
            return all;
          },
          "A dict for each step, of its figures.")
      .def_property_readonly(
          "processors",
          [](python_run const& self) {
            py::list all;
            for (auto const& one : self.record.processors()) {
              py::dict entry;
              entry["words_sent"] = one.words_sent;
              entry["words_received"] = one.words_received;
              entry["operations"] = one.operations;
              all.append(entry);
            }
            return all;
          },
          "A dict for each processor: words sent and received, operations.")
      .def_property_readonly("makespan",
                             [](python_run const& self) { return self.record.makespan(); })
      .def_property_readonly("span", [](python_run const& self) { return self.record.span(); })
      .def_property_readonly("choices",
                             [](python_run const& self) { return self.record.choices(); })
      .def_property_readonly(
          "pickled", [](python_run const& self) { return self.pickled; },
          "How many messages had to be pickled.")
      .def_property_readonly("size",
                             [](python_run const& self) { return self.record.processors().size(); })
      .def_property_readonly("network",
                             [](python_run const& self) { return self.record.network()->spec(); })
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
          "summary", [](python_run const& self) { return self.record.summary(); },
          "The counts as rows of text.")
      .def(
          "_view",
          [](python_run const& self, py::object const& file, std::string const& title) {
            auto const path = py::module_::import("os").attr("fspath")(file).cast<std::string>();
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

void define_models(py::module_& module) {
  module.def(
      "models",
      [] {
        py::list all;
        for (auto const& model : registered_models()) {
          py::dict parameters;
          for (auto const& one : model.parameters())
            parameters[py::str(std::string(one.name))] = one.value;
          py::dict entry;
          entry["name"] = std::string(model.name);
          entry["summary"] = std::string(model.summary);
          entry["unit"] = std::string(model.unit);
          entry["parameters"] = parameters;
          all.append(entry);
        }
        return all;
      },
      "The cost models that run.time takes, each a dict: name, summary, unit, parameters.");
  module.def(
      "clocks",
      [] {
        py::list all;
        for (auto const& clock : registered_clocks()) {
          py::dict parameters;
          for (auto const& one : clock.parameters())
            parameters[py::str(std::string(one.name))] = one.value;
          py::dict entry;
          entry["name"] = std::string(clock.name);
          entry["summary"] = std::string(clock.summary);
          entry["parameters"] = parameters;
          all.append(entry);
        }
        return all;
      },
      "The clock models that run.timeline takes, each a dict: name, summary, parameters.");
  module.def(
      "networks",
      [] {
        py::list all;
        for (auto const& kind : topology_kinds()) {
          py::dict entry;
          entry["name"] = std::string(kind.name);
          entry["syntax"] = std::string(kind.syntax);
          entry["summary"] = std::string(kind.summary);
          entry["example"] = std::string(kind.examples.front());
          all.append(entry);
        }
        return all;
      },
      "The kinds of networks, each a dict: name, syntax, summary, example.");
}

}  // namespace

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
}
