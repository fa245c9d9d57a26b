#include "handout/step_picture.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <numbers>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include <fmt/format.h>

#include "handout/held_picture.hpp"
#include "handout/held_stacks.hpp"
#include "handout/held_table.hpp"
#include "report/text_table.hpp"

namespace lockstep::cli {

namespace {

constexpr link_number most_links = 4'096;
constexpr std::string_view link_colour = "#c8c8c8";
constexpr std::string_view message_colour = "#0072b2";
constexpr std::string_view quiet_colour = "#606060";

std::string caption_of(logged_step const& step) {
  if (step.step == 0) return "Before the first step";
  return step.phase.empty() ? fmt::format("Step {}", step.step)
                            : fmt::format("Step {}: {}", step.step, step.phase);
}

std::string messages_text(logged_step const& step) {
  auto const [least, most] = std::ranges::minmax(step.messages, {}, &message_record::words);
  auto const words = least.words == most.words
                         ? counted(most.words, "word")
                         : fmt::format("{} to {}", least.words, counted(most.words, "word"));
  auto text = fmt::format("{} of {}", counted(step.messages.size(), "message"), words);
  if (step.contention > 1) text += fmt::format(", {} on one link", step.contention);
  return text;
}

bool holds_blocks(logged_step const& step) {
  for (auto const& [rank, held] : step.shown)
    for (auto const& [name, value] : held)
      if (std::holds_alternative<std::vector<block_label>>(value->value)) return true;
  return false;
}

/// Lists the notes of processors on the step, its messages, and before the first step how blocks are named.
std::vector<std::string> captions_of(logged_step const& step, int processors) {
  std::vector<std::string> captions;
  for (auto const& [text, by] : step.notes)
    captions.push_back(by == processors ? text
                                        : fmt::format("{} ({} of {})", text, by, processors));
  if (step.notes.empty() && !step.reason.empty()) captions.push_back(step.reason);
  if (!step.messages.empty()) captions.push_back(messages_text(step));
  if (step.step == 0 && holds_blocks(step))
    captions.push_back(fmt::format("{} is the block from processor 0 for processor 1",
                                   block_text({0, 1}, processors)));
  return captions;
}

/// Where processors stand in a box, and how large they are.
struct placed_network {
  std::vector<page_point> places{};
  double nearest = 0;  ///< distance of two
  double radius = 0;

  [[nodiscard]] double lowest() const { return std::ranges::max(places, {}, &page_point::y).y; }
  /// The size of a rank's letters.
  [[nodiscard]] double letters() const { return std::min(radius, 11.0); }
  /// The place for what stands at a processor, which reaches no other one.
  [[nodiscard]] double room_across() const { return 0.92 * nearest; }
  [[nodiscard]] double room_down() const { return nearest - 2 * radius - 5; }
};

double distance(page_point const& a, page_point const& b) {
  return std::hypot(a.x - b.x, a.y - b.y);
}

/// Stretches the layout, whose y axis points upwards, to the middle of the box, by one factor.
std::vector<page_point> places_in(page_box const& box, topology const& network) {
  auto const layout = network.layout();
  auto const [left, right] = std::ranges::minmax(layout, {}, &layout_point::x);
  auto const [top, bottom] = std::ranges::minmax(layout, {}, &layout_point::y);
  auto const width = right.x - left.x;
  auto const height = bottom.y - top.y;
  auto const edge = 0.11 * std::min(box.width, box.height) + 4;
  auto const across = (box.width - 2 * edge) / std::max(width, 1e-9);
  auto const down = (box.height - 2 * edge) / std::max(height, 1e-9);
  auto const scale = width + height > 1e-9 ? std::min(across, down) : 0.0;
  std::vector<page_point> places;
  for (auto const& one : layout)
    places.push_back({box.x + box.width / 2 + scale * (one.x - left.x - width / 2),
                      box.y + box.height / 2 + scale * (top.y + height / 2 - one.y)});
  return places;
}

placed_network placed_in(page_box const& box, topology const& network) {
  placed_network made{.places = places_in(box, network),
                      .nearest = std::min(box.width, box.height) / 2};
  for (std::size_t i = 0; i < made.places.size(); ++i)
    for (std::size_t j = 0; j < i; ++j)
      made.nearest = std::min(made.nearest, distance(made.places[i], made.places[j]));
  made.radius = std::clamp(0.22 * made.nearest, 1.0, 14.0);
  return made;
}

/// The same, with room of that height below the lowest processors.
placed_network placed_above(page_box box, topology const& network, double below) {
  constexpr int most_tries = 8;
  auto const bottom = box.y + box.height;
  auto made = placed_in(box, network);
  for (int tries = 0; tries < most_tries; ++tries) {
    auto const beyond = made.lowest() + made.radius + below - bottom;
    if (beyond <= 0 || beyond > 0.8 * box.height) return made;
    box.height -= beyond + 1;
    made = placed_in(box, network);
  }
  return made;
}

constexpr double least_standing = 5;    ///< points, of letters at processors
constexpr double share_standing = 0.5;  ///< of the size of the captions, at least
constexpr double most_standing = 11;    ///< points
constexpr double most_of_legend = 8;    ///< points
constexpr double away_from_circle = 3;  ///< points

/// Measures the largest of what stands at processors.
page_box largest_stack(held_stacks const& stacks, int processors, double width, double size) {
  page_box largest;
  for (int rank = 0; rank < processors; ++rank) {
    auto const one = stacks.measure(rank, width, size);
    largest.width = std::max(largest.width, one.width);
    largest.height = std::max(largest.height, one.height);
  }
  return largest;
}

/// A network with the messages of a step, drawn into a box.
class network_picture {
 public:
  network_picture(drawing& on, page_box const& box, topology const& network, step_form const& form,
                  logged_step const& step)
      : m_on(on),
        m_box(box),
        m_network(network),
        m_form(form),
        m_stacks(step, form.standing, network.size()),
        m_placed(placed_above(box, network, form.below + away_from_circle)) {}

