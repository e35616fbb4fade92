#pragma once

#include <cstddef>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "rankforest/metric/keys.hpp"
#include "rankforest/metric/names.hpp"
#include "rankforest/metric/presets.hpp"
#include "rankforest/metric/settings.hpp"
#include "rankforest/metric/suggestion.hpp"
#include "rankforest/metric/text.hpp"

namespace rankforest::detail {

// metric := name [ "@" k ] [ keys ] | name keys "@" k
// keys := "(" [ key "=" value { "," key "=" value } ] ")"

inline MetricSettings DefaultSettings(const MetricRow& row) {
  MetricSettings settings;
  settings.kind = row.kind;
  settings.divisor = row.divisors.first;
  return settings;
}

inline constexpr std::size_t kMaxCutoff = 1000000000;

inline std::string Quote(std::string_view text) { return '"' + std::string(text) + '"'; }

/// The keys that a metric reads, each after a blank.
inline std::string ListKeys(const MetricRow& row) {
  std::string names;
  for (const KeyRow& key : kKeys) {
    if (Has(row.keys, key.key)) names.append(" ").append(key.name);
  }
  return names.empty() ? " none" : names + " preset";
}

/// What a name that is no key of a metric is answered with.
inline std::string NoSuchKey(const MetricRow& row, std::string_view name) {
  NearestWord nearest(name);
  for (const KeyRow& key : kKeys) {
    if (Has(row.keys, key.key)) nearest.Offer(key.name);
  }
  if (row.keys != 0) nearest.Offer("preset");
  return std::string(row.name) + " has no key " + Quote(name) + "; its keys:" + ListKeys(row) +
         DidYouMean(nearest.word());
}

/// The divisors that a metric knows, each after a blank.
inline std::string ListDivisors(const MetricRow& row) {
  std::string names;
  for (const Named<Divisor>& divisor : kDivisorNames) {
    if (row.divisors.Has(divisor.value)) names.append(" ").append(divisor.name);
  }
  return names;
}

/// @throws std::invalid_argument for a cutoff that no metric has; `shown` is what the user wrote
inline void CheckCutoff(std::size_t cutoff, std::string_view shown) {
  if (cutoff >= 1 && cutoff <= kMaxCutoff) return;
  throw std::invalid_argument("cutoff " + std::string(shown) + " must be from 1 to " +
                              std::to_string(kMaxCutoff));
}

/// @throws std::invalid_argument if `text` is no whole number from 1 to kMaxCutoff
inline std::size_t ParseCutoff(std::string_view text) {
  const std::optional<std::size_t> cutoff = ParseCount(text);
  if (!cutoff) throw std::invalid_argument("cutoff " + Quote(text) + " must be a whole number");
  CheckCutoff(*cutoff, text);
  return *cutoff;
}

/// @throws std::invalid_argument if no spelling gives these settings
inline void CheckSettings(const MetricSettings& settings) {
  const MetricRow& row = RowOf(settings.kind);
  const std::string name(row.name);
  if (row.cutoff == Cutoff::kNever && settings.cutoff != kNoCutoff) {
    throw std::invalid_argument(name + " takes no cutoff @k");
  }
  if (row.cutoff == Cutoff::kRequired && settings.cutoff == kNoCutoff) {
    throw std::invalid_argument(name + " needs a cutoff, such as " + name + "@10");
  }
  if (settings.cutoff != kNoCutoff) {
    CheckCutoff(settings.cutoff, std::to_string(settings.cutoff));
  }
  if (Has(row.keys, MetricKey::kDivisor) && !row.divisors.Has(settings.divisor)) {
    throw std::invalid_argument("divisor=" + WriteName(kDivisorNames, settings.divisor) + " of " +
                                name + " must be one of" + ListDivisors(row));
  }
  if (settings.kind == MetricKind::kErr && settings.gain.rule == GainRule::kTable) {
    throw std::invalid_argument("gain=" + WriteGain(settings.gain) + " of " + name +
                                " must be one of" + ListNames(kGainNames));
  }
  const MetricSettings defaults = DefaultSettings(row);
  MetricSettings read_back = settings;
  for (const KeyRow& key : kKeys) {
    const std::string value = key.write(settings);
    if (!Has(row.keys, key.key) && value != key.write(defaults)) {
      throw std::invalid_argument(NoSuchKey(row, key.name));
    }
    key.read(value, read_back);
  }
  if (!(read_back == settings)) throw std::invalid_argument("no spelling gives these settings");
}

/// The first spelling of a key that may be written by its second.
inline std::string_view FirstSpelling(std::string_view name) {
  for (const KeyRow& key : kKeys) {
    if (!name.empty() && key.alias == name) return key.name;
  }
  return name;
}

using KeyValues = std::vector<std::pair<std::string_view, std::string_view>>;

inline KeyValues SplitKeys(std::string_view text) {
  KeyValues pairs;
  if (Trim(text).empty()) return pairs;
  for (const std::string_view piece : Split(text, ',')) {
    const std::size_t equals = piece.find('=');
    if (equals == std::string_view::npos) {
      throw std::invalid_argument(Quote(piece) + " must be key=value");
    }
    const std::string_view key = FirstSpelling(Trim(piece.substr(0, equals)));
    for (const auto& earlier : pairs) {
      if (earlier.first == key) throw std::invalid_argument("key " + Quote(key) + " appears twice");
    }
    pairs.emplace_back(key, Trim(piece.substr(equals + 1)));
  }
  return pairs;
}

inline void SetKey(std::string_view name, std::string_view value, MetricSettings& settings) {
  const MetricRow& row = RowOf(settings.kind);
  for (const KeyRow& key : kKeys) {
    if (key.name != name || !Has(row.keys, key.key)) continue;
    try {
      return key.read(value, settings);
    } catch (const std::invalid_argument& error) {
      throw std::invalid_argument(std::string(name) + "=" + std::string(value) + " " +
                                  error.what());
    }
  }
  throw std::invalid_argument(NoSuchKey(row, name));
}

inline void SetPreset(std::string_view preset, MetricSettings& settings) {
  try {
    for (const auto& [key, value] : SplitKeys(PresetKeys(preset, settings.kind))) {
      SetKey(key, value, settings);
    }
  } catch (const std::invalid_argument& error) {
    throw std::invalid_argument("preset=" + std::string(preset) + " " + error.what());
  }
}

inline MetricSettings WithKey(MetricSettings settings, std::string_view key,
                              std::string_view value) {
  const std::string lower = LowerCase(Trim(value));
  key == "preset" ? SetPreset(lower, settings) : SetKey(FirstSpelling(key), lower, settings);
  return settings;
}

/// `head` is name[@k], for the suggestion.
inline const MetricRow& FindRow(std::string_view name, std::string_view head) {
  for (const MetricRow& row : kMetrics) {
    if (!name.empty() && (row.name == name || row.alias == name)) return row;
  }
  throw std::invalid_argument("unknown name " + Quote(name) + "; there are" + ListNames(kMetrics) +
                              DidYouMean(NearestHead(head)));
}

/// `head` is name[@k], `keys` what stands between the brackets.
inline MetricSettings ParsePieces(std::string_view head, std::string_view keys) {
  const std::size_t at = head.find('@');
  MetricSettings settings = DefaultSettings(FindRow(Trim(head.substr(0, at)), head));
  if (at != std::string_view::npos) settings.cutoff = ParseCutoff(Trim(head.substr(at + 1)));
  const KeyValues pairs = SplitKeys(keys);
  for (const auto& [key, value] : pairs) {
    if (key == "preset") SetPreset(value, settings);
  }
  for (const auto& [key, value] : pairs) {
    if (key != "preset") SetKey(key, value, settings);
  }
  CheckSettings(settings);
  return settings;
}

/// Reads lower-case text with brackets, the first of which stands at `open`.
inline MetricSettings ParseWithKeys(std::string_view whole, std::size_t open) {
  const std::size_t close = whole.rfind(')');
  if (close == std::string_view::npos || close < open) {
    throw std::invalid_argument(Quote(whole.substr(open)) + " must end with )");
  }
  std::string head(Trim(whole.substr(0, open)));
  const std::string_view cutoff = Trim(whole.substr(close + 1));
  if (!cutoff.empty() && cutoff.front() != '@') {
    throw std::invalid_argument(Quote(cutoff) + " after ) must be a cutoff, such as @10");
  }
  if (!cutoff.empty() && head.find('@') != std::string::npos) {
    throw std::invalid_argument(Quote(cutoff) + " is a second cutoff; one is enough");
  }
  head += cutoff;
  return ParsePieces(head, whole.substr(open + 1, close - open - 1));
}

inline MetricSettings ParseMetric(std::string_view text) {
  try {
    const std::string lower = LowerCase(Trim(text));
    const std::size_t open = lower.find('(');
    return open == std::string::npos ? ParsePieces(lower, {}) : ParseWithKeys(lower, open);
  } catch (const std::invalid_argument& error) {
    throw std::invalid_argument("metric " + Quote(text) + ": " + error.what());
  }
}

inline std::string WriteMetric(const MetricSettings& settings) {
  const MetricRow& row = RowOf(settings.kind);
  const MetricSettings defaults = DefaultSettings(row);
  std::string text(row.name);
  if (settings.cutoff != kNoCutoff) text += '@' + std::to_string(settings.cutoff);
  std::string keys;
  for (const KeyRow& key : kKeys) {
    const std::string value = key.write(settings);
    if (!Has(row.keys, key.key) || value == key.write(defaults)) continue;
    keys.append(keys.empty() ? "" : ",").append(key.name).append("=").append(value);
  }
  return keys.empty() ? text : text + '(' + keys + ')';
}

}  // namespace rankforest::detail
