#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "rankforest/core/dataset.hpp"
#include "rankforest/core/ensemble.hpp"
#include "rankforest/core/ordered_work.hpp"
#include "rankforest/core/ordinal.hpp"
#include "rankforest/core/parallel.hpp"
#include "rankforest/core/query_ranges.hpp"
#include "rankforest/core/rng.hpp"
#include "rankforest/core/row_sample.hpp"
#include "rankforest/core/span.hpp"
#include "rankforest/core/training_set.hpp"
#include "rankforest/sample/queries.hpp"
#include "rankforest/train/bag.hpp"
#include "rankforest/train/bag_of.hpp"
#include "rankforest/train/monitor.hpp"
#include "rankforest/train/run_options.hpp"
#include "rankforest/train/settings.hpp"
#include "rankforest/train/state_saver.hpp"
#include "rankforest/train/training_state.hpp"

namespace rankforest {

/// What makes the i-th member of a bag differ from the others. Of the seed and i alone, so the
/// first 20 of 45 members are the bag of 20. Member 0 has the seed of the bag: on all queries it is
/// the model that the recipe trains without a bag.
struct MemberDraw {
  std::uint64_t seed = 0;
  RowSample rows;

  /// @param from  what the queries are drawn from
  MemberDraw(std::uint64_t seed_of_bag, std::size_t i, double query_fraction, const Dataset& data,
             const RowSample& from) {
    Rng rng = Rng(seed_of_bag).Child(Purpose::kMember, i);
    seed = i == 0 ? seed_of_bag : rng.Next();
    rows = query_fraction < 1.0 ? DrawForTree(SubsampleQueries{query_fraction}, data, from, rng)
                                : from;
  }
};

/// A model of a bag as it is trained alone.
struct BagModel {
  std::vector<Member> members;         ///< one, but of an ordinal model: one for each problem
  std::vector<Ordinal::Part> parts{};  ///< of an ordinal model: of each member
};

/// Trains the models of a bag by a recipe.
template <class Recipe>
class ModelsOfRecipe {
 public:
  static constexpr std::size_t n_members = 1;  ///< of each model

  /// @param recipe, training  must outlive this
  ModelsOfRecipe(const Recipe& recipe, const TrainingSet& training)
      : recipe_(recipe), training_(training) {}

  void Prepare() const { recipe_.Prepare(training_); }

  [[nodiscard]] BagModel Train(const RowSample& rows, const Rng& rng, Monitor& monitor) const {
    Ensemble model;
    model.members.push_back(recipe_.Train(training_, rows, rng, monitor));
    return {Prefix(std::move(model), monitor.RoundsToKeep()).members};
  }

 private:
  const Recipe& recipe_;
  const TrainingSet& training_;
};

/// Trains a bag: models of one recipe, each with its own seed on its own draw of the queries
/// (Ganjisaffar, Caruana and Lopes, "Bagging gradient-boosted trees for high precision, low
/// variance ranking models", SIGIR 2011, section 3.5; on all queries Mohan 2010, section 2.3.3).
///
/// Each member has its own early stopping. Members are trained side by side, as many as there are
/// threads; what is left, too few to occupy all of them, one after the other, on all threads each.
/// They share the layouts of the data.
///
/// @tparam Models  ModelsOfRecipe, or what trains models of several members each
template <class Models>
class BagTraining {
 public:
  /// @param models, training, options  must outlive this; options.bag has a value
  BagTraining(const Models& models, const TrainingSet& training, std::size_t n_rounds,
              const RunOptions& options)
      : models_(models),
        training_(training),
        all_(WholeSample(training.data.n_documents())),
        n_rounds_(n_rounds),
        options_(options),
        scores_(options.monitor.watches, options.bag->combine, options.threads),
        saver_(EachRound(options.monitor.checkpoints)) {}

  /// @param pool     members that there are already, the first of the bag, or none
  /// @param ordinal  of a bag of ordinal models: their grades, and the parts of these members
  Trained Run(Ensemble pool, std::optional<Ordinal> ordinal = std::nullopt) {
    pool.combine = Combine::kSum;
    pool.n_features = static_cast<std::uint32_t>(training_.data.n_features());
    n_there_ = pool.members.size() / models_.n_members;
    const Span<const Member> there(pool.members);
    for (std::size_t i = 0; i < n_there_; ++i) {
      scores_.Add(there.subspan(i * models_.n_members, models_.n_members));
    }
    const std::size_t n = options_.bag->n_bags - n_there_;
    grown_.resize(n);
    result_.ensemble = std::move(pool);
    result_.ordinal = std::move(ordinal);
    if (options_.resumed.has_value()) TakeOver(*options_.resumed);
    models_.Prepare();
    const std::size_t at_once = SideBySide(n);
    if (TrainThem(options_.threads, 0, at_once)) TrainThem({1}, at_once, n);
    result_.stopped_early = n_taken_ < n;
    return std::move(result_);
  }

 private:
  /// A member is worth saving.
  static Checkpoints EachRound(Checkpoints checkpoints) {
    checkpoints.every = 1;
    return checkpoints;
  }

