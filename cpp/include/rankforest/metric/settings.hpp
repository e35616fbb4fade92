#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <tuple>
#include <vector>

namespace rankforest {

// Vocabulary: the grade of a document is its judged relevance, a number >= 0. A ranking puts the
// documents of a query in descending order of score. The cutoff k limits a metric to the first k
// ranks. A document is relevant to a metric if the metric can credit it: its gain is positive,
// or its grade passes the threshold. A query is empty if none of its documents is relevant.

enum class MetricKind : std::uint8_t {
  kNdcg,                 ///< DCG / the DCG of the ideal ranking
  kDcg,                  ///< sum of gain x discount
  kMeanNdcg,             ///< mean of NDCG@1, ..., NDCG@n for n documents
  kMap,                  ///< average precision
  kErr,                  ///< expected reciprocal rank at which a user who reads downwards stops
  kPrecision,            ///< share of relevant documents in the first k
  kReciprocalRank,       ///< 1 / the first rank that holds a relevant document
  kRecall,               ///< share of the relevant documents that stand in the first k
  kRankBiasedPrecision,  ///< relevant documents per document seen by a user who may stop
  kAuc,                  ///< area under the ROC curve
  kPairAccuracy,         ///< share of pairs of different grades in the right order
  kKendallTau,           ///< rank correlation of scores and grades
  kRmse,                 ///< root of the mean squared difference of score and grade
};

/// How much a document of a grade is worth.
enum class GainRule : std::uint8_t {
  kExp2,    ///< 2^grade - 1
  kLinear,  ///< the grade
  kTable,   ///< table[grade], whole grades only
};

struct Gain {
  GainRule rule = GainRule::kExp2;
  std::vector<double> table;  ///< of kTable: not negative, not descending; else empty

  friend bool operator==(const Gain& a, const Gain& b) {
    return a.rule == b.rule && a.table == b.table;
  }
};

/// What a metric makes of a grade before it looks up its gain.
enum class GradeRule : std::uint8_t {
  kReal,   ///< nothing
  kTrunc,  ///< cuts it to a whole number
};

/// How much of its gain a document keeps at rank r, counted from 1.
enum class Discount : std::uint8_t {
  kLog2,        ///< 1 / log2(r + 1)
  kLetor,       ///< 1 at ranks 1 and 2, then 1 / log2(r)
  kReciprocal,  ///< 1 / r
};

/// The value of an empty query.
enum class Empty : std::uint8_t { kSkip, kZero, kHalf, kOne };

/// Which documents the ideal ranking and the number of relevant documents come from.
enum class Ideal : std::uint8_t {
  kJudged,  ///< all judged ones: those of separate judgements where there are any
  kList,    ///< the ranked ones
};

/// The rank of documents with equal scores.
enum class Ties : std::uint8_t {
  kAverage,      ///< the expected value over all orders of the tied documents
  kCanonical,    ///< by the canonical order of the data set
  kInput,        ///< by the caller's order
  kReversed,     ///< by the caller's order, last first
  kDocno,        ///< by the ids of documents, descending
  kPessimistic,  ///< lowest grade first
  kOptimistic,   ///< highest grade first
};

/// The value of a query with fewer than k documents.
enum class ShortList : std::uint8_t {
  kWhole,  ///< that of the whole list
  kZero,   ///< 0
};

/// The part of the ROC curve whose area is taken.
struct FalsePositiveRange {
  double low = 0.0;   ///< >= 0
  double high = 1.0;  ///< > low, at most 1

  friend bool operator==(const FalsePositiveRange& a, const FalsePositiveRange& b) {
    return a.low == b.low && a.high == b.high;
  }
};

/// What the difference of concordant and discordant pairs is divided by.
enum class TauVariant : std::uint8_t {
  kB,  ///< sqrt(pairs with different scores x pairs with different grades)
  kA,  ///< all pairs
};

/// What a sum over relevant documents is divided by.
enum class Divisor : std::uint8_t {
  kK,         ///< precision: k
  kRelevant,  ///< MAP: the number of relevant documents
  kMin,       ///< precision: min(k, documents); MAP: min(k, relevant documents)
  kFound,     ///< MAP: the number of relevant documents in the first k
};

/// The highest grade there can be.
struct HighestGrade {
  enum class Source : std::uint8_t {
    kNumber,  ///< `number`
    kQuery,   ///< the highest grade of the query
    kData,    ///< the highest grade of all queries
  };

  Source source = Source::kNumber;
  double number = 4.0;  ///< > 0, at most 1023

  friend bool operator==(const HighestGrade& a, const HighestGrade& b) {
    return a.source == b.source && a.number == b.number;
  }
};

/// Which grades are relevant.
struct Threshold {
  double value = 0.0;
  bool inclusive = false;  ///< whether `value` itself is relevant

  [[nodiscard]] bool Passes(double grade) const {
    return inclusive ? grade >= value : grade > value;
  }

  friend bool operator==(const Threshold& a, const Threshold& b) {
    return a.value == b.value && a.inclusive == b.inclusive;
  }
};

/// The cutoff of a metric that has none.
inline constexpr std::size_t kNoCutoff = std::numeric_limits<std::size_t>::max();

/// Everything that makes up a metric. A metric reads the settings that its row in names.hpp
/// lists; the others keep their defaults.
struct MetricSettings {
  MetricKind kind = MetricKind::kNdcg;
  std::size_t cutoff = kNoCutoff;  ///< >= 1
  Gain gain;                       ///< of ERR: exp2 or linear
  GradeRule grade = GradeRule::kReal;
  Discount discount = Discount::kLog2;
  Threshold threshold;
  Divisor divisor = Divisor::kMin;
  HighestGrade gmax;         ///< of ERR
  double persistence = 0.8;  ///< of RBP: above 0 and below 1
  FalsePositiveRange fpr;    ///< of AUC
  TauVariant variant = TauVariant::kB;
  ShortList short_list = ShortList::kWhole;
  Ideal ideal = Ideal::kJudged;
  Empty empty = Empty::kSkip;
  Ties ties = Ties::kAverage;

  friend bool operator==(const MetricSettings& a, const MetricSettings& b) {
    const auto members = [](const MetricSettings& s) {
      return std::tie(s.kind, s.cutoff, s.gain, s.grade, s.discount, s.threshold, s.divisor, s.gmax,
                      s.persistence, s.fpr, s.variant, s.short_list, s.ideal, s.empty, s.ties);
    };
    return members(a) == members(b);
  }
};

}  // namespace rankforest
