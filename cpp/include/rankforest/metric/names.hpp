#pragma once

#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>

#include "rankforest/metric/settings.hpp"
#include "rankforest/metric/text.hpp"

namespace rankforest::detail {

// The name tables of metrics: every spelling that a metric may have stands here.

enum class MetricKey : std::uint8_t {
  kGain,
  kGrade,
  kDiscount,
  kThreshold,
  kDivisor,
  kGmax,
  kPersistence,
  kFpr,
  kVariant,
  kShort,
  kIdeal,
  kEmpty,
  kTies,
};

/// A set of keys, one bit each.
using KeySet = std::uint32_t;

template <class... Keys>
constexpr KeySet Set(Keys... keys) {
  return ((KeySet{1} << static_cast<unsigned>(keys)) | ...);
}

constexpr bool Has(KeySet set, MetricKey key) { return (set & Set(key)) != 0; }

/// The divisors that a metric knows, its default first; the last may be repeated.
struct DivisorSet {
  Divisor first = Divisor::kMin;
  Divisor second = first;
  Divisor third = second;

  [[nodiscard]] constexpr bool Has(Divisor divisor) const {
    return divisor == first || divisor == second || divisor == third;
  }
};

enum class Cutoff : std::uint8_t { kNever, kOptional, kRequired };

/// One metric. A new one needs a row here, a header and a line in calculators.hpp.
struct MetricRow {
  MetricKind kind;
  std::string_view name;
  std::string_view alias;  ///< a second spelling, or empty
  KeySet keys;             ///< what it reads of MetricSettings
  Cutoff cutoff;
  bool maximize;          ///< whether more is better
  DivisorSet divisors{};  ///< those that it knows
};

inline constexpr KeySet kListKeys = Set(MetricKey::kEmpty, MetricKey::kTies);
inline constexpr KeySet kRankingKeys = kListKeys | Set(MetricKey::kIdeal);
inline constexpr KeySet kGainKeys = kRankingKeys | Set(MetricKey::kGain, MetricKey::kGrade,
                                                       MetricKey::kDiscount, MetricKey::kShort);
inline constexpr KeySet kRelevanceKeys =
    kRankingKeys | Set(MetricKey::kThreshold, MetricKey::kDivisor);

inline constexpr MetricRow kMetrics[] = {
    {MetricKind::kNdcg, "ndcg", "", kGainKeys, Cutoff::kOptional, true},
    {MetricKind::kDcg, "dcg", "", kGainKeys, Cutoff::kOptional, true},
    {MetricKind::kMeanNdcg, "meanndcg", "",
     kListKeys | Set(MetricKey::kGain, MetricKey::kGrade, MetricKey::kDiscount), Cutoff::kNever,
     true},
    {MetricKind::kMap,
     "map",
     "ap",
     kRelevanceKeys,
     Cutoff::kOptional,
     true,
     {Divisor::kMin, Divisor::kRelevant, Divisor::kFound}},
    {MetricKind::kErr, "err", "",
     kRankingKeys | Set(MetricKey::kGain, MetricKey::kGrade, MetricKey::kGmax), Cutoff::kOptional,
     true},
    {MetricKind::kPrecision,
     "p",
     "precision",
     kRelevanceKeys,
     Cutoff::kRequired,
     true,
     {Divisor::kK, Divisor::kMin}},
    {MetricKind::kRecall, "recall", "r", kRankingKeys | Set(MetricKey::kThreshold),
     Cutoff::kRequired, true},
    {MetricKind::kReciprocalRank, "mrr", "rr", kRankingKeys | Set(MetricKey::kThreshold),
     Cutoff::kOptional, true},
    {MetricKind::kRankBiasedPrecision, "rbp", "",
     kRankingKeys | Set(MetricKey::kThreshold, MetricKey::kPersistence), Cutoff::kOptional, true},
    {MetricKind::kAuc, "auc", "", kListKeys | Set(MetricKey::kThreshold, MetricKey::kFpr),
     Cutoff::kNever, true},
    {MetricKind::kPairAccuracy, "pairaccuracy", "pair_accuracy", kListKeys, Cutoff::kNever, true},
    {MetricKind::kKendallTau, "kendalltau", "kendall_tau", kListKeys | Set(MetricKey::kVariant),
     Cutoff::kNever, true},
    {MetricKind::kRmse, "rmse", "", 0, Cutoff::kNever, false},
};

inline const MetricRow& RowOf(MetricKind kind) {
  for (const MetricRow& row : kMetrics) {
    if (row.kind == kind) return row;
  }
  throw std::invalid_argument("metric kind " + std::to_string(static_cast<int>(kind)) +
                              " does not exist");
}

template <class T>
struct Named {
  std::string_view name;
  T value;
};

inline constexpr Named<GainRule> kGainNames[] = {{"exp2", GainRule::kExp2},
                                                 {"linear", GainRule::kLinear}};
inline constexpr Named<GradeRule> kGradeNames[] = {{"real", GradeRule::kReal},
                                                   {"trunc", GradeRule::kTrunc}};
inline constexpr Named<Discount> kDiscountNames[] = {
    {"log2", Discount::kLog2}, {"letor", Discount::kLetor}, {"reciprocal", Discount::kReciprocal}};
inline constexpr Named<Divisor> kDivisorNames[] = {{"k", Divisor::kK},
                                                   {"relevant", Divisor::kRelevant},
                                                   {"min", Divisor::kMin},
                                                   {"found", Divisor::kFound}};
inline constexpr Named<HighestGrade::Source> kGmaxNames[] = {
    {"query", HighestGrade::Source::kQuery}, {"data", HighestGrade::Source::kData}};
inline constexpr Named<TauVariant> kVariantNames[] = {{"b", TauVariant::kB}, {"a", TauVariant::kA}};
inline constexpr Named<ShortList> kShortNames[] = {{"whole", ShortList::kWhole},
                                                   {"zero", ShortList::kZero}};
inline constexpr Named<Ideal> kIdealNames[] = {{"judged", Ideal::kJudged}, {"list", Ideal::kList}};
inline constexpr Named<Empty> kEmptyNames[] = {
    {"skip", Empty::kSkip}, {"0", Empty::kZero}, {"0.5", Empty::kHalf}, {"1", Empty::kOne}};
inline constexpr Named<Ties> kTiesNames[] = {
    {"average", Ties::kAverage},      {"canonical", Ties::kCanonical},
    {"input", Ties::kInput},          {"reversed", Ties::kReversed},
    {"docno", Ties::kDocno},          {"pessimistic", Ties::kPessimistic},
    {"optimistic", Ties::kOptimistic}};

/// The names of a table, each after a blank.
template <class Row, std::size_t size>
std::string ListNames(const Row (&rows)[size]) {
  std::string names;
  for (const Row& row : rows) names.append(" ").append(row.name);
  return names;
}

template <class T, std::size_t size>
T ReadName(const Named<T> (&rows)[size], std::string_view text) {
  for (const Named<T>& row : rows) {
    if (row.name == text) return row.value;
  }
  throw std::invalid_argument("must be one of" + ListNames(rows));
}

template <class T, std::size_t size>
std::string WriteName(const Named<T> (&rows)[size], T value) {
  for (const Named<T>& row : rows) {
    if (row.value == value) return std::string(row.name);
  }
  throw std::invalid_argument("must be one of" + ListNames(rows));
}

}  // namespace rankforest::detail
