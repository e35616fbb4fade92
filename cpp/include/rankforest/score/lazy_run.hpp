#pragma once

#include <algorithm>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <vector>

#include "rankforest/core/span.hpp"
#include "rankforest/core/types.hpp"
#include "rankforest/score/compiled_trees.hpp"
#include "rankforest/score/early_exit.hpp"
#include "rankforest/score/exits_ahead.hpp"
#include "rankforest/score/lazy_scratch.hpp"
#include "rankforest/score/limits.hpp"
#include "rankforest/score/provider.hpp"
#include "rankforest/score/rounds.hpp"

namespace rankforest::detail {

/// A value that was not asked for: a NaN of its own. Those that providers give are made others.
inline float UnknownValue() {
  constexpr std::uint32_t kBits = 0x7FC5A5A5U;
  float value = 0.0F;
  std::memcpy(&value, &kBits, sizeof value);
  return value;
}

inline bool IsUnknown(float value) {
  const float unknown = UnknownValue();
  return std::memcmp(&value, &unknown, sizeof value) == 0;
}

/// Scores the documents of one query under limits, with features that a provider computes.
template <class Provider>
class LazyRun {
 public:
  LazyRun(const CompiledTrees& trees, const Rounds& rounds, std::size_t n_features,
          std::size_t n_documents, Provider& provider, const ScoreLimits& limits,
          const ExitsAhead& exits_ahead, Span<double> scores, LazyScratch& scratch)
      : trees_(trees),
        rounds_(rounds),
        n_(n_documents),
        width_(trees.features().size() + 1),
        provider_(provider),
        limits_(limits),
        exits_ahead_(exits_ahead),
        scores_(scores),
        memory_(scratch.memory_),
        report_(scratch.report_) {
    report_.n_fetched.assign(n_features, 0);
    report_.rounds.assign(n_, 0);
    report_.n_evaluations = report_.n_requests = 0;
    report_.cost = 0.0;
    memory_.values.assign(n_ * width_, UnknownValue());
    memory_.sums.resize(trees.n_members() * n_);
    memory_.settled.resize(trees.n_members() * n_);
    for (std::size_t j = 0; j < trees.n_members(); ++j) {
      std::fill(Of(memory_.sums, j), Of(memory_.sums, j) + n_, trees.base(j));
    }
    memory_.paid.assign(n_ * limits_.costs.groups.size(), 0);
    memory_.in_play.resize(n_);
    for (std::size_t i = 0; i < n_; ++i) memory_.in_play[i] = i;
  }

  const LazyReport& Run() {
    StartWithLinear();
    while (round_ < rounds_.size() && !memory_.in_play.empty()) {
      if (limits_.should_stop && limits_.should_stop()) break;
      if (!PlayRound()) break;
      if (exits_ahead_.IsAt(round_) && round_ < rounds_.size()) Exit();
    }
    for (const std::size_t document : memory_.in_play) Note(document);
    report_.cost = tree_cost_ + feature_cost_;
    if (exits_ahead_.demote()) {
      memory_.documents.resize(n_);
      for (std::size_t i = 0; i < n_; ++i) memory_.documents[i] = i;
      Demote(memory_.documents, report_.rounds, scores_, memory_.order);
    }
    return report_;
  }

 private:
  double* Of(std::vector<double>& values, std::size_t member) {
    return values.data() + member * n_;
  }

  /// Asks for the features of linear parts, of all documents, and adds what these parts give.
  void StartWithLinear() {
    for (std::size_t j = 0; j < trees_.n_members(); ++j) {
      const LinearPart& linear = trees_.linear(j);
      for (const FeatureId feature : linear.features()) {
        if (n_ == 0 || report_.n_fetched[feature] > 0) continue;
        memory_.documents = memory_.in_play;
        Ask(NumberOf(feature));
      }
      for (std::size_t i = 0; i < n_ && !linear.empty(); ++i) {
        Of(memory_.sums, j)[i] += linear.Sum(
            [&](FeatureId feature) { return memory_.values[i * width_ + NumberOf(feature)]; });
      }
    }
  }

