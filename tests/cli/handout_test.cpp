#include <algorithm>
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include <lockstep/machine.hpp>
#include <lockstep/topologies/hypercube.hpp>
#include <lockstep/topologies/parse.hpp>
#include <lockstep/topologies/torus.hpp>

#include "../catch.hpp"
#include "handout/clip.hpp"
#include "handout/handout.hpp"
#include "handout/held_table.hpp"
#include "handout/page_text.hpp"
#include "handout/step_log.hpp"
#include "refusal.hpp"
#include "search_path.hpp"
#include "shell.hpp"
#include "well_formed.hpp"

namespace {

using namespace lockstep;
namespace fs = std::filesystem;

std::size_t count_of(std::string_view text, std::string_view wanted) {
  std::size_t count = 0;
  for (auto at = text.find(wanted); at != std::string_view::npos; at = text.find(wanted, at + 1))
    ++count;
  return count;
}

/// A sum on a cube of 8 processors, which say and show what they do, after an idle step.
cli::step_log logged_sum() {
  cli::step_log log;
  machine const cube(hypercube{3});
  cube.run(
      [](processor& me) {
        int sum = me.rank();
        me.show("sum", sum);
        me.idle();
        for (int bit = 0; bit < 3; ++bit) {
          if (me.rank() < 4) me.note("adds");
          sum += me.exchange(me.rank() ^ (1 << bit), sum);
          me.show("sum", sum);
        }
      },
      log);
  return log;
}

/// A file that is there, larger than nothing, and has no further copy left beside it.
std::string whole_file(fs::path const& file) {
  REQUIRE(fs::exists(file));
  return read_file(file);
}

}  // namespace

TEST_CASE("a log of steps has their messages, notes, and what is held after each", "[handout]") {
  auto const log = logged_sum();
  auto const steps = log.steps();
  REQUIRE(steps.size() == 4);  // before the first, and those with messages: 2, 3 and 4
  CHECK(steps[0].messages.empty());
  CHECK(steps[0].notes.empty());
  auto const sum_of_5 = [](cli::logged_step const& step) {
    return cli::table_of("sum", *step.shown.at(5).at("sum"), 8).cells.front().text;
  };
  CHECK(sum_of_5(steps[0]) == "5");
  for (std::size_t i = 1; i < 4; ++i) {
    CHECK(steps[i].step == i + 1);
    CHECK(steps[i].messages.size() == 8);
    CHECK(steps[i].notes.at("adds") == 4);
  }
  CHECK(sum_of_5(steps[1]) == "9");   // 4 + 5
  CHECK(sum_of_5(steps[3]) == "28");  // 0 + ... + 7
  CHECK_FALSE(log.leaves_out_steps());
}

TEST_CASE("a log has the labels under which messages were sent and received", "[handout]") {
  cli::step_log log;
  machine const ring(torus{{4}});
  ring.run(
      [](processor& me) {
        auto const shift = [&] { (void)me.exchange((me.rank() + 1) % 4, 1, (me.rank() + 3) % 4); };
        if (me.rank() == 0) me.label("skew");
        shift();
        me.label("");
        shift();
      },
      log);
  auto const steps = log.steps();
  REQUIRE(steps.size() == 3);
  CHECK(steps[1].notes == std::map<std::string, int>{{"skew", 1}});
  CHECK(steps[2].notes.empty());
}

TEST_CASE("a log keeps a limited number of steps, and says that it leaves some out", "[handout]") {
  cli::step_log log;
  machine const ring(torus{{4}});
  ring.run(
      [](processor& me) {
        for (int i = 0; i < 401; ++i)
          (void)me.exchange((me.rank() + 1) % 4, i, (me.rank() + 3) % 4);
      },
      log);
  CHECK(log.steps().size() == 1 + cli::step_log::most_steps);
  CHECK(log.leaves_out_steps());
}

