#include "goal_reader.hpp"

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <istream>
#include <limits>
#include <map>
#include <optional>
#include <set>
#include <sstream>
#include <string>
#include <string_view>
#include <system_error>
#include <tuple>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <lockstep/errors.hpp>
#include <lockstep/options.hpp>
#include <lockstep/topology.hpp>

namespace lockstep::detail {

namespace {

/// A word, a brace or a colon of the text; empty at its end.
struct token {
  std::string text;
  std::uint64_t line = 1;
};

/// A comment that begins with "lockstep:".
struct remark {
  std::string text;  ///< what follows
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
  /// Takes the remarks between the last token and the next.
  [[nodiscard]] std::vector<remark> take_remarks() { return std::exchange(m_remarks, {}); }
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
        read_comment();
      } else if (m_in.peek() == '*') {
        skip_to_end_of_comment();
      } else {
        m_next = {"/", m_line};
        refuse("\"/\" is not GOAL; comments begin with \"//\" or \"/*\"");
      }
    }
  }
  /// Reads the second slash, and the rest of the line.
  void read_comment() {
    constexpr std::string_view mark = "/ lockstep: ";
    std::string text;
    while (m_in.peek() != '\n' && m_in.peek() != end_of_file)
      text.push_back(static_cast<char>(get()));
    if (!text.empty() && text.back() == '\r') text.pop_back();
    if (text.starts_with(mark)) m_remarks.push_back({text.substr(mark.size()), m_line});
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
  std::vector<remark> m_remarks;
};

/// The words and numbers of a remark.
class remark_words {
 public:
  remark_words(tokens const& of, remark const& said)
      : m_tokens(of), m_said(said), m_in(said.text) {}

  [[nodiscard]] std::string take() {
    std::string word;
    m_in >> word;
    return word;
  }
  /// Errors: invalid_argument for anything but a whole number of that type.
  template <class Number>
  [[nodiscard]] Number take_number() {
    auto const word = take();
    Number value = 0;
    auto const [stop, error] = std::from_chars(word.data(), word.data() + word.size(), value);
    if (word.empty() || stop != word.data() + word.size() || error != std::errc()) refuse();
    return value;
  }
  /// Takes a word that has to be this one. Errors: invalid_argument.
  void expect(std::string_view word) {
    if (take() != word) refuse();
  }
  /// Takes one of these words. Errors: invalid_argument.
  template <class Value>
  [[nodiscard]] Value take_one_of(
      std::initializer_list<std::pair<std::string_view, Value>> const& known) {
    auto const word = take();
    for (auto const& [name, value] : known)
      if (name == word) return value;
    refuse();
  }
  [[nodiscard]] bool at_end() { return (m_in >> std::ws).eof(); }
  void expect_end() {
    if (!at_end()) refuse();
  }
  /// Takes the rest but for the blank before it.
  [[nodiscard]] std::string rest() {
    std::string text;
    std::getline(m_in >> std::ws, text);
    return text;
  }
  [[noreturn]] void refuse() const {
    m_tokens.refuse(
        m_said.line,
        fmt::format("\"// lockstep: {}\" is not a comment that lockstep writes: leave it "
                    "out, or write it in another way",
                    m_said.text.substr(0, 40)));
  }

 private:
  tokens const& m_tokens;
  remark const& m_said;
  std::istringstream m_in;
};

/// The remarks of a file that are for all of its ranks.
struct file_remarks {
  bool keeps_order = false;          ///< each rank has the order of its program
  bool is_head = true;               ///< no rank has been read
  std::map<int, int> subset_places;  ///< by their numbers in the file
  std::vector<std::vector<int>> subsets{};
  std::vector<std::string> phases{};
  std::vector<std::string> exceptions{};
  std::map<std::string, std::size_t> phase_places{};
  std::optional<goal_machine> machine{};

