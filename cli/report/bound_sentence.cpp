#include "report/bound_sentence.hpp"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "report/text_table.hpp"

namespace lockstep::cli {

namespace {

using nlohmann::ordered_json;

/// Lists the whole numbers of a formula: 5184 and 24 of "5184 words between halves, over 24 links".
std::vector<std::uint64_t> numbers_of(std::string_view formula) {
  std::vector<std::uint64_t> numbers;
  auto const is_digit = [](char one) { return std::isdigit(static_cast<unsigned char>(one)) != 0; };
  while (true) {
    auto const first = std::ranges::find_if(formula, is_digit);
    if (first == formula.end()) return numbers;
    formula.remove_prefix(static_cast<std::size_t>(first - formula.begin()));
    auto const end = std::ranges::find_if_not(formula, is_digit);
    auto const length = static_cast<std::size_t>(end - formula.begin());
    std::from_chars(formula.data(), formula.data() + length, numbers.emplace_back());
    formula.remove_prefix(length);
  }
}

/// Writes the sentence on one bound.
class bound_writer {
 public:
  bound_writer(lower_bound const& bound, run_record const& run, ordered_json const& drawing)
      : m_bound(bound), m_run(run), m_drawing(drawing), m_numbers(numbers_of(bound.formula)) {}

  [[nodiscard]] std::string sentence() const {
    switch (m_bound.reason) {
      case bound_reason::distance:
        return distance();
      case bound_reason::spreading:
        return spreading();
      case bound_reason::in_port:
        if (m_bound.figure == "steps")
          return m_bound.formula.find(" through ") == std::string::npos ? intake() : layer();
        return port({"take in", "takes in", "in-port", ""}, &processor_record::words_received);
      case bound_reason::out_port:
        return port({"send", "sends", "out-port", "where no message queues, "},
                    &processor_record::words_sent);
      case bound_reason::halves:
        return halves();
      case bound_reason::links:
        return links();
      case bound_reason::moved:
        return fmt::format(
            "Processors have to take in {} altogether that others have, and the volume counts "
            "each.",
            counted(m_bound.value, "word"));
    }
    return {};
  }

 private:
  /// The number at that place of the formula; the bound itself if the formula has none.
  [[nodiscard]] std::uint64_t number(std::size_t at) const {
    return at < m_numbers.size() ? m_numbers[at] : m_bound.value;
  }

  [[nodiscard]] std::string distance() const {
    auto text = fmt::format("Something has to go over {}", counted(m_bound.value, "link"));
    if (!m_drawing.is_null()) {
      auto const& ranks = m_drawing.at("ranks");
      text += fmt::format(", as far as from processor {} to processor {}", ranks.front().get<int>(),
                          ranks.back().get<int>());
    }
    text +=
        m_bound.figure == "steps" ? ", and in a step it goes over one." : ", each of them a hop.";
    if (m_bound.formula == "diameter") text += " No two processors are farther apart.";
    return text;
  }

  [[nodiscard]] std::string spreading() const {
    auto const factor = m_numbers.size() == 2 ? m_numbers[0] : 2;
    auto const joined = grouped(m_numbers.size() == 2 ? m_numbers[1] : 2);
    auto const growth = factor == 2 ? "doubles" : fmt::format("grows {}-fold", factor);
    auto const ports =
        factor == 2 ? "one port" : fmt::format("at most {} ports", grouped(factor - 1));
    return fmt::format(
        "Something of one processor has to reach {0} processors, itself included, or one processor "
        "needs something of {0}. In a step, the number of those reached at most {1}, for each has "
        "{2}, which makes {3} for {0}.",
        joined, growth, ports, counted(m_bound.value, "step"));
  }

  /// The words for what goes through ports of one kind.
  struct port_words {
    std::string_view verb;
    std::string_view does;
    std::string_view which;
    std::string_view provided;
  };

