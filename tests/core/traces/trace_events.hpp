#pragma once

#include <map>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

namespace reference {

/// A trace in the Chrome trace event format, as documented ("Trace Event Format", JSON
/// object format): what is wrong with it, and what it shows.
class trace_events {
 public:
  /// Errors: nlohmann's for no JSON.
  explicit trace_events(std::string const& text);

  /// A line for each fault: a field that its kind of event has to have, and has not, or of another
  /// type; slices of a track that overlap and are not nested; an arrow without one beginning and
  /// one end, or which begins or ends outside the slices of its track; a track without a name.
  [[nodiscard]] std::vector<std::string> const& faults() const { return m_faults; }

  /// Events of a kind ("X", "s", ...), of one track where that is given.
  [[nodiscard]] std::vector<nlohmann::json> events(std::string const& kind, int track = -1) const;
  /// "NAME from TS for DUR" of a track's slices, by time.
  [[nodiscard]] std::vector<std::string> slices(int track) const;
  /// The name of the slice in which each arrow begins, and of that in which it ends.
  [[nodiscard]] std::vector<std::string> const& arrows() const { return m_arrows; }
  [[nodiscard]] nlohmann::json const& about() const { return m_all.at("otherData"); }

 private:
  void check(bool holds, std::string const& what);
  void check_event(nlohmann::json const& event);
  void check_nesting();
  void check_arrows();
  [[nodiscard]] std::string slice_at(nlohmann::json const& event) const;

  nlohmann::json m_all;
  std::vector<std::string> m_faults;
  std::vector<std::string> m_arrows;
  std::map<int, std::vector<nlohmann::json>> m_slices;  ///< by track and time, outer ones first
};

}  // namespace reference