  /// Reads what stands outside of ranks.
  void read(tokens& of) {
    for (auto const& said : of.take_remarks()) {
      remark_words words(of, said);
      if (said.text == "in the order of the file") {
        keeps_order = true;
        continue;
      }
      auto const what = words.take();
      if (what == "subset")
        read_subset(said, of);
      else if (what == "except" && !words.at_end())
        exceptions.push_back(words.rest());
      else if (what == "machine" && is_head && !machine)
        machine = read_machine(words);
      else
        words.refuse();
    }
  }
  [[nodiscard]] std::uint64_t phase_place(std::string const& name) {
    auto const [found, is_new] = phase_places.emplace(name, phases.size());
    if (is_new) phases.push_back(name);
    return found->second;
  }

 private:
  /// Reads "ports one switching neighbour packet 1 word 8 on hypercube:4".
  [[nodiscard]] static goal_machine read_machine(remark_words& words) {
    constexpr std::uint64_t most_packet = std::uint64_t{1} << 32U;
    goal_machine read;
    auto& options = read.options;
    words.expect("ports");
    options.ports = words.take_one_of<ports>(
        {{"one", ports::one}, {"all", ports::all}, {"per-pass", ports::per_pass}});
    words.expect("switching");
    options.switching = words.take_one_of<switching>(
        {{"neighbour", switching::neighbour}, {"cut-through", switching::cut_through}});
    words.expect("packet");
    options.packet = words.take_number<std::uint64_t>();
    words.expect("word");
    options.word_bytes = words.take_number<std::size_t>();
    words.expect("on");
    read.network = words.rest();
    if (options.packet < 1 || options.packet > most_packet || options.word_bytes < 1 ||
        read.network.empty())
      words.refuse();
    return read;
  }
  void read_subset(remark const& said, tokens const& of) {
    auto numbers = said;
    std::ranges::replace(numbers.text, ':', ' ');
    remark_words words(of, numbers);
    static_cast<void>(words.take());
    auto const number = words.take_number<int>();
    std::vector<int> members;
    while (!words.at_end()) members.push_back(words.take_number<int>());
    auto sorted = members;
    std::ranges::sort(sorted);
    if (members.empty() || std::ranges::adjacent_find(sorted) != sorted.end() ||
        sorted.front() < 0 ||
        !subset_places.emplace(number, static_cast<int>(subsets.size())).second)
      words.refuse();
    subsets.push_back(std::move(members));
  }
};

/// One rank as it stands in the file.
class rank_block {
 public:
  rank_block(tokens& of, int rank, int ranks, file_remarks& remarks)
      : m_tokens(of), m_rank(rank), m_ranks(ranks), m_remarks(remarks) {}

  void read() {
    m_tokens.expect("{");
    for (read_remarks(); !m_tokens.is_next("}"); read_remarks()) {
      if (m_tokens.at_end())
        m_tokens.refuse(fmt::format("the file ends within rank {}: \"}}\" is missing", m_rank));
      read_statement();
    }
    check_pipelined();
    m_tokens.take();
    resolve_waits();
  }

  [[nodiscard]] std::vector<goal_operation> const& operations() const { return m_operations; }
  /// Lists those that wait for an operation.
  [[nodiscard]] std::vector<std::size_t> const& waiting_for(std::size_t which) const {
    return m_waiting[which];
  }
  /// Counts what an operation waits for.
  [[nodiscard]] std::vector<std::size_t> const& waits() const { return m_waits_for; }

  /// Says that these operations wait for each other. `waits`: what each still waits for.
  [[noreturn]] void refuse_circle(std::vector<std::size_t> const& waits) const {
    auto const stuck = std::ranges::find_if(waits, [](std::size_t of) { return of > 0; });
    auto const& first = m_operations[static_cast<std::size_t>(stuck - waits.begin())];
    m_tokens.refuse(
        first.line,
        fmt::format("operations of rank {} require each other, among or before them that "
                    "of this line",
                    m_rank));
  }

