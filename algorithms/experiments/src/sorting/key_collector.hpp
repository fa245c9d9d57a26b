#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sorting/key_file.hpp"

namespace lockstep {

/// Takes in the keys of a text one after the other: as the first of int32, int64 and uint64 that
/// has room for all, or as float64 where numbers need not be whole; or as the type that is asked for.
class key_collector {
 public:
  using memory = std::uint64_t();

  /// `file`: its name, for messages; `type`: nothing for the first that has room; `column`: that of
  /// a CSV file, in quotes, or nothing where each line holds a key.
  key_collector(std::string file, std::optional<key_type> type, memory* available, keys_taken taken,
                std::string_view column = {});

  /// Takes the key that is the whole of `text`, in that line of the file.
  /// Errors: bad_input, with the line, for text that is not such a key, one that does not fit in
  /// with those before it, NaN, and for more keys than there is memory for.
  void take(std::string_view text, std::uint64_t line);

  /// Errors: bad_input for more keys than there is memory for.
  [[nodiscard]] key_vector finish() &&;

  /// Errors: bad_input, always, of that line.
  [[noreturn]] void refuse(std::uint64_t line, std::string const& reason) const;

 private:
  struct whole;

  void take_whole(whole const& number, std::string_view text, std::uint64_t line);
  void take_real(std::string_view text, std::uint64_t line);
  void turn_real();
  void note(whole const& number, std::uint64_t line);
  [[noreturn]] void refuse_rounding(std::uint64_t line) const;
  template <class Key>
  void append(Key key, std::vector<Key>& keys) const;
  [[nodiscard]] bool may_turn_real() const { return m_taken == keys_taken::numbers && !m_type; }

  std::string m_file;
  std::optional<key_type> m_type;
  memory* m_available;
  keys_taken m_taken;
  std::string m_in_column;              ///< where a text stands, for messages
  std::string m_one_in_each;            ///< what to give
  std::optional<key_type> m_real_type;  ///< if numbers need not be whole
  std::vector<std::uint64_t> m_keys;
  std::vector<double> m_real_keys;
  bool m_all_int32 = true;
  bool m_any_negative = false;
  bool m_any_large = false;
  std::uint64_t m_line_to_round = 0;  ///< the first whose number float64 does not have
};

/// Why NaN is refused.
inline constexpr char const* why_not_nan =
    "is neither less than a number nor greater nor equal, so it has no place in an order; leave it "
    "out";

/// Itself, on its way twice, sorted and expected.
inline constexpr std::uint64_t bytes_to_sort_a_key = 112;

/// Errors: bad_input for that many bytes of keys that memory has no room for.
void require_room_for_keys(std::uint64_t bytes, std::string const& file,
                           std::uint64_t (*available)());

}  // namespace lockstep
