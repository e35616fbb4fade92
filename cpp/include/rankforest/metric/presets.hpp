#pragma once

#include <stdexcept>
#include <string>
#include <string_view>

#include "rankforest/metric/names.hpp"
#include "rankforest/metric/settings.hpp"
#include "rankforest/metric/suggestion.hpp"

namespace rankforest::detail {

/// What one metric means in another system: a value for every key of the metric.
struct PresetRow {
  std::string_view name;
  MetricKind kind;
  std::string_view keys;
};

// The documented convention of each system, not its bugs. What a preset leaves out stands here.
//
// letor3, letor4: the evaluation scripts of LETOR 3.0 and 4.0. Both leave ranks 1 and 2
// undiscounted, know the grades 0, 1 and 2, and break ties by the order of the lines. LETOR 4.0
// has no NDCG@k for a query of fewer than k documents and counts it as 0 in the mean; LETOR
// 3.0's is taken over the documents that there are. Left out: LETOR 3.0 loses a document whose id
// appears twice in a query.
//
// mslr: the script of the MSLR-WEB data sets: as LETOR's, for five grades; missing ranks hold grade
// 0, so NDCG@k of a short query is that of the whole list. The discount is the original's (some
// copies have log2's instead), and grade 1 is not relevant to MAP and P (some copies have it so).
//
// trec_eval: ndcg and ndcg_cut, map and map_cut, P, recall, recip_rank of trec_eval 9 (older ones
// discount by 1 / log2(r)). Averages over the topics that both files hold; -c would count missing
// ones as 0.
//
// gdeval: the script of the TREC Web tracks, grades 0 to 4; its own cutoff is 20. Topics without a
// positive judgement are left out.
//
// ranklib: grades are cut to whole numbers for gains. Left out: gains overflow from label 32 on,
// MAP ignores @k, RR looks at no rank without a cutoff, ideal DCGs are cached by query id.
//
// quickrank: MAP@k divides by the relevant documents within k. Left out: MAP without scores, ideal
// rankings of grades cut to whole numbers, ties in an arbitrary order (here that of the input).
//
// lightgbm, xgboost, xgboost-: both refuse grades that are no whole numbers or above 30 and 31;
// here gains go on. Left out: weighted, an empty query adds 1 to the numerator instead of its
// weight. xgboost- has metric names that end in -, whose empty queries count 0; map and pre
// (precision) want grades 0 and 1.
//
// catboost: 1.2, type=Base; gain=exp2 is type=Exp, discount=reciprocal is denominator=Position.
// Grades are the stop probabilities of ERR.
//
// sklearn: ndcg_score and dcg_score. ydf: its default cutoffs are ndcg@5 and mrr@10.
//
// rankeval: gain=exp2 is implementation="exp" (of NDCG the default; of DCG it is "flat"). Ties are
// reversed as in lists of up to 16 documents; beyond, they are in an arbitrary order. Left out:
// MAP@k is 1 where relevant documents exist but none in the first k; ideal DCGs of float32.
inline constexpr PresetRow kPresets[] = {
    {"letor3", MetricKind::kNdcg,
     "gain=0;1;3,grade=real,discount=letor,short=whole,ideal=list,empty=0,ties=input"},
    {"letor3", MetricKind::kMeanNdcg, "gain=0;1;3,grade=real,discount=letor,empty=0,ties=input"},
    {"letor3", MetricKind::kMap, "threshold=1,divisor=relevant,ideal=list,empty=0,ties=input"},
    {"letor3", MetricKind::kPrecision, "threshold=1,divisor=k,ideal=list,empty=0,ties=input"},
    {"letor4", MetricKind::kNdcg,
     "gain=0;1;3,grade=real,discount=letor,short=zero,ideal=list,empty=0,ties=input"},
    {"letor4", MetricKind::kMeanNdcg, "gain=0;1;3,grade=real,discount=letor,empty=0,ties=input"},
    {"letor4", MetricKind::kMap, "threshold=1,divisor=relevant,ideal=list,empty=0,ties=input"},
    {"letor4", MetricKind::kPrecision, "threshold=1,divisor=k,ideal=list,empty=0,ties=input"},
    {"mslr", MetricKind::kNdcg,
     "gain=0;1;3;7;15,grade=real,discount=letor,short=whole,ideal=list,empty=0,ties=input"},
    {"mslr", MetricKind::kMap, "threshold=2,divisor=relevant,ideal=list,empty=0,ties=input"},
    {"mslr", MetricKind::kPrecision, "threshold=2,divisor=k,ideal=list,empty=0,ties=input"},
    {"trec_eval", MetricKind::kNdcg,
     "gain=linear,grade=real,discount=log2,short=whole,ideal=judged,empty=0,ties=docno"},
    {"trec_eval", MetricKind::kMap, "threshold=1,divisor=relevant,ideal=judged,empty=0,ties=docno"},
    {"trec_eval", MetricKind::kPrecision, "threshold=1,divisor=k,ideal=judged,empty=0,ties=docno"},
    {"trec_eval", MetricKind::kRecall, "threshold=1,ideal=judged,empty=0,ties=docno"},
    {"trec_eval", MetricKind::kReciprocalRank, "threshold=1,ideal=judged,empty=0,ties=docno"},
    {"gdeval", MetricKind::kNdcg,
     "gain=0;1;3;7;15,grade=real,discount=log2,short=whole,ideal=judged,empty=skip,ties=docno"},
    {"gdeval", MetricKind::kErr, "gain=exp2,grade=real,gmax=4,ideal=judged,empty=skip,ties=docno"},
    {"ranklib", MetricKind::kNdcg,
     "gain=exp2,grade=trunc,discount=log2,short=whole,ideal=list,empty=0,ties=input"},
    {"ranklib", MetricKind::kDcg,
     "gain=exp2,grade=trunc,discount=log2,short=whole,ideal=list,empty=0,ties=input"},
    {"ranklib", MetricKind::kMap, "threshold=>0,divisor=relevant,ideal=list,empty=0,ties=input"},
    {"ranklib", MetricKind::kErr, "gain=exp2,grade=trunc,gmax=4,ideal=list,empty=0,ties=input"},
    {"ranklib", MetricKind::kPrecision, "threshold=>0,divisor=min,ideal=list,empty=0,ties=input"},
    {"ranklib", MetricKind::kReciprocalRank, "threshold=>0,ideal=list,empty=0,ties=input"},
    {"quickrank", MetricKind::kNdcg,
     "gain=exp2,grade=real,discount=log2,short=whole,ideal=list,empty=0,ties=input"},
    {"quickrank", MetricKind::kDcg,
     "gain=exp2,grade=real,discount=log2,short=whole,ideal=list,empty=0,ties=input"},
    {"quickrank", MetricKind::kMap, "threshold=>0,divisor=found,ideal=list,empty=0,ties=input"},
    {"lightgbm", MetricKind::kNdcg,
     "gain=exp2,grade=real,discount=log2,short=whole,ideal=list,empty=1,ties=input"},
    {"lightgbm", MetricKind::kMap, "threshold=>0.5,divisor=min,ideal=list,empty=1,ties=input"},
    {"xgboost", MetricKind::kNdcg,
     "gain=exp2,grade=real,discount=log2,short=whole,ideal=list,empty=1,ties=input"},
    {"xgboost", MetricKind::kMap, "threshold=>0,divisor=min,ideal=list,empty=1,ties=input"},
    {"xgboost", MetricKind::kPrecision, "threshold=>0,divisor=min,ideal=list,empty=0,ties=input"},
    {"xgboost-", MetricKind::kNdcg,
     "gain=exp2,grade=real,discount=log2,short=whole,ideal=list,empty=0,ties=input"},
    {"xgboost-", MetricKind::kMap, "threshold=>0,divisor=min,ideal=list,empty=0,ties=input"},
    {"xgboost-", MetricKind::kPrecision, "threshold=>0,divisor=min,ideal=list,empty=0,ties=input"},
    {"catboost", MetricKind::kNdcg,
     "gain=linear,grade=real,discount=log2,short=whole,ideal=list,empty=1,ties=pessimistic"},
    {"catboost", MetricKind::kDcg,
     "gain=linear,grade=real,discount=log2,short=whole,ideal=list,empty=0,ties=pessimistic"},
    {"catboost", MetricKind::kMap,
     "threshold=>0.5,divisor=min,ideal=list,empty=0,ties=pessimistic"},
    {"catboost", MetricKind::kErr,
     "gain=linear,grade=real,gmax=1,ideal=list,empty=0,ties=pessimistic"},
    {"catboost", MetricKind::kPrecision,
     "threshold=>0.5,divisor=min,ideal=list,empty=0,ties=pessimistic"},
    {"catboost", MetricKind::kRecall, "threshold=>0.5,ideal=list,empty=1,ties=pessimistic"},
    {"catboost", MetricKind::kReciprocalRank, "threshold=>0.5,ideal=list,empty=0,ties=pessimistic"},
    {"sklearn", MetricKind::kNdcg,
     "gain=linear,grade=real,discount=log2,short=whole,ideal=list,empty=0,ties=average"},
    {"sklearn", MetricKind::kDcg,
     "gain=linear,grade=real,discount=log2,short=whole,ideal=list,empty=0,ties=average"},
    {"ydf", MetricKind::kNdcg,
     "gain=exp2,grade=real,discount=log2,short=whole,ideal=list,empty=0,ties=average"},
    {"ydf", MetricKind::kReciprocalRank, "threshold=>0.5,ideal=list,empty=0,ties=average"},
    {"rankeval", MetricKind::kNdcg,
     "gain=exp2,grade=real,discount=log2,short=whole,ideal=list,empty=1,ties=reversed"},
    {"rankeval", MetricKind::kDcg,
     "gain=linear,grade=real,discount=log2,short=whole,ideal=list,empty=0,ties=reversed"},
    {"rankeval", MetricKind::kMap, "threshold=>0,divisor=min,ideal=list,empty=1,ties=reversed"},
    {"rankeval", MetricKind::kErr,
     "gain=exp2,grade=real,gmax=query,ideal=list,empty=0,ties=reversed"},
    {"rankeval", MetricKind::kPrecision,
     "threshold=1,divisor=min,ideal=list,empty=0,ties=reversed"},
    {"rankeval", MetricKind::kRecall, "threshold=1,ideal=list,empty=0,ties=reversed"},
    {"rankeval", MetricKind::kRankBiasedPrecision,
     "threshold=1,persistence=0.5,ideal=list,empty=0,ties=reversed"},
    {"rankeval", MetricKind::kKendallTau, "variant=b,empty=skip,ties=average"},
    {"rankeval", MetricKind::kReciprocalRank, "threshold=1,ideal=list,empty=0,ties=reversed"},
};

/// The keys of a preset for one metric.
inline std::string_view PresetKeys(std::string_view preset, MetricKind kind) {
  std::string presets;  // for the two errors
  std::string metrics;
  NearestWord nearest(preset);
  for (const PresetRow& row : kPresets) {
    if (row.name == preset && row.kind == kind) return row.keys;
    if (presets.find(row.name) == std::string::npos) presets.append(" ").append(row.name);
    if (row.name == preset) metrics.append(" ").append(RowOf(row.kind).name);
    nearest.Offer(row.name);
  }
  if (metrics.empty()) {
    throw std::invalid_argument("must be one of" + presets + DidYouMean(nearest.word()));
  }
  throw std::invalid_argument("defines" + metrics + ", not " + std::string(RowOf(kind).name));
}

}  // namespace rankforest::detail
