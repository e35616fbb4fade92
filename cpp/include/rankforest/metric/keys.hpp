#pragma once

#include <cmath>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "rankforest/metric/names.hpp"
#include "rankforest/metric/settings.hpp"
#include "rankforest/metric/text.hpp"

namespace rankforest::detail {

/// One key of the grammar: how its value is read and written. Both throw std::invalid_argument
/// with the expectation ("must be ...") alone; who calls names the key and the value.
struct KeyRow {
  MetricKey key;
  std::string_view name;
  void (*read)(std::string_view value, MetricSettings& settings);
  std::string (*write)(const MetricSettings& settings);
  std::string_view alias{};  ///< a second spelling, or empty
};

/// query, data, or a number.
inline HighestGrade ReadHighestGrade(std::string_view text) {
  for (const Named<HighestGrade::Source>& row : kGmaxNames) {
    if (row.name == text) return {row.value, HighestGrade{}.number};
  }
  const std::optional<double> number = ParseNumber(text);
  if (!number || !(*number > 0.0 && *number <= 1023.0)) {
    throw std::invalid_argument("must be above 0 and at most 1023, or one of" +
                                ListNames(kGmaxNames));
  }
  return {HighestGrade::Source::kNumber, *number};
}

inline std::string WriteHighestGrade(const HighestGrade& gmax) {
  if (gmax.source == HighestGrade::Source::kNumber) return NumberToString(gmax.number);
  return WriteName(kGmaxNames, gmax.source);
}

/// exp2, linear, or the gains of the grades 0, 1, ... with ; between them.
inline Gain ReadGain(std::string_view text) {
  for (const Named<GainRule>& row : kGainNames) {
    if (row.name == text) return {row.value, {}};
  }
  Gain gain{GainRule::kTable, {}};
  for (const std::string_view piece : Split(text, ';')) {
    const std::optional<double> number = ParseNumber(piece);
    const double least = gain.table.empty() ? 0.0 : gain.table.back();
    if (!number || !(*number >= least)) {
      throw std::invalid_argument("must be one of" + ListNames(kGainNames) +
                                  ", or gains >= 0 of the grades 0, 1, 2, ... that do not "
                                  "descend, such as 0;1;3");
    }
    gain.table.push_back(*number);
  }
  return gain;
}

inline std::string WriteGain(const Gain& gain) {
  if (gain.rule != GainRule::kTable) return WriteName(kGainNames, gain.rule);
  std::string text;
  for (const double value : gain.table) {
    if (!text.empty()) text += ';';
    text += NumberToString(value);
  }
  return text;
}

inline double ReadPersistence(std::string_view text) {
  const std::optional<double> number = ParseNumber(text);
  if (number && *number > 0.0 && *number < 1.0) return *number;
  throw std::invalid_argument("must be a number above 0 and below 1");
}

/// Two false-positive rates with ; between them.
inline FalsePositiveRange ReadFalsePositiveRange(std::string_view text) {
  const std::vector<std::string_view> ends = Split(text, ';');
  const std::optional<double> low = ParseNumber(ends.front());
  const std::optional<double> high = ParseNumber(ends.back());
  if (ends.size() != 2 || !low || !high || !(0.0 <= *low && *low < *high && *high <= 1.0)) {
    throw std::invalid_argument("must be two rates from 0 to 1 that ascend, such as 0;0.05");
  }
  return {*low, *high};
}

inline std::string WriteFalsePositiveRange(const FalsePositiveRange& range) {
  return NumberToString(range.low) + ';' + NumberToString(range.high);
}

/// A number (grades from it on are relevant), or > and a number (grades above it).
inline Threshold ReadThreshold(std::string_view text) {
  const bool strict = !text.empty() && text.front() == '>';
  const std::optional<double> number = ParseNumber(strict ? Trim(text.substr(1)) : text);
  if (!number || !(*number >= 0.0)) {
    throw std::invalid_argument("must be the lowest relevant grade, or > and a number below it");
  }
  return {*number, !strict};
}

inline std::string WriteThreshold(const Threshold& threshold) {
  return (threshold.inclusive ? "" : ">") + NumberToString(threshold.value);
}

/// In the order in which a metric prints them.
inline constexpr KeyRow kKeys[] = {
    {MetricKey::kGain, "gain", [](std::string_view v, MetricSettings& s) { s.gain = ReadGain(v); },
     [](const MetricSettings& s) { return WriteGain(s.gain); }},
    {MetricKey::kGrade, "grade",
     [](std::string_view v, MetricSettings& s) { s.grade = ReadName(kGradeNames, v); },
     [](const MetricSettings& s) { return WriteName(kGradeNames, s.grade); }},
    {MetricKey::kDiscount, "discount",
     [](std::string_view v, MetricSettings& s) { s.discount = ReadName(kDiscountNames, v); },
     [](const MetricSettings& s) { return WriteName(kDiscountNames, s.discount); }},
    {MetricKey::kThreshold, "threshold",
     [](std::string_view v, MetricSettings& s) { s.threshold = ReadThreshold(v); },
     [](const MetricSettings& s) { return WriteThreshold(s.threshold); }, "rel"},
    {MetricKey::kDivisor, "divisor",
     [](std::string_view v, MetricSettings& s) { s.divisor = ReadName(kDivisorNames, v); },
     [](const MetricSettings& s) { return WriteName(kDivisorNames, s.divisor); }},
    {MetricKey::kGmax, "gmax",
     [](std::string_view v, MetricSettings& s) { s.gmax = ReadHighestGrade(v); },
     [](const MetricSettings& s) { return WriteHighestGrade(s.gmax); }},
    {MetricKey::kPersistence, "persistence",
     [](std::string_view v, MetricSettings& s) { s.persistence = ReadPersistence(v); },
     [](const MetricSettings& s) { return NumberToString(s.persistence); }, "p"},
    {MetricKey::kFpr, "fpr",
     [](std::string_view v, MetricSettings& s) { s.fpr = ReadFalsePositiveRange(v); },
     [](const MetricSettings& s) { return WriteFalsePositiveRange(s.fpr); }},
    {MetricKey::kVariant, "variant",
     [](std::string_view v, MetricSettings& s) { s.variant = ReadName(kVariantNames, v); },
     [](const MetricSettings& s) { return WriteName(kVariantNames, s.variant); }},
    {MetricKey::kShort, "short",
     [](std::string_view v, MetricSettings& s) { s.short_list = ReadName(kShortNames, v); },
     [](const MetricSettings& s) { return WriteName(kShortNames, s.short_list); }},
    {MetricKey::kIdeal, "ideal",
     [](std::string_view v, MetricSettings& s) { s.ideal = ReadName(kIdealNames, v); },
     [](const MetricSettings& s) { return WriteName(kIdealNames, s.ideal); }},
    {MetricKey::kEmpty, "empty",
     [](std::string_view v, MetricSettings& s) { s.empty = ReadName(kEmptyNames, v); },
     [](const MetricSettings& s) { return WriteName(kEmptyNames, s.empty); }},
    {MetricKey::kTies, "ties",
     [](std::string_view v, MetricSettings& s) { s.ties = ReadName(kTiesNames, v); },
     [](const MetricSettings& s) { return WriteName(kTiesNames, s.ties); }},
};

}  // namespace rankforest::detail