  /// Explains the words through the ports of one processor.
  [[nodiscard]] std::string port(port_words const& is,
                                 std::uint64_t processor_record::*words) const {
    auto text = fmt::format("A processor has to {} {}, and {}", is.verb, counted(number(0), "word"),
                            is.provided);
    if (m_numbers.size() < 2)
      text += fmt::format("they go through its one {}, one after the other.", is.which);
    else
      text += fmt::format(
          "at least {} of them {} through one of its {}s, of which it has at most {}.",
          grouped(m_bound.value), m_bound.value == 1 ? "goes" : "go", is.which, grouped(number(1)));
    if (m_drawing.is_null()) return text;
    auto const rank = m_drawing.at("rank").get<std::size_t>();
    return text + fmt::format(" In this run, processor {} {} most, {}.", rank, is.does,
                              counted(m_run.processors().at(rank).*words, "word"));
  }

  /// Explains the steps that words into one processor take.
  [[nodiscard]] std::string intake() const {
    auto text = fmt::format(
        "The links of processor {} are the only ways for {} that it or those beyond it need, and "
        "they "
        "come in through its one in-port, one after the other.",
        number(1), counted(number(0), "word"));
    if (number(2) > 0)
      text += fmt::format(
          " Each of them is needed farther on, so that the last one still has to go over "
          "{} more.",
          counted(number(2), "link"));
    return text;
  }

  /// Explains the steps that records take through a layer of a hypercube.
  [[nodiscard]] std::string layer() const {
    return fmt::format(
        "A link changes one bit of a rank, so that {} have to go through the {} with {} in their "
        "ranks. "
        "Each takes in, and sends, one in a step, and one of them has at least {}.",
        counted(number(0), "record"), counted(number(1), "processor"), counted(number(2), "one"),
        grouped(m_bound.value));
  }

  /// Names the side of a cut.
  [[nodiscard]] std::string side() const {
    constexpr std::size_t most_named = 8;
    auto const ranks = m_drawing.at("side").get<std::vector<int>>();
    if (ranks.size() == 1) return fmt::format("processor {}", ranks.front());
    auto const last = ranks.front() + static_cast<int>(ranks.size()) - 1;
    if (ranks.back() == last) return fmt::format("processors {} to {}", ranks.front(), last);
    if (ranks.size() <= most_named) return fmt::format("processors {}", fmt::join(ranks, ", "));
    return fmt::format("processor {} and {} more", ranks.front(), ranks.size() - 1);
  }

  [[nodiscard]] std::string halves() const {
    auto const between =
        m_drawing.is_null() ? "from one half to another" : "from " + side() + " to the others";
    return fmt::format(
        "However the processors are halved, {} to get from one half to the other. Only {} {}, "
        "so that one of them carries at least {}, one after the other.",
        number(0) == 1 ? "1 word has" : grouped(number(0)) + " words have",
        number(1) == 1 ? "1 link leads" : grouped(number(1)) + " links lead", between,
        counted(m_bound.value, "word"));
  }

  [[nodiscard]] std::string links() const {
    auto const ways = fmt::format("The ways that words have to go have {} altogether",
                                  counted(number(0), "link"));
    if (m_bound.figure == "volume") return ways + ", and the volume counts a word on each of them.";
    if (m_bound.formula.ends_with("ports"))
      return fmt::format(
          "{}. Each of the {} in-ports takes in a word over one link at a time, so that one takes "
          "in "
          "at least {}.",
          ways, grouped(number(1)), counted(m_bound.value, "word"));
    return fmt::format(
        "{}. Each of the machine's {} links carries one word at a time, so that one carries at "
        "least "
        "{}.",
        ways, grouped(number(1)), counted(m_bound.value, "word"));
  }

  lower_bound const& m_bound;
  run_record const& m_run;
  ordered_json const& m_drawing;
  std::vector<std::uint64_t> m_numbers;
};

}  // namespace

std::string sentence_on(lower_bound const& bound, run_record const& run,
                        ordered_json const& drawing) {
  return bound_writer(bound, run, drawing).sentence();
}

}  // namespace lockstep::cli
