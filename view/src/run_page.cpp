#include "run_page.hpp"

#include <memory>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <lockstep/detail/quoted.hpp>
#include <lockstep/recording.hpp>
#include <lockstep/traces/view_trace.hpp>

#include "run_json.hpp"
#include "view_page.hpp"
#include "whole_file.hpp"

namespace lockstep {

namespace detail {

namespace {

/// The recording that a machine's options ask for, with a page if the run fails.
class asked_recording : public run_recording {
 public:
  asked_recording(machine const& on, std::filesystem::path page_of_failure)
      : run_recording(on, {}, view_trace::default_most_messages),
        m_page_of_failure(std::move(page_of_failure)) {}

  void ended(run_end const& how) override {
    run_recording::ended(how);
    if (how.failure == nullptr || m_page_of_failure.empty()) return;
    try {
      write_run_page(*this, m_page_of_failure, {});
    } catch (...) {
      // Whatever is wrong with the page, what comes out of the run is its own error.
      return;
    }
  }

 private:
  std::filesystem::path m_page_of_failure;  ///< empty: none
};

}  // namespace

std::string title_of(run_recording const& of, view_notes const& notes) {
  if (!notes.title.empty()) return notes.title;
  auto const spec = of.on().topology().spec();
  return of.program().empty() ? fmt::format("a run on {}", spec)
                              : fmt::format("{} on {}", of.program(), spec);
}

void write_run_page(run_recording const& of, std::filesystem::path const& file,
                    view_notes const& notes) {
  auto named = notes;
  named.title = title_of(of, notes);
  std::vector<std::string> const runs{run_json(of, named).json};
  write_whole_file(file, view_page(as_utf8(named.title), of.figures(), runs));
}

std::shared_ptr<observer> record_run(machine const& on,
                                     std::filesystem::path const* page_of_failure) {
  return std::make_shared<asked_recording>(
      on, page_of_failure == nullptr ? std::filesystem::path() : *page_of_failure);
}

}  // namespace detail

void run_record::view(std::filesystem::path const& file, view_notes const& notes) const {
  if (network() == nullptr)
    throw invalid_argument(
        "view of a record without a network: take the record of a machine's run");
  detail::check_members(notes);
  auto const recorded =
      std::dynamic_pointer_cast<detail::run_recording const>(m_evidence.recording);
  if (recorded != nullptr) return detail::write_run_page(*recorded, file, notes);
  detail::write_run_page(detail::run_recording(*this), file, notes);
}

}  // namespace lockstep
