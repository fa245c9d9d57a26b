#include "problems.hpp"

#include <algorithm>
#include <array>
#include <stdexcept>

#include <fmt/format.h>

#include <lockstep/experiments/registry.hpp>

namespace lockstep::docs {

namespace {

/// A problem, and which algorithms belong to it.
struct known_problem {
  std::string_view page;
  std::string_view title;
  std::string_view summary;
  std::vector<std::string_view> names;  ///< algorithms that are not in the folder of their problem
  std::string_view folder;              ///< of headers whose other algorithms belong here
};

std::vector<known_problem> const& known_problems() {
  static std::vector<known_problem> const known{
      {"exchange",
       "Complete exchange",
       "Every processor has a block for every other one",
       {},
       "exchange"},
      {"prefix",
       "Prefix",
       "Processor i gets the combination of the values of processors 0 to i",
       {},
       "prefix"},
      {"routing",
       "Routing and permutations",
       "Records, packets or a schedule's messages move to processors that form a pattern",
       {"goal"},
       "routing"},
      {"collectives",
       "Collectives",
       "All processors broadcast, gather, scatter, reduce or transpose together",
       {},
       "collectives"},
      {"h-relation",
       "h-relation",
       "Elements go to any processors, at most h of them from each and to each",
       {"h-relation", "h-relation-direct", "randomized-routing", "balance", "transportation"},
       ""},
      {"sort", "Sort", "Keys that are spread over the processors come into order", {}, "sorting"},
      {"merge", "Merge", "Sorted lists become one", {"merge", "multiway-merge"}, ""},
      {"random-access",
       "Random access",
       "Elements read, write or move to addresses of an array that all processors hold together",
       {},
       "random_access"},
      {"fourier-transform",
       "Fourier transform",
       "The discrete Fourier transform of a vector",
       {"fft"},
       ""},
      {"matrix-product", "Matrix product", "The product of two matrices", {}, "numeric"},
      {"vectors",
       "Sums of vectors",
       "All processors get sums of their vectors, or of those of the processors before them",
       {"vector-combine", "vector-scan", "vector-combine-scan"},
       ""}};
  return known;
}

/// The folder of an algorithm's header: "lockstep/algorithms/prefix/prefix.hpp" gives "prefix".
std::string_view folder_of(experiment const& which) {
  std::string_view text = which.header;
  text = text.substr(0, text.rfind('/'));
  return text.substr(text.rfind('/') + 1);
}

std::size_t place_of(experiment const& which) {
  auto const& known = known_problems();
  auto found = std::ranges::find_if(known, [&](auto const& one) {
    return std::ranges::find(one.names, which.name) != one.names.end();
  });
  if (found == known.end())
    found = std::ranges::find(known, folder_of(which), &known_problem::folder);
  if (found == known.end())
    throw std::runtime_error(
        fmt::format("the problem that {} solves is unknown; name the algorithm, or the folder of "
                    "<{}>, in docs/tools/problems.cpp",
                    which.name, which.header));
  return static_cast<std::size_t>(found - known.begin());
}

}  // namespace

std::vector<problem> problems() {
  std::vector<problem> all;
  for (auto const& one : known_problems())
    all.push_back({.page = one.page, .title = one.title, .summary = one.summary, .algorithms = {}});
  for (auto const& which : experiments()) all[place_of(which)].algorithms.push_back(&which);
  for (auto const& one : all)
    if (one.algorithms.empty())
      throw std::runtime_error(
          fmt::format("no algorithm solves {}: mend docs/tools/problems.cpp", one.title));
  return all;
}

std::string errata_page(std::string_view source) {
  constexpr std::array<std::pair<std::string_view, std::string_view>, 5> pages{
      {{"Suh and Shin", "errata/suh-shin.md"},
       {"Mayr and Plaxton", "errata/mayr-plaxton.md"},
       {"Bader, Helman and JaJa", "errata/bader-helman-jaja.md"},
       {"JaJa and Ryu", "errata/jaja-ryu.md"},
       {"Shankar and Ranka", "errata/shankar-ranka.md"}}};
  for (auto const& [authors, page] : pages)
    if (source.find(authors) != std::string_view::npos) return std::string(page);
  return {};
}

}  // namespace lockstep::docs
