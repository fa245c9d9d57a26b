#include "space_time.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <string_view>

#include <fmt/format.h>

namespace lockstep::docs {

namespace {

/// Colours of phases, which people with any colour vision can tell apart (seven of Okabe and Ito, one of Tol).
constexpr std::array<std::string_view, 8> colours{"#0072b2", "#d55e00", "#009e73", "#cc79a7",
                                                  "#8c6d00", "#56b4e9", "#000000", "#882255"};

std::string in_xml(std::string_view text) {
  std::string result;
  for (char const one : text) {
    if (one == '<')
      result += "&lt;";
    else if (one == '&')
      result += "&amp;";
    else
      result += one;
  }
  return result;
}

/// Where what stands in the picture, in pixels.
struct diagram_layout {
  double left = 0;
  double top = 30;
  double step = 0;  ///< width
  double row = 0;   ///< height

  [[nodiscard]] double x(double steps) const { return left + steps * step; }
  [[nodiscard]] double y(int rank) const { return top + (rank + 0.5) * row; }
};

class diagram {
 public:
  diagram(topology const& network, run_record const& record,
          std::vector<message_record> const& messages)
      : m_network(network), m_record(record), m_messages(messages) {
    std::size_t widest = 0;
    for (int rank = 0; rank < network.size(); ++rank)
      widest = std::max(widest, network.label(rank).size());
    for (auto const& one : messages) {
      m_steps = std::max(m_steps, one.step);
      m_most_words = std::max(m_most_words, one.words);
    }
    m_at.left = std::max(48.0, 16 + 7.5 * static_cast<double>(widest));
    m_at.step =
        std::clamp(860.0 / static_cast<double>(std::max<std::uint64_t>(m_steps, 1)), 26.0, 90.0);
    m_at.row = network.size() > 32 ? 15 : 24;
  }

  std::string str() {
    add_steps();
    add_processors();
    for (auto const& one : m_messages) add_message(one);
    auto const height = add_legend();
    auto const width = std::max(m_at.x(static_cast<double>(m_steps)) + 14, 420.0);
    return fmt::format(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0:.0f} {1:.0f}\" "
        "width=\"{0:.0f}\" height=\"{1:.0f}\" font-family=\"DejaVu Sans, sans-serif\" "
        "font-size=\"12\">\n<rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n{2}</svg>\n",
        width, height, m_body);
  }

 private:
  void add_steps() {
    auto const bottom = m_at.y(m_network.size() - 1) + m_at.row / 2;
    m_body += fmt::format("<text x=\"8\" y=\"18\" fill=\"#444\">step</text>\n");
    for (std::uint64_t step = 1; step <= m_steps; ++step)
      m_body += fmt::format(
          "<path d=\"M{0:.1f} {1:.1f}V{2:.1f}\" stroke=\"#e3e6ea\"/>"
          "<text x=\"{3:.1f}\" y=\"18\" text-anchor=\"middle\" fill=\"#444\">{4}</text>\n",
          m_at.x(static_cast<double>(step)), m_at.top, bottom,
          m_at.x(static_cast<double>(step) - 0.5), step);
  }

  void add_processors() {
    auto const end = m_at.x(static_cast<double>(m_steps));
    for (int rank = 0; rank < m_network.size(); ++rank)
      m_body += fmt::format(
          "<text x=\"8\" y=\"{0:.1f}\" fill=\"#222\" xml:space=\"preserve\">{1}</text>"
          "<path d=\"M{2:.1f} {3:.1f}H{4:.1f}\" stroke=\"#9aa4b1\"/>\n",
          m_at.y(rank) + 4, in_xml(m_network.label(rank)), m_at.left, m_at.y(rank), end);
  }

  void add_message(message_record const& one) {
    auto const from_x = m_at.x(static_cast<double>(one.step) - 0.9);
    auto const to_x = m_at.x(static_cast<double>(one.step) - 0.1);
    auto const from_y = m_at.y(one.from);
    auto const to_y = m_at.y(one.to);
    auto const share = m_most_words == 0
                           ? 0.0
                           : static_cast<double>(one.words) / static_cast<double>(m_most_words);
    m_body += fmt::format(
        "<path d=\"M{0:.1f} {1:.1f}L{2:.1f} {3:.1f}\" stroke=\"{4}\" stroke-width=\"{5:.1f}\" "
        "opacity=\".75\"{6}/><circle cx=\"{2:.1f}\" cy=\"{3:.1f}\" r=\"2.6\" fill=\"{4}\"/>\n",
        from_x, from_y, to_x, to_y, colour_of(one.phase), 0.9 + 2.1 * share,
        one.words == 0 ? " stroke-dasharray=\"3 3\"" : "");
  }

  /// Phases of one name have one colour.
  [[nodiscard]] std::string_view colour_of(std::size_t phase) const {
    if (phase == no_phase) return colours[0];
    auto const& phases = m_record.phases();
    auto const first = std::ranges::find(phases, phases[phase].name, &phase_record::name);
    return colours[static_cast<std::size_t>(first - phases.begin()) % colours.size()];
  }

  /// Lists the phases in which messages came in. Result: where the picture ends.
  double add_legend() {
    auto y = m_at.y(m_network.size() - 1) + m_at.row / 2 + 22;
    auto const& phases = m_record.phases();
    for (std::size_t i = 0; i < phases.size(); ++i) {
      bool const is_first = std::ranges::find(phases, phases[i].name, &phase_record::name) ==
                            phases.begin() + static_cast<std::ptrdiff_t>(i);
      if (!is_first || phases[i].rounds == 0) continue;
      m_body += fmt::format(
          "<rect x=\"8\" y=\"{0:.1f}\" width=\"12\" height=\"12\" fill=\"{1}\"/>"
          "<text x=\"26\" y=\"{2:.1f}\" fill=\"#222\">{3}, from step {4}</text>\n",
          y - 11, colour_of(i), y, in_xml(phases[i].name), phases[i].first_step);
      y += 18;
    }
    return y - 8;
  }

  topology const& m_network;
  run_record const& m_record;
  std::vector<message_record> const& m_messages;
  diagram_layout m_at;
  std::uint64_t m_steps = 0;
  std::uint64_t m_most_words = 0;
  std::string m_body;
};

}  // namespace

std::string space_time_diagram(topology const& network, run_record const& record,
                               std::vector<message_record> const& messages) {
  return diagram(network, record, messages).str();
}

}  // namespace lockstep::docs
