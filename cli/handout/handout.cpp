#include "handout/handout.hpp"

#include <algorithm>
#include <cstddef>

#include <fmt/format.h>

#include "handout/step_picture.hpp"
#include "report/bound_drawing.hpp"
#include "report/bound_sentence.hpp"

namespace lockstep::cli {

namespace {

constexpr double margin = 36;

/// The outline of a page.
struct page_form {
  double width;
  double height;
  double size;  ///< of the text
};
constexpr page_form a4{595, 842, 10};
constexpr page_form slide{960, 540, 15};

std::string claim_text(claim const& one, experiment_result const& result) {
  auto const found = judge(one, result);
  auto const value = fmt::format("{}", one.value());
  bool const says_value = one.bound == comparison::order || one.formula == value;
  auto text = fmt::format("Claim: {} {} {}{} ({}): {}", one.figure, symbol(one.bound), one.formula,
                          says_value ? "" : " = " + value, one.source,
                          found.is_fault ? "WRONG" : name_of(found.verdict));
  return found.reason.empty() ? text : text + ", " + found.reason;
}

std::vector<std::string> closing_lines(drawn_run const& run) {
  std::vector<std::string> lines;
  if (run.lacks_steps)
    lines.push_back(
        fmt::format("Later steps are left out: there is room for {}.", step_log::most_steps));
  if (run.of == nullptr) {
    lines.push_back("The run failed: " + run.failure);
    return lines;
  }
  auto const& result = run.of->result;
  auto const& total = result.record.counts();
  lines.push_back(fmt::format(
      "Counts: {} steps, {} start-ups, {} words, volume {}, {} messages, {} hops, contention {}",
      total.steps, total.startups, total.words, total.volume, total.messages, total.hops,
      total.contention));
  for (auto const& one : result.claims) lines.push_back(claim_text(one, result));
  for (auto const& one : result.bounds)
    lines.push_back(fmt::format("Lower bound: {} >= {} ({}). {}", one.figure, one.value, one.source,
                                sentence_on(one, result.record, drawing_of(one, result.record))));
  if (result.is_wrong()) lines.emplace_back("The result differs from a sequential computation.");
  return lines;
}

/// Pages of one form, each with the run's title and its own number.
class page_maker {
 public:
  page_maker(drawn_run const& run, page_form const& form) : m_run(run), m_form(form) {}

  /// Begins a page, and gives the part of it that is free.
  page_box begin() {
    auto const number = m_pages.size() + 1;
    auto& page = m_pages.emplace_back();
    page.width = m_form.width;
    page.height = m_form.height;
    page.title = m_run.title;
    page.description = m_run.command;
    auto const size = m_form.size;
    page_box const head{margin, margin / 2, m_form.width - 2 * margin, 3 * size};
    write_lines(page, head, {m_run.title}, size + 2);
    page_box const foot{margin, m_form.height - margin / 2 - size, head.width - 3 * size, 9};
    write_lines(page, foot, {m_run.command}, 7);
    page.shapes.emplace_back(drawn_text{
        {m_form.width - margin, foot.y + 7}, fmt::format("{}", number), 7, text_anchor::end});
    auto const top = head.y + 2.2 * size + 4;
    return {margin, top, head.width, foot.y - top - 6};
  }

  void add_closing_page() {
    auto lines = closing_lines(m_run);
    while (!lines.empty()) {
      auto free = begin();
      while (!lines.empty()) {
        // A paragraph that is longer than a page is cut.
        auto copy = page();
        auto const needed =
            write_lines(copy, {free.x, 0, free.width, 1e6}, {lines.front()}, m_form.size);
        if (needed > free.height && free.height < 0.8 * m_form.height) break;
        auto const taken = write_lines(page(), free, {lines.front()}, m_form.size) + 6;
        free.y += taken;
        free.height -= taken;
        lines.erase(lines.begin());
      }
    }
  }

  [[nodiscard]] drawing& page() { return m_pages.back(); }
  [[nodiscard]] std::vector<drawing> take() { return std::move(m_pages); }

 private:
  drawn_run const& m_run;
  page_form m_form;
  std::vector<drawing> m_pages;
};

}  // namespace

std::vector<drawing> handout_pages(drawn_run const& run, int per_page) {
  int const columns = per_page <= 3 ? 1 : per_page <= 8 ? 2 : 3;
  int const rows = (per_page + columns - 1) / columns;
  page_maker pages(run, a4);
  page_box free;
  step_form form;
  int at = 0;
  for (auto const& step : run.steps) {
    if (at == 0) free = pages.begin();
    constexpr double gap = 12;
    page_box const part{free.x, free.y, (free.width - gap * (columns - 1)) / columns,
                        (free.height - gap * (rows - 1)) / rows};
    if (&step == &run.steps.front()) form = form_of(part, run.steps, run.network);
    draw_step(pages.page(),
              {part.x + (part.width + gap) * (at % columns),
               part.y + (part.height + gap) * (at / columns), part.width, part.height},
              step, run.network, form);
    at = (at + 1) % per_page;
  }
  pages.add_closing_page();
  return pages.take();
}

std::vector<drawing> slides(drawn_run const& run) {
  page_maker pages(run, slide);
  step_form form;
  for (auto const& step : run.steps) {
    auto const free = pages.begin();
    if (&step == &run.steps.front()) form = form_of(free, run.steps, run.network);
    draw_step(pages.page(), free, step, run.network, form);
  }
  pages.add_closing_page();
  return pages.take();
}

}  // namespace lockstep::cli