TEST_CASE("values are written in cells", "[handout]") {
  auto const written = [](shown_value const& value, int processors = 4) {
    std::string text;
    for (auto const& one : cli::table_of("", cli::held_part_of(value), processors).cells)
      text += (text.empty() ? "" : " ") + (one.text.empty() ? "-" : one.text);
    return text;
  };
  CHECK(written(shown_number(0.25)) == "0.25");
  CHECK(written(shown_numbers(std::vector<std::int64_t>{3, -1})) == "3 -1");
  CHECK(written(shown_numbers(std::vector<std::int64_t>{})) == "(nothing)");
  CHECK(written(shown_matrix{2, std::vector<std::int64_t>{1, 2, 3, 4}}) == "1 2 3 4");
  CHECK(written(std::vector<block_label>{{0, 3}, {2, 1}, {-1, -1}}) == "A3 C1 -");
  CHECK(written(std::vector<block_label>{{0, 3}}, 27) == "0\u21923");
  CHECK(written(std::vector<rank_interval>{{0, 3}, {4, 4}}) == "0\u20133 4");
  CHECK(written(std::string("a long text")) == "a long text");
}

TEST_CASE("of a long array every n-th element is kept, and that is said", "[handout]") {
  auto const long_list = cli::held_part_of(shown_numbers(std::vector<std::int64_t>(1'000, 7)));
  CHECK(long_list.every == 4);
  auto const table = cli::table_of("keys", long_list, 4);
  CHECK(table.cells.size() == 250);
  CHECK(table.rest == "(every 4th of 1000)");
  auto const matrix =
      cli::table_of("A", cli::held_part_of(shown_matrix{50, std::vector<double>(50 * 50, 0.5)}), 4);
  CHECK(matrix.columns == 25);
  CHECK(matrix.cells.size() == 25 * 25);
  CHECK(matrix.rest == "(every 2nd row and column)");
  CHECK(cli::table_of("A", cli::held_part_of(shown_number(0.5)), 4).rest.empty());
}

TEST_CASE("a handout has whole arrays, in letters or, where these have no room, as a picture",
          "[handout]") {
  hypercube const cube{2};
  auto const page_with = [&](shown_value const& value) {
    cli::logged_step step;
    for (int rank = 0; rank < 4; ++rank)
      step.shown[rank]["A"] = std::make_shared<cli::held_value const>(cli::held_part_of(value));
    std::vector const steps{step};
    return cli::as_svg(cli::slides({.network = cube, .steps = steps}).front());
  };
  auto const list = page_with(shown_numbers(std::vector<std::int64_t>(24, 123)));
  CHECK(count_of(list, ">123</text>") == 4 * 24);
  auto const matrix = page_with(shown_matrix{3, std::vector<std::int64_t>(9, 5)});
  CHECK(count_of(matrix, ">5</text>") == 4 * 9);
  CHECK(count_of(matrix, "stroke=\"#a0a0a0\"") == 4 * 9);  // borders of cells
  auto const blocks = page_with(std::vector<block_label>{{1, 2}, {-1, -1}});
  CHECK(count_of(blocks, ">B2</text>") == 4);
  auto const large = page_with(shown_matrix{40, std::vector<std::int64_t>(1'600, 5)});
  CHECK(count_of(large, ">5</text>") == 0);
  CHECK(count_of(large, "<polygon") >= 4 * 1'600);
  CHECK(count_of(large, "more</text>") == 0);
}

TEST_CASE("a handout has its steps on pages, and one at the end", "[handout]") {
  auto const log = logged_sum();
  auto const steps = log.steps();
  hypercube const cube{3};
  cli::drawn_run const run{
      .title = "sum", .command = "view sum", .network = cube, .steps = steps, .failure = "stuck"};
  CHECK(cli::handout_pages(run, 1).size() == 5);
  CHECK(cli::handout_pages(run, 3).size() == 3);
  CHECK(cli::handout_pages(run, 4).size() == 2);
  CHECK(cli::handout_pages(run, 12).size() == 2);
  auto const pages = cli::slides(run);
  REQUIRE(pages.size() == 5);
  CHECK(pages[0].width / pages[0].height == Approx(16.0 / 9));
  for (auto const& page : pages) {
    auto const svg = cli::as_svg(page);
    CHECK(is_well_formed(svg));
    CHECK(svg.find("nan") == std::string::npos);
    CHECK(svg.find("inf") == std::string::npos);
  }
  CHECK(count_of(cli::as_svg(pages[0]), ": 1 word</title>") == 0);
  CHECK(count_of(cli::as_svg(pages[1]), ": 1 word</title>") == 8);  // a link for each message
  CHECK(cli::as_svg(pages[1]).find("adds (4 of 8)") != std::string::npos);
  CHECK(cli::as_svg(pages[4]).find("The run failed: stuck") != std::string::npos);
}

TEST_CASE("the words of a link do not stand on another number or a processor", "[handout]") {
  for (auto const* const on : {"torus:4x4", "torus:8", "torus:5x3", "torus:3x3x3", "hypercube:3"})
    for (int const way : {+1, -1}) {
      auto const network = parse(on);
      auto const dimensions = static_cast<int>(network->coordinates(0).size());
      bool const is_torus = std::string_view(on).starts_with("torus");
      cli::step_log log;
      machine(network).run(
          [&](processor& me) {
            std::vector<int> const words(static_cast<std::size_t>(3 + 40 * (me.rank() % 3)));
            for (int dimension = 0; dimension < dimensions; ++dimension)
              if (is_torus)
                static_cast<void>(me.shift(along{dimension, way}, words));
              else
                static_cast<void>(me.exchange(me.rank() ^ (1 << dimension), words));
          },
          log);
      auto const steps = log.steps();
      for (auto const& page : cli::slides({.network = *network, .steps = steps})) {
        std::vector<cli::page_box> boxes;
        for (auto const& shape : page.shapes) {
          auto const* const text = std::get_if<cli::drawn_text>(&shape);
          if (text == nullptr || text->anchor != cli::text_anchor::middle) continue;
          auto const width = 0.8 * cli::width_on_page(text->text, text->size);
          boxes.push_back(
              {text->at.x - width / 2, text->at.y - 0.7 * text->size, width, 0.7 * text->size});
        }
        CAPTURE(on, way);
        int overlaps = 0;
        for (std::size_t i = 0; i < boxes.size(); ++i)
          for (std::size_t j = 0; j < i; ++j)
            overlaps += boxes[i].x < boxes[j].x + boxes[j].width &&
                        boxes[j].x < boxes[i].x + boxes[i].width &&
                        boxes[i].y < boxes[j].y + boxes[j].height &&
                        boxes[j].y < boxes[i].y + boxes[i].height;
        CHECK(overlaps == 0);
      }
    }
}

namespace {

/// Where a text stands, a little less than its letters take.
cli::page_box box_of(cli::drawn_text const& text) {
  auto const width = 0.8 * cli::width_on_page(text.text, text.size);
  auto const left = text.anchor == cli::text_anchor::start ? 0.05 * width
                    : text.anchor == cli::text_anchor::end ? -width
                                                           : -width / 2;
  return {text.at.x + left, text.at.y - 0.7 * text.size, width, 0.7 * text.size};
}

bool overlap(cli::page_box const& one, cli::page_box const& other) {
  return one.x < other.x + other.width && other.x < one.x + one.width &&
         one.y < other.y + other.height && other.y < one.y + one.height;
}

std::vector<cli::drawn_text> texts_on(cli::drawing const& page) {
  std::vector<cli::drawn_text> texts;
  for (auto const& shape : page.shapes)
    if (auto const* const text = std::get_if<cli::drawn_text>(&shape)) texts.push_back(*text);
  return texts;
}

/// Finds the place of a processor's circle.
cli::page_point place_of(cli::drawing const& page, int rank) {
  for (auto const& one : texts_on(page))
    if (one.anchor == cli::text_anchor::middle && one.text == std::to_string(rank) && one.size >= 1)
      return one.at;
  FAIL("processor " << rank << " is not on the page");
  return {};
}

/// A run of processors that hold keys, 100, 101, .. at processor 0, 200, .. at 1, and pivots besides.
cli::step_log logged_keys(std::shared_ptr<topology const> const& network, int keys) {
  cli::step_log log;
  machine(network).run(
      [keys](processor& me) {
        std::vector<int> mine;
        for (int i = 0; i < keys; ++i) mine.push_back(100 * (me.rank() + 1) + i);
        me.show("keys", mine);
        static_cast<void>(
            me.exchange((me.rank() + 1) % me.size(), 1, (me.rank() + me.size() - 1) % me.size()));
        me.show("all pivots", std::vector{31, 52, 73});
      },
      log);
  return log;
}

}  // namespace

TEST_CASE("what processors hold lies on no other text of a page", "[handout]") {
  std::size_t values = 0;
  for (auto const* const on : {"tree:3", "hypercube:3", "torus:4x4", "mesh:6", "crossbar:8"}) {
    auto const network = parse(on);
    cli::step_log log;
    machine(network).run(
        [](processor& me) {
          me.show("sum", rank_interval{me.rank(), me.rank()});
          me.show("value of sum", -me.rank());
          me.show("keys", std::vector{10, 20, 30, 40, 50});
        },
        log);
    auto const steps = log.steps();
    cli::drawn_run const run{.network = *network, .steps = steps};
    auto pages = cli::slides(run);
    for (int const per_page : {1, 2, 3, 4, 6, 8, 12})
      pages.push_back(cli::handout_pages(run, per_page).front());
    for (auto const& page : pages) {
      auto const texts = texts_on(page);
      values += texts.size();
      for (std::size_t i = 0; i < texts.size(); ++i)
        for (std::size_t j = 0; j < i; ++j) {
          CAPTURE(on, texts[i].text, texts[j].text, texts[i].at.y, texts[j].at.y);
          CHECK_FALSE(overlap(box_of(texts[i]), box_of(texts[j])));
        }
    }
  }
  CHECK(values > 1'000);
}

TEST_CASE("arrays stand in cells at their processors, all at each step, and in no list",
          "[handout]") {
  std::shared_ptr<topology const> const network = parse("crossbar:4");
  auto const log = logged_keys(network, 16);
  auto const steps = log.steps();
  auto const pages = cli::slides({.network = *network, .steps = steps, .failure = "over"});
  REQUIRE(pages.size() == 3);
  for (std::size_t at : {0, 1}) {
    auto const& page = pages[at];
    auto const svg = cli::as_svg(page);
    for (int rank = 0; rank < 4; ++rank)
      for (int i = 0; i < 16; ++i)
        CHECK(count_of(svg, ">" + std::to_string(100 * (rank + 1) + i) + "</text>") == 1);
    CHECK(count_of(svg, ">52</text>") == 4 * at);
    CHECK(count_of(svg, "<polyline") + count_of(svg, "<polygon") > 4 * 16);
    auto const texts = texts_on(page);
    for (std::size_t i = 0; i < texts.size(); ++i)
      for (std::size_t j = 0; j < i; ++j) {
        CAPTURE(texts[i].text, texts[j].text);
        CHECK_FALSE(overlap(box_of(texts[i]), box_of(texts[j])));  // a caption, too
        CHECK(texts[i].size >= 6);
      }
    // How near the nearest key of each processor is to each circle.
    std::map<int, std::map<int, double>> away;
    for (auto const& one : texts) {
      if (one.text.size() != 3 || one.text.find_first_not_of("0123456789") != std::string::npos)
        continue;
      for (int rank = 0; rank < 4; ++rank) {
        auto const place = place_of(page, rank);
        auto& least = away[std::stoi(one.text) / 100 - 1].try_emplace(rank, 1e9).first->second;
        least = std::min(least, std::hypot(one.at.x - place.x, one.at.y - place.y));
      }
    }
    for (auto const& [owner, distances] : away)
      CHECK(std::ranges::min_element(distances, {}, [](auto const& each) {
              return each.second;
            })->first == owner);
  }
  auto const& first = place_of(pages[0], 2);
  auto const& second = place_of(pages[1], 2);
  CHECK(first.x == Approx(second.x));  // the network keeps its place
  CHECK(first.y == Approx(second.y));
  auto const svg = cli::as_svg(pages[1]);  // in the order in which they are shown
  CHECK(svg.find(">keys</text>") < svg.find(">all pivots</text>"));
}

TEST_CASE("where arrays have no room at processors, they are rows of cells below each other",
          "[handout]") {
  std::shared_ptr<topology const> const network = parse("crossbar:8");
  auto const log = logged_keys(network, 60);
  auto const steps = log.steps();
  auto const page = cli::slides({.network = *network, .steps = steps}).at(1);
  std::map<int, std::set<double>> columns;  // of a processor: where its cells begin
  for (auto const& one : texts_on(page))
    if (one.text.size() == 3 && one.text.find_first_not_of("0123456789") == std::string::npos)
      columns[std::stoi(one.text) / 100].insert(std::round(one.at.x));
  REQUIRE(columns.size() == 8);
  std::set<std::size_t> widths;
  for (auto const& [rank, places] : columns) {
    CHECK(places.size() < 40);  // in lines
    widths.insert(places.size());
  }
  CHECK(widths.size() == 1);
}

TEST_CASE("no message crosses the value of a processor", "[handout]") {
  machine const cube(hypercube{3});
  cli::step_log log;
  cube.run(
      [](processor& me) {
        for (int bit = 0; bit < 3; ++bit) {
          static_cast<void>(me.exchange(me.rank() ^ (1 << bit), 1));
          me.show("key", 10 * me.rank() + bit + 10);
        }
      },
      log);
  auto const steps = log.steps();
  cli::drawn_run const run{.network = cube.topology(), .steps = steps};
  auto pages = cli::slides(run);
  pages.push_back(cli::handout_pages(run, 4).front());
  std::size_t values = 0;
  for (auto const& page : pages)
    for (auto const& value : texts_on(page)) {
      bool const is_key =
          value.text.size() == 2 && value.text.find_first_not_of("0123456789") == std::string::npos;
      if (!is_key) continue;
      ++values;
      auto const box = box_of(value);
      for (auto const& other : page.shapes)
        if (auto const* const path = std::get_if<cli::drawn_path>(&other);
            path && path->name.find(" to ") != std::string::npos)
          for (auto const& at : path->points) {
            CAPTURE(value.text, path->name);
            bool const is_inside = at.x > box.x && at.x < box.x + box.width && at.y > box.y &&
                                   at.y < box.y + box.height;
            CHECK_FALSE(is_inside);
          }
    }
  CHECK(values > 40);
}

TEST_CASE("nothing that is drawn lies beyond its page", "[handout]") {
  scratch_directory const scratch;
  for (auto const* const on : {"hypercube:5", "tree:5", "shuffle-exchange:3", "hypercube:0"}) {
    CAPTURE(on);
    auto const folder = scratch.file(on);
    auto const done =
        lockstep_with(std::string("view prefix --on ") + on + " --svg " + folder.string());
    REQUIRE(done.status == 0);
    for (auto const& entry : fs::directory_iterator(folder)) {
      auto const svg = whole_file(entry.path());
      CHECK(is_well_formed(svg));
      for (auto at = svg.find(" y=\""); at != std::string::npos; at = svg.find(" y=\"", at + 1)) {
        auto const y = std::stod(svg.substr(at + 4));
        CHECK((y >= 0 && y <= 540));
      }
    }
  }
}

TEST_CASE("the root of a tree stands above its leaves", "[handout]") {
  auto const tree = parse("tree:2");  // 1 is the root, 0 and 2 are leaves
  std::vector<cli::logged_step> const steps(1);
  auto const page = cli::slides({.network = *tree, .steps = steps}).front();
  auto const height_of = [&](std::string_view name) {
    for (auto const& shape : page.shapes)
      if (auto const* const path = std::get_if<cli::drawn_path>(&shape); path && path->name == name)
        return path->points.front().y;
    return -1.0;
  };
  CHECK(height_of("processor 1") > 0);
  CHECK(height_of("processor 1") < height_of("processor 0"));
  CHECK(height_of("processor 0") == Approx(height_of("processor 2")));
}

TEST_CASE("a PDF of several pages lists them, and its table of objects is right", "[handout]") {
  scratch_directory const scratch;
  auto const pdf = scratch.file("steps.pdf");
  auto const slides = scratch.file("slides.pdf");
  auto const command = "view broadcast --on hypercube:3 --pdf " + pdf.string() +
                       " --per-page 2 --slides " + slides.string();
  auto const done = lockstep_with(command);
  INFO(done.err);
  REQUIRE(done.status == 0);
  CHECK(done.out.find("page  ") == std::string::npos);
  auto const text = whole_file(pdf);
  CHECK(count_of(text, "/Type /Page /Parent") == 3);  // 4 drawings, 2 a page, and the end
  CHECK(text.find("/Count 3 ") != std::string::npos);
  CHECK(text.find("Claim: rounds = ") != std::string::npos);
  CHECK(text.find("Lower bound: steps") != std::string::npos);
  auto const table = std::stoul(text.substr(text.rfind("startxref\n") + 10));
  CHECK(text.substr(table, 5) == "xref\n");
  auto const first = text.find(" 00000 n ", table) - 10;
  CHECK(text.substr(std::stoul(text.substr(first, 10)), 7) == "1 0 obj");
  auto const shown = whole_file(slides);
  CHECK(count_of(shown, "(Step ") == 3);
  CHECK(count_of(shown, "/MediaBox [0 0 960 540]") == count_of(shown, "/MediaBox"));
  CHECK(count_of(shown, "/MediaBox") >=
        5);  // one before the first step, and at least one at the end
  REQUIRE(lockstep_with(command).status == 0);
  CHECK(whole_file(pdf) == text);
}

TEST_CASE("a step without notes has the reason for its phase on the page", "[handout]") {
  auto const text_of = [](cli::logged_step const& step) {
    hypercube const cube(1);
    std::vector const steps{step};
    cli::drawn_run const run{.network = cube, .steps = steps};
    return cli::as_svg(cli::slides(run).front());
  };
  cli::logged_step step{.step = 1, .reason = "keeps the smaller half"};
  CHECK(count_of(text_of(step), "keeps the smaller half") == 1);
  step.notes["says so"] = 2;
  CHECK(count_of(text_of(step), "keeps the smaller half") == 0);

  scratch_directory const scratch;
  auto const folder = scratch.file("steps").string();
  REQUIRE(lockstep_with("view transpose --on crossbar:4 --svg '" + folder + "'").status == 0);
  CHECK(count_of(whole_file(fs::path(folder) / "step-000.svg"), "sends to each other") == 0);
  CHECK(count_of(whole_file(fs::path(folder) / "step-001.svg"), "sends to each other") == 1);
}

TEST_CASE("an algorithm without data shown has a handout", "[handout]") {
  scratch_directory const scratch;
  auto const pdf = scratch.file("steps.pdf");
  REQUIRE(lockstep_with("view all-to-all-direct --on mesh:2x4 --pdf " + pdf.string()).status == 0);
  CHECK(whole_file(pdf).find("Step 1") != std::string::npos);
}

TEST_CASE("a run that fails has a handout of the steps before, and says why", "[handout]") {
  scratch_directory const scratch;
  auto const pdf = scratch.file("steps.pdf");
  auto const failing = std::string("view prefix --on tree:3 --strict --pdf ");
  auto const done = lockstep_with(failing + pdf.string());
  CHECK(done.status == 1);
  CHECK(lines_of(done.err) == 1);
  CHECK(whole_file(pdf).find("The run failed: the message that processor") != std::string::npos);
  auto const full = lockstep_with(failing + "/dev/full");
  CHECK(full.status == 1);
  CHECK(lines_of(full.err) == 2);
  CHECK(full.err.find("/dev/full") < full.err.find("the message that processor"));
}

TEST_CASE("handouts that cannot be are refused in one line", "[handout]") {
  scratch_directory const scratch;
  auto const refused = [&](std::string const& options, std::string const& on = "hypercube:2") {
    auto const done = lockstep_with("view prefix --on " + on + ' ' + options);
    INFO(options << '\n' << done.err);
    CHECK(done.status == 2);
    CHECK(lines_of(done.err) == 1);
    return done.err;
  };
  auto const there = scratch.write("there", "kept").string();
  auto const none = scratch.file("none/steps").string();
  CHECK(refused("--pdf " + none).find("--pdf: ") != std::string::npos);
  CHECK(refused("--slides " + none).find("--slides: ") != std::string::npos);
  CHECK(refused("--svg " + there).find("is a file; name a folder") != std::string::npos);
  CHECK(refused("--svg /proc/none").find("--svg: ") != std::string::npos);
  CHECK(refused("--pdf a --slides a").find("is what --pdf names") != std::string::npos);
  CHECK(refused("--slides a.txt").find("--slides: a.txt does not end in .pdf") !=
        std::string::npos);
  CHECK(refused("--gif a.webm").find("--gif: a.webm does not end in .gif") != std::string::npos);
  CHECK(refused("--per-page 3").find("goes with --pdf") != std::string::npos);
  CHECK(refused("--pdf a --per-page 0").find("take 1 to 12") != std::string::npos);
  CHECK(refused("--pdf a --per-page 13").find("take 1 to 12") != std::string::npos);
  CHECK(refused("--pdf a --per-page two").find("--per-page") != std::string::npos);
  CHECK(refused("--pdf a", "hypercube:9").find("256 processors") != std::string::npos);
  CHECK(refused("--pdf a --beside 'prefix --on tree:2'").find("of one run") != std::string::npos);
  CHECK_FALSE(fs::exists("a"));
  CHECK(read_file(there) == "kept");
}

TEST_CASE("a full disk is said, after the results", "[handout]") {
  scratch_directory const scratch;
  for (auto const* const option : {"--pdf", "--slides"}) {
    auto const done =
        lockstep_with(std::string("view prefix --on hypercube:2 ") + option + " /dev/full");
    INFO(done.err);
    CHECK(done.status == 1);
    CHECK(done.out.find("correct") != std::string::npos);
    CHECK(lines_of(done.err) == 1);
    CHECK(done.err.find("/dev/full") != std::string::npos);
  }
}

TEST_CASE("clips are made by ffmpeg, and refused without it", "[handout]") {
  scratch_directory const scratch;
  std::vector<cli::drawing> const frames(2, {.width = 16, .height = 9, .title = "frame"});
  search_path const only(scratch.file("."));
  CHECK_FALSE(cli::can_make_clips());
  // The last word is the clip, and the frames are where the pattern says.
  write_program(scratch.file("ffmpeg"), R"(for word; do
  case $word in *%04d.svg) frames=${word%/*} ;; esac
  clip=$word
done
{ echo "${clip##*.}"; read -r line < "$frames/0001.svg"; echo "$line"; } > "$clip")");
  CHECK(cli::can_make_clips());
  CHECK(cli::clip_of(frames, "gif").starts_with("gif\n<svg "));
  CHECK(cli::clip_of(frames, "webm").starts_with("webm\n<svg "));
  write_program(scratch.file("ffmpeg"), "echo 'no such codec' >&2; exit 3");
  CHECK_THROWS_WITH(cli::clip_of(frames, "gif"), "ffmpeg made no clip: no such codec");
}

TEST_CASE("the command refuses clips without ffmpeg before it runs", "[handout]") {
  scratch_directory const scratch;
  auto const clip = scratch.file("steps");
  for (std::string const option : {"--gif", "--webm"}) {
    check_refusal(lockstep_after("PATH=/nowhere",
                                 "view prefix --on hypercube:2 " + option + ' ' + clip.string()),
                  option + " needs ffmpeg");
    CHECK_FALSE(fs::exists(clip));
  }
}

TEST_CASE("clips of the installed ffmpeg have their formats", "[handout]") {
  if (!cli::can_make_clips()) {
    SUCCEED("ffmpeg is not installed");
    return;
  }
  scratch_directory const scratch;
  auto const gif = scratch.file("steps.gif");
  auto const webm = scratch.file("steps.webm");
  auto const done = lockstep_with("view broadcast --on hypercube:2 --gif " + gif.string() +
                                  " --webm " + webm.string());
  INFO(done.err);
  REQUIRE(done.status == 0);
  CHECK(read_file(gif).starts_with("GIF89a"));
  CHECK(read_file(webm).starts_with("\x1A\x45\xDF\xA3"));  // EBML
}