 private:
  struct wait {
    std::string later;
    std::string earlier;
    bool for_its_start = false;  ///< irequires
    std::uint64_t line = 0;
  };

  /// Reads what stands before the next statement for this machine: operations that all others of the
  /// rank come before or after, and how the next message goes.
  void read_remarks() {
    for (auto const& said : m_tokens.take_remarks()) {
      remark_words words(m_tokens, said);
      auto const what = words.take();
      using enum goal_operation::kind;
      if (what == "empty") {
        m_next_is_empty = true;
      } else if (what == "along") {
        m_next_way.dimension = words.take_number<int>();
        m_next_way.offset = words.take_number<int>();
      } else if (what == "pass") {
        m_pass = words.take_number<int>();
      } else if (what == "idle" || what == "rearrange") {
        add_fence({what == "idle" ? idle : rearrange, -1, words.take_number<std::uint64_t>(), 0,
                   said.line});
      } else if (what == "phase") {
        add_fence({phase, -1, m_remarks.phase_place(words.rest()), 0, said.line});
      } else if (what == "barrier") {
        add_fence({barrier, subset_of(words), 0, 0, said.line});
      } else if (what == "pipelined") {
        auto const end = words.take();
        if (end != "begin" && end != "end") words.refuse();
        add_fence(
            {end == "begin" ? begin_pipelined : end_pipelined, subset_of(words), 0, 0, said.line});
      } else {
        words.refuse();
      }
      words.expect_end();
    }
  }
  /// Reads "of subset 2"; -1 where nothing is left.
  [[nodiscard]] int subset_of(remark_words& words) const {
    if (words.at_end()) return -1;
    if (words.take() != "of" || words.take() != "subset") words.refuse();
    auto const found = m_remarks.subset_places.find(words.take_number<int>());
    if (found == m_remarks.subset_places.end()) words.refuse();
    auto const& members = m_remarks.subsets[static_cast<std::size_t>(found->second)];
    if (std::ranges::find(members, m_rank) == members.end() ||
        std::ranges::any_of(members, [&](int member) { return member >= m_ranks; }))
      words.refuse();
    return found->second;
  }
  void add_fence(goal_operation const& made) {
    m_fences.push_back(m_operations.size());
    m_operations.push_back(made);
  }
  /// Errors: invalid_argument for pipelined rounds in each other, or that do not begin or end.
  void check_pipelined() const {
    goal_operation const* open = nullptr;
    for (auto const at : m_fences) {
      auto const& one = m_operations[at];
      bool const begins = one.what == goal_operation::kind::begin_pipelined;
      if (!begins && one.what != goal_operation::kind::end_pipelined) continue;
      if (begins ? open != nullptr : open == nullptr || open->peer != one.peer)
        m_tokens.refuse(one.line, fmt::format("pipelined rounds of rank {} {} here, which {}",
                                              m_rank, begins ? "begin" : "end",
                                              begins ? "have begun already" : "have not begun"));
      open = begins ? &one : nullptr;
    }
    if (open != nullptr)
      m_tokens.refuse(open->line,
                      fmt::format("pipelined rounds of rank {} begin here and do not end", m_rank));
  }

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
    if (made.what != goal_operation::kind::calculate) {
      made.pass = m_pass;
      if (std::exchange(m_next_is_empty, false)) made.amount = 0;
      made.way = std::exchange(m_next_way, along{});
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
    wait_at_fences(before);
  }
  /// Has each fence wait for what stands before it since the last, and all after it for the fence.
  void wait_at_fences(std::vector<std::vector<std::size_t>>& before) {
    for (std::size_t number = 0; number < m_fences.size(); ++number) {
      auto const fence = m_fences[number];
      auto const next = number + 1 < m_fences.size() ? m_fences[number + 1] : m_operations.size();
      for (std::size_t at = number == 0 ? 0 : fence; at < fence; ++at) wait_for(at, fence, before);
      for (std::size_t at = fence + 1; at < next; ++at) {
        wait_for(fence, at, before);
        if (next < m_operations.size()) wait_for(at, next, before);
      }
      if (next == fence + 1 && next < m_operations.size()) wait_for(fence, next, before);
    }
  }
  void wait_for(std::size_t earlier, std::size_t later,
                std::vector<std::vector<std::size_t>>& before) {
    m_waiting[earlier].push_back(later);
    ++m_waits_for[later];
    before[later].push_back(earlier);
  }