  struct Grown {
    BagModel model;
    BagMember report;
  };

  /// Takes over what is known of the members that there are.
  void TakeOver(const TrainingState& state) {
    std::vector<std::size_t> n_metrics;
    for (const Watch& watch : options_.monitor.watches) n_metrics.push_back(watch.metrics.size());
    RequireValues(state.history, n_metrics);
    for (const BagMember& member : state.bag) RequireValues(member.history, n_metrics);
    if (state.bag.size() > n_there_) {
      throw std::invalid_argument("the state of a bag tells of " +
                                  std::to_string(state.bag.size()) + " members, and has " +
                                  std::to_string(n_there_));
    }
    result_.history = state.history;
    result_.members = state.bag;
    saver_.Restore(n_there_);
  }

  /// How many of n members are trained at the same time as others.
  [[nodiscard]] std::size_t SideBySide(std::size_t n) const {
    const auto has_memory_of_its_own = [](const Watch& watch) {
      return std::all_of(watch.metrics.begin(), watch.metrics.end(),
                         [](const WatchedMetric& metric) { return bool(metric.renew); });
    };
    const std::vector<Watch>& watches = options_.monitor.watches;
    if (!options_.members_at_once ||
        !std::all_of(watches.begin(), watches.end(), has_memory_of_its_own)) {
      return 0;
    }
    const auto n_threads = static_cast<std::size_t>(options_.threads.count);
    return n / n_threads * n_threads;
  }

  /// Trains and takes the members from `begin` to `end` of those that are new. Returns whether to
  /// go on.
  bool TrainThem(Threads threads, std::size_t begin, std::size_t end) {
    threads.checkpoint = options_.threads.checkpoint;
    OrderedWork work(
        threads, end - begin, [&](std::size_t i, const auto& pulse) { TrainOne(begin + i, pulse); },
        [&](std::size_t i) { return Take(begin + i); });
    return work.Run();
  }

  template <class Pulse>
  void TrainOne(std::size_t i, const Pulse& pulse) {
    const BagSettings& bag = *options_.bag;
    const MemberDraw draw(options_.seed, n_there_ + i, bag.query_fraction, training_.data, all_);
    Monitor monitor(MonitorOf(pulse), options_.threads, n_rounds_);
    grown_[i].model = models_.Train(draw.rows, Rng(draw.seed), monitor);
    grown_[i].report = {draw.seed, QueriesOf(draw.rows), monitor.history(),
                        monitor.stopped_early()};
  }

  /// What follows a member's rounds.
  template <class Pulse>
  [[nodiscard]] MonitorSettings MonitorOf(const Pulse& pulse) const {
    MonitorSettings settings = options_.monitor;
    for (Watch& watch : settings.watches) {
      for (WatchedMetric& metric : watch.metrics) {
        if (metric.renew) metric.evaluate = metric.renew();
      }
    }
    settings.checkpoints = {};
    settings.on_round = [pulse](const RoundReport& /*report*/) { return pulse(); };
    return settings;
  }

  /// Measures the bag with one more member, and reports it. Returns whether to go on.
  bool Take(std::size_t i) {
    Grown& grown = grown_[i];
    scores_.Add(grown.model.members);
    ++n_taken_;
    Append(std::move(grown.model.members), result_.ensemble.members);
    if (result_.ordinal.has_value()) Append(std::move(grown.model.parts), result_.ordinal->parts);
    result_.members.push_back(std::move(grown.report));
    RoundReport report{n_there_ + n_taken_, options_.bag->n_bags, scores_.Values()};
    const bool goes_on = !options_.monitor.on_round || options_.monitor.on_round(report);
    if (!options_.monitor.watches.empty()) result_.history.push_back(std::move(report));
    if (goes_on) saver_.BetweenRounds(n_there_ + n_taken_, [this] { return State(); });
    return goes_on;
  }

  [[nodiscard]] TrainingState State() const {
    TrainingState state{n_there_ + n_taken_, {result_.ensemble.members}, result_.history};
    state.bag = result_.members;
    state.ordinal = result_.ordinal;
    return state;
  }

  template <class T>
  static void Append(std::vector<T> values, std::vector<T>& to) {
    std::move(values.begin(), values.end(), std::back_inserter(to));
  }

  [[nodiscard]] std::vector<std::uint32_t> QueriesOf(const RowSample& rows) const {
    std::vector<std::uint32_t> queries;
    for (const QueryRange& range : QueryRanges(training_.data, rows)) {
      queries.push_back(static_cast<std::uint32_t>(range.query));
    }
    return queries;
  }

  const Models& models_;
  const TrainingSet& training_;
  RowSample all_;
  std::size_t n_rounds_;
  const RunOptions& options_;
  BagScores scores_;
  StateSaver saver_;
  std::size_t n_there_ = 0;  // members from before
  std::size_t n_taken_ = 0;
  std::vector<Grown> grown_;
  Trained result_;
};

}  // namespace rankforest
