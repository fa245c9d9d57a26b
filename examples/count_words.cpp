// How often each word of a text occurs, counted by 64 processors, each with a part of the
// text and an even share of the counters. A few words are frequent: sent straight to the processor
// of their counter, they make it a hot spot. A random access write spreads them first.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <iomanip>
#include <iostream>
#include <map>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <lockstep/lockstep.hpp>

using word_list = std::vector<std::string>;
using counters = std::vector<std::uint32_t>;

/// A text in which the r-th of 4096 words occurs about 1/r times as often as the first (Zipf).
word_list generated_text(std::size_t length) {
  constexpr std::size_t different = 4096;
  std::vector<double> up_to{0};
  for (std::size_t rank = 1; rank <= different; ++rank)
    up_to.push_back(up_to.back() + 1.0 / static_cast<double>(rank));
  std::uint64_t state = 1;
  word_list text;
  for (std::size_t i = 0; i < length; ++i) {
    state = state * 6364136223846793005U + 1442695040888963407U;
    auto const drawn = static_cast<double>(state >> 40U) / static_cast<double>(1U << 24U);
    auto const found = std::ranges::upper_bound(up_to, drawn * up_to.back());
    text.push_back(std::string("word").append(std::to_string(found - up_to.begin())));
  }
  return text;
}

/// The index of each word of a text among the different ones, and how many these are.
struct indexed_text {
  explicit indexed_text(word_list const& text) {
    std::map<std::string, std::size_t> index_of;
    for (auto const& word : text)
      indices.push_back(index_of.try_emplace(word, index_of.size()).first->second);
    different = index_of.size();
  }

  std::vector<std::size_t> indices;
  std::size_t different = 0;
};

using loads_by_name = std::map<std::string, std::uint64_t>;

/// Adds up the words into the port of each processor and over each link. A crossbar has a link from
/// each processor to each other one.
class load_table : public lockstep::observer {
 public:
  void message(lockstep::message_record const& seen) override {
    into_port[std::to_string(seen.to)] += seen.words;
    over_link[std::to_string(seen.from) + " > " + std::to_string(seen.to)] += seen.words;
  }

  loads_by_name into_port;
  loads_by_name over_link;
};

/// The counters, and what it cost to get them.
struct counted {
  counters counts;
  load_table loads;
  lockstep::run_record run;
};

/// Runs `count(me, indices of this processor, its counters)` on 64 processors.
template <class Count>
counted count_on_machine(indexed_text const& text, lockstep::bucket_layout const& layout,
                         Count const& count) {
  lockstep::machine const machine{lockstep::crossbar{layout.processors()}};
  lockstep::bucket_layout const parts(text.indices.size(), layout.processors());
  counters counts(layout.elements());
  load_table loads;
  auto const count_own = [&](lockstep::processor& me) {
    count(me, std::span(text.indices).subspan(parts.first_of(me.rank()), parts.size_of(me.rank())),
          std::span(counts).subspan(layout.first_of(me.rank()), layout.size_of(me.rank())));
  };
  auto run = machine.run(count_own, loads);
  return {std::move(counts), std::move(loads), std::move(run)};
}

/// Prints the start-ups and words, and the most words into a port.
void print_costs(std::string const& name, counted const& done) {
  std::uint64_t hottest = 0;
  std::uint64_t all = 0;
  for (auto const& processor : done.run.processors()) {
    hottest = std::max(hottest, processor.words_received);
    all += processor.words_received;
  }
  std::cout << name << ": start-ups " << done.run.counts().startups << ", words "
            << done.run.counts().words << "; into a port at most " << hottest << ", on average "
            << all / done.run.processors().size() << '\n';
}

/// Prints a table of the three places with the most words of the direct exchange.
void print_hot_spots(std::string const& place, loads_by_name const& naive, loads_by_name spread) {
  std::vector<std::pair<std::uint64_t, std::string>> hottest;
  for (auto const& [name, words] : naive) hottest.emplace_back(words, name);
  std::ranges::partial_sort(hottest, hottest.begin() + 3, std::greater<>());
  std::cout << std::left << std::setw(10) << place << std::right << std::setw(10) << "straight"
            << std::setw(10) << "spread" << '\n';
  for (auto const& [words, name] : std::span(hottest).first(3))
    std::cout << std::left << std::setw(10) << name << std::right << std::setw(10) << words
              << std::setw(10) << spread[name] << '\n';
}

int main() {
  indexed_text const text(generated_text(std::size_t{64} * 4096));
  lockstep::bucket_layout const layout(text.different, 64,
                                       lockstep::best_buckets_each(text.different, 64));

  auto const naive = count_on_machine(
      text, layout, [&](lockstep::processor& me, auto indices, std::span<std::uint32_t> mine) {
        auto const owner = [&](std::size_t index) { return layout.owner(index); };
        for (auto const index : lockstep::h_relation_direct(me, indices, owner))
          ++mine[index - layout.first_of(me.rank())];
      });
  auto const spread = count_on_machine(
      text, layout, [&](lockstep::processor& me, auto indices, std::span<std::uint32_t> mine) {
        std::vector<std::uint32_t> const ones(indices.size(), 1);
        lockstep::random_access_write(me, layout, indices, std::span(ones),
                                      std::plus<std::uint32_t>(), mine);
      });

  counters expected(text.different);
  for (auto const index : text.indices) ++expected[index];
  bool const is_right = naive.counts == expected && spread.counts == expected;
  std::cout << text.indices.size() << " words, " << text.different << " different, the first "
            << std::ranges::max(expected) << " times: " << (is_right ? "right\n" : "WRONG\n");
  print_costs("straight to the counters", naive);
  print_costs("random access write     ", spread);
  print_hot_spots("words into", naive.loads.into_port, spread.loads.into_port);
  print_hot_spots("over link", naive.loads.over_link, spread.loads.over_link);
  return is_right ? 0 : 1;
}

// prints: 262144 words, 4095 different, the first 29432 times: right
// prints: straight to the counters: start-ups 63, words 104627; into a port at most 104627,
// prints: random access write     : start-ups 169, words 9274; into a port at most 8576,
// prints: words into  straight    spread
// prints: 0             104627      8507
// prints: over link   straight    spread
// prints: 54 > 0          1779       127
