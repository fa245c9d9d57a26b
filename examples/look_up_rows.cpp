// Rows of an embedding table, looked up by 64 processors, each with an even share of the
// table and of the tokens. Some tokens are frequent: asked straight, the processor of their rows
// answers nearly all. A random access read gathers the requests for a row, and copies it as often
// as needed.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <iomanip>
#include <iostream>
#include <map>
#include <random>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <lockstep/lockstep.hpp>

constexpr std::size_t row_length = 16;

/// The number at a place of the table.
float entry_at(std::size_t row, std::size_t column) {
  return static_cast<float>(row) + static_cast<float>(column) / row_length;
}

/// Tokens, three of four of them among eight frequent ones.
std::vector<std::size_t> generated_tokens(std::size_t count, std::size_t rows) {
  std::mt19937 random(7);
  std::vector<std::size_t> tokens(count);
  for (auto& token : tokens) token = random() % 4 == 0 ? random() % rows : random() % 8;
  return tokens;
}

/// Asks the processors of the rows in one exchange, which answer in another.
std::vector<float> ask_straight(lockstep::processor& me, lockstep::bucket_layout const& layout,
                                std::span<std::size_t const> tokens, std::span<float const> table) {
  auto const owner = [&](std::size_t token) { return layout.owner(token); };
  lockstep::transportation_options const directly{.route = lockstep::transportation_route::direct};
  auto const asked = lockstep::transportation(me, tokens, owner, directly);
  std::vector<float> answers;
  for (auto const token : asked.elements) {
    auto const row = table.subspan((token - layout.first_of(me.rank())) * row_length, row_length);
    answers.insert(answers.end(), row.begin(), row.end());
  }
  return lockstep::transportation_back(me, asked.route, std::span<float const>(answers), directly,
                                       row_length);
}

using loads_by_name = std::map<std::string, std::uint64_t>;

/// Adds up the words out of the port of each processor and over each link. A crossbar has a link
/// from each processor to each other one.
class load_table : public lockstep::observer {
 public:
  void message(lockstep::message_record const& seen) override {
    out_of_port[std::to_string(seen.from)] += seen.words;
    over_link[std::to_string(seen.from) + " > " + std::to_string(seen.to)] += seen.words;
  }

  loads_by_name out_of_port;
  loads_by_name over_link;
};

/// Prints the start-ups and words, and the most words out of a port.
void print_costs(std::string const& name, lockstep::run_record const& run) {
  std::uint64_t hottest = 0;
  std::uint64_t all = 0;
  for (auto const& processor : run.processors()) {
    hottest = std::max(hottest, processor.words_sent);
    all += processor.words_sent;
  }
  std::cout << name << ": start-ups " << run.counts().startups << ", words " << run.counts().words
            << "; out of a port at most " << hottest << ", on average "
            << all / run.processors().size() << '\n';
}

/// Prints a table of the three places with the most words of the direct exchange.
void print_hot_spots(std::string const& place, loads_by_name const& naive, loads_by_name gathered) {
  std::vector<std::pair<std::uint64_t, std::string>> hottest;
  for (auto const& [name, words] : naive) hottest.emplace_back(words, name);
  std::ranges::partial_sort(hottest, hottest.begin() + 3, std::greater<>());
  std::cout << std::left << std::setw(13) << place << std::right << std::setw(10) << "straight"
            << std::setw(10) << "gathered" << '\n';
  for (auto const& [words, name] : std::span(hottest).first(3))
    std::cout << std::left << std::setw(13) << name << std::right << std::setw(10) << words
              << std::setw(10) << gathered[name] << '\n';
}

int main() {
  int const p = 64;
  lockstep::bucket_layout const layout(8192, p, lockstep::best_buckets_each(8192, p));
  auto const tokens = generated_tokens(std::size_t{64} * 512, layout.elements());
  lockstep::bucket_layout const shares(tokens.size(), p);
  lockstep::machine const machine{lockstep::crossbar{p}};

  // Looks up, and says whether all rows are those of the tokens.
  auto const run_with = [&](auto const& look_up, load_table& loads) {
    auto const look_up_own = [&](lockstep::processor& me) {
      std::vector<float> table;
      for (auto row = layout.first_of(me.rank()); row < layout.first_of(me.rank() + 1); ++row)
        for (std::size_t column = 0; column < row_length; ++column)
          table.push_back(entry_at(row, column));
      auto const mine =
          std::span(tokens).subspan(shares.first_of(me.rank()), shares.size_of(me.rank()));
      std::vector<float> const rows = look_up(me, mine, std::span<float const>(table));
      std::vector<float> expected;
      for (auto const token : mine)
        for (std::size_t column = 0; column < row_length; ++column)
          expected.push_back(entry_at(token, column));
      return rows == expected;
    };
    return machine.run(look_up_own, loads);
  };
  load_table naive_loads;
  auto const naive = run_with([&](lockstep::processor& me, auto mine,
                                  auto table) { return ask_straight(me, layout, mine, table); },
                              naive_loads);
  load_table gathered_loads;
  auto const gathered = run_with(
      [&](lockstep::processor& me, auto mine, auto table) {
        return lockstep::random_access_read(me, layout, mine, table, {.elements_each = row_length})
            .values;
      },
      gathered_loads);

  bool is_right = true;
  for (auto const* const run : {&naive, &gathered})
    for (bool const right : run->results()) is_right = is_right && right;
  std::cout << tokens.size() << " tokens, " << layout.elements() << " rows of " << row_length
            << (is_right ? ": right\n" : ": WRONG\n");
  print_costs("straight from the table", naive);
  print_costs("random access read     ", gathered);
  print_hot_spots("words out of", naive_loads.out_of_port, gathered_loads.out_of_port);
  print_hot_spots("over link", naive_loads.over_link, gathered_loads.over_link);
  return is_right ? 0 : 1;
}

// prints: 32768 tokens, 8192 rows of 16: right
// prints: straight from the table: start-ups 126, words 411553; out of a port at most 387470,
// prints: random access read     : start-ups 293, words 35859; out of a port at most 25335,
// prints: words out of   straight  gathered
// prints: 0                387470     22954
// prints: over link      straight  gathered
// prints: 0 > 61             6547       250