  void draw(logged_step const& step) {
    draw_links();
    draw_messages(step);
    for (auto const& at : m_placed.places)
      m_taken.push_back({at.x - radius(), at.y - radius(), 2 * radius(), 2 * radius()});
    auto const legend = m_form.standing.size() == 1
                            ? "at each processor: " + m_form.standing.front()
                            : std::string();
    auto const legend_size = std::min(m_form.letters, most_of_legend);
    if (!legend.empty())
      m_taken.push_back({m_box.x, m_box.y, text_width(legend, legend_size), m_form.letters});
    place_stacks();
    write_words();
    for (int rank = 0; rank < m_network.size(); ++rank) draw_processor(rank);
    for (auto const& one : m_standing)
      m_stacks.draw(m_on, one.corner, one.rank, m_placed.room_across(), m_form.letters);
    if (!legend.empty() && !m_standing.empty())
      m_on.shapes.emplace_back(drawn_text{{m_box.x, m_box.y + m_form.letters},
                                          legend,
                                          legend_size,
                                          text_anchor::start,
                                          false,
                                          std::string(quiet_colour)});
  }

 private:
  /// Whether a third processor stands on the straight line between two.
  [[nodiscard]] bool is_covered(int from, int to) const {
    auto const& a = place(from);
    auto const& b = place(to);
    auto const length = distance(a, b);
    for (int rank = 0; rank < m_network.size(); ++rank) {
      if (rank == from || rank == to) continue;
      auto const& one = place(rank);
      auto const along =
          ((one.x - a.x) * (b.x - a.x) + (one.y - a.y) * (b.y - a.y)) / (length * length);
      auto const aside =
          std::abs((one.x - a.x) * (b.y - a.y) - (one.y - a.y) * (b.x - a.x)) / length;
      if (along > 0 && along < 1 && aside < radius()) return true;
    }
    return false;
  }

  /// The curve between two processors: bent around those that stand between them, and to the right of
  /// its direction by `apart` of its length, so that both ways stay apart.
  [[nodiscard]] std::vector<page_point> curve(int from, int to, double apart) const {
    constexpr int parts = 12;
    auto const& a = place(from);
    auto const& b = place(to);
    auto bend = apart;
    // Both directions of a link are bent to the same side.
    if (is_covered(from, to)) bend += from < to ? -0.2 : 0.2;
    std::vector<page_point> points;
    for (int i = 0; i <= parts; ++i) {
      auto const t = static_cast<double>(i) / parts;
      auto const aside = 4 * bend * t * (1 - t);
      points.push_back({a.x + t * (b.x - a.x) - aside * (b.y - a.y),
                        a.y + t * (b.y - a.y) + aside * (b.x - a.x)});
    }
    return points;
  }

  void line(std::vector<page_point> points, std::string_view colour, double width,
            std::string name = {}) {
    m_on.shapes.emplace_back(
        drawn_path{std::move(points), std::string(colour), width, {}, std::move(name)});
  }

