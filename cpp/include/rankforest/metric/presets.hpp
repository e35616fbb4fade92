#pragma once

#include <stdexcept>
#include <string>
#include <string_view>

#include "rankforest/metric/names.hpp"
#include "rankforest/metric/settings.hpp"

namespace rankforest::detail {

/// What one metric means in another system: a value for every key of the metric.
struct PresetRow {
  std::string_view name;
  MetricKind kind;
  std::string_view keys;
};

// letor3, letor4: the evaluation scripts of LETOR 3.0 and 4.0. Both leave ranks 1 and 2
// undiscounted, know the grades 0, 1 and 2, and break ties by the order of the lines. LETOR 4.0
// has no NDCG@k for a query of fewer than k documents and counts it as 0 in the mean; LETOR
// 3.0's is taken over the documents that there are.
inline constexpr PresetRow kPresets[] = {
    {"letor3", MetricKind::kNdcg, "gain=0;1;3,discount=letor,short=whole,empty=0,ties=input"},
    {"letor3", MetricKind::kMeanNdcg, "gain=0;1;3,discount=letor,empty=0,ties=input"},
    {"letor3", MetricKind::kMap, "threshold=1,divisor=relevant,empty=0,ties=input"},
    {"letor3", MetricKind::kPrecision, "threshold=1,divisor=k,empty=0,ties=input"},
    {"letor4", MetricKind::kNdcg, "gain=0;1;3,discount=letor,short=zero,empty=0,ties=input"},
    {"letor4", MetricKind::kMeanNdcg, "gain=0;1;3,discount=letor,empty=0,ties=input"},
    {"letor4", MetricKind::kMap, "threshold=1,divisor=relevant,empty=0,ties=input"},
    {"letor4", MetricKind::kPrecision, "threshold=1,divisor=k,empty=0,ties=input"},
};

/// The keys of a preset for one metric.
inline std::string_view PresetKeys(std::string_view preset, MetricKind kind) {
  std::string presets;  // for the two errors
  std::string metrics;
  for (const PresetRow& row : kPresets) {
    if (row.name == preset && row.kind == kind) return row.keys;
    if (presets.find(row.name) == std::string::npos) presets.append(" ").append(row.name);
    if (row.name == preset) metrics.append(" ").append(RowOf(row.kind).name);
  }
  if (metrics.empty()) throw std::invalid_argument("must be one of" + presets);
  throw std::invalid_argument("defines" + metrics + ", not " + std::string(RowOf(kind).name));
}

}  // namespace rankforest::detail
