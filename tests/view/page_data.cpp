#include "view/page_data.hpp"

#include <zlib.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <utility>

#include <fmt/format.h>

namespace reference {

namespace {

std::string from_base64(std::string_view text) {
  constexpr std::string_view digits =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  if (text.size() % 4 != 0) throw std::runtime_error("base64 comes in fours");
  std::string bytes;
  std::uint32_t bits = 0;
  int have = 0;
  for (char const one : text.substr(0, text.find('='))) {
    auto const digit = digits.find(one);
    if (digit == std::string_view::npos) throw std::runtime_error("not a digit of base64");
    bits = bits << 6U | static_cast<std::uint32_t>(digit);
    have += 6;
    if (have < 8) continue;
    have -= 8;
    bytes += static_cast<char>(bits >> static_cast<unsigned>(have) & 0xFFU);
  }
  return bytes;
}

std::string inflated(std::string const& bytes) {
  z_stream stream{};
  inflateInit2(&stream, -MAX_WBITS);
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
  stream.avail_in = static_cast<uInt>(bytes.size());
  std::string text;
  std::array<char, 4096> ready{};
  int status = Z_OK;
  while (status == Z_OK) {
    stream.next_out = reinterpret_cast<Bytef*>(ready.data());
    stream.avail_out = static_cast<uInt>(ready.size());
    status = inflate(&stream, Z_NO_FLUSH);
    text.append(ready.data(), ready.size() - stream.avail_out);
  }
  inflateEnd(&stream);
  if (status != Z_STREAM_END) throw std::runtime_error("the data are not deflated, or cut off");
  return text;
}

/// A whole number of a page, which is a text beyond 2^53.
std::uint64_t whole(nlohmann::json const& number) {
  return number.is_string() ? std::stoull(number.get<std::string>()) : number.get<std::uint64_t>();
}

class checked_run {
 public:
  explicit checked_run(nlohmann::json const& run) : m_run(run) {}

  [[nodiscard]] std::vector<std::string> faults() && {
    check_columns("steps", "messages");
    check_columns("messages", "from");
    if (m_run.contains("calls")) check_columns("calls", "kind");
    if (m_run.contains("calls")) check_texts();
    check_columns("shows", "step");
    check_index("messages", "route", "routes");
    check_index("messages", "sendPlace", "places");
    check_index("messages", "receivePlace", "places");
    check_places();
    check_index("shows", "name", "showNames");
    check_index("steps", "phase", "phases");
    check_figures_of_steps();
    check_totals();
    return std::move(m_faults);
  }

 private:
  void check(bool holds, std::string const& what) {
    if (!holds) m_faults.push_back(what);
  }
  void check_columns(char const* table, char const* measure) {
    auto const rows = m_run.at(table).at(measure).size();
    for (auto const& [name, column] : m_run.at(table).items())
      if (column.is_array())
        check(column.size() == rows, fmt::format("{}.{} has {} rows", table, name, column.size()));
  }
  /// Labels and notes have texts.
  void check_texts() {
    auto const& calls = m_run.at("calls");
    for (std::size_t at = 0; at < calls.at("kind").size(); ++at) {
      auto const kind = calls.at("kind")[at].get<int>();
      if (kind != 11 && kind != 12) continue;
      bool const is_there = m_run.contains("texts") && calls.at("other")[at] >= 0 &&
                            calls.at("other")[at] < m_run.at("texts").size();
      check(is_there, fmt::format("call {} has no text", at));
    }
  }
  void check_index(char const* table, char const* column, char const* into) {
    auto const most = static_cast<std::int64_t>(m_run.at(into).size());
    for (auto const& one : m_run.at(table).at(column)) {
      auto const index = one.get<std::int64_t>();
      check(index >= -1 && index < most, fmt::format("{}.{} is {}", table, column, index));
    }
  }
  /// A place in a library stands after the place that calls it, so that chains end.
  void check_places() {
    auto const& places = m_run.at("places");
    for (std::size_t at = 0; at < places.size(); ++at) {
      if (!places[at].contains("from")) continue;
      auto const index = places[at].at("from").get<std::int64_t>();
      check(index >= 0 && std::cmp_less(index, at),
            fmt::format("from of place {} is {}", at, index));
    }
  }
  void check_figures_of_steps() {
    auto const& messages = m_run.at("messages");
    auto const& steps = m_run.at("steps");
    std::vector<std::uint64_t> volume(steps.at("volume").size());
    auto number = volume;
    auto const at = summed(messages.at("step"));
    for (std::size_t one = 0; one < at.size(); ++one) {
      auto const words = messages.at("words")[one].get<std::uint64_t>();
      auto const step = static_cast<std::size_t>(at[one]) - 1;
      volume.at(step) += words;
      number.at(step) += words > 0 ? 1 : 0;
    }
    check(number == steps.at("messages").get<std::vector<std::uint64_t>>(),
          "the messages are not those of the steps");
    check(volume == steps.at("volume").get<std::vector<std::uint64_t>>(),
          "the words of messages are not those of the steps");
  }
  void check_totals() {
    for (auto const& [figure, column] : m_run.at("steps").at("totals").items()) {
      std::vector<std::uint64_t> totals;
      for (auto const& total : column) totals.push_back(whole(total));
      auto const last = totals.empty() ? 0 : totals.back();
      auto const counted = whole(m_run.at("counts").at(figure));
      check(last == counted, fmt::format("{} ends with {}, and is {}", figure, last, counted));
      check(std::ranges::is_sorted(totals), figure + " goes down");
    }
  }

  nlohmann::json const& m_run;
  std::vector<std::string> m_faults;
};

}  // namespace

nlohmann::json page_data(std::string const& page) {
  std::string_view const begin =
      R"(<script type="application/json" id="lockstep-run" data-encoding="deflate-base64">)";
  auto const at = page.find(begin);
  if (at == std::string::npos) throw std::runtime_error("the page has no data");
  auto const first = at + begin.size();
  auto const end = page.find("</script>", first);
  return nlohmann::json::parse(inflated(from_base64(page.substr(first, end - first))));
}

std::vector<std::int64_t> summed(nlohmann::json const& differences) {
  std::vector<std::int64_t> all;
  std::int64_t last = 0;
  for (auto const& one : differences) all.push_back(last += one.get<std::int64_t>());
  return all;
}

std::vector<std::string> contradictions(nlohmann::json const& run) {
  return checked_run(run).faults();
}

}  // namespace reference