  [[nodiscard]] std::size_t NumberOf(FeatureId feature) const {
    const auto ids = trees_.features();
    const auto found = std::lower_bound(ids.begin(), ids.end(), feature);
    return static_cast<std::size_t>(found - ids.begin()) + 1;
  }

  [[nodiscard]] bool IsAffordable(double tree_cost, double feature_cost) const {
    return !limits_.budget.has_value() || tree_cost + feature_cost <= *limits_.budget;
  }

  /// Whether a document has paid for the group of a feature.
  [[nodiscard]] char& Paid(std::size_t document, FeatureId feature) const {
    const std::vector<std::uint32_t>& groups = limits_.costs.groups;
    return memory_.paid[document * groups.size() + groups[feature]];
  }

  /// What a document has to pay for a feature.
  [[nodiscard]] double CostOf(std::size_t document, FeatureId feature) const {
    if (limits_.costs.features.empty()) return 0.0;
    const bool is_paid = !limits_.costs.groups.empty() && Paid(document, feature) != 0;
    return is_paid ? 0.0 : limits_.costs.features[feature];
  }

  /// What the documents of a request have to pay for a feature.
  [[nodiscard]] double CostOfRequest(FeatureId feature) const {
    if (limits_.costs.features.empty()) return 0.0;
    std::size_t n = memory_.documents.size();
    if (!limits_.costs.groups.empty()) {
      for (const std::size_t document : memory_.documents) n -= Paid(document, feature) != 0;
    }
    return limits_.costs.features[feature] * static_cast<double>(n);
  }

  /// Returns whether it can be paid; otherwise nothing but values has changed.
  bool PlayRound() {
    const std::size_t n_trees = rounds_.n_trees(round_ + 1) - rounds_.n_trees(round_);
    const double of_trees =
        tree_cost_ + limits_.costs.tree * static_cast<double>(n_trees * memory_.in_play.size());
    if (!IsAffordable(of_trees, feature_cost_)) return false;
    if (limits_.budget.has_value()) memory_.unplayed = memory_.sums;
    for (std::size_t j = 0; j < trees_.n_members(); ++j) {
      const Rounds::Position from = rounds_.Of(j, round_);
      double* sums = Of(memory_.sums, j);
      if (from.starts_mean) std::copy(sums, sums + n_, Of(memory_.settled, j));
      const std::size_t last = rounds_.Of(j, round_ + 1).tree;
      for (std::size_t tree = from.tree; tree < last; ++tree) {
        if (AddTree(j, tree, of_trees, sums)) continue;
        memory_.sums.swap(memory_.unplayed);
        return false;
      }
    }
    tree_cost_ = of_trees;
    ++round_;
    return true;
  }

  /// Adds a tree's values to the sums of its member; returns whether its features can be paid.
  bool AddTree(std::size_t member, std::size_t tree, double tree_cost, double* sums) {
    bool is_paid = true;
    trees_.VisitTree(member, tree, [&](const auto& view) {
      memory_.waiting.clear();
      for (const std::size_t document : memory_.in_play) Walk(view, document, 0, sums);
      while (is_paid && !memory_.waiting.empty()) is_paid = Serve(view, tree_cost, sums);
    });
    return is_paid;
  }

  /// Takes a document from a place to a leaf, or to a split where it must wait.
  template <class View>
  void Walk(const View& tree, std::size_t document, std::size_t place, double* sums) {
    const float* values = memory_.values.data() + document * width_;
    while (!tree.IsLeaf(place)) {
      const float x = values[tree.FeatureOf(place)];
      if (x != x && IsUnknown(x)) {
        memory_.waiting.push_back({document, place});
        return;
      }
      place = tree.Next(place, x);
    }
    sums[document] += static_cast<double>(tree.ValueOf(place));
  }

