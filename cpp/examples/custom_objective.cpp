// Trains boosted trees on an objective of our own, and ranks a query with the result.
//
// An objective is a part like any other: settings, and a run that Start() makes. This one is
// ListNet's top-one cross entropy (Cao et al., "Learning to rank: from pairwise approach to
// listwise approach", ICML 2007): within a query, the softmax of scores is to equal the softmax
// of grades.

#include <algorithm>
#include <cstddef>
#include <cstdio>
#include <rankforest/rankforest.hpp>
#include <vector>

namespace {

using rankforest::Exp;
using rankforest::GradientPair;
using rankforest::QueryRange;
using rankforest::Rng;
using rankforest::RowId;
using rankforest::RowSample;
using rankforest::Span;

class ListNet {
 public:
  class Run {
   public:
    explicit Run(const rankforest::Dataset& data) : data_(data) {}

    double BaseScore(const RowSample& /*sample*/) const { return 0.0; }

    void Gradients(const RowSample& sample, Span<const double> scores, Span<GradientPair> out,
                   const Rng& /*rng*/) {
      for (const QueryRange query : rankforest::QueryRanges(data_, sample)) {
        const Span<const RowId> rows(sample.rows.data() + query.begin, query.end - query.begin);
        const std::vector<double> predicted = Softmax(rows, scores);
        const std::vector<double> wanted = Softmax(rows, data_.grades());
        for (std::size_t i = 0; i < rows.size(); ++i) {
          out[rows[i]] = {predicted[i] - wanted[i], predicted[i] * (1.0 - predicted[i])};
        }
      }
    }

   private:
    static std::vector<double> Softmax(Span<const RowId> rows, Span<const double> values) {
      double largest = values[rows[0]];
      for (const RowId r : rows) largest = std::max(largest, values[r]);
      std::vector<double> shares;
      double sum = 0.0;
      for (const RowId r : rows) {
        shares.push_back(Exp(values[r] - largest));
        sum += shares.back();
      }
      for (double& share : shares) share /= sum;
      return shares;
    }

    const rankforest::Dataset& data_;
  };

  Run Start(const rankforest::TrainingSet& training) const { return Run(training.data); }
};

/// Queries of ten documents whose grades, 0 to 3, follow the first of three features.
rankforest::Dataset MakeData(std::size_t n_queries) {
  rankforest::Rng rng(1);
  std::vector<float> features;
  std::vector<double> grades;
  std::vector<rankforest::QueryId> queries;
  for (std::size_t q = 0; q < n_queries; ++q) {
    for (int document = 0; document < 10; ++document) {
      const double quality = rng.Uniform();
      features.push_back(static_cast<float>(quality));
      features.push_back(static_cast<float>(rng.Uniform()));
      features.push_back(static_cast<float>(rng.Uniform()));
      grades.push_back(static_cast<double>(static_cast<int>(4.0 * quality)));
      queries.push_back(static_cast<rankforest::QueryId>(q));
    }
  }
  return rankforest::Dataset::Owning(std::move(features), 3, grades, queries);
}

}  // namespace

int main() {
  const rankforest::Dataset data = MakeData(200);

  rankforest::BoostSettings settings = rankforest::MartDefaults().boost;
  settings.n_estimators = 50;
  const auto recipe = rankforest::Boosted(settings, rankforest::AnyObjective(ListNet()));
  const rankforest::Trained trained = rankforest::Train(recipe, data, settings.n_estimators, {});

  const std::vector<float> documents = {0.2F, 0.5F, 0.5F,   // the second one is the best
                                        0.9F, 0.5F, 0.5F,   //
                                        0.4F, 0.5F, 0.5F};  //
  const std::vector<double> scores =
      rankforest::Score(trained.ensemble, {documents.data(), 3, 3, 3});
  for (std::size_t d = 0; d < scores.size(); ++d) std::printf("document %zu: %.4f\n", d, scores[d]);
  const bool is_ranked = scores[1] > scores[2] && scores[2] > scores[0];
  std::printf("%s\n", is_ranked ? "ranked as wanted" : "ranked wrongly");
  return is_ranked ? 0 : 1;
}
