#pragma once

#include <algorithm>
#include <cstddef>
#include <type_traits>
#include <utility>
#include <vector>

#include "rankforest/core/ensemble.hpp"
#include "rankforest/core/parallel.hpp"
#include "rankforest/core/row_sample.hpp"
#include "rankforest/core/span.hpp"
#include "rankforest/core/training_set.hpp"
#include "rankforest/train/scores.hpp"
#include "rankforest/tree/tree_run.hpp"

namespace rankforest {

/// Whether a learner at work can add its last tree to scores as TreeRun does.
template <class Run, class = void>
struct KnowsLeaves : std::false_type {};
template <class Run>
struct KnowsLeaves<Run, std::void_t<decltype(std::declval<const Run&>().AddLastTree(
                            0.0, std::declval<Span<double>>()))>> : std::true_type {};

/// Whose scores somebody reads before the next sample is drawn.
enum class ScoresRead : unsigned char {
  kAll,      ///< all of them, right after this step
  kLater,    ///< those of the sample; all of them later
  kSampled,  ///< those of the sample, to the end
};

/// The scores of the training documents during boosting. Steps are added to the documents of the
/// current sample at once. The others get them when somebody reads their scores, many trees in one
/// pass, or never. Each score is the same sum in the same order either way.
class RunningScores {
 public:
  RunningScores(const TrainingSet& training, std::vector<double> scores)
      : training_(training), scores_(std::move(scores)) {}

  /// By document. Only those of the sample are up to date, unless BringUpToDate() was called or the
  /// last step was added for kAll.
  [[nodiscard]] Span<const double> values() const { return scores_; }

  /// Adds a step of one sample.
  template <class Run>
  void Add(const Run& learner, const Member& step, const RowSample& sample, ScoresRead read) {
    if constexpr (KnowsLeaves<Run>::value) {
      const double weight = step.groups.front().TreeWeight();
      if (read == ScoresRead::kAll) {
        learner.AddLastTree(weight, scores_);
        return;
      }
      learner.AddLastTreeToSample(weight, scores_);
      const bool has_others = sample.rows.size() < scores_.size();
      if (read == ScoresRead::kLater && has_others) late_.push_back(learner.LastTree(weight));
    } else {
      AddGroups(step, training_.data, training_.threads, scores_);
    }
  }

  /// @param sample  that the steps since the last call were of
  void BringUpToDate(const RowSample& sample) {
    if (late_.empty()) return;
    std::vector<double> sampled;  // the trees pass all documents, but these have theirs
    sampled.reserve(sample.rows.size());
    for (const RowId row : sample.rows) sampled.push_back(scores_[row]);
    constexpr std::size_t kDocuments = 4096;  // whose codes and scores stay in the cache
    ParallelChunks(training_.threads, scores_.size(), kDocuments,
                   [this](std::size_t begin, std::size_t end) {
                     for (const LateTree& tree : late_) tree(begin, end, scores_);
                   });
    for (std::size_t i = 0; i < sampled.size(); ++i) scores_[sample.rows[i]] = sampled[i];
    late_.clear();
  }

 private:
  TrainingSet training_;
  std::vector<double> scores_;
  std::vector<LateTree> late_;  // those that only the sample's documents have
};

}  // namespace rankforest
