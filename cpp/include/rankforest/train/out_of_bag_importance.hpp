#pragma once

#include <cstddef>
#include <limits>
#include <vector>

#include "rankforest/core/dataset.hpp"
#include "rankforest/core/parallel.hpp"
#include "rankforest/core/query_ranges.hpp"
#include "rankforest/core/rng.hpp"
#include "rankforest/core/row_sample.hpp"
#include "rankforest/core/span.hpp"
#include "rankforest/core/tree.hpp"
#include "rankforest/core/types.hpp"
#include "rankforest/metric/judged_queries.hpp"
#include "rankforest/metric/metric.hpp"
#include "rankforest/metric/metric_run.hpp"
#include "rankforest/sample/permutation.hpp"
#include "rankforest/train/bag.hpp"
#include "rankforest/train/scores.hpp"

namespace rankforest {

/// What features are permuted by, and what the loss is measured in.
struct ImportanceSettings {
  Metric metric = Metric::Parse("ndcg@10(empty=0)");
  PermutationScope scope = PermutationScope::kQuery;
};

namespace detail {

/// The documents that a tree did not draw, in canonical order, as judged queries of their own.
class DocumentsOutside {
 public:
  DocumentsOutside(const Dataset& data, const RowSample& drawn)
      : data_(data), sample_{RowsOutside(drawn, data.n_documents()), {}} {
    offsets_.push_back(0);
    for (const QueryRange& query : QueryRanges(data, sample_)) {
      offsets_.push_back(static_cast<RowId>(query.end));
    }
    for (const RowId row : sample_.rows) {
      grades_.push_back(data.grades()[row]);
      if (!data.weights().empty()) weights_.push_back(data.weights()[row]);
    }
  }

  [[nodiscard]] std::size_t size() const { return sample_.rows.size(); }
  [[nodiscard]] Span<const RowId> offsets() const { return offsets_; }
  [[nodiscard]] JudgedQueries judgements() const {
    return {offsets_, grades_, weights_, {}, {}, {}, {}};
  }

  [[nodiscard]] const float* Features(std::size_t i) const {
    return data_.Features(sample_.rows[i]);
  }

  /// What a tree says of document i if its value of a feature were that of document `source`.
  [[nodiscard]] double ValueWith(const Tree& tree, std::size_t i, FeatureId feature,
                                 RowId source) const {
    const float value = Features(source)[feature];
    const float* const features = Features(i);
    std::int32_t child = tree.nodes.empty() ? ~0 : 0;
    while (child >= 0) {
      const Tree::Node& node = tree.nodes[static_cast<std::size_t>(child)];
      child = node.Next(node.feature == feature ? value : features[node.feature]);
    }
    return static_cast<double>(tree.leaves[static_cast<std::size_t>(~child)]);
  }

 private:
  const Dataset& data_;
  RowSample sample_;
  std::vector<RowId> offsets_;
  std::vector<double> grades_;
  std::vector<double> weights_;
};

/// How much worse a tree ranks `outside` for each feature that is permuted; 0 for features that it
/// does not ask for. NaN where the metric has no value.
inline std::vector<double> LossesOfTree(const Tree& tree, const DocumentsOutside& outside,
                                        std::size_t n_features, const ImportanceSettings& settings,
                                        const Rng& rng) {
  if (outside.size() == 0) {
    return std::vector<double>(n_features, std::numeric_limits<double>::quiet_NaN());
  }
  MetricRun run(settings.metric, outside.judgements(), Threads{1});
  std::vector<double> scores(outside.size());
  for (std::size_t i = 0; i < scores.size(); ++i) {
    scores[i] = static_cast<double>(tree.Value(outside.Features(i)));
  }
  const double whole = run.Evaluate(scores).mean;
  std::vector<bool> is_asked(n_features, false);
  for (const Tree::Node& node : tree.nodes) is_asked[node.feature] = true;
  std::vector<double> losses(n_features, whole - whole);
  for (FeatureId feature = 0; feature < n_features; ++feature) {
    if (!is_asked[feature]) continue;
    const std::vector<RowId> source =
        Permutation(outside.offsets(), settings.scope, PermutationRng(rng, feature, 0));
    for (std::size_t i = 0; i < scores.size(); ++i) {
      scores[i] = outside.ValueWith(tree, i, feature, source[i]);
    }
    const double permuted = run.Evaluate(scores).mean;
    losses[feature] = settings.metric.maximize() ? whole - permuted : permuted - whole;
  }
  return losses;
}

}  // namespace detail

/// Out-of-bag importance (Breiman, "Random forests", 2001, section 10), for each tree of a bag and
/// each feature: how much worse the tree ranks the documents that it did not draw once the
/// feature's values are permuted among them. NaN for a tree that drew all, or whose documents
/// have no value under the metric.
///
/// @param sampler  the bag's
/// @param rng      the run's, as the bag had it
/// @param permutations  tree i permutes by its stream of child i
template <class Sampler>
std::vector<std::vector<double>> OutOfBagLosses(const Sampler& sampler, const Dataset& data,
                                                const Rng& rng, Span<const Tree> trees,
                                                const ImportanceSettings& settings,
                                                const Rng& permutations, Threads threads) {
  const RowSample all = WholeSample(data.n_documents());
  std::vector<std::vector<double>> losses(trees.size());
  constexpr double kSecondsPerValue = 3e-8;  // and tree
  threads =
      ForLoopOf(threads, trees.size() * data.n_documents() * data.n_features(), kSecondsPerValue);
  ParallelFor(threads, trees.size(), [&](std::size_t i) {
    const RowSample drawn = DrawForTree(sampler, data, all, rng.Child(Purpose::kTree, i));
    losses[i] =
        detail::LossesOfTree(trees[i], detail::DocumentsOutside(data, drawn), data.n_features(),
                             settings, permutations.Child(Purpose::kTree, i));
  });
  return losses;
}

}  // namespace rankforest
