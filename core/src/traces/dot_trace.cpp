#include <lockstep/traces/dot_trace.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <set>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include <lockstep/detail/quoted.hpp>
#include <lockstep/errors.hpp>

#include "floor_plan.hpp"

namespace lockstep {

namespace {

using detail::curve;
using detail::point;

// In points.
constexpr double unit = 80;
constexpr double radius = 13;
constexpr double arrow = 8;
constexpr double margin = 30;
constexpr double beside_link = 3;  // opposite messages run side by side

constexpr auto sends_colour = "#fff2cc";
constexpr auto takes_in_colour = "#cfe2f3";
constexpr auto both_colour = "#d9ead3";

/// The words of the messages on a link.
struct load {
  std::vector<std::uint64_t> words;
  bool contended = false;

  [[nodiscard]] bool empty() const {
    return std::all_of(words.begin(), words.end(), [](auto each) { return each == 0; });
  }
};

std::string label_of(load const& on) {
  constexpr std::size_t most_named = 3;
  if (on.words.size() <= most_named) return fmt::format("{}", fmt::join(on.words, " + "));
  std::uint64_t sum = 0;
  for (auto const words : on.words) sum += words;
  return fmt::format("{} of {}", sum, on.words.size());
}

double towards(double from, double to, double share) { return from + share * (to - from); }

/// Finds the point at this distance from `from` on the way to `to`.
point towards(point const& from, point const& to, double distance) {
  auto const share = distance / std::max(1e-9, std::hypot(to.x - from.x, to.y - from.y));
  return {towards(from.x, to.x, share), towards(from.y, to.y, share)};
}

std::string text_of(point const& at) { return fmt::format("{:.1f},{:.1f}", at.x, at.y); }

point in_points(point const& at) { return {unit * at.x, unit * at.y}; }

curve in_points(curve const& way) {
  return {in_points(way.from), in_points(way.first_control), in_points(way.second_control),
          in_points(way.to)};
}

/// Writes the link's line from rim to rim of the two processors, for Graphviz.
std::string line_of(curve const& way) {
  return fmt::format("{} {} {} {}", text_of(towards(way.from, way.first_control, radius)),
                     text_of(way.first_control), text_of(way.second_control),
                     text_of(towards(way.to, way.second_control, radius)));
}

/// Gives the unit vector to the right of the way.
point right_of(curve const& way) {
  auto const length = std::hypot(way.to.x - way.from.x, way.to.y - way.from.y);
  return {(way.to.y - way.from.y) / length, -(way.to.x - way.from.x) / length};
}

point moved(point const& at, point const& direction, double distance) {
  return {at.x + distance * direction.x, at.y + distance * direction.y};
}

/// Places a label of that many characters beside the link: outside a bow, near its beginning, since
/// the link back may have one, too.
point label_place(curve const& way, point const& right, std::size_t characters) {
  auto const room = 6 + std::abs(right.x) * 2.5 * static_cast<double>(characters);
  if (!way.bowed()) return moved(way.at(0.5), right, beside_link + room);
  point const chord{(way.from.x + way.to.x) / 2, (way.from.y + way.to.y) / 2};
  auto const top = way.at(0.5);
  auto const out = towards(chord, top, std::hypot(top.x - chord.x, top.y - chord.y) + room + 2);
  auto const along = way.at(0.35);
  return {along.x + out.x - top.x, along.y + out.y - top.y};
}

/// The look of an arrow.
struct pen {
  std::string_view colour;
  double width;
  std::string_view style;
};

pen pen_for(load const& on) {
  if (on.empty()) return {"#888888", 1.0, "dashed"};
  if (on.contended) return {"#cc0000", 2.2, "solid"};
  return {"#0b5394", 1.4, "solid"};
}

/// Writes "3 messages of 6 words and 1 empty one", without the part that counts nothing.
std::string text_of(step_record const& seen, std::size_t empty) {
  if (seen.messages == 0)
    return fmt::format("{} empty {}", empty, empty == 1 ? "message" : "messages");
  auto text =
      fmt::format("{} {} of {} {}", seen.messages, seen.messages == 1 ? "message" : "messages",
                  seen.volume, seen.volume == 1 ? "word" : "words");
  if (empty > 0) text += fmt::format(" and {} empty {}", empty, empty == 1 ? "one" : "ones");
  if (seen.contention > 1) text += fmt::format("; {} share a link", seen.contention);
  return text;
}

/// Writes an arrow along the link, on its right side, with a label.
std::string arrow_of(link const& which, curve const& way, load const& on) {
  auto const right = right_of(way);
  auto const shifted = [&](point const& at) { return text_of(moved(at, right, beside_link)); };
  auto const label = label_of(on);
  auto const drawn = pen_for(on);
  return fmt::format(
      "  {} -> {} [pos=\"e,{} {} {} {} {}\", label=\"{}\", lp=\"{}\", color=\"{}\", "
      "fontcolor=\"{}\", "
      "penwidth={}, style={}];\n",
      which.from, which.to, shifted(towards(way.to, way.second_control, radius)),
      shifted(towards(way.from, way.first_control, radius)), shifted(way.first_control),
      shifted(way.second_control), shifted(towards(way.to, way.second_control, radius + arrow)),
      label, text_of(label_place(way, right, label.size())), drawn.colour, drawn.colour,
      drawn.width, drawn.style);
}

/// Writes a line of text around that point.
std::string text_line(std::string_view name, point const& at, int size, std::string_view text) {
  return fmt::format(
      "  {} [shape=plaintext, style=\"\", fixedsize=false, pos=\"{}\", fontsize={}, label={}];\n",
      name, text_of(at), size, detail::dot_quoted(text));
}

}  // namespace

dot_trace::dot_trace(std::ostream& out, machine const& traced, trace_labels labels,
                     std::size_t most_pictures)
    : trace(out, std::move(labels.name)),
      m_machine(traced),
      m_title(labels.program.empty()
                  ? traced.topology().spec()
                  : fmt::format("{} on {}", labels.program, traced.topology().spec())),
      m_most_pictures(most_pictures) {
  if (traced.size() > most_processors)
    throw invalid_argument(
        fmt::format("a picture has room for {} processors, and {} has {}; take a smaller machine, "
                    "or another kind of trace",
                    most_processors, traced.topology().spec(), traced.size()));
  m_plan = std::make_unique<detail::floor_plan const>(traced.topology());
  m_network = drawn_network();
}

dot_trace::~dot_trace() = default;

std::string dot_trace::drawn_network() const {
  auto const& network = m_machine.topology();
  std::string text =
      "  node [shape=circle, fixedsize=true, width=0.36, fontsize=10, style=filled, "
      "fillcolor=white, color=\"#666666\"];\n"
      "  edge [fontsize=9, arrowsize=0.7];\n";
  for (int rank = 0; rank < network.size(); ++rank)
    text += fmt::format("  {} [pos=\"{}\"];\n", rank, text_of(in_points(m_plan->place_of(rank))));
  // Those of a network as dense as a crossbar would hide the rest.
  if (network.links() > link_number{16} * network.size()) return text;
  std::set<link> drawn;
  for (int rank = 0; rank < network.size(); ++rank)
    for (auto const& next : network.neighbours(rank)) {
      link const both{std::min(rank, next.rank), std::max(rank, next.rank)};
      if (both.from == both.to || !drawn.insert(both).second) continue;
      text += fmt::format("  {} -> {} [dir=none, color=\"#cccccc\", pos=\"{}\"];\n", both.from,
                          both.to, line_of(in_points(m_plan->way_of(both))));
    }
  return text;
}

void dot_trace::phase(phase_start const& begun) { m_phase = begun.name; }

void dot_trace::message(message_record const& seen) {
  if (!failed() && m_pictures < m_most_pictures) m_messages.push_back(seen);
}

void dot_trace::step(step_record const& seen) {
  if (seen.rounds == 0 || failed()) return;
  if (m_pictures < m_most_pictures) {
    ++m_pictures;
    draw(seen);
  } else {
    leave_out(fmt::format(
        "has pictures of the first {} steps with messages; trace a shorter run, or name a .json "
        "file",
        m_most_pictures));
  }
  m_messages.clear();
}

void dot_trace::draw(step_record const& seen) {
  // So that names sort where each becomes a file.
  write(fmt::format("digraph step_{:06} {{\n", seen.step));
  write(drawn_texts(seen));
  write(m_network);
  write(coloured_processors());
  write(drawn_messages());
  write("}\n");
}

/// Writes the picture's size, and the lines above and below the network.
std::string dot_trace::drawn_texts(step_record const& seen) const {
  auto const network = in_points(m_plan->extent());
  auto const middle = network.x / 2;
  auto const title = seen.phase == no_phase ? fmt::format("step {}", seen.step)
                                            : fmt::format("step {}: {}", seen.step, m_phase);
  auto const empty = static_cast<std::size_t>(std::count_if(
      m_messages.begin(), m_messages.end(), [](auto const& each) { return each.words == 0; }));
  auto const figures = text_of(seen, empty);
  auto const legend = fmt::format("yellow: sends   blue: takes in   green: both{}",
                                  empty > 0 ? "   dashed: empty" : "");
  auto const longest = std::max(
      {10.0 * static_cast<double>(title.size()), 7.5 * static_cast<double>(m_title.size()),
       7.0 * static_cast<double>(figures.size()), 5.5 * static_cast<double>(legend.size())});
  auto const half = std::max(middle, longest / 2) + margin;
  return fmt::format(
             "  graph [layout=nop2, bb=\"{:.0f},{:.0f},{:.0f},{:.0f}\", "
             "outputorder=edgesfirst, fontname=\"Helvetica\"];\n"
             "  node [fontname=\"Helvetica\"];\n  edge [fontname=\"Helvetica\"];\n",
             middle - half, -3 * margin, middle + half, network.y + 3.4 * margin) +
         text_line("machine", {middle, network.y + 2.9 * margin}, 12, m_title) +
         text_line("title", {middle, network.y + 2.2 * margin}, 16, title) +
         text_line("figures", {middle, network.y + 1.5 * margin}, 11, figures) +
         text_line("legend", {middle, -2.4 * margin}, 9, legend);
}

std::string dot_trace::coloured_processors() const {
  std::map<int, std::pair<bool, bool>> active;  // sends, takes in
  for (auto const& each : m_messages) {
    if (each.sent == each.step) active[each.from].first = true;
    active[each.to].second = true;
  }
  std::string text;
  for (auto const& [rank, does] : active)
    text += fmt::format("  {} [fillcolor=\"{}\"];\n", rank,
                        does.first && does.second ? both_colour
                        : does.first              ? sends_colour
                                                  : takes_in_colour);
  return text;
}

std::string dot_trace::drawn_messages() const {
  std::map<link, load> loads;
  std::map<link, int> with_words;
  for (auto const& each : m_messages)
    for (auto const& which : links_of(m_machine.topology(), each)) {
      auto& on = loads[which];
      on.words.push_back(each.words);
      // An empty message takes no link.
      if (each.words > 0) on.contended = ++with_words[which] > 1;
    }
  std::string text;
  for (auto const& [which, on] : loads)
    text += arrow_of(which, in_points(m_plan->way_of(which)), on);
  return text;
}

}  // namespace lockstep
