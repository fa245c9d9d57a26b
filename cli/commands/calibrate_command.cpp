#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <numeric>
#include <ostream>
#include <random>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <lockstep/counted.hpp>
#include <lockstep/machine.hpp>
#include <lockstep/topologies/crossbar.hpp>

#include "commands.hpp"
#include "report/text_table.hpp"

namespace lockstep::cli {

namespace {

/// A price of local operations on this computer.
struct measured_price {
  std::string_view name;
  std::string_view what;  ///< counts as an operation
  std::uint64_t operations = 0;
  double nanoseconds = 0;  ///< of all of them

  [[nodiscard]] double each() const { return nanoseconds / static_cast<double>(operations); }
};

/// Measures the least time of several runs of `work` on data that `prepare` makes, in nanoseconds.
template <class Prepare, class Work>
double least_time(Prepare const& prepare, Work const& work) {
  constexpr int least_runs = 5;
  constexpr double enough = 2e8;  // nanoseconds
  double least = std::numeric_limits<double>::infinity();
  double all = 0;
  for (int run = 0; run < least_runs || (all < enough && run < 1000); ++run) {
    auto data = prepare();
    auto const begun = std::chrono::steady_clock::now();
    work(data);
    std::chrono::duration<double, std::nano> const taken = std::chrono::steady_clock::now() - begun;
    least = std::min(least, taken.count());
    all += taken.count();
  }
  return least;
}

/// Counts the operations of `work` on numbers that count, as `processor::work_of` does.
template <class Work>
std::uint64_t operations_in(Work const& work) {
  auto const run =
      machine{crossbar{1}}.run([&](processor& me) { return me.operations_of(work).all(); });
  return run.results().front();
}

/// Keeps a value, so that the compiler cannot leave out what came to it.
template <class T>
void keep_result(T const& value) {
  [[maybe_unused]] T volatile kept = value;
}

std::vector<std::uint64_t> random_keys(std::size_t count) {
  std::mt19937_64 random(1);
  std::vector<std::uint64_t> keys(count);
  std::ranges::generate(keys, random);
  return keys;
}

template <class To, class From>
std::vector<To> copied_as(std::vector<From> const& values) {
  return {values.begin(), values.end()};
}

measured_price price_of_sort(std::vector<std::uint64_t> const& keys) {
  auto counting = copied_as<lockstep::counted<std::uint64_t>>(keys);
  return {"sort", "comparison", operations_in([&] { std::ranges::sort(counting); }),
          least_time([&] { return keys; },
                     [](auto& values) {
                       std::ranges::sort(values);
                       keep_result(values[values.size() / 2]);
                     })};
}

measured_price price_of_merge(std::vector<std::uint64_t> keys) {
  auto const half = static_cast<std::ptrdiff_t>(keys.size() / 2);
  std::sort(keys.begin(), keys.begin() + half);
  std::sort(keys.begin() + half, keys.end());
  auto const merge_into = [half](auto& from, auto& into) {
    std::merge(from.begin(), from.begin() + half, from.begin() + half, from.end(), into.begin());
  };
  auto counting = copied_as<lockstep::counted<std::uint64_t>>(keys);
  auto counted_merged = counting;
  std::vector<std::uint64_t> merged(keys.size());
  auto const operations = operations_in([&] { merge_into(counting, counted_merged); });
  return {"merge", "comparison", operations,
          least_time([&] { return std::ref(keys); },
                     [&](auto& from) {
                       merge_into(from.get(), merged);
                       keep_result(merged.back());
                     })};
}

measured_price price_of_sum(std::vector<double> const& values) {
  auto const sum = [](auto const& of) {
    return std::accumulate(of.begin(), of.end(),
                           typename std::remove_cvref_t<decltype(of)>::value_type{});
  };
  auto const counting = copied_as<lockstep::counted<double>>(values);
  return {"add", "addition", operations_in([&] { static_cast<void>(sum(counting)); }),
          least_time([&] { return std::ref(values); },
                     [&](auto const& of) { keep_result(sum(of.get())); })};
}

measured_price price_of_multiply_add(std::vector<double> const& values) {
  auto const multiply_add = [](auto factor, auto const& x, auto& y) {
    for (std::size_t at = 0; at < x.size(); ++at) y[at] += factor * x[at];
  };
  auto const counting = copied_as<lockstep::counted<double>>(values);
  auto counted_y = counting;
  auto y = values;
  auto const operations =
      operations_in([&] { multiply_add(lockstep::counted<double>(1.5), counting, counted_y); });
  return {"multiply-add", "addition or multiplication", operations,
          least_time([&] { return std::ref(y); },
                     [&](auto& into) {
                       multiply_add(1.5, values, into.get());
                       keep_result(into.get().back());
                     })};
}

std::vector<measured_price> prices(std::uint64_t elements) {
  auto const keys = random_keys(elements);
  std::vector<double> numbers;
  numbers.reserve(keys.size());
  for (auto const key : keys) numbers.push_back(static_cast<double>(key >> 40U));
  return {price_of_sort(keys), price_of_merge(keys), price_of_sum(numbers),
          price_of_multiply_add(numbers)};
}

/// The price in microseconds as a model's parameter is typed.
std::string in_microseconds(measured_price const& of) {
  return fmt::format("{:.3g}", of.each() / 1e3);
}

std::string prices_as_text(std::vector<measured_price> const& all, std::uint64_t elements) {
  text_table table({{"local work", column_kind::text},
                    {"operations", column_kind::number},
                    {"an operation is a", column_kind::text},
                    {"ns each", column_kind::number},
                    {"operation_us", column_kind::number}});
  for (auto const& one : all)
    table.add({std::string(one.name), grouped(one.operations), std::string(one.what),
               fmt::format("{:.3g}", one.each()), in_microseconds(one)});
  return fmt::format(
      "Local operations on this computer: {} numbers of 8 bytes, one core, the fastest of several "
      "runs.\n\n{}\nA model takes one of them as the price of an operation (me.work), for example\n"
      "--model loggp:operation_us={}\n",
      grouped(elements), table.str(), in_microseconds(all.front()));
}

nlohmann::ordered_json prices_as_json(std::vector<measured_price> const& all,
                                      std::uint64_t elements) {
  nlohmann::ordered_json json{{"elements", elements}};
  auto& rows = json["prices"] = nlohmann::ordered_json::array();
  for (auto const& one : all)
    rows.push_back({{"work", one.name},
                    {"operations", one.operations},
                    {"operation", one.what},
                    {"nanoseconds_each", one.each()},
                    {"operation_us", one.each() / 1e3}});
  return json;
}

}  // namespace

exit_status execute(calibrate_command const& asked, std::ostream& out) {
  auto const all = prices(asked.elements);
  if (asked.json)
    out << prices_as_json(all, asked.elements).dump() << '\n';
  else
    out << prices_as_text(all, asked.elements);
  return exit_status::all_right;
}

}  // namespace lockstep::cli
