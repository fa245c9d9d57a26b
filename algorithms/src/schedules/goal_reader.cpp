#include "goal_reader.hpp"

#include <algorithm>
#include <charconv>
#include <functional>
#include <limits>
#include <map>
#include <optional>
#include <queue>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include <lockstep/errors.hpp>

namespace lockstep::detail {

namespace {

/// A word, a brace or a colon of the text; empty at its end.
struct token {
  std::string text;
  std::uint64_t line = 1;
};

/// Cuts the text into tokens, without its comments.
class tokens {
 public:
  tokens(std::istream& in, std::string const& file) : m_in(in), m_file(file) { advance(); }

  [[nodiscard]] token const& next() const { return m_next; }
  [[nodiscard]] bool at_end() const { return m_next.text.empty(); }
  [[nodiscard]] bool is_next(std::string_view text) const { return m_next.text == text; }
  token take() {
    auto taken = std::move(m_next);
    advance();
    return taken;
  }
  /// Takes the next token if it is that one.
  bool take_if(std::string_view text) {
    if (!is_next(text)) return false;
    advance();
    return true;
  }
  /// Errors: invalid_argument for another token.
  void expect(std::string_view text) {
    if (!take_if(text)) refuse(fmt::format("\"{}\" is expected here, not {}", text, shown()));
  }
  /// Takes a whole number. Errors: invalid_argument.
  [[nodiscard]] std::uint64_t take_number() {
    auto const value = number_in(m_next.text);
    if (!value) refuse(fmt::format("a whole number below 2^64 is expected here, not {}", shown()));
    advance();
    return *value;
  }
  /// Takes a number of bytes: "8b" or "8 b". Errors: invalid_argument.
  [[nodiscard]] std::uint64_t take_bytes() {
    std::string_view digits = m_next.text;
    bool const has_unit = digits.ends_with('b');
    if (has_unit) digits.remove_suffix(1);
    auto const value = number_in(digits);
    if (!value) refuse(fmt::format("bytes, as in \"8b\", are expected here, not {}", shown()));
    advance();
    if (!has_unit) expect("b");
    return *value;
  }
  [[nodiscard]] std::string shown() const {
    constexpr std::size_t most = 40;
    return at_end() ? "the end of the file" : fmt::format("\"{}\"", m_next.text.substr(0, most));
  }
  [[noreturn]] void refuse(std::string const& reason) const { refuse(m_next.line, reason); }
  [[noreturn]] void refuse(std::uint64_t line, std::string const& reason) const {
    throw invalid_argument(fmt::format("{}, line {}: {}", m_file, line, reason));
  }

 private:
  [[nodiscard]] static std::optional<std::uint64_t> number_in(std::string_view digits) {
    std::uint64_t value = 0;
    auto const* const end = digits.data() + digits.size();
    auto const [stop, error] = std::from_chars(digits.data(), end, value);
    if (digits.empty() || stop != end || error != std::errc()) return std::nullopt;
    return value;
  }
  static bool is_blank(int one) { return one == ' ' || one == '\t' || one == '\r' || one == '\n'; }
  static bool stands_alone(int one) { return one == '{' || one == '}' || one == ':'; }

  int get() {
    auto const one = m_in.get();
    if (one == '\n') ++m_line;
    return one;
  }

  void skip_blanks_and_comments() {
    for (;;) {
      while (is_blank(m_in.peek())) get();
      if (m_in.peek() != '/') return;
      get();
      if (m_in.peek() == '/') {
        while (m_in.peek() != '\n' && m_in.peek() != end_of_file) get();
      } else if (m_in.peek() == '*') {
        skip_to_end_of_comment();
      } else {
        m_next = {"/", m_line};
        refuse("\"/\" is not GOAL; comments begin with \"//\" or \"/*\"");
      }
    }
  }
  void skip_to_end_of_comment() {
    auto const begun = m_line;
    int last = 0;
    get();
    for (auto one = get(); last != '*' || one != '/'; one = get()) {
      if (one == end_of_file) refuse(begun, "the comment that begins here does not end");
      last = one;
    }
  }

  void advance() {
    skip_blanks_and_comments();
    m_next = {{}, m_line};
    while (m_in.peek() != end_of_file && !is_blank(m_in.peek()) && m_in.peek() != '/') {
      bool const alone = stands_alone(m_in.peek());
      if (alone && !m_next.text.empty()) return;
      m_next.text.push_back(static_cast<char>(get()));
      if (alone) return;
    }
  }