  tokens& m_tokens;
  int m_rank;
  int m_ranks;
  file_remarks& m_remarks;
  std::vector<std::size_t> m_fences;  ///< operations of this machine, in the order of the file
  bool m_next_is_empty = false;
  along m_next_way{};
  int m_pass = 0;
  std::vector<goal_operation> m_operations;  ///< in the order of the file
  std::map<std::string, std::size_t> m_labels;
  std::vector<wait> m_waits;
  std::vector<std::vector<std::size_t>> m_waiting;  ///< by operation: those that wait for it
  std::vector<std::size_t> m_waits_for;             ///< by operation: how many it waits for
};

/// Brings the operations of all ranks into the order in which they run.
class ordering {
 public:
  ordering(std::map<int, rank_block> const& blocks, int ranks) : m_ranks(index(ranks)) {
    for (auto const& [rank, block] : blocks) m_ranks[index(rank)].begin(block);
  }

  /// Errors: invalid_argument where operations of a rank wait for each other.
  void run(bool keeps_order, read_goal& into) {
    if (keeps_order) {
      for (auto& one : m_ranks) one.run_all();
    } else {
      run_together();
    }
    for (auto& one : m_ranks) {
      one.check_all_done();
      into.order.partly_ordered += one.was_open && !keeps_order ? 1 : 0;
      into.order.overtaken += one.was_overtaken ? 1 : 0;
      into.ranks.push_back(std::move(one.ordered));
    }
  }

 private:
  using kind = goal_operation::kind;
  /// Messages from a rank to another with a tag.
  struct channel {
    std::int64_t sent = 0;  ///< less those that were received
    int awaited_by = -1;
  };
  using ends = std::tuple<int, int, std::uint64_t>;

  struct rank_order {
    rank_block const* block = nullptr;
    std::vector<std::size_t> waits{};
    std::set<std::size_t> ready{};   ///< by their places in the file
    std::set<std::size_t> active{};  ///< the sends and calculations among them
    std::vector<goal_operation> ordered{};
    bool was_open = false;
    bool was_overtaken = false;

    void begin(rank_block const& of) {
      block = &of;
      waits = of.waits();
      ordered.reserve(waits.size());
      for (std::size_t at = 0; at < waits.size(); ++at)
        if (waits[at] == 0) make_ready(at);
    }
    [[nodiscard]] goal_operation const& operation(std::size_t at) const {
      return block->operations()[at];
    }
    void make_ready(std::size_t at) {
      ready.insert(at);
      if (operation(at).what != kind::receive) active.insert(at);
    }
    void run(std::size_t at) {
      was_open = was_open || ready.size() > 1;
      ready.erase(at);
      active.erase(at);
      ordered.push_back(operation(at));
      for (auto const later : block->waiting_for(at))
        if (--waits[later] == 0) make_ready(later);
    }
    /// Runs the rest in the order of the file.
    void run_all() {
      while (!ready.empty()) run(*ready.begin());
    }
    void check_all_done() const {
      if (block != nullptr && ordered.size() < block->operations().size())
        block->refuse_circle(waits);
    }
  };

  [[nodiscard]] static std::size_t index(int rank) { return static_cast<std::size_t>(rank); }

