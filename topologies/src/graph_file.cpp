#include "graph_file.hpp"

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <limits>
#include <map>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <lockstep/errors.hpp>
#include <lockstep/topologies/graph.hpp>

namespace lockstep {

namespace {

/// The characters of a list of links in a specification.
constexpr std::string_view letters_of_links = "0123456789-,>";
constexpr std::string_view blanks = " \t\r,";

/// Cuts off and returns the text before the next blank or comma, or an arrow.
std::string_view next_word(std::string_view& line) {
  line.remove_prefix(std::min(line.find_first_not_of(blanks), line.size()));
  auto const is_arrow = line.starts_with("->");
  auto const end =
      is_arrow ? 2 : std::min({line.find_first_of(blanks), line.find("->"), line.size()});
  auto const word = line.substr(0, end);
  line.remove_prefix(end);
  return word;
}

/// Reads all of a word as a number.
template <class Number>
bool is_number(std::string_view word, Number& number) {
  auto const* const end = word.data() + word.size();
  auto const [stop, problem] = std::from_chars(word.data(), end, number);
  return problem == std::errc{} && stop == end;
}

/// The links and places of a graph while they are read.
class listed_graph {
 public:
  listed_graph(std::string name, std::source_location where)
      : m_name(std::move(name)), m_where(where) {}

  /// Reads a line, without its end.
  void add_line(std::string_view line) {
    ++m_line;
    auto rest = line.substr(0, line.find('#'));
    auto const first = next_word(rest);
    if (first.empty()) return;
    if (first == "at") return add_place(rest);
    auto second = next_word(rest);
    bool const one_way = second == "->";
    if (one_way) second = next_word(rest);
    add_link(first, second, one_way);
    require_end(rest);
  }
  void add_link(std::string_view first, std::string_view second, bool one_way) {
    auto const from = rank_from(first);
    auto const to = rank_from(second);
    if (from == to) refuse(fmt::format("processor {} cannot be linked to itself", from));
    m_links.push_back({from, to});
    if (!one_way) m_links.push_back({to, from});
    m_size = std::max({m_size, from + 1, to + 1});
  }

  [[nodiscard]] graph build() {
    if (m_size == 0) refuse_all("has no links; write one a line, for example \"0 1\"");
    graph network(m_size, m_links, m_name, m_where);
    if (!m_places.empty()) network.place(places(), m_where);
    return network;
  }

  [[noreturn]] void refuse_all(std::string const& reason) const {
    throw invalid_topology(fmt::format("{} {}", m_name, reason), m_where);
  }

 private:
  [[noreturn]] void refuse(std::string const& reason) const {
    throw invalid_topology(m_line == 0 ? fmt::format("{}: {}", m_name, reason)
                                       : fmt::format("{}, line {}: {}", m_name, m_line, reason),
                           m_where);
  }
  [[nodiscard]] int rank_from(std::string_view word) const {
    constexpr int largest = std::numeric_limits<int>::max() - 1;
    int rank = 0;
    if (!is_number(word, rank) || rank < 0 || rank > largest)
      refuse(fmt::format("\"{}\" is not a processor; write {}", word,
                         m_line > 0 ? "a link as \"0 1\", or \"0 -> 1\" for one way"
                                    : "links as \"graph:0-1,1>2\""));
    return rank;
  }
  void require_end(std::string_view rest) const {
    if (auto const word = next_word(rest); !word.empty())
      refuse(fmt::format("\"{}\" is more than a link or a place; write one a line", word));
  }
  void add_place(std::string_view rest) {
    auto const rank = rank_from(next_word(rest));
    layout_point place{};
    for (double* const each : {&place.x, &place.y})
      if (auto const word = next_word(rest); !is_number(word, *each))
        refuse(fmt::format("\"{}\" is not a coordinate; write \"at {} 1.5 2\"", word, rank));
    require_end(rest);
    if (!m_places.emplace(rank, place).second)
      refuse(fmt::format("processor {} has a place already", rank));
  }
  [[nodiscard]] std::vector<layout_point> places() const {
    std::vector<layout_point> all;
    for (int rank = 0; rank < m_size; ++rank) {
      auto const found = m_places.find(rank);
      if (found == m_places.end())
        refuse_all(fmt::format("places some processors, and not {}; place all or none", rank));
      all.push_back(found->second);
    }
    if (auto const last = m_places.rbegin()->first; last >= m_size)
      refuse_all(fmt::format("places processor {}, to which no link leads", last));
    return all;
  }

  std::string m_name;
  std::source_location m_where;
  std::uint64_t m_line = 0;
  int m_size = 0;
  std::vector<link> m_links;
  std::map<int, layout_point> m_places;
};

/// Reads "0-1,1-2,2>0" into `links`. Result: whether it is that and not a file's name.
bool is_list_of_links(std::string_view text, listed_graph& links) {
  if (text.empty() || text.find_first_not_of(letters_of_links) != std::string_view::npos)
    return false;
  for (bool is_last = false; !is_last;) {
    auto const one = text.substr(0, text.find(','));
    is_last = one.size() == text.size();
    text.remove_prefix(std::min(one.size() + 1, text.size()));
    auto const middle = std::min(one.find_first_of("->"), one.size());
    auto const behind = middle + (one.substr(middle).starts_with("->") ? 2 : 1);
    bool const one_way = one.substr(middle, 2).find('>') != std::string_view::npos;
    if (behind > one.size())
      links.refuse_all("is not a list of links; write \"graph:0-1,1>2\": - is both ways, > is one");
    links.add_link(one.substr(0, middle), one.substr(behind), one_way);
  }
  return true;
}

}  // namespace

graph graph::from_file(std::filesystem::path const& file, std::source_location where) {
  bool const is_like_a_list =
      file.string().find_first_not_of(letters_of_links) == std::string::npos;
  listed_graph links((is_like_a_list ? "graph:./" : "graph:") + file.string(), where);
  errno = 0;
  std::ifstream in(file);
  for (std::string line; std::getline(in, line);) links.add_line(line);
  if (!in.eof() || in.bad() || std::filesystem::is_directory(file))
    links.refuse_all(
        fmt::format("cannot be read: {}; name a file of links, one a line, or write them: "
                    "graph:0-1,1-2,2-0",
                    std::strerror(errno == 0 ? EISDIR : errno)));
  return links.build();
}

std::shared_ptr<topology const> detail::graph_from(std::string_view spec,
                                                   std::source_location where) {
  auto const text = spec.substr(std::min(spec.find(':'), spec.size() - 1) + 1);
  listed_graph links{std::string(spec), where};
  if (text.empty())
    links.refuse_all("is not a topology: name a file of links, or write them: graph:0-1,1>2");
  if (is_list_of_links(text, links)) return std::make_shared<graph>(links.build());
  return std::make_shared<graph>(graph::from_file(text, where));
}

}  // namespace lockstep