  static constexpr int end_of_file = std::istream::traits_type::eof();
  std::istream& m_in;
  std::string const& m_file;
  std::uint64_t m_line = 1;
  token m_next;
};

/// One rank as it stands in the file, and the order in which it runs.
class rank_block {
 public:
  rank_block(tokens& of, int rank, int ranks) : m_tokens(of), m_rank(rank), m_ranks(ranks) {}

  void read() {
    m_tokens.expect("{");
    while (!m_tokens.is_next("}")) {
      if (m_tokens.at_end())
        m_tokens.refuse(fmt::format("the file ends within rank {}: \"}}\" is missing", m_rank));
      read_statement();
    }
    m_tokens.take();
    resolve_waits();
  }

  /// Lists the operations as they run: of those that wait for nothing that is left, the first of the
  /// file, receives after all others, since they alone wait for other ranks. Errors: invalid_argument where they wait for each other.
  [[nodiscard]] std::vector<goal_operation> in_order(bool& file_decides) const {
    auto waits = m_waits_for;
    using place = std::pair<bool, std::size_t>;  // whether it receives, and its place in the file
    std::priority_queue<place, std::vector<place>, std::greater<>> ready;
    auto const place_of = [this](std::size_t at) {
      return place(m_operations[at].what == goal_operation::kind::receive, at);
    };
    for (std::size_t at = 0; at < m_operations.size(); ++at)
      if (waits[at] == 0) ready.push(place_of(at));
    std::vector<goal_operation> ordered;
    ordered.reserve(m_operations.size());
    while (!ready.empty()) {
      file_decides = file_decides || ready.size() > 1;
      auto const at = ready.top().second;
      ready.pop();
      ordered.push_back(m_operations[at]);
      waits[at] = is_done;
      for (auto const later : m_waiting[at])
        if (--waits[later] == 0) ready.push(place_of(later));
    }
    if (ordered.size() < m_operations.size()) refuse_circle(waits);
    return ordered;
  }

 private:
  static constexpr std::size_t is_done = std::numeric_limits<std::size_t>::max();

  struct wait {
    std::string later;
    std::string earlier;
    bool for_its_start = false;  ///< irequires
    std::uint64_t line = 0;
  };

  void read_statement() {
    auto const line = m_tokens.next().line;
    if (is_operation()) return read_operation(line);
    auto const label = m_tokens.take().text;
    if (m_tokens.take_if(":")) {
      if (!is_operation())
        m_tokens.refuse(fmt::format("after the label {} comes send, recv or calc, not {}", label,
                                    m_tokens.shown()));
      if (!m_labels.emplace(label, m_operations.size()).second)
        m_tokens.refuse(line, fmt::format("rank {} has a label {} already", m_rank, label));
      return read_operation(line);
    }
    bool const for_start = m_tokens.is_next("irequires");
    if (m_tokens.take_if("requires") || m_tokens.take_if("irequires")) {
      if (m_tokens.at_end()) m_tokens.refuse("a label is expected here, not the end of the file");
      m_waits.push_back({label, m_tokens.take().text, for_start, line});
      return;
    }
    m_tokens.refuse(line, fmt::format("\"{}\" is not GOAL: in a rank stand \"label: send 8b to 1 "
                                      "tag 0\", recv, calc and \"label requires label\"",
                                      label.substr(0, 40)));
  }

  [[nodiscard]] bool is_operation() const {
    return m_tokens.is_next("send") || m_tokens.is_next("recv") || m_tokens.is_next("calc");
  }

  void read_operation(std::uint64_t line) {
    goal_operation made;
    made.line = line;
    auto const verb = m_tokens.take().text;
    if (verb == "calc") {
      made.amount = m_tokens.take_number();
    } else {
      bool const sends = verb == "send";
      made.what = sends ? goal_operation::kind::send : goal_operation::kind::receive;
      made.amount = m_tokens.take_bytes();
      m_tokens.expect(sends ? "to" : "from");
      made.peer = read_peer();
    }
    for (;;) {
      if (made.what != goal_operation::kind::calculate && m_tokens.take_if("tag"))
        made.tag = take_number_but_any();
      else if (m_tokens.take_if("cpu") || m_tokens.take_if("nic"))
        static_cast<void>(m_tokens.take_number());
      else
        break;
    }
    m_operations.push_back(made);
  }