  [[nodiscard]] channel& channel_of(int rank, goal_operation const& one) {
    return one.what == kind::send ? m_channels[{rank, one.peer, one.tag}]
                                  : m_channels[{one.peer, rank, one.tag}];
  }
  [[nodiscard]] bool may_run(int rank, std::size_t at) {
    auto const& one = m_ranks[index(rank)].operation(at);
    return one.what != kind::receive || channel_of(rank, one).sent > 0;
  }
  void run(int rank, std::size_t at) {
    auto const& one = m_ranks[index(rank)].operation(at);
    if (one.what == kind::receive) --channel_of(rank, one).sent;
    if (one.what == kind::send) {
      auto& to = channel_of(rank, one);
      ++to.sent;
      if (to.awaited_by >= 0) m_next.push_back(std::exchange(to.awaited_by, -1));
    }
    m_ranks[index(rank)].run(at);
  }

  /// Runs a rank until its next receive has no message.
  void go_on(int rank) {
    auto& of = m_ranks[index(rank)];
    while (!of.ready.empty()) {
      auto const at = *of.ready.begin();
      if (!may_run(rank, at)) {
        channel_of(rank, of.operation(at)).awaited_by = rank;
        return;
      }
      run(rank, at);
    }
  }
  /// Runs ranks in the order of the file, each as long as it can, whatever the steps. Where all wait,
  /// each does what it can; where none can, the machine will say so.
  void run_together() {
    for (int rank = 0; rank < static_cast<int>(m_ranks.size()); ++rank) m_next.push_back(rank);
    do {
      while (!m_next.empty()) {
        auto const rank = m_next.back();
        m_next.pop_back();
        go_on(rank);
      }
    } while (overtake());
    for (auto& one : m_ranks) one.run_all();
  }
  /// Result: false if no rank can go on.
  [[nodiscard]] bool overtake() {
    std::vector<std::pair<int, std::size_t>> first;
    for (int rank = 0; rank < static_cast<int>(m_ranks.size()); ++rank) {
      auto const& of = m_ranks[index(rank)];
      if (!of.active.empty()) {
        first.emplace_back(rank, *of.active.begin());
      } else if (auto const found = std::ranges::find_if(
                     of.ready, [&](std::size_t at) { return may_run(rank, at); });
                 found != of.ready.end()) {
        first.emplace_back(rank, *found);
      }
    }
    for (auto const& [rank, at] : first) {
      m_ranks[index(rank)].was_overtaken = true;
      run(rank, at);
      m_next.push_back(rank);
    }
    return !first.empty();
  }

  std::vector<rank_order> m_ranks;
  std::map<ends, channel> m_channels;
  std::vector<int> m_next;
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
  file_remarks remarks;
  std::map<int, rank_block> blocks;
  for (remarks.read(text); !text.at_end(); remarks.read(text)) {
    remarks.is_head = false;
    text.expect("rank");
    auto const at = text.next().line;
    auto const number = text.take_number();
    if (number >= count)
      text.refuse(at, fmt::format("rank {}: ranks are 0 to {}", number, ranks - 1));
    auto const rank = static_cast<int>(number);
    auto const [block, is_new] = blocks.try_emplace(rank, text, rank, ranks, remarks);
    if (!is_new) text.refuse(at, fmt::format("rank {} stands here again", rank));
    block->second.read();
  }
  read_goal read;
  ordering(blocks, ranks).run(remarks.keeps_order, read);
  read.subsets = std::move(remarks.subsets);
  read.phases = std::move(remarks.phases);
  read.exceptions = std::move(remarks.exceptions);
  read.machine = std::move(remarks.machine);
  return read;
}

std::optional<goal_machine> read_goal_machine(std::istream& in, std::string const& file) {
  tokens text(in, file);
  static_cast<void>(text.take_if("num_ranks") && text.take_if(text.next().text));
  file_remarks remarks;
  remarks.read(text);
  return std::move(remarks.machine);
}

}  // namespace lockstep::detail
