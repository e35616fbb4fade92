// Trains LambdaMART with gradients of given widths, for bench/python/width.py: the library chooses
// the width by the number of documents, and here a criterion of its own takes another.
//
//   train_width TRAIN OUT ROUNDS LEAVES LEARNING_RATE DOCUMENTS_IN_LEAF BITS...
//
// TRAIN is LETOR text; the model of each width goes to OUT.BITS.

#include <cstddef>
#include <cstdint>
#include <exception>
#include <filesystem>
#include <iostream>
#include <string>
#include <vector>

#include "rankforest/core/dataset.hpp"
#include "rankforest/core/row_sample.hpp"
#include "rankforest/core/training_set.hpp"
#include "rankforest/criterion/fixed_point.hpp"
#include "rankforest/criterion/newton.hpp"
#include "rankforest/io/letor.hpp"
#include "rankforest/io/model_file.hpp"
#include "rankforest/train/recipes.hpp"
#include "rankforest/train/run.hpp"
#include "rankforest/tree/histogram_engine.hpp"
#include "rankforest/tree/tree_growth.hpp"
#include "rankforest/tree/tree_run.hpp"

namespace rankforest::bench {
namespace {

/// Newton on gradients of `bits` bits, whatever the width that its scales were made for. Leaf
/// values have all bits that they always have.
struct NewtonOfWidth : Newton {
  int bits = kSearchBits;
  int bits_of_scales = kSearchBits;

  class Scaled : public Newton::Scaled {
   public:
    Scaled() = default;
    Scaled(const NewtonOfWidth& settings, const GradientScales& scales)
        : Newton::Scaled(settings, {settings.Other(scales.grad), settings.Other(scales.hess)}) {}
  };

 private:
  [[nodiscard]] FixedPointScale Other(const FixedPointScale& scale) const {
    const double half_of_range = scale.ToReal(std::int64_t{1} << (bits_of_scales - 1));
    return {half_of_range, bits};
  }
};

/// Grows trees by histograms, on all documents.
struct GrowerOfWidth {
  using Run = TreeRun;

  TreeLimits limits;
  double min_hessian = 0.0;
  int bits = kSearchBits;

  [[nodiscard]] Run Start(const TrainingSet& training) const {
    NewtonOfWidth criterion;
    criterion.min_hessian = min_hessian;
    criterion.bits = bits;
    criterion.bits_of_scales = SearchBits(training.data.n_documents());
    return Run(TreeGrowth<NewtonOfWidth, HistogramEngine>(limits, criterion, training,
                                                          HistogramEngine(training)));
  }
};

void TrainAll(const std::vector<std::string>& arguments) {
  const LetorData text = ReadLetorFiles(std::vector<std::filesystem::path>{arguments.at(0)});
  const Dataset data({text.features.data(), text.n_documents, text.n_features, text.n_features},
                     text.grades, text.query_codes);
  LambdaMartSettings settings = LambdaMartDefaults();
  const auto n_rounds = static_cast<std::uint32_t>(std::stoul(arguments.at(2)));
  const BoostPlan plan{n_rounds, std::stod(arguments.at(4))};
  GrowerOfWidth grower{settings.boost.trees.limits, settings.boost.trees.min_hessian};
  grower.limits.max_leaf_nodes = static_cast<std::uint32_t>(std::stoul(arguments.at(3)));
  grower.limits.min_samples_leaf.amount = std::stod(arguments.at(5));
  for (std::size_t i = 6; i < arguments.size(); ++i) {
    grower.bits = std::stoi(arguments[i]);
    const Boost recipe(plan, RankingObjectiveOf(settings), grower, AllRows());
    const Trained trained = Train(recipe, data, n_rounds, {});
    SaveModel(arguments[1] + "." + arguments[i], trained.ensemble);
  }
}

}  // namespace
}  // namespace rankforest::bench

int main(int argc, char** argv) {
  try {
    rankforest::bench::TrainAll({argv + 1, argv + argc});
    return 0;
  } catch (const std::exception& error) {
    std::cerr << "train_width: " << error.what() << '\n';
    return 1;
  }
}
