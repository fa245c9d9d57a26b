#include "summary.hpp"

#include <fstream>
#include <functional>
#include <thread>

#include <fmt/format.h>

#include "measure.hpp"

namespace bench {

namespace {

using maybe = std::optional<double>;

maybe ratio(maybe of, maybe to) {
  if (!of || !to || *to == 0) return std::nullopt;
  return *of / *to;
}

/// The limit that a figure should keep, from above or below.
struct aim {
  maybe at_most{};
  maybe at_least{};

  [[nodiscard]] bool missed_by(double value) const {
    return (at_most && value > *at_most) || (at_least && value < *at_least);
  }
};

/// A table with a column for each number of processors.
class table {
 public:
  explicit table(scope const& of) : m_sizes(of.processors()) {
    m_text = fmt::format("\n{:<40}", "p =");
    for (int const processors : m_sizes) m_text += fmt::format("{:>11}", processors);
    m_text += '\n';
  }

  void title(std::string const& text) { m_text += "\n" + text + '\n'; }
  void row(
      std::string const& name, std::function<maybe(int processors)> const& value,
      std::function<aim(int processors)> const& wanted = [](int) { return aim{}; }) {
    m_text += fmt::format("  {:<38}", name);
    for (int const processors : m_sizes) {
      auto const found = value(processors);
      m_text += found ? fmt::format("{:>10.2f}{}", *found,
                                    wanted(processors).missed_by(*found) ? '!' : ' ')
                      : fmt::format("{:>10} ", "-");
    }
    m_text += '\n';
  }
  [[nodiscard]] std::string const& text() const { return m_text; }

 private:
  std::vector<int> m_sizes;
  std::string m_text;
};

/// The rows and their figures, all from one run.
class summary {
 public:
  summary(results const& all, scope const& of) : m_all(all), m_table(of) {}

  [[nodiscard]] std::string text() {
    add_times();
    add_second_worker();
    add_references();
    add_bandwidth();
    add_starts();
    return m_table.text() + other_figures();
  }

 private:
  static constexpr auto memcpy_peers = {"ring", "prefix", "permutation"};

  [[nodiscard]] maybe time_of(std::string const& what, std::string const& on, int processors,
                              int words) const {
    return m_all.find(name_of(what, on, processors, words), ns_per_processor_step);
  }
  [[nodiscard]] maybe words_of(std::string const& what, std::string const& on,
                               int processors) const {
    return m_all.find(name_of(what, on, processors, 1024), words_per_second);
  }

