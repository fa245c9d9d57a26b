#include <algorithm>
#include <filesystem>
#include <ostream>
#include <stdexcept>
#include <system_error>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <lockstep/detail/message_log.hpp>
#include <lockstep/experiments/output_file.hpp>

#include "commands.hpp"
#include "measured_run.hpp"
#include "report/gallery_index.hpp"
#include "report/message_picture.hpp"
#include "usage_error.hpp"

namespace lockstep::cli {

namespace {

void make_folder(std::filesystem::path const& folder) {
  std::error_code problem;
  if (std::filesystem::exists(folder, problem) && !std::filesystem::is_directory(folder, problem))
    throw usage_error(fmt::format("--gallery: {} is a file; name a folder", folder.string()));
  std::filesystem::create_directories(folder, problem);
  if (problem)
    throw usage_error(fmt::format("--gallery: the folder {} could not be made: {}; name another",
                                  folder.string(), problem.message()));
}

/// The index, which is written once all pages are: that its place can be written to is known before.
class index_file {
 public:
  explicit index_file(std::filesystem::path const& place) try : m_file(place) {
  } catch (bad_input const& problem) {
    throw usage_error(fmt::format("--gallery: {}", problem.what()));
  }

  [[nodiscard]] std::filesystem::path const& path() const { return m_file.path(); }
  void write(std::vector<gallery_entry> const& pages) {
    m_file.stream() << gallery_index(pages);
    try {
      m_file.complete();
    } catch (incomplete_output const& problem) {
      throw std::runtime_error(problem.what());
    }
  }

 private:
  output_file m_file;
};

}  // namespace

exit_status execute(gallery_command const& asked, std::ostream& out) {
  make_folder(asked.folder);
  index_file index(asked.folder / "index.html");
  auto status = exit_status::all_right;
  std::vector<gallery_entry> entries;
  for (auto const& page : asked.pages) {
    auto const& run = page.run;
    detail::message_log log;
    auto const add_entry = [&](report const& of) {
      entries.push_back({.what = run.what,
                         .on = run.on,
                         .total = of.result.record.counts(),
                         .picture = message_picture(of.result.record, log.messages())});
    };
    status = std::max(status, run_and_print(run, {&log}, out, add_entry));
    out << run.trace->string() << '\n';
  }
  index.write(entries);
  out << index.path().string() << '\n';
  return status;
}

}  // namespace lockstep::cli
