#include "rankforest/objective/lambda_query.hpp"

#include <doctest/doctest.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "rankforest/core/rng.hpp"
#include "rankforest/metric/swap_delta.hpp"

namespace rankforest {
namespace {

using Pairs = std::vector<GradientPair>;

/// NDCG without a cutoff as far as anybody can tell, but for which pairs are worth a look.
class Unpruned {
 public:
  explicit Unpruned(DcgSwap swap) : swap_(std::move(swap)) {}
  void Reset(Span<const double> grades) { swap_.Reset(grades); }
  [[nodiscard]] bool is_flat() const { return swap_.is_flat(); }
  double operator()(std::size_t i, std::size_t j) const { return swap_(i, j); }
  [[nodiscard]] std::size_t depth() const { return 1000; }

 private:
  DcgSwap swap_;
};

template <class Swap>
Pairs Compute(const Swap& swap, const LambdaSettings& settings, const std::vector<double>& grades,
              const std::vector<double>& scores) {
  std::vector<RowId> rows;
  for (std::size_t i = 0; i < grades.size(); ++i) rows.push_back(static_cast<RowId>(i));
  Pairs out(grades.size());
  detail::LambdaQuery<Swap>(swap, settings)
      .Compute(rows, grades, scores, detail::QueryPairWeights(1.0), out);
  return out;
}

}  // namespace

TEST_CASE("pairs that are left out because the metric does not see them were worth nothing") {
  Rng rng(61);
  for (int trial = 0; trial < 100; ++trial) {
    std::vector<double> grades(1 + rng.Below(40));
    std::vector<double> scores;
    for (double& grade : grades) {
      grade = rng.Below(5);
      scores.push_back(rng.Below(30) * 0.125);
    }
    LambdaSettings settings;
    settings.truncation = std::nullopt;
    if (trial % 2 == 0) settings.truncation = 1 + rng.Below(12);
    settings.norm = static_cast<LambdaNorm>(rng.Below(4));
    const DcgSwap swap(Metric::Parse("ndcg@5"));
    const Pairs pruned = Compute(swap, settings, grades, scores);
    const Pairs all = Compute(Unpruned(swap), settings, grades, scores);
    INFO("trial ", trial);
    for (std::size_t d = 0; d < grades.size(); ++d) {
      // The order beyond rank 5 differs, and with it that of the sums.
      CHECK(pruned[d].grad == doctest::Approx(all[d].grad).epsilon(1e-12));
      CHECK(pruned[d].hess == doctest::Approx(all[d].hess).epsilon(1e-12));
    }
  }
}

TEST_CASE("a query has as many rows of pairs as both the metric and the truncation let count") {
  LambdaSettings settings;
  const auto rows = [&](const char* metric, std::optional<std::uint32_t> truncation,
                        std::size_t n) {
    settings.truncation = truncation;
    return detail::LambdaQuery<DcgSwap>(DcgSwap(Metric::Parse(metric)), settings).RowCount(n);
  };
  CHECK(rows("ndcg@10", 30, 100) == 10);
  CHECK(rows("ndcg@10", 3, 100) == 3);
  CHECK(rows("ndcg", 30, 100) == 30);
  CHECK(rows("ndcg", std::nullopt, 100) == 100);
  CHECK(rows("ndcg@10", 30, 4) == 4);
}

TEST_CASE("rows of a query that are not next to each other get their own lambdas") {
  const DcgSwap swap(Metric::Parse("ndcg"));
  const Pairs dense = Compute(swap, {}, {1, 0, 2}, {0.5, 1.5, 1.0});
  const std::vector<double> grades = {9, 1, 9, 0, 2};
  const std::vector<double> scores = {9, 0.5, 9, 1.5, 1.0};
  Pairs sparse(5, {-7.0, -7.0});
  detail::LambdaQuery<DcgSwap>(swap, {}).Compute(std::vector<RowId>{1, 3, 4}, grades, scores,
                                                 detail::QueryPairWeights(2.0), sparse);
  CHECK(sparse[1].grad == 2.0 * dense[0].grad);
  CHECK(sparse[3].grad == 2.0 * dense[1].grad);
  CHECK(sparse[4].hess == 2.0 * dense[2].hess);
  CHECK(sparse[0].grad == -7.0);
  CHECK(sparse[2].hess == -7.0);
}

}  // namespace rankforest