  void add_times() {
    auto const wanted = [](int processors) -> aim {
      if (processors == 1024 || processors == 16'384) return {.at_most = 30};
      if (processors == 1'048'576) return {.at_most = 60};
      return {};
    };
    m_table.title("ns per processor-step, 1 word; aim: at most 30 at 1024 and 16384, 60 at 2^20");
    for (auto const& on : {one_worker, two_workers})
      for (auto const& what : main_workloads(1))
        m_table.row(
            what.name + ", " + on.name(),
            [&](int p) { return time_of(what.name, on.name(), p, 1); }, wanted);
    for (auto const& what : main_workloads(1))
      m_table.row(what.name + ", threads",
                  [&](int p) { return time_of(what.name, "threads", p, 1); });
  }

  void add_second_worker() {
    auto const wanted = [](int p) -> aim { return {.at_least = p < 16'384 ? 0.95 : 1.0}; };
    m_table.title(
        "second worker: time with 1 / time with 2; aim: above 1 from 16384 on, else not below "
        "(0.95: noise; there is none)");
    for (int const words : {1, 1024})
      for (auto const& what : main_workloads(words))
        m_table.row(
            fmt::format("{}, {} words", what.name, words),
            [&](int p) {
              return ratio(time_of(what.name, one_worker.name(), p, words),
                           time_of(what.name, two_workers.name(), p, words));
            },
            wanted);
    for (auto const* const what : {"ring", "permutation"})
      m_table.row(fmt::format("{}, 1024 words, memcpy alone", what), [&](int p) {
        return ratio(time_of(what, "memcpy", p, 1024), time_of(what, "memcpy by two", p, 1024));
      });
  }

  void add_references() {
    m_table.title("a bare switch there and back, ns; what else takes, in such switches");
    m_table.row("fcontext", [&](int p) { return time_of("bare switch", "fcontext", p, 0); });
    for (auto const& on : {one_worker, two_workers})
      m_table.row("ring, 1 word, " + on.name(), [&](int p) {
        return ratio(time_of("ring", on.name(), p, 1), time_of("bare switch", "fcontext", p, 0));
      });
    m_table.title("eight lines of each stack written, ns: a page each, or densely in large pages");
    for (auto const* const how : {"apart", "densely"})
      m_table.row(how, [&](int p) { return time_of("stack ends", how, p, 0); });
    m_table.title("ring by std::thread + std::barrier: its time / time of fibers:1, of threads");
    for (int const words : {1, 1024})
      for (auto const& on : {one_worker, a_thread_each})
        m_table.row(fmt::format("{}, {} words", on.name(), words), [&](int p) {
          return ratio(time_of("ring", "std::barrier", p, words),
                       time_of("ring", on.name(), p, words));
        });
  }

  void add_bandwidth() {
    m_table.title("10^9 words/s of memcpy alone, blocks of 1024 words (prefix: it adds them, too)");
    for (auto const* const peer : memcpy_peers)
      m_table.row(peer, [&](int p) { return ratio(words_of(peer, "memcpy", p), 1e9); });
    add_ratios_to_memcpy("the same words between the same places",
                         [](std::string const& what) { return what.substr(0, what.find(',')); });
    add_ratios_to_memcpy("block after block", [](std::string const&) { return "ring"; });
  }

  template <class PeerOf>
  void add_ratios_to_memcpy(std::string const& which, PeerOf peer_of) {
    m_table.title(
        fmt::format("words/s of messages of 1024 words / memcpy's, {}; aim: at least 0.6", which));
    for (auto const& on : {one_worker, two_workers})
      for (auto const& what : main_workloads(1024))
        m_table.row(
            what.name + ", " + on.name(),
            [&](int p) {
              return ratio(words_of(what.name, on.name(), p),
                           words_of(peer_of(what.name), "memcpy", p));
            },
            [](int) -> aim { return {.at_least = 0.6}; });
  }

  void add_starts() {
    m_table.title("starting and ending a processor, us");
    for (auto const& on : {one_worker, two_workers, a_thread_each})
      m_table.row(on.name(), [&](int p) {
        return ratio(
            m_all.find(fmt::format("start and end/{}/p:{}", on.name(), p), ns_per_processor), 1000);
      });
    m_table.title(fmt::format("ns per message, {} processors of a tree active", active_in_tree));
    for (auto const* const which : {"together", "far apart"})
      m_table.row(fmt::format("{}, {}", which, one_worker.name()), [&](int p) {
        return m_all.find(fmt::format("few active, {}/{}/p:{}", which, one_worker.name(), p),
                          ns_per_message);
      });
  }

  [[nodiscard]] std::string other_figures() const {
    std::string text = "\nmost memory, bytes per processor; aim: at most 6144 at 2^20\n";
    for (auto const& [name, value] : m_all.starting_with("memory: ", bytes_per_processor))
      text += fmt::format("  {:<58}{:>10.0f}{}\n", name, value,
                          name.ends_with("1048576") && value > 6144 ? "!" : "");
    text += "\nallocations per message in a steady state; aim: none, but for tables that double\n";
    for (auto const& [name, value] : m_all.starting_with("allocations: ", allocations_per_message))
      text += fmt::format("  {:<58}{:>10.6f}{}\n", name, value, value > 0.001 ? "!" : "");
    return text + teaching_examples() + prefixes() + collectives() + clocks() + work() + mail() +
           exchanges() + sorts() + hypercube_sorts() + routings() + histograms() + numeric() +
           "\n!: an aim that is missed   -: not measured\n";
  }

  [[nodiscard]] std::string teaching_examples() const {
    auto text = fmt::format(
        "\nteaching examples by one worker, ns per processor-step, without making processors; aim: "
        "at "
        "most 5 times\n  a bare program, which sends the same messages\n  {:<58}{:>10}{:>8}{:>8}\n",
        "", "algorithm", "bare", "times");
    for (auto const& [name, ns] : m_all.starting_with("teaching/", ns_per_processor_step)) {
      auto const bare = m_all.find("teaching/" + name, bare_ns_per_processor_step).value_or(0);
      text += fmt::format("  {:<58}{:>10.0f}{:>8.0f}{:>8.1f}{}\n", name, ns, bare, ns / bare,
                          ns > 5 * bare ? "!" : "");
    }
    return text;
  }

  [[nodiscard]] std::string prefixes() const {
    std::string text =
        fmt::format("\nprefixes\n  {:<44}{:>12}{:>16}\n", "", "seconds", "ns per message");
    for (auto const& [name, seconds] : m_all.starting_with("prefixes/", run_seconds))
      text += fmt::format("  {:<44}{:>12.3f}{:>16.0f}\n", name, seconds,
                          m_all.find("prefixes/" + name, ns_per_message).value_or(0));
    return text;
  }

  [[nodiscard]] std::string collectives() const {
    auto text = fmt::format(
        "\ncollectives of a word; aim: at most 1.2 times as long as the same messages by hand\n"
        "  {:<36}{:>10}{:>12}{:>8}\n",
        "", "us a call", "by hand us", "times");
    for (auto const& [name, seconds] : m_all.starting_with("collectives/", run_seconds)) {
      auto const by_hand = m_all.find("collectives/" + name, exchange_seconds).value_or(0);
      text += fmt::format("  {:<36}{:>10.1f}{:>12.1f}{:>8.2f}{}\n", name, seconds * 1e6,
                          by_hand * 1e6, seconds / by_hand, seconds > 1.2 * by_hand ? '!' : ' ');
    }
    return text;
  }

  [[nodiscard]] std::string work() const {
    std::string text = "\na call of work, ns; aim: at most 5 where many are in a step\n";
    for (auto const& [name, ns] : m_all.starting_with("work/", ns_per_call))
      text += fmt::format("  {:<46}{:>8.1f}\n", name, ns);
    return text;
  }

  [[nodiscard]] std::string clocks() const {
    auto text = fmt::format(
        "\nruns of 1,024 processors kept for a clock, ns a processor-step; aim: at most twice as "
        "long\n  as runs that are counted\n  {:<36}{:>10}{:>10}{:>8}{:>11}\n",
        "", "counted", "clocked", "times", "timeline");
    for (auto const& [name, counted] : m_all.starting_with("clock/", counted_ns)) {
      auto const clocked = m_all.find("clock/" + name, clocked_ns).value_or(0);
      text += fmt::format("  {:<36}{:>10.1f}{:>10.1f}{:>8.2f}{}{:>10.1f}\n", name, counted, clocked,
                          clocked / counted, clocked > 2 * counted ? '!' : ' ',
                          m_all.find("clock/" + name, timeline_ns).value_or(0));
    }
    return text;
  }

  [[nodiscard]] std::string mail() const {
    auto text = fmt::format(
        "\na million words to random processors; aim: post and deliver at most 3 times as long as "
        "a "
        "counting sort\n  and an exchange by hand\n  {:<36}{:>10}{:>12}{:>8}{:>22}\n",
        "", "seconds", "by hand s", "times", "sort in one memory s");
    for (auto const& [name, seconds] : m_all.starting_with("mail/", run_seconds)) {
      auto const by_hand = m_all.find("mail/" + name, exchange_seconds).value_or(0);
      text += fmt::format("  {:<36}{:>10.3f}{:>12.3f}{:>8.2f}{}{:>21.4f}\n", name, seconds, by_hand,
                          seconds / by_hand, seconds > 3 * by_hand ? '!' : ' ',
                          m_all.find("mail/" + name, sort_seconds).value_or(0));
    }
    return text;
  }

  [[nodiscard]] std::string exchanges() const {
    std::string text = fmt::format(
        "\ncomplete exchange, blocks of 1 word, rearrangements included; aim: at least 0.5 of "
        "memcpy; "
        "128x128: 12 s, 6 GiB\n  {:<32}{:>14}{:>12}{:>12}{:>12}\n",
        "", "10^9 words/s", "of memcpy", "whole run s", "most GiB");
    for (auto const& [name, words] : m_all.starting_with("exchange/", words_per_second)) {
      auto const figure = [&](char const* counter) {
        return m_all.find("exchange/" + name, counter).value_or(0);
      };
      auto const of_memcpy = words / figure(memcpy_words_per_second);
      auto const seconds = figure(run_seconds);
      auto const gibibytes = figure(peak_bytes) / (1 << 30);
      bool const is_largest = name.ends_with("128x128");
      bool const is_measured_by_memcpy = name.ends_with("64x64");
      text += fmt::format("  {:<32}{:>14.2f}{:>11.2f}{}{:>11.2f}{}{:>11.2f}{}\n", name, words / 1e9,
                          of_memcpy, is_measured_by_memcpy && of_memcpy < 0.5 ? '!' : ' ', seconds,
                          is_largest && seconds > 12 ? '!' : ' ', gibibytes,
                          is_largest && gibibytes > 6 ? '!' : ' ');
    }
    for (auto const& [name, seconds] : m_all.starting_with("transpose/", run_seconds))
      text += fmt::format(
          "\n{} transposed: {:.2f} s; one thread, tile by tile: {:.2f} s; ratio {:.2f}\n", name,
          seconds, m_all.find("transpose/" + name, seconds_in_tiles).value_or(0),
          seconds / m_all.find("transpose/" + name, seconds_in_tiles).value_or(0));
    return text;
  }

  [[nodiscard]] std::string sorts() const {
    auto text = fmt::format(
        "\nradix sort on 16 processors; aim: at least 0.5 of the speed of a sequential radix sort\n"
        "  {:<24}{:>10}{:>16}{:>16}{:>16}{:>16}\n",
        "", "seconds", "of sequential", "sequential s", "stable_sort s", "parallel_sort s");
    for (auto const& [name, seconds] : m_all.starting_with("radix sort/", run_seconds)) {
      auto const figure = [&](char const* counter) {
        return m_all.find("radix sort/" + name, counter).value_or(0);
      };
      auto const speed = figure(radix_sort_seconds) / seconds;
      text += fmt::format("  {:<24}{:>10.3f}{:>15.2f}{}{:>16.3f}{:>16.3f}{:>16.3f}\n", name,
                          seconds, speed, speed < 0.5 ? '!' : ' ', figure(radix_sort_seconds),
                          figure(stable_sort_seconds), figure(parallel_sort_seconds));
    }
    return text + sorts_by_comparisons();
  }

  [[nodiscard]] std::string sorts_by_comparisons() const {
    auto text =
        fmt::format("\nsorts on 16 processors, beside std::sort\n  {:<36}{:>10}{:>18}{:>14}\n", "",
                    "seconds", "times std::sort", "std::sort s");
    for (auto const& [name, seconds] : m_all.starting_with("sort/", run_seconds)) {
      auto const by_one_thread = m_all.find("sort/" + name, sort_seconds).value_or(0);
      text += fmt::format("  {:<36}{:>10.3f}{:>18.2f}{:>14.3f}\n", name, seconds,
                          seconds / by_one_thread, by_one_thread);
    }
    return text;
  }

  [[nodiscard]] std::string hypercube_sorts() const {
    auto text = fmt::format(
        "\nbitonic sort, a word a message\n  {:<32}{:>10}{:>14}{:>15}{:>19}{:>21}\n", "", "seconds",
        "ns/proc-step", "messages only", "times stable_sort", "times parallel_sort");
    for (auto const& [name, seconds] : m_all.starting_with("bitonic sort/", run_seconds)) {
      auto const figure = [&](char const* counter) {
        return m_all.find("bitonic sort/" + name, counter).value_or(0);
      };
      text += fmt::format("  {:<32}{:>10.2f}{:>14.1f}{:>15.2f}{:>19.0f}{:>21.0f}\n", name, seconds,
                          figure(ns_per_processor_step), figure(exchange_seconds),
                          seconds / figure(stable_sort_seconds),
                          seconds / figure(parallel_sort_seconds));
    }
    return text;
  }

  /// Of the bytes of the elements; each is read and written three times.
  [[nodiscard]] std::string routings() const {
    std::string text = "\nh-relation in two phases, elements of 8 bytes\n";
    for (auto const& [name, bytes] : m_all.starting_with("routing/", bytes_per_second)) {
      auto const copied = m_all.find("routing/" + name, memcpy_bytes_per_second).value_or(0);
      text += fmt::format("  {:<24}{:>6.2f} GB/s; memcpy {:.2f} GB/s; ratio {:.2f}\n", name,
                          bytes / 1e9, copied / 1e9, bytes / copied);
    }
    return text;
  }

  [[nodiscard]] std::string histograms() const {
    auto text = fmt::format(
        "\nhistogram on 16 processors; aim: at most 4 times as long as a loop for uniform indices, "
        "and no longer for others\n  {:<36}{:>10}{:>14}{:>12}{:>14}\n",
        "", "seconds", "times a loop", "loop s", "std::sort s");
    auto const all = m_all.starting_with("histogram/", run_seconds);
    for (auto const& [name, seconds] : all) {
      auto const figure = [&](char const* counter) {
        return m_all.find("histogram/" + name, counter).value_or(0);
      };
      auto const times = seconds / figure(loop_seconds);
      text += fmt::format("  {:<36}{:>10.3f}{:>13.1f}{}{:>12.3f}{:>14.3f}\n", name, seconds, times,
                          name.ends_with("uniform") && times > 4 ? '!' : ' ', figure(loop_seconds),
                          figure(sort_seconds));
    }
    return text;
  }

  [[nodiscard]] std::string numeric() const {
    auto text = fmt::format(
        "\non 64 processors, by one worker; aim: at most 2 times as long as one call for a "
        "transform "
        "by FFTW, 1.25 times for a product by lockstep\n  {:<36}{:>10}{:>16}{:>14}\n",
        "", "seconds", "times a call", "one call s");
    for (std::string const what : {"fft/", "matrix product/"})
      for (auto const& [name, seconds] : m_all.starting_with(what, run_seconds)) {
        auto const one_call = m_all.find(what + name, one_call_seconds).value_or(0);
        auto const times = seconds / one_call;
        bool const is_transform = what == "fft/";
        bool const is_aim = name.ends_with(is_transform ? "FFTW" : "lockstep");
        text += fmt::format("  {:<36}{:>10.3f}{:>15.2f}{}{:>14.3f}\n", what + name, seconds, times,
                            is_aim && times > (is_transform ? 2 : 1.25) ? '!' : ' ', one_call);
      }
    return text;
  }

  results const& m_all;
  table m_table;
};

/// Of Google Benchmark 1.7, and of 1.8 and later.
template <class Run>
bool ended_in_error(Run const& run) {
  if constexpr (requires { run.error_occurred; })
    return run.error_occurred;
  else
    return static_cast<int>(run.skipped) != 0;
}

std::string name_of_processor() {
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);)
    if (line.starts_with("model name")) return line.substr(line.find(':') + 2);
  return "unknown processor";
}

}  // namespace

maybe results::find(std::string const& benchmark, std::string const& counter) const {
  auto const found = m_values.find(benchmark);
  if (found == m_values.end()) return std::nullopt;
  auto const value = found->second.find(counter);
  if (value == found->second.end()) return std::nullopt;
  return value->second;
}

std::map<std::string, double> results::starting_with(std::string const& prefix,
                                                     std::string const& counter) const {
  std::map<std::string, double> found;
  for (auto const& [name, counters] : m_values)
    if (auto const value = counters.find(counter);
        name.starts_with(prefix) && value != counters.end())
      found[name.substr(prefix.size())] = value->second;
  return found;
}

void collecting_reporter::ReportRuns(std::vector<Run> const& runs) {
  for (auto const& run : runs) {
    if (ended_in_error(run)) m_any_failed = true;
    for (auto const& [counter, value] : run.counters)
      m_results.add(run.run_name.function_name, counter, value.value);
  }
  ConsoleReporter::ReportRuns(runs);
}

std::string summary_of(results const& all, scope const& of) {
  return fmt::format("\nRatios of this run: {}, {} hardware threads\n", name_of_processor(),
                     std::thread::hardware_concurrency()) +
         summary(all, of).text();
}

}  // namespace bench
