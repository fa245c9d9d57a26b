#include <cxxabi.h>
#include <dlfcn.h>
#include <unistd.h>

#include <cctype>
#include <cstddef>
#include <cstdlib>
#include <exception>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <lockstep/grading.hpp>

#include "submission.hpp"

namespace lockstep::cli {

namespace {

using nlohmann::json;

/// The way to whoever grades: each line begins with a word that submissions do not know.
class telling {
 public:
  telling() {
    for (char one = 0; ::read(own_channel, &one, 1) == 1 && one != '\n';) m_word += one;
  }

  void tell(json const& line) const {
    // Whatever a submission has written there before, this is a line of its own. Text that is not UTF-8
    // is replaced.
    auto const text =
        fmt::format("\n{}{}\n", m_word, line.dump(-1, ' ', false, json::error_handler_t::replace));
    for (std::string_view left = text; !left.empty();) {
      auto const count = ::write(own_channel, left.data(), left.size());
      if (count <= 0) ::_exit(1);
      left.remove_prefix(static_cast<std::size_t>(count));
    }
  }

 private:
  std::string m_word;
};

/// Keeps the first line, and the second where the first announces it, as far as a table has room.
std::string one_line(std::string_view text) {
  constexpr std::size_t most = 400;
  auto end = text.find('\n');
  if (end != std::string_view::npos && end > 0 && text[end - 1] == ':')
    end = text.find('\n', end + 1);
  std::string line;
  for (char const one : text.substr(0, end))
    if (std::isspace(static_cast<unsigned char>(one)) == 0)
      line += one;
    else if (!line.empty() && line.back() != ' ')
      line += ' ';
  if (line.size() > most) line = line.substr(0, most) + " ...";
  return line;
}

/// Names the missing function, as a C++ programmer writes it.
std::string why_not_loaded(std::string_view said) {
  constexpr std::string_view mark = "undefined symbol: ";
  auto const place = said.find(mark);
  if (place == std::string_view::npos) return one_line(said);
  auto const name = std::string(said.substr(place + mark.size()));
  int status = 0;
  std::unique_ptr<char, decltype(&std::free)> const readable(
      abi::__cxa_demangle(name.c_str(), nullptr, nullptr, &status), std::free);
  return fmt::format("does not define {}", readable ? readable.get() : name);
}

[[noreturn]] void stop(telling const& way, json const& last) {
  way.tell(last);
  ::_exit(0);
}

/// Loads a library, whose names others see if it is the submission.
void* loaded(telling const& way, std::filesystem::path const& library, int visible) {
  void* const handle = ::dlopen(library.c_str(), RTLD_NOW | visible);
  if (handle == nullptr) stop(way, {{"not_loaded", why_not_loaded(::dlerror())}});
  return handle;
}

std::string broken_rule_of(std::function<void(graded_check&)> const& run, graded_check& check) {
  try {
    run(check);
  } catch (std::exception const& problem) {
    return one_line(problem.what());
  } catch (...) {
    return "throws something that is not a std::exception";
  }
  return {};
}

void run_check(telling const& way, std::size_t number, grading::entry const& one) {
  way.tell({{"begin", number}});
  graded_check check;
  auto const rule = broken_rule_of(one.run, check);
  json line{{"check", number}, {"passed", rule.empty()}, {"rule", rule}};
  if (auto const steps = check.counted_steps()) line["steps"] = *steps;
  if (auto const claimed = check.claimed_steps()) line["claimed"] = *claimed;
  way.tell(line);
}

}  // namespace

std::string why_no_test(std::filesystem::path const& test) {
  // Functions of submissions are missing until they are called.
  void* const handle = ::dlopen(test.c_str(), RTLD_LAZY | RTLD_LOCAL);
  if (handle == nullptr) return {};
  auto* const begin = reinterpret_cast<void (*)(grading&)>(::dlsym(handle, "lockstep_test"));
  if (begin == nullptr) return "does not define lockstep_test";
  grading all;
  try {
    begin(all);
  } catch (std::exception const& problem) {
    return fmt::format("ends by an exception before any check: {}", one_line(problem.what()));
  }
  return all.checks().empty() ? "adds no check" : "";
}

void run_test(std::filesystem::path const& submission, std::filesystem::path const& test) {
  telling const way;
  if (!close_sandbox()) stop(way, {{"sandbox", false}});
  (void)loaded(way, submission, RTLD_GLOBAL);
  auto* const handle = loaded(way, test, RTLD_LOCAL);
  auto* const begin = reinterpret_cast<void (*)(grading&)>(::dlsym(handle, "lockstep_test"));
  if (begin == nullptr) stop(way, {{"not_loaded", "the test does not define lockstep_test"}});
  grading all;
  begin(all);
  auto plan = json::array();
  for (auto const& one : all.checks()) plan.push_back({{"name", one.name}, {"points", one.points}});
  way.tell({{"plan", plan}});
  for (std::size_t i = 0; i < all.checks().size(); ++i) run_check(way, i, all.checks()[i]);
  stop(way, {{"end", true}});
}

}  // namespace lockstep::cli
