#pragma once

#include <memory>
#include <type_traits>
#include <utility>

#include "rankforest/core/rng.hpp"
#include "rankforest/core/row_sample.hpp"
#include "rankforest/core/span.hpp"
#include "rankforest/core/training_set.hpp"
#include "rankforest/criterion/fixed_point.hpp"

namespace rankforest {

/// Any objective, chosen when a run starts: it is asked once per round, so that one boosting
/// loop serves all of them where compile time and code size count.
class AnyObjective {
  struct AnyRun {
    AnyRun() = default;
    AnyRun(const AnyRun&) = delete;
    AnyRun& operator=(const AnyRun&) = delete;
    virtual ~AnyRun() = default;
    [[nodiscard]] virtual double BaseScore(const RowSample& sample) const = 0;
    virtual void Gradients(const RowSample& sample, Span<const double> scores,
                           Span<GradientPair> out, const Rng& rng) = 0;
  };

  template <class ObjectiveRun>
  struct RunOf final : AnyRun {
    explicit RunOf(ObjectiveRun inner) : run(std::move(inner)) {}
    [[nodiscard]] double BaseScore(const RowSample& sample) const override {
      return run.BaseScore(sample);
    }
    void Gradients(const RowSample& sample, Span<const double> scores, Span<GradientPair> out,
                   const Rng& rng) override {
      run.Gradients(sample, scores, out, rng);
    }
    ObjectiveRun run;
  };

  struct Settings {
    Settings() = default;
    Settings(const Settings&) = delete;
    Settings& operator=(const Settings&) = delete;
    virtual ~Settings() = default;
    [[nodiscard]] virtual std::unique_ptr<AnyRun> Start(const TrainingSet& training) const = 0;
  };

  template <class Objective>
  struct SettingsOf final : Settings {
    explicit SettingsOf(Objective inner) : objective(std::move(inner)) {}
    [[nodiscard]] std::unique_ptr<AnyRun> Start(const TrainingSet& training) const override {
      return std::make_unique<RunOf<decltype(objective.Start(training))>>(
          objective.Start(training));
    }
    Objective objective;
  };

 public:
  template <class Objective, class = std::enable_if_t<!std::is_same_v<Objective, AnyObjective>>>
  explicit AnyObjective(Objective objective)
      : settings_(std::make_shared<const SettingsOf<Objective>>(std::move(objective))) {}

  class Run {
   public:
    explicit Run(std::unique_ptr<AnyRun> run) : run_(std::move(run)) {}

    [[nodiscard]] double BaseScore(const RowSample& sample) const {
      return run_->BaseScore(sample);
    }
    void Gradients(const RowSample& sample, Span<const double> scores, Span<GradientPair> out,
                   const Rng& rng) {
      run_->Gradients(sample, scores, out, rng);
    }

   private:
    std::unique_ptr<AnyRun> run_;
  };

  [[nodiscard]] Run Start(const TrainingSet& training) const {
    return Run(settings_->Start(training));
  }

 private:
  std::shared_ptr<const Settings> settings_;  // immutable, shared by copies
};

}  // namespace rankforest
