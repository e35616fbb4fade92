// Training on any features, grades and weights: a model that is valid and gives finite scores, the
// same bits on two threads, or an error.

#include <cmath>
#include <cstdint>
#include <optional>
#include <stdexcept>
#include <vector>

#include "engine/target.hpp"
#include "rankforest/rankforest.hpp"
#include "targets/support.hpp"

namespace {

using rankforest::Dataset;
using rankforest::Ensemble;
using rankforest::fuzz::Reader;

/// Documents of an input: each has features of any bits, a grade, sometimes a large one, and a
/// query.
struct Documents {
  std::size_t n_features = 1;
  std::vector<float> features;
  std::vector<double> grades;
  std::vector<rankforest::QueryId> queries;
  std::vector<double> weights;
};

Documents Take(Reader& reader) {
  Documents documents;
  documents.n_features = 1 + reader.Below(4);
  const bool has_weights = reader.Below(3) == 0;
  const bool has_large_grades = reader.Below(8) == 0;
  while (reader.left() > 0 && documents.grades.size() < 200) {
    for (std::size_t f = 0; f < documents.n_features; ++f) {
      documents.features.push_back(reader.Take<float>());
    }
    documents.grades.push_back(has_large_grades ? reader.Take<double>() : reader.Below(5));
    documents.queries.push_back(reader.Below(4));
    if (has_weights) documents.weights.push_back(static_cast<double>(reader.Take<float>()));
  }
  return documents;
}

rankforest::TreeSettings Trees(Reader& reader) {
  rankforest::TreeSettings trees;
  if (reader.Below(2) == 0) trees.limits.max_depth = 1 + reader.Below(6);
  if (reader.Below(2) == 0) trees.limits.max_leaf_nodes = 2 + reader.Below(14);
  trees.limits.min_samples_leaf.amount = 1 + reader.Below(3);
  trees.tree_method =
      reader.Below(2) == 0 ? rankforest::TreeMethod::kExact : rankforest::TreeMethod::kHist;
  trees.limits.missing =
      reader.Below(4) == 0 ? rankforest::MissingRule::kThird : rankforest::MissingRule::kLearn;
  return trees;
}

/// A few trees of the algorithm that the input names.
Ensemble Train(std::uint32_t algorithm, Reader reader, const Dataset& data, int n_threads) {
  constexpr std::uint32_t kTrees = 3;
  rankforest::RunOptions options;
  options.threads = rankforest::Threads{n_threads};
  const auto train = [&](const auto& recipe) {
    return rankforest::Train(recipe, data, kTrees, options).ensemble;
  };
  if (algorithm == 0) {
    rankforest::MartSettings settings = rankforest::MartDefaults();
    settings.boost.n_estimators = kTrees;
    settings.boost.trees = Trees(reader);
    rankforest::Check(settings.boost);
    return train(rankforest::Mart(settings));
  }
  if (algorithm == 1) {
    rankforest::LambdaMartSettings settings = rankforest::LambdaMartDefaults();
    settings.boost.n_estimators = kTrees;
    settings.boost.trees = Trees(reader);
    settings.objective = static_cast<rankforest::RankingObjective>(reader.Below(5));
    rankforest::Check(settings);
    return train(rankforest::LambdaMart(settings));
  }
  rankforest::ForestSettings settings = rankforest::RandomForestDefaults();
  settings.n_estimators = kTrees;
  settings.trees = Trees(reader);
  settings.criterion.kind = static_cast<rankforest::SplitCriterion>(reader.Below(5));
  if (settings.criterion.kind != rankforest::SplitCriterion::kSquaredError) {
    settings.trees.limits.missing = rankforest::MissingRule::kLearn;
  }
  rankforest::Check(settings);
  return train(rankforest::RandomForest(settings));
}

}  // namespace

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  Reader reader(data, size);
  const std::uint32_t algorithm = reader.Below(3);
  Reader of_settings = reader;
  reader.Take<std::uint64_t>();
  const Documents documents = Take(reader);
  try {
    const Dataset set =
        Dataset::Owning(documents.features, documents.n_features, documents.grades,
                        documents.queries, documents.weights, rankforest::Threads{1});
    const Ensemble ensemble = Train(algorithm, of_settings, set, 1);
    const rankforest::FeatureMatrix rows{documents.features.data(), documents.grades.size(),
                                         documents.n_features, documents.n_features};
    for (const double score : rankforest::Score(ensemble, rows, {}, rankforest::Threads{1})) {
      rankforest::fuzz::Require(std::isfinite(score), "scores are finite");
    }
    const rankforest::Bytes bytes = rankforest::EncodeModel(ensemble, {}, rankforest::Threads{1});
    const Ensemble on_two = Train(algorithm, of_settings, set, 2);
    rankforest::fuzz::Require(rankforest::EncodeModel(on_two, {}, rankforest::Threads{1}) == bytes,
                              "a model is the same on two threads");
  } catch (const std::invalid_argument&) {
  }
  return 0;
}