  void draw_links() {
    if (m_network.always_one_link() || m_network.links() > most_links) return;
    for (link_number number = 0; number < m_network.links(); ++number) {
      auto const one = m_network.link_at(number);
      if (one.from < one.to || !m_network.adjacent(one.to, one.from))
        line(curve(one.from, one.to, 0), link_colour, 0.7);
    }
  }

  void draw_messages(logged_step const& step) {
    std::map<std::pair<int, int>, std::uint64_t> words;  // of each link
    std::set<std::pair<int, int>> last;                  // the links that end at a receiver
    for (auto const& message : step.messages) {
      auto const route = links_of(m_network, message);
      for (auto const& one : route) words[{one.from, one.to}] += message.words;
      if (!route.empty()) last.insert({route.back().from, route.back().to});
    }
    for (auto const& [ends, carried] : words)
      draw_used_link(ends.first, ends.second, carried, last.contains(ends));
  }

  void draw_used_link(int from, int to, std::uint64_t carried, bool has_head) {
    auto const points = curve(from, to, 0.07);
    line(points, message_colour, std::clamp(0.12 * radius(), 0.6, 1.6),
         fmt::format("{} to {}: {}", from, to, counted(carried, "word")));
    if (has_head) draw_head(points, place(to));
    m_used.push_back({points, box_around(points), fmt::format("{}", carried)});
  }

  /// Writes how many words each link carries beside its curve, where nothing else is in the way.
  void write_words() {
    auto const size = std::clamp(0.8 * radius(), 5.0, 9.0);
    if (m_placed.nearest < 4 * size) return;
    for (auto const& link : m_used) {
      auto const places = places_beside(link, size);
      auto best = std::ranges::find_if(
          places, [&](page_box const& box) { return is_free(box) && !is_crossed(box, &link); });
      if (best == places.end())
        best = std::ranges::find_if(places, [&](page_box const& box) { return is_free(box); });
      if (best == places.end()) best = places.begin();
      m_taken.push_back(*best);
      write({best->x + best->width / 2, best->y + 0.83 * size}, link.words, size, message_colour);
    }
  }

  /// Where what stands at a processor begins.
  struct placed_stack {
    int rank = 0;
    page_point corner{};
  };

  /// A link that messages cross, and the number beside it.
  struct used_link {
    std::vector<page_point> points{};
    page_box around{};
    std::string words{};
  };

  [[nodiscard]] static page_box box_around(std::vector<page_point> const& points) {
    auto const [left, right] = std::ranges::minmax(points, {}, &page_point::x);
    auto const [top, bottom] = std::ranges::minmax(points, {}, &page_point::y);
    return {left.x, top.y, right.x - left.x, bottom.y - top.y};
  }

  /// Lists boxes for a link's number, the best first: at the middle of its curve, on the right of its
  /// direction and on the left, and then further and further from there.
  [[nodiscard]] static std::vector<page_box> places_beside(used_link const& link, double size) {
    auto const& points = link.points;
    auto const width = width_on_page(link.words, size);
    auto const middle = points.size() / 2;
    std::vector<page_box> boxes;
    for (std::size_t away = 0; away < middle - 1; ++away)
      for (auto const at : {middle - away, middle + away}) {
        auto const length = std::max(distance(points[at - 1], points[at + 1]), 1e-9);
        page_point const way{(points[at + 1].x - points[at - 1].x) / length,
                             (points[at + 1].y - points[at - 1].y) / length};
        for (double const side : {1.0, -1.0})
          boxes.push_back({points[at].x - side * 0.8 * size * way.y - width / 2,
                           points[at].y + side * 0.8 * size * way.x - size / 2, width, size});
      }
    return boxes;
  }

  [[nodiscard]] bool is_free(page_box const& box) const {
    return std::ranges::none_of(m_taken,
                                [&](page_box const& other) { return overlap(box, other); });
  }
  /// Whether messages cross a box on another link than that.
  [[nodiscard]] bool is_crossed(page_box const& box, used_link const* but = nullptr) const {
    return std::ranges::any_of(m_used, [&](used_link const& other) {
      return &other != but && overlap(other.around, box) && crosses(other.points, box);
    });
  }

  /// Whether a text stands in the picture, apart from messages and their heads.
  [[nodiscard]] bool has_room(page_box const& box) const {
    constexpr double apart = 3;
    return box.x >= m_box.x && box.x + box.width <= m_box.x + m_box.width && box.y >= m_box.y &&
           box.y + box.height <= m_box.y + m_box.height &&
           !is_crossed(
               {box.x - apart, box.y - apart, box.width + 2 * apart, box.height + 2 * apart});
  }

