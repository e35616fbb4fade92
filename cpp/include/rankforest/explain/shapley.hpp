#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <type_traits>
#include <utility>
#include <vector>

#include "rankforest/core/ensemble.hpp"
#include "rankforest/core/feature_matrix.hpp"
#include "rankforest/core/leaf_counts.hpp"
#include "rankforest/core/linear.hpp"
#include "rankforest/core/parallel.hpp"
#include "rankforest/core/span.hpp"
#include "rankforest/core/tree.hpp"
#include "rankforest/explain/background_shap.hpp"
#include "rankforest/explain/path_shap.hpp"
#include "rankforest/explain/quadrature.hpp"
#include "rankforest/explain/tree_paths.hpp"

namespace rankforest {

/// What each feature adds to the scores of documents: a score is the base plus the values of its
/// document, but for rounding.
struct ShapleyValues {
  double base = 0.0;           ///< the expected score
  std::vector<double> values;  ///< [document][feature of the model]
};

namespace detail {

/// Documents that a thread explains before it turns to others: enough to make the tables of a tree
/// for.
inline constexpr std::size_t kExplainedAtOnce = 64;

/// Calls visit(tree, what each of its leaves adds to the score).
template <class Visit>
void ForEachWeighedTree(const Ensemble& ensemble, const Visit& visit) {
  for (const Member& member : ensemble.members) {
    for (const Group& group : member.groups) {
      for (const Tree& tree : group.trees) {
        std::vector<double> of_leaf(tree.leaves.size());
        for (std::size_t i = 0; i < of_leaf.size(); ++i) {
          of_leaf[i] = Group::Contribution(group.TreeWeight(), tree.leaves[i]);
        }
        visit(tree, std::move(of_leaf));
      }
    }
  }
}

/// Calls use(shap) with the PathShap of a tree: with as many points as are exact, or some more.
template <class Use>
void UsePathShap(const TreePaths& paths, std::vector<double> of_leaf,
                 const std::vector<Quadrature>& rules, const Use& use) {
  const auto with = [&](auto fixed, std::size_t n_points) {
    PathShap<decltype(fixed)::value> shap(paths, std::move(of_leaf), rules[n_points]);
    use(shap);
  };
  const std::size_t needed = (paths.most_features() + 1) / 2;
  if (needed <= 2) return with(std::integral_constant<std::size_t, 2>(), 2);
  if (needed <= 4) return with(std::integral_constant<std::size_t, 4>(), 4);
  if (needed <= 6) return with(std::integral_constant<std::size_t, 6>(), 6);
  if (needed <= 8) return with(std::integral_constant<std::size_t, 8>(), 8);
  with(std::integral_constant<std::size_t, 0>(), needed);
}

/// The rules that the trees of a model need, by number of points.
inline std::vector<Quadrature> RulesFor(const Ensemble& ensemble) {
  std::size_t most = 8;
  for (const Tree* tree : TreesIn(ensemble)) {
    most = std::max<std::size_t>(most, (TreePaths(*tree).most_features() + 1) / 2);
  }
  std::vector<Quadrature> rules(1);
  for (std::size_t n = 1; n <= most; ++n) rules.push_back(GaussLegendre(n));
  return rules;
}

/// Adds the linear parts of a model: of each feature its weight times how far it is from the mean
/// of the background.
inline void AddLinearValues(const Ensemble& ensemble, const FeatureMatrix& documents,
                            const FeatureMatrix& background, ShapleyValues& explained) {
  const auto n_background = static_cast<double>(background.n_rows);
  const auto value_of = [](const FeatureMatrix& rows, std::size_t row, const Linear::Term& term) {
    return static_cast<double>(term.weight) *
           static_cast<double>(WeighedValue(rows.Row(row)[term.feature]));
  };
  for (const Member& member : ensemble.members) {
    for (const Linear::Term& term : member.linear.terms) {
      double mean = 0.0;
      for (std::size_t b = 0; b < background.n_rows; ++b) {
        mean += value_of(background, b, term) / n_background;
      }
      explained.base += mean;
      for (std::size_t d = 0; d < documents.n_rows; ++d) {
        explained.values[d * ensemble.n_features + term.feature] +=
            value_of(documents, d, term) - mean;
      }
    }
  }
}

}  // namespace detail

/// Throws std::invalid_argument for a model whose scores are no sums of what trees and features
/// add: one that combines its members in queries, normalises features in queries, or stops early.
inline void RequireExplainable(const Ensemble& ensemble) {
  if (!ensemble.is_sum()) {
    throw std::invalid_argument(
        "the model combines scores of its members within queries: they are no sums of what "
        "features add, so there are no Shapley values; explain its members one by one");
  }
  if (!ensemble.scores_in_part()) {
    throw std::invalid_argument(
        "the model normalises features within queries: what a feature adds depends on other "
        "documents, so there are no Shapley values of one");
  }
  if (!ensemble.exits.empty()) {
    throw std::invalid_argument(
        "the model stops scoring documents by what others score; explain it without exits");
  }
}

/// Path-dependent Shapley values (path_shap.hpp). The same bits for any number of threads.
///
/// Throws std::invalid_argument for a model that RequireExplainable refuses, that has a linear
/// part, or whose trees lack counts.
///
/// @param documents  with the columns of the model; values may be NaN or infinite
inline ShapleyValues ExplainByPaths(const Ensemble& ensemble, const FeatureMatrix& documents,
                                    Threads threads = {}) {
  RequireExplainable(ensemble);
  if (ensemble.has_linear()) {
    throw std::invalid_argument(
        "the model has a linear part, which says nothing of what its features usually are; give "
        "background documents to compare with");
  }
  if (!HasLeafCounts(ensemble)) {
    throw std::invalid_argument(
        "the model does not know how many documents its leaves have (it was written without "
        "counts); count some, or give background documents to compare with");
  }
  const std::vector<Quadrature> rules = detail::RulesFor(ensemble);
  ShapleyValues explained;
  explained.values.resize(documents.n_rows * ensemble.n_features);
  for (const Member& member : ensemble.members) explained.base += member.base;
  detail::ForEachWeighedTree(ensemble, [&](const Tree& tree, const std::vector<double>& of_leaf) {
    explained.base += ExpectationOf(TreePaths(tree), of_leaf);
  });
  const auto explain = [&](std::size_t begin, std::size_t end) {
    detail::ForEachWeighedTree(ensemble, [&](const Tree& tree, std::vector<double> of_leaf) {
      const TreePaths paths(tree);
      detail::UsePathShap(paths, std::move(of_leaf), rules, [&](auto& shap) {
        for (std::size_t d = begin; d < end; ++d) {
          shap.AddTo(
              documents.Row(d),
              Span<double>(explained.values).subspan(d * ensemble.n_features, ensemble.n_features));
        }
      });
    });
  };
  ParallelChunks(threads, documents.n_rows, detail::kExplainedAtOnce, explain);
  return explained;
}

/// Interventional Shapley values (background_shap.hpp): the mean over the background documents,
/// whose values unknown features have. The same bits for any number of threads.
///
/// Throws std::invalid_argument for a model that RequireExplainable refuses, or if there is no
/// background document.
///
/// @param documents, background  with the columns of the model; values may be NaN or infinite
inline ShapleyValues ExplainAgainst(const Ensemble& ensemble, const FeatureMatrix& documents,
                                    const FeatureMatrix& background, Threads threads = {}) {
  RequireExplainable(ensemble);
  if (background.n_rows == 0) throw std::invalid_argument("there is no background document");
  const double share = 1.0 / static_cast<double>(background.n_rows);
  ShapleyValues explained;
  explained.values.resize(documents.n_rows * ensemble.n_features);
  std::size_t most_features = 0;
  for (const Member& member : ensemble.members) explained.base += member.base;
  detail::ForEachWeighedTree(ensemble, [&](const Tree& tree, const std::vector<double>& of_leaf) {
    most_features = std::max<std::size_t>(most_features, TreePaths(tree).most_features());
    double sum = 0.0;
    for (std::size_t b = 0; b < background.n_rows; ++b) {
      sum += of_leaf[tree.LeafOf(background.Row(b))];
    }
    explained.base += sum * share;
  });
  const ReachWeights weights(most_features);
  const auto explain = [&](std::size_t begin, std::size_t end) {
    detail::ForEachWeighedTree(ensemble, [&](const Tree& tree, std::vector<double> of_leaf) {
      const TreePaths paths(tree);
      BackgroundShap shap(paths, std::move(of_leaf), weights);
      for (std::size_t d = begin; d < end; ++d) {
        const Span<double> values =
            Span<double>(explained.values).subspan(d * ensemble.n_features, ensemble.n_features);
        for (std::size_t b = 0; b < background.n_rows; ++b) {
          shap.AddTo(documents.Row(d), background.Row(b), share, values);
        }
      }
    });
  };
  ParallelChunks(threads, documents.n_rows, detail::kExplainedAtOnce, explain);
  detail::AddLinearValues(ensemble, documents, background, explained);
  return explained;
}

}  // namespace rankforest