  /// Asks for the cheapest feature that documents wait for and lets them go on; returns whether it
  /// can be paid.
  template <class View>
  bool Serve(const View& tree, double tree_cost, double* sums) {
    std::vector<WaitingDocument>& waiting = memory_.waiting;
    const auto number_of = [&](const WaitingDocument& w) { return tree.FeatureOf(w.place); };
    const auto is_cheaper = [&](const WaitingDocument& a, const WaitingDocument& b) {
      const double cost_a = CostOf(a.document, FeatureOf(number_of(a)));
      const double cost_b = CostOf(b.document, FeatureOf(number_of(b)));
      return cost_a != cost_b ? cost_a < cost_b : number_of(a) < number_of(b);
    };
    const std::size_t number =
        number_of(*std::min_element(waiting.begin(), waiting.end(), is_cheaper));
    const auto first = std::partition(waiting.begin(), waiting.end(),
                                      [&](const auto& w) { return number_of(w) != number; });
    std::sort(first, waiting.end(),
              [](const auto& a, const auto& b) { return a.document < b.document; });
    memory_.documents.clear();
    for (auto w = first; w != waiting.end(); ++w) memory_.documents.push_back(w->document);
    if (!Fetch(number, tree_cost)) return false;
    memory_.served.assign(first, waiting.end());
    waiting.erase(first, waiting.end());
    for (const WaitingDocument& w : memory_.served) Walk(tree, w.document, w.place, sums);
    return true;
  }

  [[nodiscard]] FeatureId FeatureOf(std::size_t number) const {
    return trees_.features()[number - 1];
  }

  /// Asks for a feature of memory_.documents, if that can be paid.
  bool Fetch(std::size_t number, double tree_cost) {
    const double paid = feature_cost_ + CostOfRequest(FeatureOf(number));
    if (!IsAffordable(tree_cost, paid)) return false;
    Ask(number);
    return true;
  }

  /// Asks for a feature of memory_.documents, and pays for it.
  void Ask(std::size_t number) {
    const FeatureId feature = FeatureOf(number);
    const std::size_t n = memory_.documents.size();
    feature_cost_ += CostOfRequest(feature);
    if (!limits_.costs.groups.empty()) {
      for (const std::size_t document : memory_.documents) Paid(document, feature) = 1;
    }
    memory_.answers.assign(n, std::numeric_limits<float>::quiet_NaN());
    provider_(feature, Span<const std::size_t>(memory_.documents), Span<float>(memory_.answers));
    ++report_.n_requests;
    report_.n_fetched[feature] += n;
    for (std::size_t i = 0; i < n; ++i) {
      const float x = memory_.answers[i];
      memory_.values[memory_.documents[i] * width_ + number] =
          x == x ? x : std::numeric_limits<float>::quiet_NaN();
    }
  }

  /// The score of a document after the rounds so far.
  double ScoreOf(std::size_t document) {
    double score = 0.0;
    for (std::size_t j = 0; j < trees_.n_members(); ++j) {
      const double of_mean = rounds_.Of(j, round_).of_mean;
      const double sum = Of(memory_.sums, j)[document];
      const double settled = Of(memory_.settled, j)[document];
      const double of_member = of_mean > 0.0 ? settled + (sum - settled) / of_mean : sum;
      score = j == 0 ? of_member : score + of_member;
    }
    return score;
  }

  void Exit() {
    memory_.ranked.clear();
    for (const std::size_t document : memory_.in_play) memory_.ranked.push_back(ScoreOf(document));
    const double lowest = LowestToStay(memory_.ranked, exits_ahead_.At(round_), exits_ahead_.k());
    std::size_t kept = 0;
    for (const std::size_t document : memory_.in_play) {
      if (ScoreOf(document) >= lowest) {
        memory_.in_play[kept++] = document;
      } else {
        Note(document);
      }
    }
    memory_.in_play.resize(kept);
  }

  void Note(std::size_t document) {
    scores_[document] = ScoreOf(document);
    report_.rounds[document] = static_cast<std::uint32_t>(round_);
    report_.n_evaluations += rounds_.n_trees(round_);
  }

  const CompiledTrees& trees_;
  const Rounds& rounds_;
  std::size_t n_;
  std::size_t width_;
  Provider& provider_;
  const ScoreLimits& limits_;
  const ExitsAhead& exits_ahead_;
  Span<double> scores_;
  LazyMemory& memory_;
  LazyReport& report_;
  std::size_t round_ = 0;
  double tree_cost_ = 0.0;  // of finished rounds
  double feature_cost_ = 0.0;
};

}  // namespace rankforest::detail