  /// Finds a place for what stands at each processor: below it or, where messages go there, beside or above
  /// it.
  void place_stacks() {
    for (int rank = 0; rank < m_network.size() && !m_form.standing.empty(); ++rank) {
      auto const size = m_stacks.measure(rank, m_placed.room_across(), m_form.letters);
      if (size.height <= 0) continue;
      auto const& at = place(rank);
      auto const aside = radius() + away_from_circle;
      page_box const below{at.x - size.width / 2, at.y + aside, size.width, size.height};
      std::array const places{
          below, page_box{at.x + aside, at.y - size.height / 2, size.width, size.height},
          page_box{at.x - aside - size.width, at.y - size.height / 2, size.width, size.height},
          page_box{at.x - size.width / 2, at.y - aside - size.height, size.width, size.height}};
      auto const found = std::ranges::find_if(
          places, [&](page_box const& box) { return is_free(box) && has_room(box); });
      auto const& box = found == places.end() ? below : *found;
      m_taken.push_back(box);
      m_standing.push_back({rank, {box.x, box.y}});
    }
  }

  [[nodiscard]] static bool overlap(page_box const& one, page_box const& other) {
    return one.x <= other.x + other.width && other.x <= one.x + one.width &&
           one.y <= other.y + other.height && other.y <= one.y + one.height;
  }

  /// Whether a curve goes through a box, as far as its points and the middles between them tell.
  [[nodiscard]] static bool crosses(std::vector<page_point> const& points, page_box const& box) {
    auto const is_inside = [&](double x, double y) {
      return box.x < x && x < box.x + box.width && box.y < y && y < box.y + box.height;
    };
    for (std::size_t at = 1; at < points.size(); ++at) {
      auto const& one = points[at - 1];
      auto const& next = points[at];
      if (is_inside(next.x, next.y) || is_inside((one.x + next.x) / 2, (one.y + next.y) / 2))
        return true;
    }
    return false;
  }

  /// Draws an arrow's head where the curve reaches the circle of its end.
  void draw_head(std::vector<page_point> const& points, page_point const& end) {
    auto const before = points[points.size() - 3];
    auto const length = std::max(distance(before, end), 1e-9);
    page_point const way{(end.x - before.x) / length, (end.y - before.y) / length};
    page_point const tip{end.x - radius() * way.x, end.y - radius() * way.y};
    auto const size = std::clamp(0.55 * radius(), 1.6, 6.0);
    page_point const back{tip.x - 1.6 * size * way.x, tip.y - 1.6 * size * way.y};
    line({tip,
          {back.x - 0.6 * size * way.y, back.y + 0.6 * size * way.x},
          {back.x + 0.6 * size * way.y, back.y - 0.6 * size * way.x}},
         message_colour, 0);
  }

  void draw_processor(int rank) {
    auto const& at = place(rank);
    std::vector<page_point> circle;
    for (int i = 0; i <= 20; ++i) {
      auto const angle = 2 * std::numbers::pi * i / 20;
      circle.push_back({at.x + radius() * std::cos(angle), at.y + radius() * std::sin(angle)});
    }
    line(circle, "#ffffff", 0);
    line(circle, "#303030", 0.7, fmt::format("processor {}", rank));
    auto const size = m_placed.letters();
    if (size < 3) return;
    write({at.x, at.y + 0.35 * size}, fmt::format("{}", rank), size);
  }

  void write(page_point at, std::string text, double size, std::string_view colour = "#000000") {
    m_on.shapes.emplace_back(
        drawn_text{at, std::move(text), size, text_anchor::middle, false, std::string(colour)});
  }

  [[nodiscard]] page_point const& place(int rank) const {
    return m_placed.places[static_cast<std::size_t>(rank)];
  }
  [[nodiscard]] double radius() const { return m_placed.radius; }