  [[nodiscard]] int read_peer() {
    auto const line = m_tokens.next().line;
    auto const number = take_number_but_any();
    if (number >= static_cast<std::uint64_t>(m_ranks))
      m_tokens.refuse(line, fmt::format("rank {}: ranks are 0 to {}", number, m_ranks - 1));
    if (number == static_cast<std::uint64_t>(m_rank))
      m_tokens.refuse(line, fmt::format("rank {} has a message with itself", m_rank));
    return static_cast<int>(number);
  }

  [[nodiscard]] std::uint64_t take_number_but_any() {
    if (m_tokens.is_next("-1"))
      m_tokens.refuse("a receive from any rank, or with any tag (-1), is not played; name it");
    return m_tokens.take_number();
  }

  void resolve_waits() {
    m_waiting.resize(m_operations.size());
    m_waits_for.assign(m_operations.size(), 0);
    std::vector<std::vector<std::size_t>> before(m_operations.size());
    for (auto const& [later, earlier, for_its_start, line] : m_waits) {
      for (auto const* const label : {&later, &earlier})
        if (!m_labels.contains(*label))
          m_tokens.refuse(line, fmt::format("rank {} has no label {}", m_rank, *label));
      auto const which = m_labels[earlier];
      // A receive has started when what it waits for is done; it need not have got its message.
      if (for_its_start && m_operations[which].what == goal_operation::kind::receive)
        for (auto const each : std::vector(before[which])) wait_for(each, m_labels[later], before);
      else
        wait_for(which, m_labels[later], before);
    }
  }
  void wait_for(std::size_t earlier, std::size_t later,
                std::vector<std::vector<std::size_t>>& before) {
    m_waiting[earlier].push_back(later);
    ++m_waits_for[later];
    before[later].push_back(earlier);
  }

  [[noreturn]] void refuse_circle(std::vector<std::size_t> const& waits) const {
    auto const stuck =
        std::ranges::find_if(waits, [](std::size_t of) { return of != is_done && of > 0; });
    auto const& first = m_operations[static_cast<std::size_t>(stuck - waits.begin())];
    m_tokens.refuse(
        first.line,
        fmt::format("operations of rank {} require each other, among or before them that "
                    "of this line",
                    m_rank));
  }

  tokens& m_tokens;
  int m_rank;
  int m_ranks;
  std::vector<goal_operation> m_operations;  ///< in the order of the file
  std::map<std::string, std::size_t> m_labels;
  std::vector<wait> m_waits;
  std::vector<std::vector<std::size_t>> m_waiting;  ///< by operation: those that wait for it
  std::vector<std::size_t> m_waits_for;             ///< by operation: how many it waits for
};

}  // namespace

read_goal read_goal_text(std::istream& in, std::string const& file) {
  tokens text(in, file);
  text.expect("num_ranks");
  auto const line = text.next().line;
  auto const count = text.take_number();
  if (count == 0 || count > static_cast<std::uint64_t>(std::numeric_limits<int>::max()))
    text.refuse(line, fmt::format("num_ranks {}: there are 1 to 2^31 - 1 ranks", count));
  auto const ranks = static_cast<int>(count);
  read_goal read;
  std::map<int, std::vector<goal_operation>> by_rank;
  while (!text.at_end()) {
    text.expect("rank");
    auto const at = text.next().line;
    auto const number = text.take_number();
    if (number >= count)
      text.refuse(at, fmt::format("rank {}: ranks are 0 to {}", number, ranks - 1));
    auto const rank = static_cast<int>(number);
    if (by_rank.contains(rank)) text.refuse(at, fmt::format("rank {} stands here again", rank));
    rank_block block(text, rank, ranks);
    block.read();
    bool file_decides = false;
    by_rank.emplace(rank, block.in_order(file_decides));
    read.partly_ordered += file_decides ? 1 : 0;
  }
  read.ranks.resize(static_cast<std::size_t>(ranks));
  for (auto& [rank, operations] : by_rank)
    read.ranks[static_cast<std::size_t>(rank)] = std::move(operations);
  return read;
}

}  // namespace lockstep::detail