  drawing& m_on;
  page_box m_box;
  topology const& m_network;
  step_form const& m_form;
  held_stacks m_stacks;
  placed_network m_placed;
  std::vector<used_link> m_used{};
  std::vector<page_box> m_taken{};  ///< by processors, what stands at them, and numbers
  std::vector<placed_stack> m_standing{};
};

/// Divides the rest of a step's part between the network and the data of processors: beside it, or below it.
std::pair<page_box, page_box> divided(page_box const& rest, double share, double gap) {
  auto picture = rest;
  auto data = rest;
  if (rest.width > 1.2 * rest.height) {
    picture.width *= share;
    auto const beside = 3 * gap;  // links that go round are bent into it
    data.x += picture.width + beside;
    data.width -= picture.width + beside;
  } else {
    picture.height *= share;
    data.y += picture.height;
    data.height -= picture.height;
  }
  return {picture, data};
}

/// Finds how much of it the network gets: as much as leaves room to write what processors hold.
double share_of_network(page_box const& rest, std::span<logged_step const> steps, int processors,
                        double size) {
  for (double const share : {0.62, 0.52})
    if (std::ranges::all_of(steps, [&](logged_step const& step) {
          return has_room_for_held(divided(rest, share, size).second, step, processors, size);
        }))
      return share;
  return 0.42;
}

double size_of_text(page_box const& box) {
  return std::clamp(std::min(box.width, box.height) / 34, 6.5, 15.0);
}

/// Writes what stands above the network. Result: its height.
double write_captions(drawing& on, page_box const& box, logged_step const& step, int processors) {
  auto const size = size_of_text(box);
  auto const down = write_lines(on, box, {caption_of(step)}, size + 1.5);
  return down + write_lines(on, {box.x, box.y + down, box.width, box.height - down},
                            captions_of(step, processors), size);
}

/// Lists the names of all steps, in the order in which they come.
std::vector<std::string> names_in(std::span<logged_step const> steps) {
  std::vector<std::string> names;
  for (auto const& step : steps)
    for (auto const& name : names_in(step))
      if (std::ranges::find(names, name) == names.end()) names.push_back(name);
  return names;
}

/// Finds the largest letters in which all that is held under these names stands at the processors of a
/// network in the box, and how high that is. Result: whether there are such.
bool find_standing(step_form& form, page_box const& box, double size_of_captions,
                   std::span<logged_step const> steps, topology const& network,
                   std::vector<std::string> names) {
  constexpr int most_processors = 128;
  auto const processors = network.size();
  if (names.empty() || processors > most_processors) return false;
  std::vector<held_stacks> all;
  for (auto const& step : steps) {
    all.emplace_back(step, names, processors);
    if (!all.back().are_whole()) return false;
  }
  auto const largest = [&](double width, double size) {
    page_box most;
    for (auto const& one : all) {
      auto const stack = largest_stack(one, processors, width, size);
      most.width = std::max(most.width, stack.width);
      most.height = std::max(most.height, stack.height);
    }
    return most;
  };
  auto const least = std::max(least_standing, share_standing * size_of_captions);
  for (double size = most_standing; size >= least; size -= 0.5) {
    auto const wide = placed_in(box, network);
    auto const below = largest(wide.room_across(), size).height;
    auto const placed = placed_above(box, network, below + away_from_circle);
    auto const stack = largest(placed.room_across(), size);
    if (stack.width > placed.room_across() || stack.height > placed.room_down() ||
        placed.lowest() + placed.radius + away_from_circle + stack.height > box.y + box.height)
      continue;
    form.standing = std::move(names);
    form.letters = size;
    form.below = below;
    return true;
  }
  return false;
}

}  // namespace

step_form form_of(page_box const& box, std::span<logged_step const> steps,
                  topology const& network) {
  step_form form;
  for (auto const& step : steps) {
    drawing unused;
    form.captions = std::max(form.captions, write_captions(unused, box, step, network.size()));
  }
  page_box const rest{box.x, box.y + form.captions, box.width, box.height - form.captions};
  auto const names = names_in(steps);
  auto const size = size_of_text(box);
  if (names.empty() || find_standing(form, rest, size, steps, network, names)) return form;
  form.has_list = true;
  form.share = share_of_network(rest, steps, network.size(), size);
  find_standing(form, divided(rest, form.share, size).first, size, steps, network, {names.front()});
  return form;
}

void draw_step(drawing& on, page_box const& box, logged_step const& step, topology const& network,
               step_form const& form) {
  write_captions(on, box, step, network.size());
  page_box const rest{box.x, box.y + form.captions, box.width, box.height - form.captions};
  auto picture = rest;
  if (form.has_list) {
    auto const size = size_of_text(box);
    auto const [network_part, data] = divided(rest, form.share, size);
    picture = network_part;
    draw_held(on, data, step, network.size(), size);
  }
  network_picture(on, picture, network, form, step).draw(step);
}

}  // namespace lockstep::cli
